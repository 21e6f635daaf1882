"""Reading takes time in proportion to the length of the text, whatever the text."""

from __future__ import annotations

import ast
import re
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path
from time import thread_time

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

import mineproof
from mineproof.formats import read_entries, read_positions
from mineproof.game import Transcript, notation
from mineproof.position import text

SOURCE = Path(mineproof.__file__).parent
MATCHERS = ("compile", "match", "fullmatch", "search", "split", "sub")


def seconds(run: Callable[[], object], enough: float) -> float:
    """Return the shortest of three times, or the first that is shorter than enough.

    It is the time of the processor, which does not depend on what else runs.
    """
    shortest = float("inf")
    for _ in range(3):
        begun = thread_time()
        run()
        shortest = min(shortest, thread_time() - begun)
        if shortest < enough:
            break
    return shortest


def outgrows(run: Callable[[int], object], *, largest: int, floor: float) -> bool:
    """Whether four times the length takes far more than four times the time.

    Times below the floor are too short to tell. A square would take sixteen times as long.
    """
    size, before = 256, seconds(lambda: run(256), floor / 16)
    while size < largest:
        size *= 4
        now = seconds(lambda: run(size), floor)  # noqa: B023 - it is called at once.
        if now > floor and now > 9 * max(before, floor / 16):
            return True
        before = now
    return False


# ---------------------------------------------------------------------------------------- patterns


def patterns() -> Iterator[tuple[str, str]]:
    """Yield the regular expressions in the sources that are written out, with their places."""
    for file in sorted(SOURCE.rglob("*.py")):
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
            if not (isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute)):
                continue
            owner, first = node.func.value, node.args[0] if node.args else None
            if not (isinstance(owner, ast.Name) and owner.id == "re"):
                continue
            if node.func.attr in MATCHERS and isinstance(first, ast.Constant):
                value = first.value
                pattern = value.decode() if isinstance(value, bytes) else str(value)
                yield f"{file.relative_to(SOURCE)}:{node.lineno}", pattern


PATTERNS = {
    **dict(patterns()),
    # These are put together when their modules are loaded.
    "position/text.py:_HEADER": text._HEADER.pattern,
    "game/notation.py:_RUN": notation._RUN.pattern,
}


@pytest.mark.parametrize("place", PATTERNS)
@given(data=st.data())
def test_no_pattern_backtracks(place: str, data: st.DataObject) -> None:
    """Repeat a part of a text that matches, and spoil the end."""
    pattern = re.compile(PATTERNS[place], re.IGNORECASE)
    shown = data.draw(st.from_regex(pattern, fullmatch=True).filter(len))
    begin = data.draw(st.integers(0, len(shown) - 1))
    end = data.draw(st.integers(begin + 1, min(begin + 6, len(shown))))
    cut = data.draw(st.booleans())
    spoilt = data.draw(st.sampled_from(["\0", " \0", "z", " z", ""]))
    tail = ("" if cut else shown[end:]) + spoilt

    def match(size: int) -> object:
        repeated = shown[begin:end] * (size // (end - begin))
        return pattern.fullmatch(shown[:begin] + repeated + tail)

    assert not outgrows(match, largest=65_536, floor=0.05)


def test_a_query_with_spaces_before_its_end() -> None:
    [query] = (pattern for pattern in PATTERNS.values() if "select" in pattern)
    pattern = re.compile(query)
    assert not outgrows(
        lambda size: pattern.fullmatch("select" + " " * size + ";x"), largest=65_536, floor=0.05
    )


def test_the_patterns_are_found() -> None:
    assert {"formats/formats.py", "formats/replays.py", "cli/records.py"} <= {
        place.partition(":")[0] for place in PATTERNS
    }


# ------------------------------------------------------------------------------------------ readers

PIECES = [
    *("1x1x1", "2x2", "9x9x10 torus", "H", "HF", "?", "&", "b=1", "b=20002000", "&m=0", "https://"),
    *("x", "0", "1", "7,7", ".", "*", "F", "~", "s", " ", "\t", "\n", "\n\n", "\r", "\f", ";", "+"),
    *(
        "%41",
        "%",
        "=",
        ",",
        "(",
        ")",
        "-",
        "\0",
        "z",
        "é",
        "\ufeff",
        "❌",
        "\ufe0f",
        "# ",
        "a: b\n",
    ),
    *("mineproof game 1\n", "mineproof game 2\n", "mineproof+game+1;size+2x2x1;"),
    *(
        "size 2x2x1\n",
        "size 99x99x9\n",
        "topology hex\n",
        "seed 1\n",
        "start any\n",
        "first open\n",
    ),
    *("channel lost:0.5\n", "channel late:0.", "given_safe 1\n", "by Ada\n", "position\n"),
    *("open 0,0", " 0,1", " &0,1", " shows", " 0,0=1", "flag 0,0\n", "unflag 0,0\n", "wait 0,0\n"),
    *("outcome won\n", "board\n", "..\n", "# MINESWEEPER-BOARD v0.1\n", "[real]\n", "[view]\n"),
    *("rows: 2\n", "columns: 2\n", "mines: 1\n", "RawVF_Version: 1\n", "Width: 2\nHeight: 1\n"),
    *("Mines: 1\n", "Board:\n", "0*\n", "Events:\n", "0.00 ", "lc ", "lr ", "1 1 ", "(3 9)\n"),
]
TEXTS = st.tuples(
    st.lists(st.sampled_from(PIECES), max_size=6).map("".join),
    st.lists(st.sampled_from(PIECES), min_size=1, max_size=3).map("".join),
    st.lists(st.sampled_from(PIECES), max_size=3).map("".join),
)
RAWVF = "Width: 2\nHeight: 1\nMines: 1\nBoard:\n0*\nEvents:\n"
GAME = "mineproof game 1\nsize 9x9x10\nseed 1\nfirst open\n"


@settings(max_examples=100)
@given(TEXTS, st.sampled_from(["", *(f"x.{name}" for name in ("txt", "mine", "board", "rawvf"))]))
@example(("1x1x1", " ", "z"), "")
@example(("1x1x1", " H", "z"), "")
@example(("", "?b=1&", " x"), "")
@example((RAWVF, "1", "z"), "")
@example((GAME, "flag 0,0\nunflag 0,0\n", "open 4,4"), "")
@example((GAME, "open 0,0;", "open 4,4"), "")
def test_readers_take_time_by_length(parts: tuple[str, str, str], file: str) -> None:
    head, repeated, tail = parts

    def read(size: int) -> None:
        whole = head + repeated * (size // len(repeated)) + tail
        for reader in (read_entries, read_positions):
            with suppress(ValueError):
                reader(whole, file)
        with suppress(ValueError):
            Transcript.from_text(whole)

    assert not outgrows(read, largest=16_384, floor=0.05)


def test_a_row_of_unknown_characters_is_refused_at_once() -> None:
    """No character of the row occurs twice."""
    board = "# MINESWEEPER-BOARD v0.1\nrows: 1\ncolumns: 9\nmines: 1\n[view]\n"

    def read(size: int) -> None:
        row = "".join(map(chr, range(0x10000, 0x10000 + size)))
        with pytest.raises(ValueError, match=r"\(0, 0\): unknown character"):
            read_entries(board + row)

    assert not outgrows(read, largest=262_144, floor=0.05)


def test_flags_before_the_mines_are_laid_cost_no_look_at_the_board() -> None:
    """A short text may have a large board."""

    def read(size: int) -> None:
        start = "mineproof game 1\nsize {0}x{0}x10\nseed 1\nfirst open\n".format(size // 16)
        Transcript.from_text(start + "flag 0,0\nunflag 0,0\n" * (size // 16))

    assert not outgrows(read, largest=16_384, floor=0.05)


@pytest.mark.parametrize("entry", ["x?b=20002000", "mineproof+game+1;size+2000x2000x0;seed+1"])
def test_short_entries_may_not_have_many_cells_in_all(entry: str) -> None:
    for reader in (read_entries, read_positions):
        with pytest.raises(ValueError, match=r"^entry 4: more than 16,000,000 cells in all"):
            reader("\n\n".join([entry] * 1_000))
