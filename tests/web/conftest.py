"""One server and one browser for all tests of the page in a process."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from browser import browser as chromium
from playwright.sync_api import Browser
from web_server import serving


@pytest.fixture(scope="session")
def address() -> Iterator[str]:
    with serving() as running:
        yield running


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    with chromium() as running:
        yield running
