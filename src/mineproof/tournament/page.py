"""The page of a tournament: the ranking, who is not ranked and why, and what to look at."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from html import escape
from pathlib import Path
from string import Template
from typing import Final

from mineproof.arena.narration import conditions
from mineproof.arguments import counted
from mineproof.proofs.words import capital
from mineproof.statistics import Estimate
from mineproof.tournament.entrant import Entrant
from mineproof.tournament.games import TournamentGames
from mineproof.tournament.limits import Limits
from mineproof.tournament.run import Standing

__all__ = ["label", "places", "remarks", "tournament_page"]

_TOLD: Final = 3
"""How many failures and broken promises of an agent are told."""

_PAGE: Final = Template(Path(__file__).with_name("page.html").read_text(encoding="utf-8"))


def tournament_page(
    entrants: Sequence[Entrant],
    standings: Sequence[Standing],
    games: TournamentGames,
    limits: Limits,
) -> str:
    """Return the page as HTML that needs no other file."""
    score = games.setup.rules.on_mine == "continue"
    out = [entrant for entrant in entrants if entrant.out]
    title = conditions(games.game(0))
    return _PAGE.substitute(
        title=escape(title),
        summary=escape(_summary(standings, len(out), games)),
        ranking="\n".join(_ranking(standings, score)) if standings else "",
        out="\n".join(_out(out)) if out else "",
        remarks="\n".join(_remarks(entrants)),
        games=counted(games.count, "game"),
        measure="mines found" if score else "games won",
        seconds=f"{limits.seconds:g}",
        megabytes=limits.megabytes,
        isolated=", isolated by the system," * limits.isolated,
        conditions=escape(capital(title)),
        seed=games.seed,
    )


def places(standing: Standing) -> str:
    """Return the places that an agent may have, in words."""
    if standing.first == standing.last:
        return str(standing.first)
    return f"{standing.first}\N{EN DASH}{standing.last}"


def label(entrant: Entrant, others: Iterable[Entrant]) -> str:
    """Return the name of an agent, which the files of others may have too."""
    namesake = any(each.name == entrant.name and not each.is_reference for each in others)
    return f"{entrant.name} (of mineproof)" if entrant.is_reference and namesake else entrant.name


def _summary(standings: Sequence[Standing], out: int, games: TournamentGames) -> str:
    told = f"{counted(len(standings) + out, 'agent')}, {counted(games.count, 'game')} each, "
    told += conditions(games.game(0)) + "."
    students = [each for each in standings if not each.entrant.is_reference]
    if students:
        best = students[0]
        alike = sum(each.first <= best.first for each in students[1:])
        told += f" Best: {best.entrant.name}, {_value(best)}"
        told += f", not clearly ahead of {counted(alike, 'other')}." if alike else "."
    return told + (
        f" {counted(out, 'agent')} {'is' if out == 1 else 'are'} not ranked." * bool(out)
    )


def _measured(standing: Standing) -> Estimate:
    result = standing.result
    return result.win_rate if result.on_mine == "end" else result.score


def _value(standing: Standing) -> str:
    found = _measured(standing)
    return f"{found.value:.1%} ({found.low:.1%} to {found.high:.1%})"


def _ranking(standings: Sequence[Standing], score: bool) -> Iterator[str]:
    measure = "Score" if score else "Win rate"
    heads = (
        "Place",
        "Agent",
        f"{measure} (95% interval)",
        "From the first",
        "ms per game",
        "Contract",
    )
    yield "<h2>Ranking</h2>\n<table><thead><tr>"
    yield "".join(f'<th scope="col">{head}</th>' for head in heads)
    yield "</tr></thead><tbody>"
    for standing in standings:
        name = label(standing.entrant, (each.entrant for each in standings))
        yield from _standing(standing, name)
    yield "</tbody></table>"


def _standing(standing: Standing, name: str) -> Iterator[str]:
    entrant, result = standing.entrant, standing.result
    found, difference = _measured(standing), result.difference
    behind = (
        ""
        if difference is None
        else (
            f"{100 * difference.value:+.1f} "
            f"({100 * difference.low:+.1f} to {100 * difference.high:+.1f})"
        )
    )
    kept = "" if entrant.is_reference else _contract(entrant)
    low, width = 100 * found.low, 100 * (found.high - found.low)
    yield f"<tr{' class=reference' * entrant.is_reference}>"
    yield f'<td class="number" data-label="Place">{places(standing)}</td>'
    yield f'<td><span class="name">{escape(name)}</span></td>'
    yield f'<td class="rate">{_value(standing)}<div class="track" aria-hidden="true">'
    yield f'<div class="share" style="width:{100 * found.value:.2f}%"></div>'
    yield f'<div class="range" style="left:{low:.2f}%;width:{width:.2f}%"></div></div></td>'
    for label, cell in (
        ("From the first", behind),
        ("ms per game", f"{result.ms_per_game:.1f}"),
        ("Contract", kept),
    ):
        yield f'<td class="number" data-label="{label}">{cell}</td>' if cell else "<td></td>"
    yield "</tr>"


def _contract(entrant: Entrant) -> str:
    if entrant.broken is None:
        return "not checked"
    return "kept" if not entrant.broken else f"{counted(entrant.broken, 'promise')} broken"


def _out(out: Sequence[Entrant]) -> Iterator[str]:
    yield "<h2>Not ranked</h2>"
    for entrant in out:
        yield from _folded(entrant, f'<span class="bad">{escape(entrant.out)}</span>')


def _remarks(entrants: Sequence[Entrant]) -> Iterator[str]:
    told = [each for each in entrants if not each.out and (each.failures or each.broken)]
    if told:
        yield "<h2>What to look at</h2>"
    for entrant in told:
        lost = counted(len(entrant.failures), "failure")
        yield from _folded(entrant, f"{lost}; contract: {_contract(entrant)}")


def _folded(entrant: Entrant, summary: str) -> Iterator[str]:
    yield f"<details><summary><b>{escape(entrant.name)}</b>{summary}</summary><ul>"
    yield from (f"<li>{escape(line)}</li>" for line in remarks(entrant))
    yield "</ul></details>"


def remarks(entrant: Entrant) -> Iterator[str]:
    """Tell what an agent did wrong: the first failures and the first broken promises."""
    games: dict[str, list[str]] = {}
    for failure in entrant.failures:
        where = "before the games" if failure.game is None else f"game {failure.game}"
        games.setdefault(failure.reason, []).append(where)
    for reason, places in [*games.items()][:_TOLD]:
        more = f" and {len(places) - _TOLD} more" if len(places) > _TOLD else ""
        yield capital(f"{', '.join(places[:_TOLD])}{more}: {reason}")
    if len(games) > _TOLD:
        yield f"And {counted(len(games) - _TOLD, 'other failure')}"
    for sentence in entrant.promises[:_TOLD]:
        yield f"Contract: {sentence}"
    more_broken = (entrant.broken or 0) - len(entrant.promises[:_TOLD])
    if more_broken > 0:
        yield f"Contract: and {more_broken} more"
