"""Errors that become answers: a status and one sentence."""

from __future__ import annotations

__all__ = ["Refused"]


class Refused(Exception):
    """A request that is not carried out, with the status of the answer."""

    def __init__(self, status: int, sentence: str) -> None:
        super().__init__(sentence)
        self.status = status
