"""The command line: one thin command per file.

A command prints its answer and returns, or raises an error that becomes one sentence on standard
error and an exit code.
"""

from __future__ import annotations

# Little is imported here: what this file imports, Ctrl-C can interrupt before `main` handles it.
TYPE_CHECKING = False

if TYPE_CHECKING:
    from collections.abc import Sequence

    from mineproof.cli.program import app

__all__ = ["app", "main"]


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command and return its exit code.

    Parameters
    ----------
    arguments
        The arguments after the program's name. By default those of the process.

    Examples
    --------
    >>> main(["--version"])
    0.1.0
    0
    """
    try:
        import os
        import signal
        import sys

        words = list(sys.argv[1:] if arguments is None else arguments)
        # In the program itself, Ctrl-C ends the imports at once: there is nothing to tidy up, and
        # an exception there may be lost or wrapped in another.
        ends = arguments is None and signal.getsignal(signal.SIGINT) is signal.default_int_handler
        try:
            if ends:
                signal.signal(signal.SIGINT, lambda *_: os._exit(130))
            from mineproof.cli import program

            program.load(words)
        finally:
            if ends:
                signal.signal(signal.SIGINT, signal.default_int_handler)
        return program.run(words)
    except KeyboardInterrupt:
        return 130


if not TYPE_CHECKING:

    def __getattr__(name):
        """Import the group of commands when it is first used."""
        if name == "app":
            from mineproof.cli.program import app

            return app
        raise AttributeError(f"module 'mineproof.cli' has no attribute {name!r}")
