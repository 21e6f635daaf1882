"""Keeps the seed of a tournament where no agent can read it, and writes it when all have ended.

While agents play, what is finished is on the disk under a seal: only who knows the seed can read
it. The seed is in the memory of the tournament and of this program, which breaks the seal when the
tournament ends, in whatever way: even one that was killed can go on later.
"""

from __future__ import annotations

import base64
import json
import os
import sys
from contextlib import suppress
from hashlib import shake_256
from pathlib import Path

__all__ = ["break_seal", "main", "replace", "sealed", "unsealed"]

_NONCE = 16


def sealed(text: str, seed: int) -> str:
    """Return a text that says nothing without the seed.

    Examples
    --------
    >>> unsealed(sealed("what is finished", 7), 7)
    'what is finished'
    """
    nonce = os.urandom(_NONCE)
    body = nonce + _mixed(text.encode(), nonce, seed)
    return json.dumps({"sealed": base64.b64encode(body).decode()})


def unsealed(text: str, seed: int) -> str:
    """Return a text from under its seal, or as it is if it has none.

    Raises
    ------
    ValueError
        If it is damaged, or under the seal of another seed.
    """
    seal = json.loads(text).get("sealed")
    if seal is None:
        return text
    body = base64.b64decode(seal)
    return _mixed(body[_NONCE:], body[:_NONCE], seed).decode()


def _mixed(body: bytes, nonce: bytes, seed: int) -> bytes:
    stream = shake_256(nonce + str(seed).encode()).digest(len(body))
    mixed = int.from_bytes(body, "big") ^ int.from_bytes(stream, "big")
    return mixed.to_bytes(len(body), "big")


def replace(file: Path, text: str) -> None:
    """Write a file so that its old or its new text is there at any moment."""
    fresh = file.with_suffix(".new")
    try:
        fresh.write_text(text, encoding="utf-8")
        fresh.replace(file)
    except OSError as error:
        with suppress(OSError):
            fresh.unlink()
        error.filename = str(file)  # A full disk names none.
        raise


def break_seal(file: Path, seed: int) -> None:
    """Make a file readable, unless it is, or cannot be read even with the seed."""
    with suppress(OSError, ValueError, AttributeError, TypeError):
        text = file.read_text(encoding="utf-8")
        if text != (plain := unsealed(text, seed)):
            replace(file, plain)


def main() -> None:
    """Learn the seed, and wait until nobody can write to this process any more."""
    seed = int(sys.stdin.readline())
    sys.stdin.read()
    break_seal(Path(sys.argv[1]), seed)


if __name__ == "__main__":
    main()
