"""Fixtures that many tests share, and how many examples Hypothesis draws.

It draws the same examples in every `make test`, and many more under `make verify`.
"""

import signal

from hypothesis import settings
from page_fixtures import address, api, browser

__all__ = ["address", "api", "browser"]

# A shell that runs the tests in the background makes them ignore Ctrl-C, which some tests send.
signal.signal(signal.SIGINT, signal.default_int_handler)

settings.register_profile("sample", max_examples=40, deadline=None, derandomize=True)
settings.register_profile("full", max_examples=3_000, deadline=None)
settings.load_profile("sample")
