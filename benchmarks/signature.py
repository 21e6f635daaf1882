"""One number that stays the same as long as every answer does."""

from __future__ import annotations

from collections.abc import Iterator
from hashlib import sha256

from benchmarks.positions import scattered, stuck, witnessed
from benchmarks.report import Report, Track
from mineproof import Channel, Game, Observation, Posterior, Prior, Setup, Topology, infer

DIGITS = 9
"""Of risks: few enough that the order of a sum does not show, on any machine."""


def questions() -> Iterator[Posterior]:
    """Ask about fixed positions: every prior, every channel, wide and narrow frontiers."""
    for seen in (*stuck("expert", "safe", 5, 60), *stuck("intermediate", "zero", 5, 60)):
        for prior in (None, Prior.density(0.2), Prior.unknown()):
            yield infer(seen, prior)
    for seed in range(10):
        yield infer(scattered(16, 30, 99, 0.05 * (seed + 1), seed))
    for name in ("lost:0.3", "optimistic", "cautious"):
        channel = Channel.parse(name)
        game = Game(Setup(Topology(8, 8), 10, channel=channel), seed=1)
        for seen in witnessed(game)[::5]:
            yield infer(seen)
    yield infer(Observation.from_text("8x2x3\n........\n?1221???"))


def signature() -> str:
    """Return a hash of all risks, layouts and certain cells."""
    hashed = sha256()
    for posterior in questions():
        risks = [f"{risk:.{DIGITS}f}" for risk in posterior.risk.ravel().tolist()]
        answer = risks, posterior.layouts, posterior.safe, posterior.mined
        hashed.update(repr(answer).encode())
    return hashed.hexdigest()[:16]


def run(track: Track, quick: bool = False) -> Report:
    """Give the signature; it is the same whether quick or not."""
    (text,) = (signature() for _ in track([None], "signature"))
    return Report(f"signature: {text}", (), ())
