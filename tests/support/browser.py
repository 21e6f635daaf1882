"""A real browser for tests: Chromium, if it is installed."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Literal

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser, Page, sync_playwright

__all__ = ["barriers", "browser", "opened"]

_NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
_QUIET = (
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
)
"""Chromium makes no requests of its own."""


@contextmanager
def browser() -> Iterator[Browser]:
    """Run Chromium. Skip the test if it is not installed, or fail if it must be."""
    path = next(filter(None, map(shutil.which, _NAMES)), None)
    with sync_playwright() as playwright:
        path = path or playwright.chromium.executable_path
        if not Path(path).exists():
            reason = "no Chromium was found"
            if os.environ.get("CI"):
                pytest.fail(reason)
            pytest.skip(reason)
        running = playwright.chromium.launch(executable_path=path, args=list(_QUIET))
        try:
            yield running
        finally:
            running.close()


@contextmanager
def opened(
    browser: Browser,
    file: Path,
    *,
    width: int = 1280,
    height: int = 900,
    scheme: Literal["light", "dark"] = "light",
    requests: list[str] | None = None,
    complaints: list[str] | None = None,
) -> Iterator[Page]:
    """Open a file as a reader would, and record its requests and the errors of the browser."""
    page = browser.new_page(viewport={"width": width, "height": height}, color_scheme=scheme)
    if requests is not None:
        page.on("request", lambda request: requests.append(request.url))
    if complaints is not None:
        page.on("console", lambda message: complaints.append(message.text))
        page.on("pageerror", lambda error: complaints.append(str(error)))
    try:
        page.goto(file.as_uri())
        yield page
    finally:
        page.close()


def barriers(page: Page) -> list[str]:
    """Return what axe-core finds serious or critical on a page, with the elements concerned."""
    found = Axe().run(page, options={"resultTypes": ["violations"]}).response["violations"]
    return [
        f"{rule['id']}: {node['html'][:200]} {node['failureSummary']}"
        for rule in found
        if rule["impact"] in ("serious", "critical")
        for node in rule["nodes"]
    ]
