"""Playing in a real browser: mouse, touch, keyboard; winning, losing, taking back."""

from __future__ import annotations

from typing import Literal

import pytest
from board_page import MIDDLE, plain_seed, visiting
from playwright.sync_api import Browser

from mineproof import Game, Rules
from mineproof.position import Cell


def mines(seed: int, rows: int, cols: int, count: int) -> list[Cell]:
    board = Game.random(rows, cols, mines=count, seed=seed, rules=Rules(start="any")).board
    return [(row, col) for row in range(rows) for col in range(cols) if board.layout[row, col]]


@pytest.mark.parametrize(("phone", "scheme"), [(False, "light"), (True, "dark")])
def test_a_game_is_won_by_opening_what_is_marked_as_safe(
    browser: Browser, address: str, phone: bool, scheme: Literal["light", "dark"]
) -> None:
    with visiting(browser, address, phone=phone, scheme=scheme) as shown:
        shown.ready()
        shown.new(level="beginner", start="zero", seed=plain_seed())
        shown.page.click("#risks")
        shown.click(*MIDDLE)
        for _ in range(81):
            if shown.state["outcome"] is not None:
                break
            shown.page.wait_for_timeout(50)
            if safe := shown.marked_safe():
                if phone:
                    shown.page.touchscreen.tap(*shown.at(*safe[0]))
                    shown.page.wait_for_timeout(150)
                else:
                    shown.click(*safe[0])
        state = shown.state
        assert state["outcome"] == "won"
        assert state["hits"] == 0
        shown.page.wait_for_selector(".message.good")
        assert shown.text("#status").startswith("You won in")
        # All mines have flags now.
        row, col = state["board"][0]
        shown.page.focus("#board")
        shown.page.mouse.move(*shown.at(row, col))
        shown.page.keyboard.press("Home")


def test_a_lost_game_shows_its_mines(browser: Browser, address: str) -> None:
    with visiting(browser, address) as shown:
        shown.ready()
        shown.new(rows=3, cols=3, mines=2, start="any", seed=3)
        first, second = mines(3, 3, 3, 2)
        safe = next(cell for cell in ((0, 0), (0, 1), (0, 2)) if cell not in (first, second))
        shown.click(*safe, button="right")
        shown.click(*first)
        assert shown.state["outcome"] == "lost"
        shown.page.wait_for_selector(".message.bad")
        said = {}
        for row in range(3):
            for col in range(3):
                # A right click changes nothing any more, but moves the focus.
                shown.page.mouse.click(*shown.at(row, col), button="right")
                said[row, col] = shown.focused()
        assert "exploded mine" in said[first]
        assert said[second].endswith("a mine")
        assert said[safe].endswith("a wrong flag")
        shown.page.click("#undo")
        shown.page.wait_for_selector(".message:not(.bad)")
        assert shown.state["outcome"] is None
        assert shown.state["moves"] == 1


def test_flags_and_chords_with_the_mouse(browser: Browser, address: str) -> None:
    with visiting(browser, address) as shown:
        shown.ready()
        shown.new(rows=3, cols=3, mines=1, start="any", seed=0)
        (mine,) = mines(0, 3, 3, 1)
        corner = next(cell for cell in ((0, 0), (2, 2)) if cell != mine)
        clue = (1, 1) if mine != (1, 1) else corner
        shown.click(*clue)
        shown.click(*mine, button="right")
        assert shown.text("#mines-left") == "0"
        shown.click(*mine, button="right")
        assert shown.state["flags"] == 0
        shown.click(*mine, button="right")
        # A double click on the clue.
        shown.page.mouse.dblclick(*shown.at(*clue))
        shown.page.wait_for_selector(".message.good")
        assert shown.state["outcome"] == "won"
        shown.page.click("text=Reset")
        shown.wait_moves(0)
        shown.page.wait_for_selector(".message:not(.good)")
        shown.click(*clue)
        shown.click(*mine, button="right")
        shown.click(*clue, button="middle")
        assert shown.state["outcome"] == "won"


def test_the_keyboard_plays_and_labels_say_what_is_there(browser: Browser, address: str) -> None:
    with visiting(browser, address) as shown:
        shown.ready()
        shown.new(rows=3, cols=4, mines=1, start="any", seed=2)
        (mine,) = mines(2, 3, 4, 1)
        page = shown.page
        page.focus("#board")

        def go(row: int, col: int) -> None:
            for key in ["ArrowUp"] * 3 + ["Home"] + ["ArrowDown"] * row + ["ArrowRight"] * col:
                page.keyboard.press(key)

        go(*mine)
        assert shown.focused() == f"{mine} closed"
        page.keyboard.press("f")
        shown.wait_moves(1)
        assert shown.focused() == f"{mine} flagged"
        near = next(
            cell
            for cell in ((1, 1), (1, 2))
            if cell != mine and max(abs(cell[0] - mine[0]), abs(cell[1] - mine[1])) == 1
        )
        go(*near)
        page.keyboard.press(" ")
        shown.wait_moves(2)
        shown.wait("document.getElementById('status').textContent.includes('closed')")
        assert shown.focused() == f"{near} 1"
        page.keyboard.press("Enter")
        shown.wait_moves(3)
        state = shown.state
        assert state["opened"] > 1
        page.keyboard.press("u")
        page.wait_for_timeout(300)
        assert shown.state["moves"] == 2


def test_touch_opens_and_a_long_press_flags(browser: Browser, address: str) -> None:
    with visiting(browser, address, phone=True) as shown:
        shown.ready()
        shown.new(rows=5, cols=5, mines=3, start="safe", seed=1)
        page = shown.page
        page.touchscreen.tap(*shown.at(2, 2))
        shown.wait_moves(1)
        state = shown.state
        assert state["cells"][12] in "012345678"
        closed = state["cells"].index(".")
        x, y = shown.at(*divmod(closed, 5))
        touch = page.context.new_cdp_session(page)
        touch.send(
            "Input.dispatchTouchEvent", {"type": "touchStart", "touchPoints": [{"x": x, "y": y}]}
        )
        page.wait_for_timeout(600)
        touch.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})
        shown.wait_moves(2)
        assert shown.state["cells"][closed] == "F"
        # With the flag button, a tap flags too.
        page.click("#flag-mode")
        page.touchscreen.tap(x, y)
        shown.wait_moves(3)
        assert shown.state["cells"][closed] == "."


def test_a_game_is_there_again_after_a_reload(browser: Browser, address: str) -> None:
    with visiting(browser, address) as shown:
        shown.ready()
        shown.new(level="expert", seed=5)
        shown.click(8, 8)
        before = shown.state
        shown.page.reload()
        shown.ready()
        assert shown.state["id"] == before["id"]
        assert "still closed" in shown.text("#status")


def test_sizes_rules_and_a_sentence_for_what_is_impossible(browser: Browser, address: str) -> None:
    with visiting(browser, address) as shown:
        shown.ready()
        page = shown.page
        page.click("[data-level=custom]")
        page.fill("input[name=rows]", "4")
        page.fill("input[name=cols]", "7")
        page.fill("input[name=mines]", "3")
        page.click("summary")
        page.select_option("select[name=begin]", "zero")
        page.check("text=Play goes on after a mine")
        page.select_option("select[name=clues]", "optimistic")
        page.click(".panel >> text=New game >> nth=-1")
        page.wait_for_selector("#board[data-cols='7']")
        state = shown.state
        assert (state["rows"], state["cols"], state["mines"]) == (4, 7, 3)
        assert state["rules"]["start"] == "zero"
        assert state["rules"]["on_mine"] == "continue"
        assert state["channel"] == "optimistic"


CLICK = """async ([x, y]) => {
    const board = document.getElementById("board");
    const canvas = board.querySelector("canvas");
    const drawn = new Promise((done) => {
        const observer = new MutationObserver((records) => {
            if (board.dataset.drawn !== before) { observer.disconnect(); done(); }
        });
        observer.observe(board, { attributes: true, attributeFilter: ["data-drawn"] });
    });
    const before = board.dataset.drawn;
    const event = { clientX: x, clientY: y, button: 0, bubbles: true, pointerType: "mouse" };
    const begun = performance.now();
    canvas.dispatchEvent(new PointerEvent("pointerdown", event));
    canvas.dispatchEvent(new PointerEvent("pointerup", event));
    await drawn;
    return performance.now() - begun;
}"""


@pytest.mark.long
@pytest.mark.parametrize(("side", "most"), [(100, 100), (300, 500)])
def test_large_boards_answer_quickly(
    browser: Browser, address: str, side: int, most: float
) -> None:
    """From a click to the new picture in milliseconds; the rest of the machine may be busy."""
    with visiting(browser, address) as shown:
        shown.ready()
        shown.new(rows=side, cols=side, mines=side * side // 6, seed=1, start="any")
        safe = [cell for cell in mines_free(side) if cell[0] < 15 and cell[1] < 25][:200]
        times = []
        for cell in safe:
            row, col = cell
            if shown.state["cells"][row * side + col] == ".":
                times.append(shown.page.evaluate(CLICK, shown.at(*cell)))
            if len(times) == 9:
                break
        assert sorted(times)[len(times) // 2] < most, times


def mines_free(side: int) -> list[Cell]:
    hidden = set(mines(1, side, side, side * side // 6))
    return [(row, col) for row in range(side) for col in range(side) if (row, col) not in hidden]
