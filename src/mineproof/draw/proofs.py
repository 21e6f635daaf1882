"""Proofs as text and as SVG: a board per case, one of what follows in the end, the argument."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Final

from rich.text import Text

from mineproof.arguments import counted
from mineproof.draw import svg, terminal
from mineproof.draw.looks import Look, Looks
from mineproof.draw.palette import CASE, FRAME, INK
from mineproof.draw.svg import Tiles
from mineproof.draw.terminal import WINDOW, Bracket, fitting, region, wrapped
from mineproof.inference import Posterior
from mineproof.position.cells import is_closed
from mineproof.position.observation import Observation
from mineproof.position.topology import Cell
from mineproof.proofs import Doubt, Proof
from mineproof.proofs.proof import Assumptions

_USUAL: Final = 100
"""The columns to use if there is no terminal."""
_MOST_TEXTS: Final = 4
_MOST_BOARDS: Final = 6
_MOST_STEPS: Final = 40
_FEW: Final = 8
"""A step about more clues or cells than this only sums up, and its number is not shown on them."""
_NARROW: Final = 330
"""Beside boards up to this width there is room for sentences."""
_COLUMN: Final = 480
"""The least width of sentences."""
_WIDEST: Final = 1080
_TITLE: Final = 380
_MARGIN: Final = 22

_RESTS_ON: Final = "a clue it rests on"
_GOAL: Final = Bracket("[", "]", "bold #e0399a")
_CLUE: Final = Bracket("(", ")", "bold #0087ff")
_BROKEN: Final = Bracket("!", "!", "bold #d9730d")
_IN_CASE: Final = f"bold {INK} on #f3c98b"


@dataclass(frozen=True, slots=True)
class Mark:
    """A closed cell that is safe or a mine, the step that says so, and if only in a case."""

    mine: bool
    step: int | None
    in_case: bool = False


@dataclass(frozen=True, slots=True)
class Panel:
    """What to show on one board: a case, or what follows in the end."""

    title: str
    marks: dict[Cell, Mark] = field(default_factory=dict)
    clues: dict[Cell, list[int]] = field(default_factory=dict)
    """The clues to point at, and the numbers of the steps that look at them."""
    broken: set[Cell] = field(default_factory=set)
    """The clues that cannot be met in this case."""


def panels(proof: Proof, most: int | None = None) -> list[Panel]:
    r"""Sort what a proof says into panels: of this many the first ones and the last.

    Examples
    --------
    >>> from mineproof import Observation, explain
    >>> proof = explain(Observation.from_text("....\n121?\n...."), (0, 1))
    >>> for panel in panels(proof):
    ...     print(f"{panel.title}: clues {list(panel.clues)}, broken {panel.broken}")
    If (0, 1) were a mine: clues [(1, 0), (1, 2), (1, 1)], broken {(1, 1)}
    So (0, 1) is safe: clues [(1, 0), (1, 1), (1, 2)], broken set()
    """
    title = f"So {proof.cell} is {_kind(proof.status == 'mine')}"
    panel_of: dict[Assumptions, Panel] = {
        (): Panel(title, clues={clue: [] for clue in proof.premises})
    }
    for number, step in enumerate(proof.steps, start=1):
        panel = panel_of.pop(step.assumed, None)
        if panel is None:
            # The step before has said what is assumed.
            panel = _case(step.assumed, panel_of[step.assumed[:-1]], number - 1)
        panel_of[step.assumed] = panel  # behind all that end before
        shown = number if max(len(step.clues), len(step.safe + step.mined)) <= _FEW else None
        for clue in step.clues:
            panel.clues.setdefault(clue, []).extend([] if shown is None else [shown])
        for cells, mine in ((step.safe, False), (step.mined, True)):
            panel.marks.update((cell, Mark(mine, shown, bool(step.assumed))) for cell in cells)
        if step.impossible:
            panel.broken.update(step.clues)
    found = list(panel_of.values())
    return found if most is None or len(found) <= most else [*found[: most - 1], found[-1]]


def _kind(mine: bool) -> str:
    return "a mine" if mine else "safe"


def _case(assumed: Assumptions, around: Panel, number: int) -> Panel:
    """Begin a case with all that is known around it."""
    title = f"If {' and '.join(f'{cell} were {_kind(mine)}' for cell, mine in assumed)}"
    cell, mine = assumed[-1]
    return Panel(title, {**around.marks, cell: Mark(mine, number, in_case=True)})


def basis(observation: Observation, proof: Proof) -> str:
    """Say what a proof rests on, in a sentence; nothing if it rests on nothing."""
    number = len(proof.premises)
    total = "" if observation.mines is None else f" of {observation.mines:,}"
    parts = [counted(number, "clue")] * bool(number) + [f"the mine total{total}"] * proof.uses_total
    fewer = ", and from no fewer" if proof.smallest and number > 1 else ""
    return f"It follows from {' and '.join(parts)}{fewer}." if parts else ""


@dataclass(frozen=True, slots=True)
class _Scene:
    """A panel on a part of a board, with the cell that it is all about."""

    looks: Looks
    panel: Panel
    rows: Sequence[int]
    cols: Sequence[int]
    goal: Cell | None = None
    titled: bool = False

    def text(self, *, words: bool = False) -> Text:
        def written(cell: Cell) -> Text:
            look, mark = self._look(cell), self.panel.marks.get(cell)
            in_case = mark is not None and mark.in_case
            style = _IN_CASE if in_case else "dim" if self._faded(cell) else look.style
            return Text(look.text(4 if words else 1), style)

        topology = self.looks.observation.topology
        pitch = 6 if words else 3
        drawn = terminal.grid(topology, self.rows, self.cols, pitch, written, self._bracket)
        return Text.assemble((f"{self.panel.title}\n" * self.titled, "bold"), drawn)

    def svg(self) -> svg.Block:
        board = self._tiles.board(self.rows, self.cols, self._tile, self._signs)
        colour, width = CASE if self.panel.broken else INK, max(board.width, _TITLE)
        title = self.panel.title * self.titled
        return svg.stack(
            [svg.words(title, size=13, colour=colour, bold=True, width=width), board], gap=6
        )

    @property
    def _tiles(self) -> Tiles:
        return Tiles(self.looks.observation.topology)

    def _look(self, cell: Cell) -> Look:
        look, mark = self.looks[cell], self.panel.marks.get(cell)
        return look if mark is None else Look(look.code, float(mark.mine), certain=True)

    def _faded(self, cell: Cell) -> bool:
        """Whether a cell is open and does not matter."""
        clues = self.panel.clues
        return bool(clues) and cell not in clues and not is_closed(self.looks[cell].code)

    def _bracket(self, cell: Cell) -> Bracket | None:
        if cell == self.goal:
            return _GOAL
        if cell in self.panel.broken:
            return _BROKEN
        return _CLUE if cell in self.panel.clues else None

    def _tile(self, cell: Cell) -> str:
        look, mark = self._look(cell), self.panel.marks.get(cell)
        if mark is not None and mark.in_case:
            sign = svg.mine_sign(INK) if mark.mine else svg.safe_sign("#14692f")
            return self._tiles.ground(svg.HATCHED) + sign
        drawn = self._tiles.tile(look)
        return f'<g opacity=".35">{drawn}</g>' if self._faded(cell) else drawn

    def _signs(self, cell: Cell) -> str:
        mark, steps = self.panel.marks.get(cell), self.panel.clues.get(cell)
        broken = cell in self.panel.broken
        tiles = self._tiles
        drawn = tiles.goal if cell == self.goal else ""
        drawn += tiles.broken if broken else tiles.clue if steps is not None else ""
        if steps:
            few = steps if len(steps) <= 3 else [*steps[:2], "..."]
            return drawn + tiles.badge(", ".join(map(str, few)), CASE if broken else FRAME)
        if mark is not None and mark.step is not None:
            return drawn + tiles.badge(str(mark.step), CASE if mark.in_case else INK)
        return drawn


def _scenes(looks: Looks, shown: Sequence[Panel], goal: Cell, most: int) -> list[_Scene]:
    pointed_at = {goal}.union(*(panel.marks.keys() | panel.clues.keys() for panel in shown))
    rows, cols = region(looks.observation.topology, pointed_at, centre=goal, most=most)
    return [_Scene(looks, panel, rows, cols, goal, len(shown) > 1) for panel in shown]


def _doubtful(posterior: Posterior, doubt: Doubt, most: int) -> list[_Scene]:
    clues = {pressure.clue: [rank] for rank, pressure in enumerate(doubt.pressing, start=1)}
    looks = Looks.risks(posterior.observation, posterior)
    return _scenes(looks, [Panel("", clues=clues)], doubt.cell, most)


def _legend(scenes: Sequence[_Scene], clue: str) -> Iterator[tuple[str, str, str]]:
    """Explain what is to be seen, and no more: the sign as text, as SVG, and what it means."""
    found = [scene.panel for scene in scenes]
    marks = [mark for panel in found for mark in panel.marks.values()]
    tiles = Tiles(scenes[0].looks.observation.topology)
    if any(scene.goal for scene in scenes):
        yield "[]", tiles.goal, "the cell"
    if any(panel.clues.keys() - panel.broken for panel in found):
        yield "()", tiles.clue, clue
    if any(not mark.mine for mark in marks):
        yield "+", tiles.safe_tile, "safe"
    if any(mark.mine for mark in marks):
        yield "#", tiles.mine_tile, "mine"
    if any(mark.in_case for mark in marks):
        yield "", tiles.ground(svg.HATCHED), "only in this case"
    if most := max(len(panel.broken) for panel in found):
        cross = f'<g transform="translate(17 17) scale(2)">{svg.CROSS}</g>'
        yield "!!", cross, f"cannot {'all ' * (most > 1)}be met"


# ------------------------------------------------------------------------------------------- text


def proof_text(observation: Observation, proof: Proof, *, width: int | None = None) -> Text:
    r"""Draw a proof for the terminal: a board per case, one of what follows, the argument.

    Parameters
    ----------
    observation
        What was seen when the proof was made.
    proof
        Why a cell is certain.
    width
        The columns of the terminal; None if there is none.

    Examples
    --------
    >>> from mineproof import Observation, explain
    >>> seen = Observation.from_text("..1\n1.1\n111")
    >>> print(proof_text(seen, explain(seen, (0, 0))).plain)
    (0, 0) is safe, by counting.
    It follows from 2 clues, and from no fewer.
    <BLANKLINE>
         0  1  2
     0  [+] .  1
     1  (1) #  1
     2  (1) 1  1
    <BLANKLINE>
    [] the cell  () a clue it rests on  + safe  # mine
    <BLANKLINE>
    1  The 1 at (2, 0) touches only 1 closed cell: (1, 1) is a mine.
    2  The 1 at (1, 0) has its mine, (1, 1): (0, 0) is safe.
    """
    most = fitting(width or _USUAL, observation.topology, 3)
    scenes = _scenes(Looks(observation), panels(proof, _MOST_TEXTS), proof.cell, most)
    claim = str(proof).partition("\n")[0].removesuffix(":")
    rests = [Text(line) for line in wrapped(basis(observation, proof), width) if line]
    parts = [
        Text("\n").join([Text(f"{claim}.", "bold"), *rests]),
        *_rows([scene.text() for scene in scenes], width or _USUAL),
        _legend_text(scenes, _RESTS_ON, width),
        _argument_text(proof, width),
    ]
    return Text("\n\n", no_wrap=True).join(parts)


def doubt_text(posterior: Posterior, doubt: Doubt, *, width: int | None = None) -> Text:
    r"""Draw a cell that is not certain, with the risks around it and the clues that press on it.

    Parameters
    ----------
    posterior
        What follows from what was seen.
    doubt
        What to say about the cell.
    width
        The columns of the terminal; None if there is none.

    Examples
    --------
    >>> from mineproof import Observation, explain, infer
    >>> seen = Observation.from_text("..1\n...")
    >>> print(doubt_text(infer(seen), explain(seen, (0, 0))).plain)
            0     1
     0   [33%]  33%
     1    33%   33%
    <BLANKLINE>
    [] the cell
    <BLANKLINE>
    (0, 0) is not certain: its risk is 33.3%.
    No cell is certainly safe, and none has a lower risk.
    """
    most = fitting(width or _USUAL, posterior.observation.topology, 6)
    scenes = _doubtful(posterior, doubt, most)
    lines = [line for said in str(doubt).splitlines() for line in wrapped(said, width)]
    parts = [
        scenes[0].text(words=True),
        _legend_text(scenes, "a clue that presses on it", width),
        Text("\n".join(lines)),
    ]
    return Text("\n\n", no_wrap=True).join(parts)


def _legend_text(scenes: Sequence[_Scene], clue: str, width: int | None) -> Text:
    items = [f"{sign} {meaning}" for sign, _, meaning in _legend(scenes, clue) if sign]
    items += terminal.topology_notes(scenes[0].looks.observation.topology)
    return Text("\n".join(terminal.notes(items, width)), "dim")


def _argument_text(proof: Proof, width: int | None) -> Text:
    digits = len(str(len(proof.steps)))
    lines = []
    for number, step in enumerate(proof.steps, start=1):
        indent = 2 + 2 * len(step.assumed)
        room = None if width is None else width - digits - indent
        for place, line in enumerate(wrapped(step.text, room)):
            shown = "" if place else str(number)
            lines.append(Text.assemble((shown.rjust(digits), "dim"), " " * indent, line))
    return Text("\n").join(lines)


def _rows(boards: Sequence[Text], width: int) -> list[Text]:
    """Put boards side by side, as many as fit."""
    rows = [boards[0]]
    for board in boards[1:]:
        both = terminal.side_by_side(rows[-1], board)
        if max(line.cell_len for line in both.split("\n")) <= width:
            rows[-1] = both
        else:
            rows.append(board)
    return rows


# -------------------------------------------------------------------------------------------- SVG


def proof_svg(observation: Observation, proof: Proof, *, most: int = WINDOW) -> str:
    """Draw a proof as a self-contained SVG picture, on at most this many rows and columns.

    Every step of the argument has a number. The clues that it looks at are framed and bear that
    number, and so do the cells that it settles. A case has a board of its own, where all that
    holds only in that case is hatched.
    """
    steps = [(str(n), step.text, len(step.assumed)) for n, step in enumerate(proof.steps, start=1)]
    more = len(steps) - _MOST_STEPS
    return _page(
        f"Why is {proof.cell} {_kind(proof.status == 'mine')}?",
        basis(observation, proof),
        _scenes(Looks(observation), panels(proof, _MOST_BOARDS), proof.cell, most),
        steps[:_MOST_STEPS] + [("", f"and {counted(more, 'more step')}", 0)] * (more > 0),
    )


def proofs_svg(observation: Observation, proofs: Sequence[Proof], *, most: int = WINDOW) -> str:
    """Draw all that is certain, with how it is found, on at most this many rows and columns."""
    marks = {proof.cell: Mark(proof.status == "mine", int(proof.technique)) for proof in proofs}
    rows, cols = range(min(observation.rows, most)), range(min(observation.cols, most))
    safe = sum(proof.status == "safe" for proof in proofs)
    return _page(
        "What is certain?",
        f"{counted(safe, 'safe cell')} and {counted(len(proofs) - safe, 'mine')}.",
        [_Scene(Looks(observation), Panel("", marks), rows, cols)],
        [],
        notes=[f"{int(grade)}: {grade}" for grade in sorted({proof.technique for proof in proofs})],
    )


def doubt_svg(posterior: Posterior, doubt: Doubt, *, most: int = WINDOW) -> str:
    """Draw what `doubt_text` draws as SVG, on at most this many rows and columns."""
    first, *more = str(doubt).splitlines()
    return _page(
        f"How risky is {doubt.cell}?",
        first,
        _doubtful(posterior, doubt, most),
        [("", line, 0) for line in more],
        clue="a clue that presses on it, the strongest first",
    )


def _page(
    question: str,
    answer: str,
    scenes: Sequence[_Scene],
    sentences: Sequence[tuple[str, str, int]],
    *,
    clue: str = _RESTS_ON,
    notes: Sequence[str] = (),
) -> str:
    """Put the parts of a picture on a page: sentences beside the boards, or else below them."""
    boards = svg.flow([scene.svg() for scene in scenes], _WIDEST, gap=24, line=18)
    beside = bool(sentences) and boards.width <= _NARROW
    column = _COLUMN if beside else max(_COLUMN, boards.width)
    width = boards.width + _MARGIN + column if beside else column
    heading = [
        svg.words(question, size=18, colour=INK, bold=True, width=width),
        svg.words(answer, size=13, width=width),
    ]
    items = [svg.sign(drawn, meaning) for _, drawn, meaning in _legend(scenes, clue)]
    legend = svg.flow([*items, *(svg.sign("", note) for note in notes)], width)
    argument = svg.stack([_sentence(*sentence, column) for sentence in sentences])
    both = svg.beside([boards, argument], gap=_MARGIN)
    body = [both, legend] if beside else [boards, legend, argument]
    page = svg.stack([svg.stack(heading, gap=2), *body], gap=16)
    return svg.picture(page, margin=_MARGIN, title=question, definitions=svg.HATCHING)


def _sentence(number: str, said: str, cases: int, width: float) -> svg.Block:
    """Write a step of an argument, with a bar for every case that it is inside of."""
    left = 24 + 16 * cases
    lines = svg.words(said, size=13, colour=INK, width=width - left)
    height = lines.height + 6
    body = svg.moved(left, 0, lines.body)
    if number:
        paint = f'font-size="12" font-weight="bold" text-anchor="end" fill="{INK}"'
        body += svg.text(16, 13, number, paint)
    for case in range(cases):
        body += f'<path d="M{26 + 16 * case} 0v{height:g}" stroke="{CASE}" stroke-width="2"/>'
    return svg.Block(left + lines.width, height, body)
