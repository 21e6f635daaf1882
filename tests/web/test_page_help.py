"""Agents, hints and proofs in a real browser."""

from __future__ import annotations

import re

from board_page import MIDDLE, plain_seed, visiting
from playwright.sync_api import Browser

from mineproof.position import Cell


def cells_in(text: str) -> list[Cell]:
    return [(int(row), int(col)) for row, col in re.findall(r"\((\d+), (\d+)\)", text)]


def test_an_agent_moves_after_a_person_and_shows_its_sentences(
    browser: Browser, address: str
) -> None:
    with visiting(browser, address) as shown:
        shown.ready()
        shown.new(level="beginner", start="zero", seed=plain_seed())
        shown.click(*MIDDLE)
        shown.page.click("#tab-agent")
        shown.page.wait_for_selector("option[value=logic]", state="attached")
        shown.page.click("text=AI move")
        shown.wait_moves(2)
        shown.page.wait_for_selector(".sentences li")
        assert re.fullmatch(
            r"(Open|Flag) \(\d+, \d+\): certain\.", shown.text("#panel-agent .headline")
        )
        assert shown.text("#panel-agent .said p:nth-of-type(2)").startswith("Why: {")
        assert all(" = " in line for line in shown.text(".sentences").splitlines())
        shown.page.click("#undo")
        shown.wait("document.getElementById('board').dataset.drawn === '1'")


def test_auto_play_goes_on_to_the_end_and_can_be_paused(browser: Browser, address: str) -> None:
    with visiting(browser, address) as shown:
        shown.ready()
        shown.new(level="beginner", seed=2, on_mine="continue")
        page = shown.page
        page.click("#tab-agent")
        page.wait_for_selector("option[value=exact]", state="attached")
        page.select_option("#panel-agent select", "exact")
        page.click("text=Auto-play")
        shown.wait_moves(1)
        page.click("text=Pause")
        page.wait_for_selector("text=Auto-play")
        page.wait_for_timeout(400)
        paused = shown.state["moves"]
        page.wait_for_timeout(500)
        assert shown.state["moves"] == paused
        page.locator("#panel-agent input[type=range]").fill("6")
        page.click("text=Auto-play")
        page.wait_for_selector(".message.good, .message.bad", timeout=60_000)
        assert shown.state["outcome"] == "finished"


def test_a_stuck_agent_says_so(browser: Browser, address: str) -> None:
    with visiting(browser, address) as shown:
        shown.ready()
        shown.new(rows=1, cols=3, mines=1, start="any", seed=0, on_mine="continue")
        shown.click(0, 1)
        page = shown.page
        page.click("#tab-agent")
        page.wait_for_selector("option[value=logic]", state="attached")
        for _ in range(4):
            if shown.state["outcome"] is not None:
                shown.new(rows=1, cols=3, mines=1, start="any", seed=1)
            page.click("text=AI move")
            page.wait_for_selector("#panel-agent .headline")
            if "stuck" in shown.text("#panel-agent .headline"):
                break
        assert shown.text("#panel-agent .headline") == "logic is stuck: it has no move."


def test_a_hint_leads_to_its_premises_and_to_the_proof(browser: Browser, address: str) -> None:
    with visiting(browser, address) as shown:
        shown.ready()
        shown.new(level="intermediate", start="zero", seed=1)
        shown.click(8, 8)
        page = shown.page
        page.click("#hint")
        page.wait_for_selector("#panel-help .headline")
        assert shown.text("#panel-help .headline").startswith("Look at the")
        page.click("text=Which clues?")
        clues = cells_in(shown.text("#panel-help .headline:nth-of-type(2)"))
        assert clues
        row, col = clues[0]
        page.mouse.click(*shown.at(row, col))
        assert shown.focused().endswith("premise")
        page.click("text=Which cell?")
        (cell,) = cells_in(shown.text("#panel-help .headline:nth-of-type(3)"))
        page.click("#panel-help button:has-text('Why?')")
        page.wait_for_selector(".steps li")
        assert str(cell) in shown.text(".steps li:last-child")
        page.click(".steps li:last-child")
        assert page.get_attribute(".steps li:last-child", "aria-current") == "step"
        # The hint was right.
        shown.click(*cell, button="left" if "safe" in shown.text(".steps") else "right")
        assert shown.state["outcome"] is None


def test_why_explains_any_cell(browser: Browser, address: str) -> None:
    with visiting(browser, address) as shown:
        shown.ready()
        shown.new(level="beginner", start="zero", seed=1)
        shown.click(4, 4)
        page = shown.page
        page.click("#why")
        closed = shown.state["cells"].index(".")
        page.mouse.click(*shown.at(*divmod(closed, 9)))
        page.wait_for_selector("#panel-help .headline")
        assert re.match(
            rf"\({closed // 9}, {closed % 9}\) is (safe|a mine|not certain)",
            shown.text("#panel-help .headline"),
        )
        assert shown.state["moves"] == 1
        page.keyboard.press("Escape")
        assert page.get_attribute("#why", "aria-pressed") == "false"
        page.click("#tab-help")
        page.click("text=May I guess?")
        shown.wait(
            "/certain move|may guess/.test("
            "document.querySelector('#panel-help .headline')?.textContent)"
        )


def test_before_the_first_cell_nothing_is_known(browser: Browser, address: str) -> None:
    with visiting(browser, address) as shown:
        shown.ready()
        shown.new(level="beginner")
        shown.page.click("#hint")
        shown.page.wait_for_selector("#status.problem")
        assert shown.text("#status") == "Open a first cell: the mines are laid around it."
