"""Stopping long calls of the core from another thread."""

from mineproof._core import Cancel
from mineproof.errors import Cancelled

__all__ = ["Cancel", "Cancelled"]

# The core defines it; users import it from the package.
Cancel.__module__ = "mineproof"
Cancel.__doc__ = """Stops what a thread computes inside its ``with`` block.

    After another thread calls `set`, the next long call of the core inside the block raises
    `Cancelled`, and one that is running does so at once. What it worked on stays usable.
    Ctrl-C needs no `Cancel`: it raises ``KeyboardInterrupt`` as usual.

    Attributes
    ----------
    is_set
        Whether `set` was called.

    Examples
    --------
    >>> from threading import Timer
    >>> from mineproof import Rules, Setup
    >>> from mineproof.chains import search_long_chain
    >>> setup = Setup.level("easy", rules=Rules("zero"))
    >>> cancel = Cancel()
    >>> Timer(0.1, cancel.set).start()
    >>> with cancel:
    ...     search_long_chain(setup, evaluations=10**9)
    Traceback (most recent call last):
    ...
    mineproof.Cancelled: cancelled from another thread
    """
