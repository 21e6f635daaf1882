"""A game in words: its conditions, its moves, why they were right, and how it ended."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import asdict
from itertools import chain, groupby, islice
from typing import Any, Final, NamedTuple, TypeAlias

import numpy as np

from mineproof.arena.play import Turn
from mineproof.arguments import counted, percent
from mineproof.game import Game, GameRecord, Move, Transcript
from mineproof.inference import BudgetExceeded, Contradiction, infer
from mineproof.position import Cell, CellCode, Observation, Rules
from mineproof.position.setup import Setup
from mineproof.proofs import Doubt, Proof, Technique, explain, prove
from mineproof.proofs import Step as ProofStep
from mineproof.proofs.words import capital, settled_text

_NAMED_CELLS: Final = 8
"""More cells than this are counted instead of named. The board marks all of them."""


def conditions(game: Game | Setup | Transcript) -> str:
    """Describe the size and the rules of a game, except the usual rules."""
    channel = "exact" if game.channel.is_exact else game.channel.name
    kind = game.topology.kind
    words = conditions_of(*game.topology.shape, game.mines, game.rules, channel)
    return words if kind == "square" else f"{kind}, {words}"


def conditions_dict(game: Game | Transcript) -> dict[str, Any]:
    """Return all conditions of a game in plain values, by the names that records use."""
    rules = game.rules
    return {
        "rows": game.topology.rows,
        "cols": game.topology.cols,
        "topology": game.topology.kind,
        "mines": game.mines,
        **asdict(rules),
        "channel": game.channel.name,
        "first": game.first,
        "seed": game.seed,
    }


def conditions_of(rows: int, cols: int, mines: int | None, rules: Rules, channel: str) -> str:
    """Describe the conditions of a game by the values that a record has."""
    total = "mines unknown" if mines is None else counted(mines, "mine")
    size = counted(rows, "row"), counted(cols, "column"), total
    return ", ".join([*size, *rule_words(rules, channel)])


def rule_words(rules: Rules, channel: str) -> list[str]:
    """Describe the start rule, and other rules if they are not the usual ones."""
    words = [
        f"start {rules.start}",
        "play goes on after a mine" if rules.on_mine == "continue" else "",
        "" if rules.cascade else "no cascade",
        f"{counted(rules.given_safe, 'safe cell')} given" if rules.given_safe else "",
        "" if channel == "exact" else f"clues {channel}",
    ]
    return [word for word in words if word]


def step(turn: Turn) -> str:
    """Return the number of a turn, and who made its moves if nobody says how sure they were."""
    first = turn.moves[0]
    return f"Step {turn.step}" + (f", {first.by}" if first.by and first.claim is None else "")


def actions(moves: Iterable[Move]) -> Iterator[str]:
    """Describe moves, similar ones together, and how sure the agent was of them."""
    for (kind, sure), alike in groupby(moves, key=lambda move: (move.kind, _sureness(move))):
        cells = [str(move.cell) for move in alike]
        more = len(cells) - _NAMED_CELLS
        named = ", ".join(cells[:_NAMED_CELLS]) + (f" and {more} more" if more > 0 else "")
        yield f"{kind} {named}" + (f": {sure}" if sure else "")


def _sureness(move: Move) -> str:
    if move.claim is None:
        return ""
    if move.certain:
        return "certain"
    words = []
    if move.kind not in ("unflag", "wait"):
        words.append("a guess" if move.is_guess else "not certain")
    if move.risk is not None:
        risk = move.risk
        words += [f"risk {risk:.0%}" if risk in (0, 1) else f"risk {percent(risk, digits=2)}"]
    return ", ".join(words)


def progress(turn: Turn) -> str:
    """Describe what a turn opened and exploded, and the state of the game after it."""
    new, hits = sum(move.opened for move in turn.moves), sum(move.hits for move in turn.moves)
    seen, cells = turn.after, turn.after.topology.cells
    opened = cells - int(np.count_nonzero(seen.closed)) - seen.exploded
    of = "" if seen.mines is None else f" of {cells - seen.mines:,}"
    words = [
        f"opened {counted(new, 'cell')} ({opened:,}{of})",
        f"{counted(hits, 'mine')} exploded" if hits else "",
        counted(int(np.count_nonzero(seen.cells == CellCode.FLAGGED)), "flag"),
        counted(seen.exploded, "hit"),
    ]
    return ", ".join(filter(None, words))


def outcome(record: GameRecord) -> list[str]:
    """Describe how a game ended, with every count except the time, which differs between runs."""
    found = f"identified {record.identified} of {counted(record.mines, 'mine')}"
    counts = "hits", "opened", "steps", "guesses"
    return [
        f"Outcome: {record.outcome}, score {record.score:.3f}, {found}, "
        f"wrong flags {record.wrong_flags}",
        ", ".join(f"{name} {getattr(record, name)}" for name in counts),
    ]


def replayed(transcript: Transcript) -> Iterator[Turn]:
    """Yield a game, one decision per turn."""
    seen = transcript.observations()
    before = next(seen)
    step = 0
    for moves in transcript.decisions():
        *_, after = islice(seen, len(moves))
        first = moves[0]
        by_rule = first is transcript.moves[0] and not first.by and first.cell == transcript.first
        yield Turn(step, moves, None if by_rule else before, after)
        before = after
        step += first.kind != "wait"


# ----------------------------------------------------------------------------------------- reasons

Reasons: TypeAlias = Sequence[Proof | Doubt | str]
"""Why a move was right: a proof or a doubt for each of its cells, or a sentence instead."""


def reasons(turn: Turn) -> list[Reasons]:
    """Explain a turn, move by move, by what the agent saw."""
    seen = turn.before
    if seen is None:
        return [["It is the first cell, which nobody chose."] for _ in turn.moves]
    try:
        posterior = infer(seen, require_exact=True)
        cells = [_cells(seen, move) for move in turn.moves]
        certain = (cell for cell in chain(*cells) if posterior.risk[cell] in (0, 1))
        proof_of = {proof.cell: proof for proof in prove(posterior, certain)}
        return [[proof_of.get(cell) or explain(posterior, cell) for cell in each] for each in cells]
    except (Contradiction, BudgetExceeded) as error:
        return [[f"{capital(str(error))}."] for _ in turn.moves]


def _cells(seen: Observation, move: Move) -> list[Cell]:
    """Return the closed cells that a move decides on: a chord opens those around its clue."""
    if move.kind == "wait":
        return []
    if move.kind != "chord":
        return [move.cell]
    return [near for near in seen.topology.neighbours(move.cell) if seen.openable[near]]


def sentences(found: Reasons) -> list[str]:
    """Return the reasons for one move as sentences."""
    return [
        line
        for reason in found
        for line in (
            [step.text for step in reason.steps]
            if isinstance(reason, Proof)
            else str(reason).splitlines()
        )
    ]


def told_together(moves: Iterable[Reasons]) -> list[str]:
    r"""Return the reasons for several moves as sentences, without repetition.

    Sentences that hold only in one case are indented.

    Examples
    --------
    >>> from mineproof.proofs import explain_all
    >>> found = explain_all(Observation.from_text("..10\n122?\n...."))
    >>> print(*told_together([found]), sep="\n")
    The 1 at (0, 2) touches only 1 closed cell: (0, 1) is a mine.
    The 1 at (1, 0) has its mine, (0, 1): (0, 0), (2, 0) and (2, 1) are safe.
    The 2 at (1, 1) has only 2 cells left for its 2 mines: (2, 2) is a mine.
    The 2 at (1, 2) has both its mines, (0, 1) and (2, 2): (2, 3) is safe.
    """
    found = list(chain(*moves))
    proved = [reason for reason in found if isinstance(reason, Proof)]
    others = [reason for reason in found if not isinstance(reason, Proof)]
    return [*_together(proved), *dict.fromkeys(sentences(others))]


class _Why(NamedTuple):
    """A sentence without the cells that it settles: what is before and after them.

    `mine` is None if the sentence names no cells. `clues` are those of an argument from the mine
    total: such arguments are only joined if they use the same clues.
    """

    before: str
    after: str = ""
    mine: bool | None = None
    clues: tuple[Cell, ...] = ()

    @classmethod
    def of(cls, proof: Proof, step: ProofStep) -> _Why:
        clues = proof.premises if proof.uses_total else ()
        cells, mine = step.mined or step.safe, bool(step.mined)
        if cells and settled_text(cells, mine) in step.text:
            before, _, after = step.text.rpartition(settled_text(cells, mine))
            return cls(before, after, mine, clues)
        return cls(step.text, clues=clues)

    def sentence(self, cells: Iterable[Cell]) -> str:
        settled = "" if self.mine is None else settled_text(sorted(cells), self.mine)
        return f"{self.before}{settled}{self.after}"


def _together(found: Sequence[Proof]) -> Iterator[str]:
    """Join proofs, the simplest first and those by cases last."""
    told: dict[_Why, set[Cell]] = {}
    settled: set[Cell] = set()
    by_cases: list[str] = []
    for proof in sorted(found, key=lambda proof: (proof.technique, len(proof.steps))):
        if proof.cell in settled:
            continue
        has_cases = any(step.assumed for step in proof.steps)
        for step in proof.steps:
            hard = proof.uses_total or step.assumed or step.technique > Technique.SUBSET
            if has_cases and hard:
                by_cases.append(str(step))
                continue
            cells, why = step.safe + step.mined, _Why.of(proof, step)
            if why.mine is None or not settled.issuperset(cells):
                told.setdefault(why, set()).update(cells)
                settled.update(cells)
    yield from (why.sentence(cells) for why, cells in told.items())
    yield from by_cases
