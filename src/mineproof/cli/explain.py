"""`mineproof explain`: why cells are certain, and what is to be said of those that are not."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby
from pathlib import Path
from typing import Annotated, Any, Final

import typer
from rich.console import Console
from rich.text import Text

from mineproof.arguments import choice, counted
from mineproof.cli.options import ChannelOption, JsonOption, named, read_cell
from mineproof.cli.position import (
    FlagsOption,
    PositionArgument,
    TotalOption,
    read_flags,
    read_position,
)
from mineproof.draw import (
    board_svg,
    board_text,
    doubt_svg,
    doubt_text,
    proof_svg,
    proof_text,
    proofs_svg,
)
from mineproof.inference.posterior import Posterior, infer
from mineproof.position.observation import CellCode, Observation, is_closed
from mineproof.position.topology import Cell
from mineproof.proofs import Doubt, Proof, Technique, explain_all, hints
from mineproof.proofs import explain as proof_of
from mineproof.proofs.words import named as listed
from mineproof.proofs.words import settled_text
from mineproof.search import advise

__all__ = ["explain"]

_STAGES: Final = ("1", "2", "3")
_FEW: Final = 4
"""So many clues are named."""
_HOW: Final = {
    Technique.GIVEN: "Known from the start",
    Technique.COUNTING: "By counting",
    Technique.SUBSET: "By comparing two clues",
    Technique.CASES: "By cases",
    Technique.TOTAL: "By the mine total",
}


def explain(
    file: PositionArgument,
    cell: Annotated[
        str | None,
        typer.Option(metavar="R,C", help="The cell to explain. Default: every certain one."),
    ] = None,
    mines: TotalOption = None,
    channel: ChannelOption = "exact",
    flags: FlagsOption = "ignore",
    hint: Annotated[
        str | None,
        typer.Option(
            metavar="|".join(_STAGES),
            help="Only hint at the simplest move: where to look, at which clues, the cell.",
        ),
    ] = None,
    svg: Annotated[
        str | None, typer.Option(metavar="OUT", help="Draw a picture into this file, too.")
    ] = None,
    as_json: JsonOption = False,
) -> None:
    """Tell why cells are certain, the simplest first, or what there is to say of one that is not.

    The position is read as by `mineproof solve`. Every proof rests on clues of which none can be
    left out: they stand in parentheses, and the cell in brackets. Exit codes: 2 bad input, 3 no
    layout fits, 4 too wide to answer.
    """
    meaning = read_flags(flags)
    where = None if cell is None else read_cell("--cell", cell)
    if hint is not None:
        choice("--hint", hint, _STAGES)
        for option, given in {"--cell": cell, "--svg": svg, "--json": as_json or None}.items():
            if given is not None:
                raise ValueError(f"--hint: cannot stand beside {option}")
    observation = read_position(file, mines=mines, channel=channel)
    if where is not None:
        with named("--cell"):
            observation.topology.index(where)
    posterior = infer(observation, flags=meaning, require_exact=True)
    if hint is not None:
        print(*_hint(posterior, int(hint)), sep="\n")
        return
    answer = _about_all(posterior) if where is None else _about_cell(posterior, where)
    if svg is not None:
        Path(svg).write_text(answer.svg() + "\n", encoding="utf-8")
    if as_json:
        print(json.dumps(answer.entries, allow_nan=False))
        return
    console = Console(highlight=False, soft_wrap=True)
    console.print(answer.text(console.width if console.is_terminal else None))


def _hint(posterior: Posterior, stage: int) -> list[str]:
    """Tell as much of the simplest certain move as is wanted."""
    found = hints(posterior.observation, flags=posterior.flags)
    if not found:
        return str(advise(posterior.observation, flags=posterior.flags)).splitlines()
    return [found[0].region, found[0].clues, found[0].cell][:stage]


@dataclass(frozen=True, slots=True)
class _Answer:
    """What there is to say, in every form.

    Parameters
    ----------
    entries
        What `--json` prints.
    text
        For a terminal of some columns, or for none.
    svg
        The picture.
    """

    entries: list[dict[str, Any]]
    text: Callable[[int | None], Text]
    svg: Callable[[], str]


# --------------------------------------------------------------------------------------- one cell


def _about_cell(posterior: Posterior, cell: Cell) -> _Answer:
    observation = posterior.observation
    if not is_closed(observation.code(cell)):
        return _about_open(posterior, cell)
    found = proof_of(observation, cell, flags=posterior.flags)
    if isinstance(found, Doubt):
        return _Answer(
            [_entry(cell, "uncertain", found.risk, str(found).splitlines())],
            lambda width: doubt_text(posterior, found, width=width),
            lambda: doubt_svg(posterior, found),
        )
    return _Answer(
        [_proof_entry(found)],
        lambda width: proof_text(observation, found, width=width),
        lambda: proof_svg(observation, found),
    )


def _about_open(posterior: Posterior, cell: Cell) -> _Answer:
    observation = posterior.observation
    code = observation.code(cell)
    if code == CellCode.EXPLODED:
        said = f"{cell} is a mine that exploded."
        entry = _entry(cell, "mine", 1.0, [said], technique=Technique.GIVEN)
    else:
        shows = "its clue was lost" if code == CellCode.NO_CLUE else f"shows {code}"
        said = f"{cell} is open and {shows}."
        entry = _entry(cell, "open", None, [said])

    def text(width: int | None) -> Text:
        board = board_text(observation, posterior, width=width, marked=[cell])
        return Text("\n\n", no_wrap=True).join([board, Text(said)])

    return _Answer([entry], text, lambda: board_svg(observation, posterior, marked=[cell]))


def _proof_entry(proof: Proof) -> dict[str, Any]:
    return _entry(
        proof.cell,
        proof.status,
        float(proof.status == "mine"),
        [step.text for step in proof.steps],
        premises=proof.premises,
        uses_total=proof.uses_total,
        technique=proof.technique,
    )


def _entry(
    cell: Cell,
    status: str,
    risk: float | None,
    steps: list[str],
    *,
    premises: Sequence[Cell] = (),
    uses_total: bool = False,
    technique: Technique | None = None,
) -> dict[str, Any]:
    """Gather what `--json` prints of one cell."""
    return {
        "cell": list(cell),
        "status": status,
        "risk": risk,
        "premises": [list(clue) for clue in premises],
        "uses_total": uses_total,
        "technique": None if technique is None else str(technique),
        "steps": steps,
    }


# ------------------------------------------------------------------------------ all certain cells


def _about_all(posterior: Posterior) -> _Answer:
    observation = posterior.observation
    proofs = explain_all(observation, flags=posterior.flags)

    def text(width: int | None) -> Text:
        first, *more = str(advise(observation, flags=posterior.flags)).splitlines()
        advice = Text("\n").join([Text(first, "bold"), *map(Text, more)])
        parts = [
            board_text(observation, posterior, width=width),
            *(Text("\n".join(part)) for part in _by_technique(observation, proofs)),
            advice,
        ]
        return Text("\n\n", no_wrap=True).join(parts)

    return _Answer(
        [_proof_entry(proof) for proof in proofs],
        text,
        lambda: proofs_svg(observation, proofs),
    )


def _by_technique(observation: Observation, proofs: Sequence[Proof]) -> Iterator[list[str]]:
    """List what is certain, technique by technique; cells that rest on the same clues together."""
    for technique, alike in groupby(proofs, key=lambda proof: proof.technique):
        cells: dict[tuple[bool, str], list[Cell]] = {}
        for proof in alike:
            key = proof.status == "mine", _basis(observation, proof)
            cells.setdefault(key, []).append(proof.cell)
        lines = [
            f"  {settled_text(together, mine)}{basis}" for (mine, basis), together in cells.items()
        ]
        yield [f"{_HOW[technique]}:", *lines]


def _basis(observation: Observation, proof: Proof) -> str:
    """Name what a proof rests on."""
    if len(proof.premises) > _FEW:
        parts = [counted(len(proof.premises), "clue")]
    else:
        parts = [_clue(observation, clue) for clue in proof.premises]
    parts += ["the mine total"] * proof.uses_total
    return f": {listed(parts)}" if parts else ""


def _clue(observation: Observation, clue: Cell) -> str:
    code = observation.code(clue)
    return f"the {'lost clue' if code == CellCode.NO_CLUE else code} at {clue}"
