"""The version exists once, and the package is installed under it."""

from importlib.metadata import version

import mineproof


def test_the_installed_version_is_that_of_the_package() -> None:
    assert version("mineproof") == mineproof.__version__
