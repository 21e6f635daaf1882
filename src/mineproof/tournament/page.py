"""The page of a tournament: the ranking, who is not ranked and why, and what to look at."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from html import escape
from string import Template
from typing import Final

from mineproof.arena.narration import conditions
from mineproof.arguments import counted
from mineproof.proofs.words import capital
from mineproof.statistics import Estimate
from mineproof.tournament.process import Limits
from mineproof.tournament.run import Entrant, Standing, TournamentGames

__all__ = ["places", "tournament_page"]

_TOLD: Final = 3
"""How many failures and broken promises of an agent are told."""

_PAGE: Final = Template("""\
<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>Minesweeper tournament: $title</title>
<style>
:root { --ink: #1c2430; --soft: #57606e; --paper: #fff; --line: #d5dae1; --bar: #9cc3f0;
  --mark: #1f4e8c; --other: #dfe3e8; --bad: #a8232b }
@media (prefers-color-scheme: dark) { :root { --ink: #e6e9ee; --soft: #a4adba; --paper: #14181e;
  --line: #39414d; --bar: #2f5f99; --mark: #b9d8ff; --other: #323a45; --bad: #ff9c9c } }
* { box-sizing: border-box }
body { margin: 0 auto; max-width: 62rem; padding: 1.5rem 1rem 3rem; color: var(--ink);
  background: var(--paper); font: 16px/1.5 system-ui, sans-serif; overflow-wrap: anywhere }
h1 { font-size: 1.7rem; line-height: 1.2; margin: 0 0 .5rem }
h2 { font-size: 1.2rem; margin: 2.2rem 0 .5rem }
p { margin: .4rem 0 }
.soft { color: var(--soft) }
table { width: 100%; border-collapse: collapse; font-variant-numeric: tabular-nums }
th { text-align: left; font-weight: 600; font-size: .85rem; color: var(--soft) }
th, td.number { white-space: nowrap }
th, td { padding: .45rem .6rem .45rem 0; border-bottom: 1px solid var(--line);
  vertical-align: top }
tr.reference { color: var(--soft) }
.name { font-weight: 600 }
.rate { min-width: 15rem }
.track { position: relative; height: .9rem; margin-top: .3rem; background: var(--other);
  border-radius: 2px }
.share { position: absolute; inset: 0 auto 0 0; background: var(--bar); border-radius: 2px }
.range { position: absolute; top: .35rem; height: .2rem; background: var(--mark) }
details { border-bottom: 1px solid var(--line); padding: .4rem 0 }
summary { cursor: pointer } summary b { margin-right: .5rem }
li { margin: .2rem 0 } .bad { color: var(--bad) }
@media (max-width: 40rem) {
  thead { position: absolute; left: -200vw }
  table, tbody, tr, td { display: block }
  tr { border-bottom: 1px solid var(--line); padding: .5rem 0 }
  td { border: 0; padding: .1rem 0 }
  td.number { white-space: normal }
  td[data-label]::before { content: attr(data-label) ": "; color: var(--soft) }
}
</style>
</head>
<body>
<h1>Minesweeper tournament</h1>
<p>$summary</p>
$ranking
$out
$remarks
<h2>How to read this</h2>
<p>All agents played the same $games. The bar is the share of $measure, and the thin line is
its 95% interval (Wilson's for shares, Student's t for means). Differences are from the agent in
the first row, board by board, with 95% intervals. An agent that may have several places is not
clearly better or worse than the agents on them; more games tell them apart.</p>
<p>Each file ran in a process of its own and saw nothing but observations, with at most
$seconds s and $megabytes MB of memory per game. A game in which an agent fails is lost;
after three such games, or if it does what is forbidden, it is not ranked. The contract is that of
the guide to agents: legal moves, reasons, the same game for the same seed, an end on every
board.</p>
<p class="soft">$conditions. Seed of the tournament: $seed. The same files, seed and options give
the same results, as long as no time limit is met. Keep the seed from the agents.</p>
</body>
</html>
""")


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
        conditions=escape(capital(title)),
        seed=games.seed,
    )


def places(standing: Standing) -> str:
    """Return the places that an agent may have, in words."""
    if standing.first == standing.last:
        return str(standing.first)
    return f"{standing.first}\N{EN DASH}{standing.last}"


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
        yield from _standing(standing)
    yield "</tbody></table>"


def _standing(standing: Standing) -> Iterator[str]:
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
    yield f'<td><span class="name">{escape(entrant.name)}</span></td>'
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
