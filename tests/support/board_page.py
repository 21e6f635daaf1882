"""The page in a browser, as a person uses it."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import cache
from time import monotonic
from typing import Any, Literal
from urllib.request import urlopen

import httpx
from playwright.sync_api import Browser, Page

from mineproof import Rules, Setup, agents, play

__all__ = ["MIDDLE", "BoardPage", "plain_seed", "visiting"]

SAFE = (28, 140, 68)
"""The colour of cells that the page marks as certainly safe."""


MIDDLE = (4, 4)


@cache
def plain_seed() -> int:
    """A beginner board that needs no guess if a zero in the middle is opened first."""
    setup = Setup.level("beginner", rules=Rules(start="zero"), first=MIDDLE)
    return next(
        seed for seed in range(100) if not play(setup.game(seed), agents.get("exact")).guesses
    )


class BoardPage:
    """A page with a board."""

    def __init__(self, page: Page, address: str, board: str = "#board") -> None:
        self.page = page
        self.address = address
        self.board = board

    def ready(self) -> BoardPage:
        """Wait until the board is drawn."""
        self.page.wait_for_selector(f"{self.board}[data-side]")
        return self

    @property
    def state(self) -> dict[str, Any]:
        """What the server says about the game."""
        game = self.page.evaluate("localStorage.getItem('game')")
        # Many tests ask often, and each new client of httpx takes a while to make.
        with urlopen(f"{self.address}/api/games/{game}") as answer:
            state: dict[str, Any] = json.load(answer)
        return state

    def new(self, **conditions: Any) -> dict[str, Any]:
        """Start a game with any conditions, and show it."""
        state: dict[str, Any] = httpx.post(f"{self.address}/api/games", json=conditions).json()
        self.page.evaluate("id => localStorage.setItem('game', id)", state["id"])
        self.page.reload()
        self.page.wait_for_selector(f"{self.board}[data-rows='{state['rows']}']")
        return state

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
        """Click a cell."""
        moves = self.state["moves"]
        self.page.mouse.click(*self.at(row, col), button=button)
        self.wait_moves(moves + 1)

    def wait_moves(self, moves: int) -> None:
        """Wait until the server has this many moves."""
        self.wait(lambda: self.state["moves"] >= moves)

    def wait(self, condition: Callable[[], bool] | str) -> None:
        """Wait for a condition, or for an expression in the page to be true."""
        # Playwright's own way evaluates text in the page, which its policy forbids.
        end = monotonic() + 30
        while not (self.page.evaluate(condition) if isinstance(condition, str) else condition()):
            assert monotonic() < end, condition
            self.page.wait_for_timeout(20)

    def marked_safe(self) -> list[tuple[int, int]]:
        """Return the cells that are drawn as certainly safe."""
        found = self.page.locator(self.board).evaluate(
            """(board, colour) => {
                const { side, edge, rows, cols } = board.dataset;
                const canvas = board.querySelector("canvas");
                const ratio = canvas.width / canvas.clientWidth;
                const pen = canvas.getContext("2d");
                const found = [];
                for (let row = 0; row < rows; row++) for (let col = 0; col < cols; col++) {
                    const x = (Number(edge) + (col + .5) * side) * ratio;
                    const y = (Number(edge) + (row + .18) * side) * ratio;
                    const [r, g, b] = pen.getImageData(x, y, 1, 1).data;
                    if (String([r, g, b]) === String(colour)) found.push([row, col]);
                }
                return found;
            }""",
            SAFE,
        )
        return [(row, col) for row, col in found]

    def focused(self) -> str:
        """Return what a screen reader says of the cell in focus."""
        label = self.page.locator(self.board).evaluate(
            "board => document.getElementById(board.getAttribute('aria-activedescendant'))"
            ".getAttribute('aria-label')"
        )
        return str(label)

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
) -> Iterator[BoardPage]:
    """Visit the page on a desktop or a phone; any error of the browser fails the test.

    Chromium reports answers with an error status too, which some tests are about.
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
    page = context.new_page()
    page.set_default_timeout(15_000)
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
        yield BoardPage(page, address)
        # A refused move is no fault of the page, and `marked_safe` reads the canvas.
        allowed = ["status of 409", "willReadFrequently", *["status of 4"] * refusals]
        serious = [said for said in complaints if not any(part in said for part in allowed)]
        assert not serious, serious
    finally:
        context.close()
