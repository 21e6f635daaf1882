"""`mineproof records`: which games a directory has records of."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Final

import click
from rich.text import Text

from mineproof.arguments import counted
from mineproof.cli import options
from mineproof.cli.narration import conditions_of
from mineproof.cli.output import new_table, print_table
from mineproof.cli.report import open_archive
from mineproof.game import Rules

if TYPE_CHECKING:
    import polars as pl

    from mineproof.lab.archive import Archive
    from mineproof.lab.study import Arm


_CONDITIONS: Final = (
    *("agent", "rows", "cols", "mines", "start", "on_mine", "cascade", "given_safe", "channel"),
    *("first_row", "first_col"),
)
_MOST_ROWS: Final = 200
"""Longer answers are only printed in full as JSON."""


@click.command()
@click.argument("directory", metavar="DIR")
@click.option(
    "--sql",
    metavar="QUERY",
    help="Query the table `records`, which has one row per game, such as: select agent, "
    "avg(score) from records where mines = 20 group by agent",
)
@options.as_json
def records(directory: str, sql: str | None, as_json: bool) -> None:
    """Show the games in a directory by study, agent and conditions.

    DIR is the directory of `mineproof study`. A game that several studies share counts once. In
    Python, `Archive("DIR").scan_all()` of mineproof.lab.archive gives the same table to Polars.
    """
    archive = open_archive(directory)
    for agent, codes in archive.codes().items():
        if len(codes) > 1:
            print(
                f"mineproof: {directory}: holds records of {agent} under {len(codes)} codes; the "
                "column `code` tells them apart",
                file=sys.stderr,
            )
    if sql is not None:
        answer = _ask(archive, sql)
        if as_json:
            print(_json(answer.to_dicts()))
        else:
            _show_answer(answer)
        return
    held = archive.held().values()
    rows = _summary(archive)
    files, size = len(held), sum(holding.size for holding in held)
    if as_json:
        print(_json({"files": files, "bytes": size, "studies": archive.declared(), "games": rows}))
        return
    _print(
        ["studies", "agent", "conditions", "games", "won", "code"],
        [
            [
                *(", ".join(row["studies"]), row["agent"], _conditions(row)),
                *(row["games"], row["won"], row["code"]),
            ]
            for row in rows
        ],
    )
    games = counted(sum(row["games"] for row in rows), "game")
    print(f"{games} in {counted(files, 'file')}, {counted(size, 'byte')}")


def _summary(archive: Archive) -> list[dict[str, Any]]:
    """Count games and wins by conditions and code."""
    import polars as pl

    games = (
        archive.scan_all()
        .group_by(*_CONDITIONS, "code")
        .agg(pl.len().alias("games"), pl.col("won").sum())
        .sort(*_CONDITIONS, "code")
        .collect()
    )
    studies = _studies(archive)
    places = games.select(_CONDITIONS).rows()
    return [
        {"studies": studies.get(place, []), **row}
        for place, row in zip(places, games.to_dicts(), strict=True)
    ]


def _studies(archive: Archive) -> dict[tuple[Any, ...], list[str]]:
    """Return which of the studies in a directory have games of which conditions."""
    from mineproof.lab import studies

    found: dict[tuple[Any, ...], list[str]] = {}
    for name in studies.names():
        if name in archive.declared():
            for place in dict.fromkeys(map(_arm_place, studies.get(name).arms)):
                found.setdefault(place, []).append(name)
    return found


def _arm_place(arm: Arm) -> tuple[Any, ...]:
    setup, rules = arm.setup, arm.setup.rules
    return (
        *(arm.agent, setup.rows, setup.cols, setup.mines),
        *(rules.start, rules.on_mine, rules.cascade, rules.given_safe, setup.channel.name),
        *(setup.game(seed=0).first or (None, None)),
    )


def _conditions(row: Mapping[str, Any]) -> str:
    rules = Rules(row["start"], row["on_mine"], row["cascade"], row["given_safe"])
    return conditions_of(row["rows"], row["cols"], row["mines"], rules, row["channel"])


def _ask(archive: Archive, query: str) -> pl.DataFrame:
    import polars as pl
    from polars.exceptions import PanicException, PolarsError

    try:
        return pl.SQLContext(records=archive.scan_all()).execute(query).collect()
    except (PolarsError, PanicException) as error:
        reason = (str(error).splitlines() or [type(error).__name__])[0]
        raise ValueError(f"--sql: {reason}") from None


def _show_answer(answer: pl.DataFrame) -> None:
    _print(answer.columns, answer.head(_MOST_ROWS).iter_rows())
    hidden = answer.height - _MOST_ROWS
    if hidden > 0:
        print(f"and {counted(hidden, 'more row')}; --json prints all")


def _print(headings: Sequence[str], rows: Iterable[Sequence[Any]]) -> None:
    table = new_table()
    for heading in headings:
        table.add_column(Text(heading), no_wrap=True)
    for row in rows:
        table.add_row(*(_cell(value) for value in row))
    print_table(table)


def _cell(value: Any) -> Text:
    if isinstance(value, bool) or value is None:
        return Text({True: "true", False: "false", None: ""}[value])
    if isinstance(value, int):
        return Text(f"{value:,}", justify="right")
    if isinstance(value, float):
        return Text(f"{value:.6g}", justify="right")
    return Text(str(value))


def _json(value: Any) -> str:
    """Write JSON, with null for the numbers that it lacks: infinite ones and nan."""
    plain = json.loads(json.dumps(value, default=str), parse_constant=lambda name: None)
    return json.dumps(plain)
