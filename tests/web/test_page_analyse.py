"""Any position, shared games and their review in a real browser."""

from __future__ import annotations

from typing import Literal, TypeAlias

import httpx
import pytest
from board_page import BoardPage, visiting
from playwright.sync_api import Browser

from mineproof import Board, Game, Rules
from mineproof.game import Transcript

Scheme: TypeAlias = Literal["light", "dark"]
POSITION = "8x2x3\n........\n?1221???"
CLASH = "1.5.\n...."


def lost_game() -> str:
    """A game with a forced guess, a needless risk and a mine, as a line."""
    game = Game(Board.from_cells(2, 5, [(0, 0), (1, 4)]), Rules(start="any", cascade=False))
    game.open((0, 2))
    game.open((0, 1))
    game.flag((0, 0))
    game.open((1, 4))
    assert game.outcome == "lost"
    return Transcript.of(game, by="person").to_line()


def on(shown: BoardPage, board: str) -> BoardPage:
    return BoardPage(shown.page, shown.address, board).ready()


@pytest.mark.parametrize(("phone", "scheme"), [(False, "dark"), (True, "light")])
def test_a_pasted_position_is_analysed(
    browser: Browser, address: str, phone: bool, scheme: Scheme
) -> None:
    with visiting(browser, address, phone=phone, scheme=scheme, where="#analyse") as shown:
        board = on(shown, "#board-analyse")
        page = shown.page
        page.fill("textarea", POSITION)
        board.wait("document.getElementById('board-analyse').dataset.cols === '8'")
        shown.wait(
            "document.querySelector('#view-analyse .message').textContent.includes(' 2 layouts')"
        )
        assert shown.text("#view-analyse .message") == (
            "4 certainly safe, 2 certainly mines. 2 layouts fit."
        )
        assert board.marked_safe() == [(0, 0), (0, 1), (0, 4), (0, 5)]
        assert "certain move: (0, 0) is safe" in shown.text("#view-analyse .headline")
        # Ask for one cell, then go back.
        page.mouse.click(*board.at(0, 6))
        page.wait_for_selector("text=Back to all answers")
        assert shown.text("#view-analyse .headline") == "(0, 6) is not certain: its risk is 50.0%."
        page.click("text=Back to all answers")
        page.click("text=(0, 2) is a mine, by")
        page.wait_for_selector(".steps li")


def test_a_contradiction_is_shown_on_the_cells_that_clash(browser: Browser, address: str) -> None:
    with visiting(browser, address, where="#analyse") as shown:
        board = on(shown, "#board-analyse")
        shown.page.fill("textarea", CLASH)
        shown.page.wait_for_selector("#view-analyse .message.bad")
        assert shown.text("#view-analyse .headline") == (
            "No layout fits the clues at (0, 0), (0, 2)."
        )
        shown.page.focus("#board-analyse")
        shown.page.keyboard.press("Home")
        assert board.focused() == "(0, 0) 1, clashes"
        # Repair it by painting.
        shown.page.click("[data-brush='2']")
        shown.page.mouse.click(*board.at(0, 2))
        shown.page.wait_for_selector("#view-analyse .message:not(.bad)")
        assert shown.page.input_value("textarea") == "1.2.\n...."


def test_bad_text_gets_the_sentence_of_the_server(browser: Browser, address: str) -> None:
    with visiting(browser, address, where="#analyse", refusals=True) as shown:
        on(shown, "#board-analyse")
        with shown.page.expect_response(lambda answer: answer.status == 422):
            shown.page.fill("textarea", "12x\n..")
        shown.page.wait_for_selector("#view-analyse .message.bad")
        assert "COLSxROWSxMINES" in shown.text("#view-analyse .message")


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
        assert shown.page.input_value("textarea") == POSITION
        assert shown.page.input_value("#view-analyse select") == "lost:0.25"


@pytest.mark.parametrize(("phone", "scheme"), [(False, "light"), (True, "dark")])
def test_a_lost_game_is_reviewed(
    browser: Browser, address: str, phone: bool, scheme: Scheme
) -> None:
    with visiting(
        browser, address, phone=phone, scheme=scheme, where=f"#game={lost_game()}"
    ) as shown:
        board = on(shown, "#board-review")
        page = shown.page
        page.wait_for_selector(".decisions li")
        assert "3 openings: 1 certain, 1 forced guess, 1 with needless risk." in shown.text(
            "#view-review .headline"
        )
        assert page.locator(".luck .blast").count() == 1
        # It begins at the costliest choice.
        assert "(1, 4): needless risk of" in shown.text("#view-review .message")
        assert "it was a mine" in shown.text("#view-review .message")
        page.click("[aria-label='One move forward']")
        assert shown.text("#view-review .message") == "The end: lost."
        page.click("[aria-label='To the beginning']")
        assert shown.text("#view-review .message").startswith("Move 1 of 4: open (0, 2)")
        page.click(".decisions .needless")
        assert "Move 4 of 4" in shown.text("#view-review .message")
        assert board.state["id"]
        page.click("text=Play this board")
        page.wait_for_selector("#board[data-cols='5']")
        assert shown.state["moves"] == 0


def test_a_finished_game_goes_round_by_a_link(browser: Browser, address: str) -> None:
    with visiting(browser, address) as shown:
        shown.ready()
        shown.new(rows=2, cols=2, mines=1, start="any", seed=1)
        page = shown.page
        for row, col in ((0, 0), (0, 1), (1, 0), (1, 1)):
            if shown.state["outcome"] is None:
                shown.click(row, col)
        page.click("#ending >> text=Review")
        page.wait_for_selector("#view-review .headline")
        assert shown.text("#view-review .headline").split()[1].startswith("opening")
        assert "#game=mineproof+game+1;size+2x2x1;seed+1;start+any" in page.url
        line = page.url.split("#game=")[1]
        page.click("#view-review >> text=Copy link")
        page.wait_for_selector("text=Link copied")
        assert page.evaluate("navigator.clipboard.readText()") == f"{address}/#game={line}"
        assert Transcript.from_text(line).outcome == shown.state["outcome"]


def test_two_agents_play_the_same_board(browser: Browser, address: str) -> None:
    with visiting(browser, address) as shown:
        shown.ready()
        page = shown.page
        page.select_option("select[aria-label='Conditions of a report']", "R4")
        page.wait_for_selector("#view-race .said .headline, #board-2[data-cols='10']")
        for _ in range(3):
            page.click("#view-race button:has-text('Step')")
            page.wait_for_selector("#view-race button:has-text('Step'):enabled")
        statuses = page.locator("#view-race .message").all_inner_texts()
        assert len(statuses) == 2
        assert all(status.startswith("Step 3:") for status in statuses)
        chosen = page.locator("#view-race .lane-head select").evaluate_all(
            "all => all.map((one) => one.value)"
        )
        assert chosen == ["basic", "projection"]
        assert page.locator("#view-race .lane-head input[value=eight]:checked").count() == 2


def test_a_server_that_is_gone_is_one_sentence(browser: Browser, address: str) -> None:
    with visiting(browser, address, refusals=True) as shown:
        shown.ready()
        shown.page.route(
            "**/api/**", lambda route: route.fulfill(status=410, json={"detail": "Gone."})
        )
        with shown.page.expect_response(lambda answer: answer.status == 410):
            shown.page.mouse.click(*shown.at(4, 4))
        shown.page.wait_for_selector("#status.problem")
        assert shown.text("#status") == "Gone."
        shown.page.unroute("**/api/**")
        assert httpx.get(f"{address}/api/offer").status_code == 200
