"""The page for everybody: axe-core finds nothing serious; and the pictures of the docs."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Literal, TypeAlias

import pytest
from board_page import MIDDLE, lost_game, plain_game, visiting
from browser import barriers
from playwright.sync_api import Browser
from report_studies import STUDIES
from web_server import serving

from mineproof import Game, agents, play
from mineproof.game import Transcript
from mineproof.lab.report import write_report
from mineproof.lab.run import run
from mineproof.web import Settings

Scheme: TypeAlias = Literal["light", "dark"]
IMAGES = Path(__file__).parents[2] / "docs" / "images"


@pytest.mark.parametrize(("phone", "scheme"), [(False, "light"), (True, "dark")])
def test_nothing_serious_is_found_by_axe(
    browser: Browser, address: str, phone: bool, scheme: Scheme
) -> None:
    with visiting(browser, address, phone=phone, scheme=scheme, **plain_game()) as shown:
        page = shown.page
        shown.click(*MIDDLE)
        assert barriers(page) == []
        page.click("#hint")
        page.click("text=Which clues?")
        assert barriers(page) == []
        page.click("#tab-agent")
        page.wait_for_selector("option[value=logic]", state="attached")
        page.select_option("#panel-agent select", "logic")
        page.click("text=AI move")
        page.wait_for_selector(".sentences")
        assert barriers(page) == []
        page.goto(f"{address}/#analyse")
        page.wait_for_selector("#view-analyse .headline")
        assert barriers(page) == []
        page.goto(f"{address}/#race")
        page.wait_for_selector("#board-2[data-drawn]")
        assert barriers(page) == []
        page.goto(f"{address}/#game={lost_game()}")
        page.wait_for_selector("#view-review .decisions li")
        assert barriers(page) == []
        page.goto(f"{address}/docs.html")
        page.wait_for_selector("article")
        assert barriers(page) == []


def test_the_pictures_of_the_docs(browser: Browser, address: str, tmp_path: Path) -> None:
    """Draw the pictures that the docs show; MINEPROOF_IMAGES=1 writes them there."""
    folder = IMAGES if os.environ.get("MINEPROOF_IMAGES") else tmp_path
    with visiting(browser, address, **plain_game()) as shown:
        shown.page.set_viewport_size({"width": 1200, "height": 760})
        shown.click(*MIDDLE)
        shown.page.click("#risks")
        shown.page.click("#hint")
        for name in ("Which clues?", "Which cell?", "#panel-help >> text=Why?"):
            shown.page.click(name if name.startswith("#") else f"text={name}")
        shown.page.wait_for_selector(".steps li")
        shown.page.click(".steps li:last-child")
        shown.settled()
        shown.page.screenshot(path=folder / "page.png")
        shown.page.goto(f"{address}/#analyse")
        shown.page.wait_for_selector("#view-analyse .headline")
        shown.settled()
        shown.page.screenshot(path=folder / "page-analyse.png")
        game = Game.level("beginner", seed=31)
        play(game, agents.get("basic"), seed=31)
        shown.page.goto(f"{address}/#game={Transcript.of(game, by='person').to_line()}")
        shown.page.wait_for_selector("#view-review .decisions li")
        shown.settled()
        shown.page.screenshot(path=folder / "page-review.png")
    with visiting(browser, address, phone=True, scheme="dark", **plain_game()) as shown:
        shown.tap(*MIDDLE)
        shown.settled()
        shown.page.screenshot(path=folder / "page-phone.png")
    for name in ("page", "page-analyse", "page-review", "page-phone"):
        assert (folder / f"{name}.png").stat().st_size > 10_000
        assert (IMAGES / f"{name}.png").exists(), "run it once with MINEPROOF_IMAGES=1"


@pytest.mark.long
def test_a_generated_report_works_under_its_policy(browser: Browser, tmp_path: Path) -> None:
    written = write_report(run(STUDIES, tmp_path / "reports"), STUDIES)
    with (
        serving(Settings(workers=1, reports=tmp_path / "reports")) as address,
        visiting(browser, address) as shown,
    ):
        name = written.relative_to(tmp_path / "reports").as_posix()
        shown.page.goto(f"{address}/reports/{name}")
        shown.page.wait_for_selector("h1")
        shown.page.wait_for_load_state("networkidle")
