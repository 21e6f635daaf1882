"""One server and one browser for all tests of the page and of the HTTP API in a process."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest
from browser import browser as chromium
from playwright.sync_api import Browser
from web_server import client, serving

from mineproof.web import Settings

__all__ = ["TROUBLE", "address", "api", "browser"]

TROUBLE = f"{Path(__file__).with_name('trouble.py')}:Trouble"
"""An agent that the server offers, as ``--agent`` would."""


@pytest.fixture(scope="session")
def address(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """Return the address of a server, which offers an agent and a report of its own."""
    reports = tmp_path_factory.mktemp("reports")
    (reports / "density").mkdir()
    (reports / "density" / "report.html").write_text("<p>Report</p>", encoding="utf-8")
    with serving(Settings(workers=2, agents=(TROUBLE,), reports=reports)) as running:
        yield running


@pytest.fixture(scope="session")
def api(address: str) -> Iterator[httpx.Client]:
    """Ask that server."""
    with client(address) as asking:
        yield asking


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    """Return a browser."""
    with chromium() as running:
        yield running
