"""Agents, hints and proofs in a real browser."""

from __future__ import annotations

import re

import pytest
from board_page import MIDDLE, hidden_mines, plain_game, visiting
from page_fixtures import TROUBLE
from playwright.sync_api import Browser, Request, Response, expect

from mineproof import infer
from mineproof.position import Cell, Observation


def cells_in(text: str) -> list[Cell]:
    return [(int(row), int(col)) for row, col in re.findall(r"\((\d+), (\d+)\)", text)]


def test_an_agent_moves_after_a_person_and_shows_its_sentences(
    browser: Browser, address: str
) -> None:
    with visiting(browser, address, **plain_game()) as shown:
        page = shown.page
        shown.click(*MIDDLE)
        page.click("#tab-agent")
        page.wait_for_selector("option[value=logic]", state="attached")
        page.select_option("#panel-agent select", "logic")
        page.click("text=AI move")
        page.wait_for_selector(".sentences li")
        expect(page.locator("#panel-agent .headline")).to_have_text(
            re.compile(r"^(Open|Flag) \(\d+, \d+\): certain\.$")
        )
        expect(page.locator("#panel-agent .said p:nth-of-type(2)")).to_contain_text("Why: {")
        assert all(" = " in line for line in shown.text(".sentences").splitlines())
        page.click("#undo")
        shown.wait_moves(1)


def test_auto_play_goes_on_to_the_end_and_can_be_paused(browser: Browser, address: str) -> None:
    with visiting(browser, address, level="beginner", seed=2, on_mine="continue") as shown:
        page = shown.page
        open_requests: set[Request] = set()
        asked: list[Request] = []

        def ask(request: Request) -> None:
            if request.url.endswith("/step"):
                asked.append(request)
                open_requests.add(request)

        def answer(response: Response) -> None:
            open_requests.discard(response.request)

        page.on("request", ask)
        page.on("response", answer)
        page.click("#tab-agent")
        page.wait_for_selector("option[value=exact]", state="attached")
        page.select_option("#panel-agent select", "exact")
        page.click("text=Auto-play")
        shown.wait(lambda: shown.drawn > 0)
        page.click("text=Pause")
        expect(page.locator("text=Auto-play")).to_be_visible()
        # The last question may be on its way; none follows it.
        shown.wait(lambda: not open_requests)
        before = len(asked)
        page.wait_for_timeout(400)
        assert len(asked) == before
        page.locator("#panel-agent input[type=range]").fill("6")
        page.click("text=Auto-play")
        expect(page.locator(".message.good, .message.bad")).to_be_visible()
        assert shown.state["outcome"] == "finished"


def test_the_champion_moves_first_and_says_how_likely_a_win_is(
    browser: Browser, address: str
) -> None:
    with visiting(browser, address, level="beginner", seed=1) as shown:
        page = shown.page
        chances = page.locator("#panel-agent .chances")
        page.click("#tab-agent")
        page.wait_for_selector("option[value=champion]", state="attached")
        expect(page.locator("#panel-agent select")).to_have_value("champion")
        page.click("text=AI move")
        expect(chances).to_have_text(re.compile(r"^Chance to win: about [\d.]+% ± [\d.]+ after\.$"))
        page.click("text=AI move")
        expect(chances).to_have_text(re.compile(r"^Chance to win: .*% ± [\d.]+ before, .* after\."))


def test_an_agent_of_somebody_else_moves_and_its_failure_is_told(
    browser: Browser, address: str
) -> None:
    with visiting(browser, address, level="beginner", start="any", seed=1) as shown:
        page = shown.page
        page.click("#tab-agent")
        page.wait_for_selector("option[value=champion]", state="attached")
        page.select_option("#panel-agent select", TROUBLE)
        page.click("text=AI move")
        expect(page.locator("#panel-agent .said")).to_contain_text("Why: It comes first.")
        page.click("#panel-agent summary")
        page.check("text=crash: crashes")
        page.click("text=AI move")
        expect(page.locator("#panel-agent .headline.problem")).to_contain_text(
            "failed: RuntimeError: no idea at all (trouble.py, line "
        )


def test_the_conditions_of_reports_are_one_choice(browser: Browser, address: str) -> None:
    with visiting(browser, address) as shown:
        page = shown.page
        presets = page.locator("select[aria-label='Conditions of a report'] >> nth=0")
        presets.select_option("R2")
        page.click("text=Medium")
        page.wait_for_selector("#board[data-rows='16'][data-drawn='0']")
        state = shown.state
        assert (state["rows"], state["cols"], state["rules"]["given_safe"]) == (16, 16, 16)
        assert not state["rules"]["cascade"]
        page.click("#tab-agent")
        expect(page.locator("#panel-agent select")).to_have_value("logic")
        page.click("#tab-game")
        presets.select_option("R3")
        page.click("#panel-game summary")
        page.select_option("select[name=clues]", "cautious")
        page.click("#panel-game button.primary")
        page.wait_for_selector("#board[data-rows='10'][data-drawn='0']")
        state = shown.state
        assert (state["channel"], state["rules"]["on_mine"]) == ("cautious", "continue")
        page.click("#tab-agent")
        expect(page.locator("#panel-agent select")).to_have_value("border")
        page.click("#panel-agent summary")
        expect(page.locator("#panel-agent details input[value=nosplit]")).to_be_visible()
        expect(
            page.locator("#panel-agent details input[value=total], input[value=untold]")
        ).to_be_visible()


def test_a_stuck_agent_says_so(browser: Browser, address: str) -> None:
    seed = next(seed for seed in range(20) if hidden_mines(seed, 1, 3, 1) != [(0, 1)])
    with visiting(browser, address, rows=1, cols=3, mines=1, start="any", seed=seed) as shown:
        page = shown.page
        shown.click(0, 1)
        page.click("#tab-agent")
        page.wait_for_selector("option[value=logic]", state="attached")
        page.select_option("#panel-agent select", "logic")
        page.click("text=AI move")
        expect(page.locator("#panel-agent .headline")).to_have_text(
            "logic is stuck: it has no move."
        )


def test_a_hint_leads_to_its_premises_and_to_the_proof(browser: Browser, address: str) -> None:
    with visiting(browser, address, level="intermediate", start="zero", seed=1) as shown:
        page = shown.page
        shown.click(8, 8)
        page.click("#hint")
        expect(page.locator("#panel-help .headline")).to_contain_text("Look at the")
        page.click("text=Which clues?")
        second = page.locator("#panel-help .headline:nth-of-type(2)")
        second.wait_for()
        row, col = cells_in(second.inner_text())[0]
        page.mouse.click(*shown.at(row, col))
        symbol = shown.state["cells"][row * 16 + col]
        shown.says(f"({row}, {col}) {symbol}, premise")
        page.click("text=Which cell?")
        third = page.locator("#panel-help .headline:nth-of-type(3)")
        third.wait_for()
        (cell,) = cells_in(third.inner_text())
        page.click("#panel-help button:has-text('Why?')")
        last = page.locator(".steps li:last-child")
        expect(last).to_contain_text(str(cell))
        last.click()
        expect(last).to_have_attribute("aria-current", "step")
        # The hint was right.
        shown.click(*cell, button="left" if "safe" in shown.text(".steps") else "right")
        assert shown.state["outcome"] is None


def test_why_explains_any_cell(browser: Browser, address: str) -> None:
    with visiting(browser, address, level="beginner", start="zero", seed=1) as shown:
        page = shown.page
        said = page.locator("#panel-help .headline")
        shown.click(4, 4)
        page.click("#why")
        row, col = divmod(shown.state["cells"].index("."), 9)
        page.mouse.click(*shown.at(row, col))
        expect(said).to_have_text(
            re.compile(rf"^\({row}, {col}\) is (safe|a mine|not certain)"),
        )
        assert shown.state["moves"] == 1
        page.keyboard.press("Escape")
        expect(page.locator("#why")).to_have_attribute("aria-pressed", "false")
        page.click("#tab-help")
        page.click("text=May I guess?")
        expect(said).to_have_text(re.compile("certain move|may guess"))


@pytest.mark.parametrize("phone", [False, True])
def test_a_wrong_flag_is_shown_as_such(browser: Browser, address: str, phone: bool) -> None:
    with visiting(browser, address, phone=phone, **plain_game()) as shown:
        page = shown.page
        shown.click(*MIDDLE)
        state = shown.state
        lines = (state["cells"][at : at + 9] for at in range(0, 81, 9))
        row, col = infer(Observation.from_text("9x9x10\n" + "\n".join(lines))).safe[0]
        shown.click(row, col, button="right")
        shown.says(f"({row}, {col}) flagged")
        page.keyboard.press("r")
        shown.says(f"({row}, {col}) flagged, certainly safe: the flag is wrong")
        page.keyboard.press("w")
        expect(page.locator("#panel-help .steps li").last).to_have_text(
            f"The flag at ({row}, {col}) is wrong: the cell is safe."
        )
        page.keyboard.press("h")
        page.click("text=Which clues?")
        page.click("text=Which cell?")
        shown.settled()


def test_before_the_first_cell_nothing_is_known(browser: Browser, address: str) -> None:
    with visiting(browser, address, level="beginner") as shown:
        shown.page.click("#hint")
        expect(shown.page.locator("#status.problem")).to_have_text(
            "Open a first cell: the mines are laid around it."
        )
