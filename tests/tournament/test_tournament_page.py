"""The page of a tournament in a real browser: for everybody, on a phone, in light and dark."""

from __future__ import annotations

from typing import Literal

import pytest
from browser import barriers
from playwright.sync_api import Browser

from mineproof import Setup, agents
from mineproof.arena.bulk import play_games
from mineproof.arena.compare import COLUMNS
from mineproof.tournament import (
    Entrant,
    Failure,
    Limits,
    TournamentGames,
    standings,
    tournament_page,
)


def page() -> str:
    games = TournamentGames(Setup.level("easy"), 40, seed=3)
    field = [
        Entrant("a_very_long_name_of_a_student_who_cannot_be_ranked", out="took more than 10 s")
    ]
    for name in ("exact", "basic", "random"):
        records = play_games(agents.get(name), games, range(len(games)))
        columns = tuple(tuple(float(getattr(each, name)) for each in records) for name in COLUMNS)
        failures = (Failure(3, "error", "ValueError: " + "long" * 40),) * (name == "basic")
        field.append(
            Entrant(name, "", name, name == "exact", 2, ("x" * 90,), failures, "", columns)
        )
    return tournament_page(field, standings(field, games), games, Limits())


@pytest.mark.long
@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", [390, 1200])
def test_the_page(browser: Browser, width: int, scheme: Literal["light", "dark"]) -> None:
    context = browser.new_context(viewport={"width": width, "height": 800}, color_scheme=scheme)
    shown = context.new_page()
    shown.set_content(page())
    for details in shown.locator("summary").all():
        details.click()
    assert shown.evaluate("document.documentElement.scrollWidth") <= width
    assert barriers(shown) == []
    context.close()
