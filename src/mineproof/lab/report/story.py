"""One game told move by move, with pictures of the decisions that one would dispute."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from html import escape
from typing import Any, Final

from mineproof.arguments import counted, percent
from mineproof.draw import board_svg
from mineproof.inference.errors import BudgetExceeded, Contradiction
from mineproof.inference.posterior import Posterior, infer
from mineproof.lab.findings import Findings
from mineproof.lab.report.look import themed
from mineproof.lab.report.plot import name
from mineproof.lab.study import Arm
from mineproof.position.observation import Observation

__all__ = ["Dispute", "Step", "Story", "conditions", "stories"]

_PROBE: Final = "moves"
_ROWS: Final = 11
"""The most rows and columns of a board that are drawn, around the decision."""

Move = Mapping[str, Any]
"""A move as the probe has it."""


@dataclass(frozen=True, slots=True)
class Dispute:
    """A decision that one would dispute.

    Parameters
    ----------
    step
        Which decision of the game.
    why
        What speaks against it.
    then
        What came of it.
    board
        A picture of what was to be seen, with the exact risks.
    excess
        By how much the risk exceeds the lowest one.
    """

    step: int
    why: str
    then: str
    board: str
    excess: float


@dataclass(frozen=True, slots=True)
class Step:
    """A move in words.

    Parameters
    ----------
    number
        Which decision it belongs to.
    move
        What was done.
    claim
        What the agent said of it.
    risk, lowest
        The exact risk, and the lowest there was.
    result
        What came of it.
    reason
        Why, in the agent's words.
    disputed
        Whether one would dispute it.
    """

    number: int
    move: str
    claim: str
    risk: str
    lowest: str
    result: str
    reason: str
    disputed: bool


@dataclass(frozen=True, slots=True)
class Story:
    """A game.

    Parameters
    ----------
    agent, title
        Who plays, and who plays what.
    conditions
        Under which rules.
    ending
        How it ended.
    disputes
        The disputable decisions that are drawn, in order.
    disputable
        How many there are in all.
    steps
        Every move.
    """

    agent: str
    title: str
    conditions: str
    ending: str
    disputes: tuple[Dispute, ...]
    disputable: int
    steps: tuple[Step, ...]


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
            yield _story(arm, game, most)
            most = fewer


def _story(arm: Arm, game: Mapping[str, Any], most: int) -> Story:
    moves: Sequence[Move] = game["moves"]
    disputed = {move["step"]: move for move in moves if move["dispute"]}
    worst = sorted(disputed.values(), key=lambda move: move["best_risk"] - move["exact_risk"])
    drawn = sorted(worst[:most], key=lambda move: move["step"])
    channel = arm.setup.channel if game["channel_told"] else None
    where = ", ".join(name(value, key) for key, value in arm.at.items() if key != "agent")
    return Story(
        agent=str(arm.at["agent"]),
        title=", ".join(filter(None, [str(arm.at["agent"]), where])),
        conditions=f"{conditions(arm)}, seed {game['seed']}",
        ending=(
            f"{str(game['outcome']).capitalize()} after {counted(game['steps'], 'step')}: "
            f"{counted(game['hits'], 'mine')} hit, {game['identified']} of "
            f"{counted(game['mines'], 'mine')} identified, "
            f"{game['guesses']} guess{'es' * (game['guesses'] != 1)}."
        ),
        disputes=tuple(
            Dispute(
                move["step"],
                _why(move),
                _then(move),
                _board(move, Observation.from_text(move["seen"], channel=channel)),
                move["exact_risk"] - move["best_risk"],
            )
            for move in drawn
        ),
        disputable=len(disputed),
        steps=tuple(map(_step, moves)),
    )


def conditions(arm: Arm) -> str:
    """Tell the board and the rules, those that are usual left out.

    Examples
    --------
    >>> from mineproof import Setup
    >>> conditions(Arm("exact", Setup.level("easy")))
    '9×9 with 10 mines, start safe'
    """
    setup = arm.setup
    rules = setup.rules
    words = [f"{setup.rows}×{setup.cols} with {counted(setup.mines, 'mine')}"]
    words += [f"start {rules.start}"]
    words += ["play goes on after a mine"] * (rules.on_mine == "continue")
    words += ["no cascade"] * (not rules.cascade)
    words += [f"{counted(rules.given_safe, 'safe cell')} given"] * bool(rules.given_safe)
    words += [f"clues {setup.channel.name}"] * (not setup.channel.is_exact)
    return ", ".join(words)


def _why(move: Move) -> str:
    """Say what speaks against an opening."""
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


def _then(move: Move) -> str:
    return "It was a mine." if move["hits"] else "It went well."


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


def _step(move: Move) -> Step:
    claim = "certain" if move["certain"] else "guess" if move["guess"] else ""
    if move["risk"] is not None and not move["certain"]:
        claim = f"{claim}, {_risk(move['risk'])}".removeprefix(", ")
    known = move["exact_risk"] is not None
    result = "mine" if move["hits"] else f"{move['opened']} opened" if move["opened"] else ""
    return Step(
        number=move["step"],
        move=f"{move['kind']} ({move['row']}, {move['col']})",
        claim=claim,
        risk=_risk(move["exact_risk"]) if known else "",
        lowest=f"{_risk(move['best_risk'])} at ({move['best_row']}, {move['best_col']})"
        if known
        else "",
        result=result,
        reason=move["reason"],
        disputed=bool(move["dispute"]),
    )
