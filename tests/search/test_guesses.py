"""Guesses: exact chances to win against exhaustive play, and estimates that are calibrated."""

from __future__ import annotations

import json
from itertools import combinations
from pathlib import Path

import pytest
from exhaustive_play import ExhaustivePlay

from mineproof import Game, Observation, agents, infer
from mineproof.cli import main
from mineproof.position import Cell
from mineproof.search import advise, best_guess, chances_to_win, weigh_guesses
from mineproof.search.strength import STRENGTHS

ENDING = "3x3x2\n...\n.2.\n..."
MIDDLE = "9x9x10\n1........\n" + ".........\n" * 8


def test_chances_in_an_ending_are_those_of_exhaustive_play() -> None:
    seen = Observation.from_text(ENDING)
    posterior = infer(seen)
    play = ExhaustivePlay(seen.topology, cascade=False)
    closed = frozenset(seen.closed_cells())
    layouts = frozenset(
        layout
        for layout in map(frozenset, combinations(sorted(closed), 2))
        if all(len(play.near[cell] & layout) == seen.code(cell) for cell in play.cells - closed)
    )
    guesses = weigh_guesses(posterior, samples=10)
    assert guesses
    for guess in guesses:
        won = play.won_by(layouts, play.cells - closed, guess.cell)
        assert guess.win == pytest.approx(won / len(layouts))
        assert guess.error == 0
    assert guesses[0].win * len(layouts) == pytest.approx(play.won(layouts, play.cells - closed))
    at_best, several = chances_to_win(posterior, [(), [(0, 0), (2, 2)]], samples=10)
    assert at_best.win == pytest.approx(guesses[0].win)
    both = frozenset(one for one in layouts if not one & {(0, 0), (2, 2)})
    opened = play.cells - closed | {(0, 0), (2, 2)}
    groups: dict[tuple[int, ...], set[frozenset[Cell]]] = {}
    for one in both:
        groups.setdefault(tuple(len(play.near[c] & one) for c in sorted(opened)), set()).add(one)
    won = sum(play.won(frozenset(group), opened) for group in groups.values())
    assert several.win == pytest.approx(won / len(layouts))


def test_a_position_that_cannot_be_played_is_refused() -> None:
    posterior = infer(Observation.from_text("9x4x9\n.........\n....?....\n" + ".........\n" * 2))
    assert weigh_guesses(posterior, samples=10) == ()
    with pytest.raises(ValueError, match="cells show no clue"):
        chances_to_win(posterior, samples=10)


def test_estimates_of_moves_agree_with_those_of_the_position() -> None:
    posterior = infer(Observation.from_text(MIDDLE))
    best = best_guess(posterior)
    assert best is not None
    position, move = chances_to_win(posterior, [(), [best]], samples=100)
    assert abs(position.win - move.win) <= 4 * (position.error + move.error)


def test_no_guess_is_weighed_if_a_cell_is_safe() -> None:
    assert weigh_guesses(infer(Observation.from_text("3x1x1\n1..")), samples=10) == ()


def test_estimates_are_the_same_each_time_and_the_champion_opens_the_first() -> None:
    seen = Observation.from_text(MIDDLE)
    guesses = weigh_guesses(infer(seen), samples=20)
    assert guesses == weigh_guesses(infer(seen), samples=20)
    decision = agents.get("champion").decide(seen)
    assert decision is not None
    assert decision.actions[0].cell == guesses[0].cell
    assert all(0 < guess.win < 1 and guess.error > 0 for guess in guesses)
    assert all(guess.win <= 1 - guess.risk + 4 * guess.error for guess in guesses)


@pytest.mark.long
def test_estimates_are_calibrated() -> None:
    # The first guess of many games: what was predicted against what was won.
    player = STRENGTHS["1"].player()
    predicted = won = games = 0.0
    for seed in range(200):
        game = Game.level("easy", seed=seed)
        game.lay_mines()
        game.open((0, 0))
        seen = game.observe()
        if game.outcome is not None or infer(seen).safe:
            continue
        best = weigh_guesses(infer(seen), samples=50)[0]
        games += 1
        predicted += best.win
        game.open(best.cell)
        if game.outcome is None:
            game.play_out(player, total=True, channel=True, seed=seed)
        won += game.won
    assert games > 60
    assert abs(predicted - won) < 3 * (0.25 * games) ** 0.5


def test_advice_in_words() -> None:
    text = str(advise(Observation.from_text("3x2x1\n..?\n11?"), samples=10))
    assert "Open (0, 0): this 50/50 has to be guessed sooner or later." in text
    assert "  (0, 0): risk 50.0%, wins 50.0%, progress 50.0%, a 50/50" in text


def test_command(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "position.txt"
    file.write_text(ENDING + "\n", encoding="utf-8")
    assert main(["solve", str(file), "--advise"]) == 0
    assert "Open (" in capsys.readouterr().out
    assert main(["solve", str(file), "--advise", "--json"]) == 0
    advice = json.loads(capsys.readouterr().out)["advice"]
    assert advice["choice"] == advice["guesses"][0]["cell"]
    assert {"risk", "win", "error", "progress", "dead", "fifty_fifty"} < set(advice["guesses"][0])
    assert main(["solve", str(file), "--json"]) == 0
    assert "advice" not in json.loads(capsys.readouterr().out)


def test_boards_continue_from_a_position_with_wrong_flags() -> None:
    flagged = Observation.from_text("9x9x10\n1F.......\n" + ".........\n" * 8)
    assert weigh_guesses(infer(flagged), samples=5)
