"""Hypothesis draws the same examples in every `make test`, and many more under `make verify`."""

from hypothesis import settings

settings.register_profile("sample", max_examples=100, deadline=None, derandomize=True)
settings.register_profile("full", max_examples=3_000, deadline=None)
settings.load_profile("sample")
