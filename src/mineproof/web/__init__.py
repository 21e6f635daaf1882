"""The board in the browser: a server, its HTTP API, and the page."""

from mineproof.web.app import make_app
from mineproof.web.settings import Settings

__all__ = ["Settings", "make_app"]
