"""`mineproof records`: which games a directory has records of."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, Final

import click
from rich.text import Text

from mineproof.arguments import counted
from mineproof.cli import options
from mineproof.cli.output import print_columns, print_wrapped, right
from mineproof.cli.report import tell

if TYPE_CHECKING:
    import polars as pl

    from mineproof.lab.archive import Archive
    from mineproof.lab.study import Arm


_SETTINGS: Final = ("mines", "start", "on_mine", "cascade", "given_safe", "channel")
_CONDITIONS: Final = ("agent", "rows", "cols", *_SETTINGS, "first_row", "first_col")
_QUOTED: Final = re.compile(r"'[^']*'|\"[^\"]*\"")
_QUERY: Final = re.compile(r"\s*+(select|with)\b[^;]*+;?+\s*+", re.IGNORECASE)
"""A single query, without its quoted texts."""
_MOST_ROWS: Final = 200
"""Longer answers are only printed in full as JSON."""


@click.command()
@click.argument("directory", metavar="DIR", type=options.FOLDER)
@click.option(
    "--sql",
    metavar="QUERY",
    help="Query the table `records`, which has one row per game, such as: select agent, "
    "avg(score) from records where mines = 20 group by agent. Only one query, a SELECT, is "
    "accepted.",
)
@options.as_json
def records(directory: str, sql: str | None, as_json: bool) -> None:
    """Show the games in a directory by study, agent and conditions.

    DIR is the directory of `mineproof study`. A game that several studies share counts once. The
    table has the conditions that differ; those that all games share are above it. In Python,
    `Archive("DIR").scan_all()` of mineproof.lab.archive gives the table to Polars.
    """
    from mineproof.lab.archive import Archive

    archive = Archive(directory)
    held = archive.put_in_order(tell).values()
    for agent, codes in archive.codes().items():
        if len(codes) > 1:
            tell(
                f"{directory}: holds records of {agent} under {len(codes)} codes; the column "
                "`code` tells them apart"
            )
    if sql is not None:
        answer = _ask(archive, sql)
        if as_json:
            print(_json(answer.to_dicts()))
        else:
            _show_answer(answer)
        return
    rows = _summary(archive)
    files, size = len(held), sum(holding.size for holding in held)
    if as_json:
        print(_json({"files": files, "bytes": size, "studies": archive.declared(), "games": rows}))
        return
    _show(rows)
    games = counted(sum(row["games"] for row in rows), "game")
    print_wrapped(f"{games} in {counted(files, 'file')}, {counted(size, 'byte')}")


def _show(rows: Sequence[Mapping[str, Any]]) -> None:
    """Print the conditions that all rows share, and a table of what tells the rows apart."""
    columns: dict[str, list[Any]] = {
        "agent": [row["agent"] for row in rows],
        "size": [f"{row['rows']} x {row['cols']}" for row in rows],
        **{name: [row[name] for row in rows] for name in _SETTINGS},
    }
    shared = {name: values[0] for name, values in columns.items() if len(set(values)) == 1}
    apart = {name: values for name, values in columns.items() if name not in shared}
    # Usually the first cell depends on the start rule, and the code on the agent.
    for name, values in {
        "first": [_first(row) for row in rows],
        "code": [row["code"] for row in rows],
    }.items():
        kinds = set(zip(*apart.values(), strict=True))
        if len(set(zip(*apart.values(), values, strict=True))) > len(kinds):
            apart[name] = values
    for name in ("games", "won"):
        apart[name] = [row[name] for row in rows]
    apart["studies"] = [", ".join(row["studies"]) for row in rows]
    told = ", ".join(f"{name} {_cell(value)}" for name, value in shared.items())
    if told:
        print_wrapped(f"All games: {told}.", "")
    print_columns({name: [_cell(value) for value in apart[name]] for name in apart})


def _first(row: Mapping[str, Any]) -> str:
    return "" if row["first_row"] is None else str((row["first_row"], row["first_col"]))


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
        *(arm.agent, *setup.topology.shape, setup.mines),
        *(rules.start, rules.on_mine, rules.cascade, rules.given_safe, setup.channel.name),
        *(setup.first_cell() or (None, None)),
    )


def _ask(archive: Archive, query: str) -> pl.DataFrame:
    import polars as pl
    from polars.exceptions import PanicException, PolarsError

    if not _QUERY.fullmatch(_QUOTED.sub("''", query)):
        raise ValueError("--sql: must be one query, which begins with select or with")
    try:
        return pl.SQLContext(records=archive.scan_all()).execute(query).collect()
    except (PolarsError, PanicException) as error:
        reason = (str(error).splitlines() or [type(error).__name__])[0]
        raise ValueError(f"--sql: {reason}") from None


def _show_answer(answer: pl.DataFrame) -> None:
    shown = answer.head(_MOST_ROWS)
    print_columns({name: [_cell(value) for value in shown[name]] for name in shown.columns})
    hidden = answer.height - _MOST_ROWS
    if hidden > 0:
        print(f"and {counted(hidden, 'more row')}; --json prints all")


def _cell(value: Any) -> Text:
    if isinstance(value, bool) or value is None:
        return Text({True: "true", False: "false", None: ""}[value])
    if isinstance(value, int):
        return right(f"{value:,}")
    if isinstance(value, float):
        return right(f"{value:.6g}")
    return Text(str(value))


def _json(value: Any) -> str:
    """Write JSON, with null for the numbers that it lacks: infinite ones and nan."""
    plain = json.loads(json.dumps(value, default=str), parse_constant=lambda name: None)
    return json.dumps(plain)
