"""Fixtures that many tests share, and how many examples Hypothesis draws.

It draws the same examples in every `make test`, and many more under `make verify`.
"""

import signal

import pytest
from hypothesis import settings
from page_fixtures import address, api, browser

__all__ = ["address", "api", "browser", "wide"]

# A shell that runs the tests in the background makes them ignore Ctrl-C, which some tests send.
signal.signal(signal.SIGINT, signal.default_int_handler)

settings.register_profile("sample", max_examples=40, deadline=None, derandomize=True)
settings.register_profile("full", max_examples=3_000, deadline=None)
settings.load_profile("sample")


@pytest.fixture
def wide(monkeypatch: pytest.MonkeyPatch) -> None:
    """Make the terminal so wide that no sentence is wrapped."""
    monkeypatch.setenv("COLUMNS", "1000")
