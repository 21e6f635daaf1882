"""The board in the browser: a server, its HTTP API, and the page.

`mineproof.web.app.make_app` makes the server; importing it needs the extra ``web``.
"""

from mineproof.web.settings import Settings

__all__ = ["Settings"]
