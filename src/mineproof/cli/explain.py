"""`mineproof explain`: why cells are certain, and what is known about those that are not."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Sequence
from itertools import groupby
from pathlib import Path
from typing import Final, Literal, NamedTuple

import click
from rich.text import Text

from mineproof.arguments import counted, named
from mineproof.cli import options
from mineproof.cli.output import Console, plain_console, print_wrapped, wrapped
from mineproof.cli.positions import position_options
from mineproof.draw import (
    board_svg,
    board_text,
    doubt_svg,
    doubt_text,
    proof_svg,
    proof_text,
    proofs_svg,
)
from mineproof.inference import Posterior, infer
from mineproof.position import Cell, CellCode, Observation
from mineproof.position.cells import is_closed
from mineproof.proofs import Doubt, OpenCell, Proof, Technique, explain_all, hints
from mineproof.proofs import explain as explain_cell
from mineproof.proofs.words import settled_text
from mineproof.search import advise
from mineproof.writing import write_whole

_NAMED_CLUES: Final = 4
"""More clues than this are counted instead of named."""
_HEADINGS: Final = {
    Technique.GIVEN: "Known from the start",
    Technique.COUNTING: "By counting",
    Technique.SUBSET: "By comparing two clues",
    Technique.CASES: "By cases",
    Technique.TOTAL: "By the mine total",
}


class _Answer(NamedTuple):
    """The explanations, the text for a terminal of some width, and the picture."""

    found: Sequence[Proof | Doubt | OpenCell]
    text: Callable[[int | None], Text]
    svg: Callable[[], str]


@click.command()
@position_options
@click.option(
    "--cell",
    type=options.cell,
    metavar="R,C",
    help="The cell to explain. Default: all certain cells.",
)
@click.option(
    "--hint",
    type=click.Choice([1, 2, 3]),
    help="Only give a hint at the simplest certain move, a safe cell if there is one: where to "
    "look (1), at which clues (2), the cell (3).",
)
@options.svg
@options.as_json
def explain(
    observation: Observation,
    flags: Literal["ignore", "trust"],
    cell: Cell | None,
    hint: int | None,
    svg: Path | None,
    as_json: bool,
) -> None:
    """Explain why cells are certain, the simplest reasons first.

    FILE is a position as for `mineproof solve`. Each proof uses only clues that it needs: they are
    in parentheses, and the cell is in brackets. A cell that is not certain gets its risk and what
    it depends on.

    Exit codes: 2 bad input, 3 no layout fits, 4 too wide to answer.
    """
    if hint is not None:
        options.refuse("--hint", {"--cell": cell, "--svg": svg, "--json": as_json})
    if cell is not None:
        with options.naming("--cell"):
            observation.topology.index(cell)
    posterior = infer(observation, flags=flags, require_exact=True)
    if hint is not None:
        print_wrapped(*_hint(posterior, hint))
        return
    answer = _all_certain(posterior) if cell is None else _one(posterior, cell)
    if svg is not None:
        write_whole(svg, answer.svg() + "\n")
    if as_json:
        print(json.dumps([each.to_dict() for each in answer.found], allow_nan=False))
    else:
        console, width = plain_console()
        console.print(answer.text(width))


def _hint(posterior: Posterior, stage: int) -> list[str]:
    found = hints(posterior)
    return list(found[0].stages[:stage]) if found else str(advise(posterior)).splitlines()


def _one(posterior: Posterior, cell: Cell) -> _Answer:
    observation = posterior.observation
    if not is_closed(observation.code(cell)):
        shown = OpenCell(cell, observation.code(cell))
        return _Answer(
            [shown],
            lambda width: _paragraphs(
                board_text(observation, posterior, width=width, marked=[cell]),
                Text("\n".join(wrapped(str(shown)))),
            ),
            lambda: board_svg(observation, posterior, marked=[cell]),
        )
    found = explain_cell(posterior, cell)
    if isinstance(found, Proof):
        return _Answer(
            [found],
            lambda width: proof_text(observation, found, width=width or Console().width),
            lambda: proof_svg(observation, found),
        )
    return _Answer(
        [found],
        lambda width: doubt_text(posterior, found, width=width or Console().width),
        lambda: doubt_svg(posterior, found),
    )


def _all_certain(posterior: Posterior) -> _Answer:
    observation = posterior.observation
    proofs = explain_all(posterior)

    def text(width: int | None) -> Text:
        first, *more = str(advise(posterior)).splitlines()
        return _paragraphs(
            board_text(observation, posterior, width=width),
            *(_lines(listed, hanging="    ") for listed in _by_technique(observation, proofs)),
            Text("\n").join([_lines([first], "bold"), *([_lines(more)] if more else [])]),
        )

    return _Answer(proofs, text, lambda: proofs_svg(observation, proofs))


def _paragraphs(*parts: Text) -> Text:
    return Text("\n\n", no_wrap=True).join(parts)


def _lines(sentences: Sequence[str], style: str = "", hanging: str = "") -> Text:
    """Break sentences into lines that fit the terminal."""
    return Text("\n".join(line for said in sentences for line in wrapped(said, hanging)), style)


def _by_technique(observation: Observation, proofs: Sequence[Proof]) -> Iterator[list[str]]:
    """List what is certain by technique; cells that need the same clues share a line."""
    for technique, alike in groupby(proofs, key=lambda proof: proof.technique):
        cells: dict[tuple[bool, str], list[Cell]] = {}
        for proof in alike:
            key = proof.status == "mine", _basis(observation, proof)
            cells.setdefault(key, []).append(proof.cell)
        yield [
            f"{_HEADINGS[technique]}:",
            *(f"  {settled_text(same, mine)}{basis}" for (mine, basis), same in cells.items()),
        ]


def _basis(observation: Observation, proof: Proof) -> str:
    if len(proof.premises) > _NAMED_CLUES:
        parts = [counted(len(proof.premises), "clue")]
    else:
        codes = [(observation.code(clue), clue) for clue in proof.premises]
        parts = [
            f"the {'lost clue' if code == CellCode.NO_CLUE else code} at {clue}"
            for code, clue in codes
        ]
    parts += ["the mine total"] * proof.uses_total
    return f": {named(parts)}" if parts else ""
