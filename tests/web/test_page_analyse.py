"""Any position, shared games and their review in a real browser."""

from __future__ import annotations

from typing import Literal, TypeAlias

import pytest
from board_page import BoardPage, ask, lost_game, visiting
from playwright.sync_api import Browser, expect

from mineproof.game import Transcript

Scheme: TypeAlias = Literal["light", "dark"]
POSITION = "8x2x3\n........\n?1221???"
CLASH = "1.5.\n...."


def on(shown: BoardPage, board: str) -> BoardPage:
    return BoardPage(shown.page, shown.address, board).ready()


@pytest.mark.parametrize(("phone", "scheme"), [(False, "dark"), (True, "light")])
def test_a_pasted_position_is_analysed(
    browser: Browser, address: str, phone: bool, scheme: Scheme
) -> None:
    with visiting(browser, address, phone=phone, scheme=scheme, where="#analyse") as shown:
        board = on(shown, "#board-analyse")
        page = shown.page
        said = page.locator("#view-analyse .headline")
        page.fill("textarea", POSITION)
        expect(page.locator("#view-analyse .message")).to_have_text(
            "4 certainly safe, 2 certainly mines. 2 layouts fit."
        )
        board.wait(lambda: board.marked_safe() == [(0, 0), (0, 1), (0, 4), (0, 5)])
        expect(said).to_contain_text("certain move: (0, 0) is safe")
        # Ask for one cell, then go back.
        page.mouse.click(*board.at(0, 6))
        expect(said).to_have_text("(0, 6) is not certain: its risk is 50.0%.")
        page.click("text=Back to all answers")
        page.click("text=(0, 2) is a mine, by")
        page.wait_for_selector(".steps li")


def test_chances_to_win_are_shown_with_a_guess(browser: Browser, address: str) -> None:
    with visiting(browser, address, where="#analyse") as shown:
        on(shown, "#board-analyse")
        shown.page.fill("textarea", "3x3x2\n...\n.2.\n...")
        table = shown.page.locator("#view-analyse .guesses")
        expect(table.locator("caption")).to_contain_text("computed exactly")
        expect(table.locator("tbody tr").first).to_contain_text("25%60.7%39.3%")
        shown.page.fill("textarea", "9x9x10\n1........\n" + ".........\n" * 8)
        expect(table.locator("caption")).to_contain_text("estimated")
        expect(table.locator("tbody tr").first.locator("small")).to_contain_text("±")
        expect(shown.page.locator("#view-analyse .said")).to_contain_text("Open (")


def test_a_contradiction_is_shown_on_the_cells_that_clash(browser: Browser, address: str) -> None:
    with visiting(browser, address, where="#analyse") as shown:
        board = on(shown, "#board-analyse")
        shown.page.fill("textarea", CLASH)
        expect(shown.page.locator("#view-analyse .headline")).to_have_text(
            "No layout fits the clues at (0, 0) and (0, 2)."
        )
        shown.page.focus("#board-analyse")
        shown.page.keyboard.press("Home")
        board.says("(0, 0) 1, clashes")
        # Repair it by painting.
        shown.page.click("[data-brush='2']")
        shown.page.mouse.click(*board.at(0, 2))
        expect(shown.page.locator("#view-analyse .message:not(.bad)")).to_be_visible()
        expect(shown.page.locator("textarea")).to_have_value("1.2.\n....")


def test_a_trusted_flag_that_clashes_is_named(browser: Browser, address: str) -> None:
    with visiting(browser, address, where="#analyse") as shown:
        board = on(shown, "#board-analyse")
        headline = shown.page.locator("#view-analyse .headline")
        shown.page.fill("textarea", "0F.\n..1")
        expect(headline.first).to_contain_text("certain move")
        expect(shown.page.locator("#view-analyse .said")).to_contain_text(
            "The flag at (0, 1) is wrong: the cell is safe."
        )
        shown.page.check("#view-analyse label:has-text('Flags are mines') input")
        expect(headline).to_have_text(
            "No layout fits the clue at (0, 0) with the trusted flag at (0, 1)."
        )
        shown.page.focus("#board-analyse")
        shown.page.keyboard.press("Home")
        shown.page.keyboard.press("ArrowRight")
        board.says("(0, 1) flagged, clashes")


def test_bad_text_gets_the_sentence_of_the_server(browser: Browser, address: str) -> None:
    with visiting(browser, address, where="#analyse", refusals=True) as shown:
        on(shown, "#board-analyse")
        with shown.page.expect_response(lambda answer: answer.status == 422):
            shown.page.fill("textarea", "12x21\n..")
        expect(shown.page.locator("#view-analyse .message.bad")).to_contain_text("COLSxROWSxMINES")


def test_a_position_goes_round_by_a_link(browser: Browser, address: str) -> None:
    with visiting(browser, address, where="#analyse") as shown:
        on(shown, "#board-analyse")
        page = shown.page
        page.fill("textarea", POSITION)
        page.select_option("#view-analyse select", "lost:0.25")
        page.click("#view-analyse >> text=Copy link")
        page.wait_for_selector("text=Link copied")
        link = page.evaluate("navigator.clipboard.readText()")
    where = link.removeprefix(f"{address}/")
    assert where == "#position=8x2x3/......../?1221???;channel=lost:0.25"
    with visiting(browser, address, where=where) as shown:
        on(shown, "#board-analyse")
        expect(shown.page.locator("textarea")).to_have_value(POSITION)
        expect(shown.page.locator("#view-analyse select")).to_have_value("lost:0.25")


@pytest.mark.parametrize(("phone", "scheme"), [(False, "light"), (True, "dark")])
def test_a_lost_game_is_reviewed(
    browser: Browser, address: str, phone: bool, scheme: Scheme
) -> None:
    with visiting(
        browser, address, phone=phone, scheme=scheme, where=f"#game={lost_game()}"
    ) as shown:
        on(shown, "#board-review")
        page = shown.page
        message = page.locator("#view-review .message")
        expect(page.locator("#view-review .headline")).to_contain_text(
            "3 openings: 1 certain, 1 forced guess, 1 needless or weak."
        )
        expect(page.locator(".luck .blast")).to_have_count(1)
        # It begins at the costliest choice.
        expect(message).to_contain_text("(1, 3): needless risk of 33.3%; (0, 1) was certainly safe")
        expect(message).to_contain_text("it was a mine")
        expect(message).to_contain_text("Chance to win: 90.5% before, 0% after.")
        expect(page.locator(".luck .given")).to_have_count(1)
        page.click("[aria-label='One move forward']")
        expect(message).to_have_text("The end: lost.")
        page.click("[aria-label='To the beginning']")
        expect(message).to_contain_text("Move 1 of 4: open (0, 0)")
        page.click(".decisions .needless")
        expect(page.locator("#view-review .said")).to_contain_text("the choices gave away 30")
        expect(message).to_contain_text("Move 4 of 4")
        page.click("text=Play this board")
        page.wait_for_selector("#board[data-cols='5'][data-drawn='0']")
        assert shown.state["moves"] == 0


def test_a_finished_game_goes_round_by_a_link(browser: Browser, address: str) -> None:
    with visiting(browser, address, rows=2, cols=2, mines=1, start="any", seed=1) as shown:
        page = shown.page
        for row, col in ((0, 0), (0, 1), (1, 0), (1, 1)):
            if shown.state["outcome"] is None:
                shown.click(row, col)
        page.click("#ending >> text=Review")
        expect(page.locator("#view-review .headline")).to_contain_text(" opening")
        assert "#game=mineproof+game+1;size+2x2x1;seed+1;start+any" in page.url
        line = page.url.split("#game=")[1]
        page.click("#view-review >> text=Copy link")
        page.wait_for_selector("text=Link copied")
        assert page.evaluate("navigator.clipboard.readText()") == f"{address}/#game={line}"
        assert Transcript.from_text(line).outcome == shown.state["outcome"]


def test_two_agents_play_the_same_board(browser: Browser, address: str) -> None:
    with visiting(browser, address) as shown:
        page = shown.page
        page.select_option("select[aria-label='Conditions of a report']", "R4")
        page.wait_for_selector("#board-2[data-cols='10'][data-drawn='0']")
        for step in range(1, 4):
            page.click("#view-race button:has-text('Step')")
            statuses = page.locator("#view-race .message")
            expect(statuses).to_contain_text([f"Step {step}:"] * 2)
        chosen = page.locator("#view-race .lane-head select")
        assert chosen.evaluate_all("all => all.map((one) => one.value)") == ["basic", "projection"]
        expect(page.locator("#view-race .lane-head input[value=eight]:checked")).to_have_count(2)


def test_a_server_that_is_gone_is_one_sentence(browser: Browser, address: str) -> None:
    with visiting(browser, address, refusals=True) as shown:
        shown.page.route(
            "**/api/**", lambda route: route.fulfill(status=410, json={"detail": "Gone."})
        )
        with shown.page.expect_response(lambda answer: answer.status == 410):
            shown.page.mouse.click(*shown.at(4, 4))
        expect(shown.page.locator("#status.problem")).to_have_text("Gone.")
        shown.page.unroute("**/api/**")
        assert ask(address, "offer")["levels"]
