"""Playing in a real browser: mouse, touch, keyboard; winning, losing, taking back."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Literal

import pytest
from board_page import MIDDLE, BoardPage, ask, hidden_mines, plain_game, visiting
from playwright.sync_api import Browser, Route, expect

from mineproof.position import Cell


@pytest.mark.parametrize(("phone", "scheme"), [(False, "light"), (True, "dark")])
def test_a_game_is_won_by_opening_what_is_marked_as_safe(
    browser: Browser, address: str, phone: bool, scheme: Literal["light", "dark"]
) -> None:
    with visiting(browser, address, phone=phone, scheme=scheme, **plain_game()) as shown:
        shown.page.click("#risks")
        make = shown.tap if phone else shown.click
        make(*MIDDLE)
        while not shown.page.locator(".message.good").count():
            # No marks of the position before are left once a move is drawn.
            shown.wait(lambda: bool(shown.marked_safe()))
            make(*shown.marked_safe()[0])
        state = shown.state
        assert (state["outcome"], state["hits"]) == ("won", 0)
        assert shown.text("#status").startswith("You won in")
        expect(shown.page.locator("#mines-left")).to_have_text("0")
        assert drawn_flags(shown) == sorted(tuple(cell) for cell in state["board"])


def drawn_flags(shown: BoardPage) -> list[Cell]:
    """The cells on which the red of a flag is drawn."""
    colours = shown.colours(16 / 34, 12.5 / 34).items()
    return [cell for cell, (red, green, blue) in colours if red > 180 and max(green, blue) < 90]


def test_a_lost_game_shows_its_mines(browser: Browser, address: str) -> None:
    first, second = hidden_mines(3, 3, 3, 2)
    safe = next(cell for cell in ((0, 0), (0, 1), (0, 2)) if cell not in (first, second))
    with visiting(browser, address, rows=3, cols=3, mines=2, start="any", seed=3) as shown:
        shown.click(*safe, button="right")
        shown.click(*first)
        expect(shown.page.locator(".message.bad")).to_be_visible()
        meanings = ((first, "exploded mine"), (second, "a mine"), (safe, "a wrong flag"))
        for cell, meaning in meanings:
            # A right click changes nothing any more, but moves the focus.
            shown.page.mouse.click(*shown.at(*cell), button="right")
            shown.says(f"{cell} {meaning}")
        shown.page.click("#undo")
        shown.wait_moves(1)
        expect(shown.page.locator("#view-play .message.bad")).to_have_count(0)
        assert shown.state["outcome"] is None


def repeat(shown: BoardPage, action: Callable[[], None], moves: int) -> None:
    """Repeat a double click until it makes a move: it does nothing if the machine is too slow."""

    def made() -> bool:
        action()
        return shown.settled().drawn == moves

    shown.wait(made)


def test_flags_and_chords_with_the_mouse(browser: Browser, address: str) -> None:
    (mine,) = hidden_mines(0, 3, 3, 1)
    clue = (1, 1) if mine != (1, 1) else (0, 0)
    with visiting(browser, address, rows=3, cols=3, mines=1, start="any", seed=0) as shown:
        page = shown.page
        shown.click(*clue)
        shown.click(*mine, button="right")
        expect(page.locator("#mines-left")).to_have_text("0")
        shown.click(*mine, button="right")
        expect(page.locator("#mines-left")).to_have_text("1")
        shown.click(*mine, button="right")
        repeat(shown, lambda: page.mouse.dblclick(*shown.at(*clue)), 5)
        expect(page.locator(".message.good")).to_be_visible()
        page.click("text=Reset")
        shown.wait_moves(0)
        expect(page.locator("#view-play .message.good")).to_have_count(0)
        shown.click(*clue)
        shown.click(*mine, button="right")
        shown.click(*clue, button="middle")
        assert shown.state["outcome"] == "won"


def test_the_keyboard_plays_and_labels_say_what_is_there(browser: Browser, address: str) -> None:
    (mine,) = hidden_mines(2, 3, 4, 1)
    near = next(
        cell
        for cell in ((1, 1), (1, 2))
        if cell != mine and max(abs(cell[0] - mine[0]), abs(cell[1] - mine[1])) == 1
    )
    with visiting(browser, address, rows=3, cols=4, mines=1, start="any", seed=2) as shown:
        page = shown.page
        page.focus("#board")

        def go(row: int, col: int) -> None:
            for key in ["ArrowUp"] * 3 + ["Home"] + ["ArrowDown"] * row + ["ArrowRight"] * col:
                page.keyboard.press(key)

        go(*mine)
        shown.says(f"{mine} closed")
        page.keyboard.press("f")
        shown.wait_moves(1)
        shown.says(f"{mine} flagged")
        go(*near)
        page.keyboard.press(" ")
        shown.wait_moves(2)
        shown.says(f"{near} 1")
        page.keyboard.press("Enter")
        shown.wait_moves(3)
        assert shown.state["opened"] > 1
        page.keyboard.press("u")
        shown.wait_moves(2)
        assert shown.state["moves"] == 2


class Fingers:
    """Touches with any number of fingers."""

    def __init__(self, shown: BoardPage) -> None:
        self._session = shown.page.context.new_cdp_session(shown.page)

    def __call__(self, kind: str, *points: tuple[float, float]) -> None:
        touches = [{"x": x, "y": y, "id": place} for place, (x, y) in enumerate(points)]
        event: dict[str, Any] = {"type": f"touch{kind}", "touchPoints": touches}
        self._session.send("Input.dispatchTouchEvent", event)


def test_touch_opens_flags_chords_and_zooms(browser: Browser, address: str) -> None:
    (mine,) = hidden_mines(0, 5, 5, 1)
    around = [(row, col) for row in (1, 2, 3) for col in (1, 2, 3) if (row, col) != mine]
    clue = next(c for c in around if max(abs(c[0] - mine[0]), abs(c[1] - mine[1])) == 1)
    conditions: dict[str, Any] = {"mines": 1, "start": "any", "cascade": False, "seed": 0}
    with visiting(browser, address, phone=True, rows=5, cols=5, **conditions) as shown:
        page, touch = shown.page, Fingers(shown)
        shown.tap(*clue)
        touch("Start", shown.at(*mine))
        shown.wait_moves(2)
        touch("End")
        assert shown.state["cells"][mine[0] * 5 + mine[1]] == "F"
        # With the flag button, a tap flags too.
        page.click("#flag-mode")
        shown.tap(*mine)
        assert shown.state["flags"] == 0
        shown.tap(*mine)
        page.click("#flag-mode")
        x, y = shown.at(*clue)

        def double_tap() -> None:
            for _ in range(2):
                touch("Start", (x, y))
                touch("End")

        repeat(shown, double_tap, 5)
        assert shown.state["opened"] > 1

        side = page.get_attribute("#board", "data-side") or ""
        touch("Start", (x - 20, y), (x + 20, y))
        touch("Move", (x - 30, y), (x + 30, y))
        touch("End")
        expect(page.locator("#board")).not_to_have_attribute("data-side", side)
        assert int(page.get_attribute("#board", "data-side") or 0) > int(side)
        assert shown.state["moves"] == 5


def test_a_game_is_there_again_after_a_reload(browser: Browser, address: str) -> None:
    with visiting(browser, address, level="expert", seed=5) as shown:
        shown.click(8, 8)
        before = shown.state
        shown.page.reload()
        shown.wait_moves(1)
        assert shown.state["id"] == before["id"]
        expect(shown.page.locator("#status")).to_contain_text("still closed")


def test_sizes_rules_and_a_sentence_for_what_is_impossible(browser: Browser, address: str) -> None:
    with visiting(browser, address, refusals=True) as shown:
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
        page.fill("input[name=mines]", "28")
        page.click(".panel >> text=New game >> nth=-1")
        expect(page.locator("#status.problem")).to_have_text(
            "size: 28 mines: the board has room for 0 to 27."
        )
        assert shown.state["id"] == state["id"]


def test_a_level_without_guesses_and_the_statistics_of_levels(
    browser: Browser, address: str
) -> None:
    with visiting(browser, address) as shown:
        page = shown.page
        rows = page.locator(".statistics tbody tr")
        expect(page.locator(".statistics")).to_be_hidden()
        page.check("text=No guess needed")
        for game in range(1, 3):
            before = shown.state["id"]
            page.click("[data-level=beginner]")
            shown.wait(lambda before=before: shown.state["id"] != before)  # type: ignore[misc]
            shown.wait_moves(0)
            assert shown.state["no_guess"]
            shown.click(*MIDDLE)
            solve(shown)
            expect(rows).to_have_count(1)
            expect(rows).to_contain_text(f"Beginner, no guess{game}{game} (100%)")
            expect(page.locator(".message.good")).to_be_visible()
        # They survive a reload, and what an agent plays does not count.
        page.click("#ending >> text=New game")
        shown.wait_moves(0)
        other = shown.state["id"]
        while ask(address, f"games/{other}/step", {"agent": "exact"})["game"]["outcome"] is None:
            pass
        page.reload()
        expect(page.locator(".message.good")).to_be_visible()
        expect(rows).to_contain_text("Beginner, no guess22 (100%)")
        page.click("text=Delete statistics")
        page.click("text=Really delete")
        expect(page.locator(".statistics")).to_be_hidden()


def solve(shown: BoardPage) -> None:
    """Open what is certainly safe until the game is won."""
    while (state := shown.state)["outcome"] is None:
        safe = ask(shown.address, f"games/{state['id']}/risks")["safe"]
        assert safe, "a guess would be needed"
        shown.click(*safe[0])


def test_the_page_is_painted_before_the_server_answers(browser: Browser, address: str) -> None:
    """The first paint waits for few and small files, and for no question to the server."""
    held: list[Route] = []
    with visiting(browser, address, where="#analyse") as shown:
        page = shown.page
        page.route("**/api/**", lambda route: held.append(route))
        page.goto(f"{address}/?again")
        shown.wait("performance.getEntriesByType('paint').length > 0")
        expect(page.locator("#status")).to_have_text("Click any cell to begin.")
        expect(page.locator(".tools")).to_be_visible()
        shown.wait(lambda: bool(held))
        loaded = page.evaluate(
            "performance.getEntriesByType('resource').filter((one) => !/api/.test(one.name))"
            ".map((one) => [one.name, one.decodedBodySize])"
        )
        assert len(loaded) < 25
        assert sum(size for _, size in loaded) < 200_000
        assert page.locator("#board[data-drawn]").count() == 0
        # The questions are answered now.
        page.unroute("**/api/**")
        shown.ready()


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
    mines = side * side // 6
    with visiting(
        browser, address, rows=side, cols=side, mines=mines, seed=1, start="any"
    ) as shown:
        hidden = set(hidden_mines(1, side, side, mines))
        safe = [(row, col) for row in range(15) for col in range(25) if (row, col) not in hidden]
        times = []
        for row, col in safe:
            if shown.state["cells"][row * side + col] == ".":
                times.append(shown.page.evaluate(CLICK, shown.at(row, col)))
            if len(times) == 9:
                break
        assert sorted(times)[len(times) // 2] < most, times
