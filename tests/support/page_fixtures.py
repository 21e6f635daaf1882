"""One server and one browser for all tests of the page in a process."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from browser import browser as chromium
from playwright.sync_api import Browser
from web_server import serving

__all__ = ["address", "browser"]


@pytest.fixture(scope="session")
def address() -> Iterator[str]:
    """Return the address of a server."""
    with serving() as running:
        yield running


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    """Return a browser."""
    with chromium() as running:
        yield running
