"""The page in a browser, as a person uses it."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import cache
from time import monotonic
from typing import Any, Literal
from urllib.request import Request, urlopen

from playwright.sync_api import Browser, Page, expect

from mineproof import Board, Game, Rules, Setup, Topology, agents, play
from mineproof.game import Transcript
from mineproof.position import Cell

__all__ = ["MIDDLE", "BoardPage", "ask", "hidden_mines", "lost_game", "plain_game", "visiting"]

PATIENCE = 30
"""Seconds after which a page that does not show what it should fails the test."""
expect.set_options(timeout=PATIENCE * 1000)

SAFE = (28, 140, 68)
"""The colour of cells that the page marks as certainly safe."""


MIDDLE = (4, 4)


@cache
def plain_game() -> dict[str, Any]:
    """A beginner game that needs no guess if a zero in the middle is opened first."""
    setup = Setup.level("beginner", rules=Rules(start="zero"), first=MIDDLE)
    seeds = (
        seed for seed in range(100) if not play(Game(setup, seed), agents.get("exact")).guesses
    )
    return {"level": "beginner", "start": "zero", "seed": next(seeds)}


def lost_game() -> str:
    """A game with a forced guess, a needless risk and a mine, as a line."""
    mines = [(0, 2), (0, 3), (1, 3)]
    game = Game.on(Board.from_cells(3, 5, mines), Rules(start="any", cascade=False))
    game.open((0, 0))
    game.open((1, 0))
    game.flag((0, 2))
    game.open((1, 3))
    assert game.outcome == "lost"
    return Transcript.of(game, by="person").to_line()


def hidden_mines(seed: int, rows: int, cols: int, count: int) -> list[Cell]:
    """Return where the mines of a game with start rule any are."""
    board = Game(Setup(Topology(rows, cols), count, Rules(start="any")), seed=seed).board
    return [(row, col) for row in range(rows) for col in range(cols) if board.layout[row, col]]


def ask(address: str, path: str, body: object = None) -> dict[str, Any]:
    """Ask the server; each new client of httpx takes a while to make."""
    headers = {"Content-Type": "application/json"}
    data = None if body is None else json.dumps(body).encode()
    with urlopen(Request(f"{address}/api/{path}", data, headers)) as answer:
        found: dict[str, Any] = json.load(answer)
    return found


class BoardPage:
    """A page with a board.

    The page is asked what it shows only after it has drawn it: it publishes the number of moves of
    the last drawing. Everything else is polled.
    """

    def __init__(self, page: Page, address: str, board: str = "#board") -> None:
        self.page = page
        self.address = address
        self.board = board

    def ready(self) -> BoardPage:
        """Wait until the board is drawn."""
        self.page.wait_for_selector(f"{self.board}[data-drawn]")
        return self

    def settled(self) -> BoardPage:
        """Wait until every request is answered and the answers are drawn."""
        self.page.wait_for_selector("html:not([data-asking])", state="attached")
        self.page.evaluate(
            "new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))"
        )
        return self

    @property
    def state(self) -> dict[str, Any]:
        """What the server says about the game."""
        game = self.page.evaluate("localStorage.getItem('game')")
        return ask(self.address, f"games/{game}")

    @property
    def drawn(self) -> int:
        """How many moves had been made when the board was last drawn."""
        return int(self.page.locator(self.board).get_attribute("data-drawn") or 0)

    def at(self, row: int, col: int) -> tuple[float, float]:
        """Return where a cell is on the screen."""
        self.page.locator(self.board).scroll_into_view_if_needed()
        place = self.page.locator(self.board).evaluate(
            """board => {
                const box = board.querySelector("canvas").getBoundingClientRect();
                return [box.x - board.scrollLeft, box.y - board.scrollTop,
                        Number(board.dataset.side), Number(board.dataset.edge)];
            }"""
        )
        left, top, side, edge = place
        return left + edge + (col + 0.5) * side, top + edge + (row + 0.5) * side

    def click(
        self, row: int, col: int, button: Literal["left", "right", "middle"] = "left"
    ) -> None:
        """Make a move by clicking a cell."""
        moves = self.drawn
        self.page.mouse.click(*self.at(row, col), button=button)
        self.wait_moves(moves + 1)

    def tap(self, row: int, col: int) -> None:
        """Make a move by tapping a cell."""
        moves = self.drawn
        self.page.touchscreen.tap(*self.at(row, col))
        self.wait_moves(moves + 1)

    def wait_moves(self, moves: int) -> None:
        """Wait until the page has drawn the board after this many moves."""
        self.page.wait_for_selector(f"{self.board}[data-drawn='{moves}']", state="attached")

    def wait(self, condition: Callable[[], bool] | str) -> None:
        """Wait for a condition, or for an expression in the page to be true."""
        # Playwright's own way evaluates text in the page, which its policy forbids.
        end = monotonic() + PATIENCE
        while not (self.page.evaluate(condition) if isinstance(condition, str) else condition()):
            assert monotonic() < end, condition
            self.page.wait_for_timeout(20)

    def colours(self, right: float, down: float) -> dict[Cell, tuple[int, ...]]:
        """Return the colour that each cell has at a place, given in shares of its side."""
        found = self.page.locator(self.board).evaluate(
            """(board, [right, down]) => {
                const { side, edge, rows, cols } = board.dataset;
                const canvas = board.querySelector("canvas");
                const ratio = canvas.width / canvas.clientWidth;
                const pen = canvas.getContext("2d");
                const { data } = pen.getImageData(0, 0, canvas.width, canvas.height);
                const found = [];
                for (let row = 0; row < rows; row++) for (let col = 0; col < cols; col++) {
                    const x = Math.floor((Number(edge) + (col + right) * side) * ratio);
                    const y = Math.floor((Number(edge) + (row + down) * side) * ratio);
                    const at = 4 * (y * canvas.width + x);
                    found.push([row, col, [...data.slice(at, at + 3)]]);
                }
                return found;
            }""",
            [right, down],
        )
        return {(row, col): tuple(colour) for row, col, colour in found}

    def marked_safe(self) -> list[Cell]:
        """Return the cells that are drawn as certainly safe."""
        return [cell for cell, colour in self.colours(0.5, 0.18).items() if colour == SAFE]

    def says(self, label: str) -> None:
        """Wait until a screen reader says this of the cell in focus."""
        said = ""

        def same() -> bool:
            nonlocal said
            said = self.page.locator(self.board).evaluate(
                "board => document.getElementById(board.getAttribute('aria-activedescendant'))"
                ".getAttribute('aria-label')"
            )
            return bool(said == label)

        try:
            self.wait(same)
        except AssertionError:
            raise AssertionError(f"{said!r}, expected {label!r}") from None

    def text(self, selector: str) -> str:
        """Return the text of an element."""
        return self.page.locator(selector).inner_text()


@contextmanager
def visiting(
    browser: Browser,
    address: str,
    *,
    phone: bool = False,
    scheme: Literal["light", "dark"] = "light",
    where: str = "",
    refusals: bool = False,
    **conditions: Any,
) -> Iterator[BoardPage]:
    """Visit the page on a desktop or a phone, with a game under the given conditions.

    Any error of the browser fails the test. Chromium reports answers with an error status too,
    which some tests are about.
    """
    context = browser.new_context(
        viewport={"width": 390, "height": 844} if phone else {"width": 1280, "height": 900},
        device_scale_factor=2 if phone else 1,
        has_touch=phone,
        is_mobile=phone,
        color_scheme=scheme,
        permissions=["clipboard-read", "clipboard-write"],
    )
    complaints: list[str] = []
    if conditions:
        game = ask(address, "games", conditions)["id"]
        context.add_init_script(
            f"if (!localStorage.getItem('game')) localStorage.setItem('game', '{game}')"
        )
    page = context.new_page()
    page.set_default_timeout(PATIENCE * 1000)
    page.on("console", lambda message: complaints.append(message.text))
    page.on("pageerror", lambda error: complaints.append(str(error)))
    page.on(
        "request",
        lambda request: (
            complaints.append(f"asks {request.url}")
            if not request.url.startswith((address, "data:", "blob:"))
            else None
        ),
    )
    try:
        page.goto(f"{address}/{where}")
        shown = BoardPage(page, address)
        yield shown if where else shown.ready()
        # A refused move is no fault of the page, and `marked_safe` reads the canvas.
        allowed = ["status of 409", "willReadFrequently", *["status of 4"] * refusals]
        serious = [said for said in complaints if not any(part in said for part in allowed)]
        assert not serious, serious
    finally:
        context.close()
