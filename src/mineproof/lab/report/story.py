"""One game told move by move, with pictures of the decisions that one would dispute."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from html import escape
from typing import Any, Final

from mineproof.arguments import counted, percent
from mineproof.draw import board_svg
from mineproof.errors import BudgetExceeded, Contradiction
from mineproof.inference.posterior import Posterior, infer
from mineproof.lab.findings import Findings
from mineproof.lab.report.look import themed
from mineproof.lab.sentences import plain
from mineproof.lab.study import Arm
from mineproof.position.observation import Observation

__all__ = ["Dispute", "Story", "conditions", "stories"]

_PROBE: Final = "moves"
_ROWS: Final = 11
"""The most rows and columns of a board that are drawn, around the decision."""

Move = Mapping[str, Any]
"""A move as the probe has it."""


@dataclass(frozen=True, slots=True)
class Dispute:
    """A disputable decision: its step, the reason in words, and its board with exact risks.

    The excess is its risk minus the lowest risk.
    """

    step: int
    words: str
    board: str
    excess: float


@dataclass(frozen=True)
class Story:
    """A game.

    Parameters
    ----------
    arm
        Who plays under which conditions.
    game
        The record.
    most
        How many decisions are drawn at most.
    """

    arm: Arm
    game: Mapping[str, Any]
    most: int

    @property
    def title(self) -> str:
        """Who plays what."""
        agent, *where = self.arm.at.items()
        return ", ".join([str(agent[1]), *(plain(value, key) for key, value in where)])

    @property
    def conditions(self) -> str:
        """Under which rules."""
        return f"{conditions(self.arm)}, seed {self.game['seed']}"

    @property
    def ending(self) -> str:
        """How it ended."""
        game = self.game
        return (
            f"{str(game['outcome']).capitalize()} after {counted(game['steps'], 'step')}: "
            f"{counted(game['hits'], 'mine')} hit, {game['identified']} of "
            f"{counted(game['mines'], 'mine')} identified, "
            f"{game['guesses']} guess{'es' * (game['guesses'] != 1)}."
        )

    @cached_property
    def disputed(self) -> Mapping[int, Move]:
        """The disputable moves by step."""
        return {move["step"]: move for move in self.game["moves"] if move["dispute"]}

    @cached_property
    def disputes(self) -> tuple[Dispute, ...]:
        """The disputable decisions with the highest excess, in the order of the game."""
        worst = sorted(self.disputed.values(), key=_excess, reverse=True)[: self.most]
        channel = self.arm.setup.channel if self.game["channel_told"] else None
        return tuple(
            Dispute(
                move["step"],
                f"{_why(move)} {'It was a mine.' if move['hits'] else 'It went well.'}",
                _board(move, Observation.from_text(move["seen"], channel=channel)),
                _excess(move),
            )
            for move in sorted(worst, key=lambda move: move["step"])
        )

    @property
    def steps(self) -> Iterator[tuple[Move, tuple[str, ...]]]:
        """Every move, and in words: the move, the claim, both risks, the result and the reason."""
        return ((move, _told(move)) for move in self.game["moves"])


def stories(findings: Findings, *, boards: int, fewer: int) -> Iterator[Story]:
    """Tell the first game of every arm whose moves were recorded.

    Parameters
    ----------
    findings
        What the records of a study say.
    boards, fewer
        How many pictures the first story has at most, and how many the others.
    """
    most = boards
    for arm in findings.arms:
        if arm.probe == _PROBE:
            games = findings.records(**arm.at)
            [game] = games.head(1).collect().iter_rows(named=True)
            yield Story(arm, game, most)
            most = fewer


def _excess(move: Move) -> float:
    return float(move["exact_risk"] - move["best_risk"])


def conditions(arm: Arm) -> str:
    """Describe the board and the rules, except usual rules.

    Examples
    --------
    >>> from mineproof import Setup
    >>> conditions(Arm("exact", Setup.level("easy")))
    '9×9 with 10 mines, start safe'
    """
    setup = arm.setup
    rules = setup.rules
    words = [f"{setup.topology.rows}×{setup.topology.cols} with {counted(setup.mines, 'mine')}"]
    words += [f"start {rules.start}"]
    words += ["play goes on after a mine"] * (rules.on_mine == "continue")
    words += ["no cascade"] * (not rules.cascade)
    words += [f"{counted(rules.given_safe, 'safe cell')} given"] * bool(rules.given_safe)
    words += [f"clues {setup.channel.name}"] * (not setup.channel.is_exact)
    return ", ".join(words)


def _why(move: Move) -> str:
    """Say why an opening is disputable."""
    best = f"({move['best_row']}, {move['best_col']})"
    risk, lowest = _risk(move["exact_risk"]), _risk(move["best_risk"])
    if move["certain"]:
        did = f"Claimed certain, but the risk was {risk}"
    elif move["exact_risk"] == 1:
        did = "Opened a certain mine"
    elif move["best_risk"] == 0:
        return f"Guessed at a risk of {risk}, though {best} was certainly safe."
    else:
        return f"Took a risk of {risk} where {best} had {lowest}."
    if move["best_risk"] == 0:
        return f"{did}, and {best} was certainly safe."
    if move["best_risk"] < move["exact_risk"]:
        return f"{did}, and {best} had {lowest}."
    return f"{did}."


def _risk(risk: float) -> str:
    return f"{risk:.0%}" if risk in (0, 1) else percent(risk)


def _board(move: Move, seen: Observation) -> str:
    cell = (move["row"], move["col"])
    picture = board_svg(seen, _posterior(seen), marked=[cell], most=_ROWS, legend=False)
    words = f"The board at step {move['step']}: ({cell[0]}, {cell[1]}) is opened."
    labelled = picture.replace("<svg ", f'<svg role="img" aria-label="{escape(words)}" ', 1)
    return themed(labelled).replace("\n", "")


def _posterior(seen: Observation) -> Posterior | None:
    try:
        return infer(seen, require_exact=True)
    except (BudgetExceeded, Contradiction):
        return None


def _told(move: Move) -> tuple[str, ...]:
    claim = "certain" if move["certain"] else "guess" if move["guess"] else ""
    if move["risk"] is not None and not move["certain"]:
        claim = f"{claim}, {_risk(move['risk'])}".removeprefix(", ")
    risk = lowest = ""
    if move["exact_risk"] is not None:
        risk, lowest = _risk(move["exact_risk"]), _risk(move["best_risk"])
        lowest += f" at ({move['best_row']}, {move['best_col']})"
    result = "mine" if move["hits"] else f"{move['opened']} opened" if move["opened"] else ""
    did = f"{move['kind']} ({move['row']}, {move['col']})"
    return did, claim, risk, lowest, result, move["reason"]
