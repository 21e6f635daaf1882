"""`mineproof watch`: one game as JSON and as plain text, and wrong options."""

from __future__ import annotations

import json
import re
from typing import Any

import numpy as np
import pytest
from small_game import GAME, SMALL

from mineproof import (
    Agent,
    Decision,
    Game,
    Observation,
    Outcome,
    Rules,
    Setup,
    agents,
    cli,
    play,
)
from mineproof.game.move import move_rows


def run(capsys: pytest.CaptureFixture[str], *words: object) -> str:
    assert cli.main(["watch", *map(str, words)]) == 0
    out, err = capsys.readouterr()
    assert err == ""
    return out


def refused(capsys: pytest.CaptureFixture[str], *words: object) -> str:
    """Bad input: nothing on standard output, one sentence on standard error, exit code 2."""
    assert cli.main(["watch", *map(str, words)]) == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert err.startswith("mineproof: ")
    assert err.count("\n") == 1
    return err.removeprefix("mineproof: ").removeprefix("Invalid value for ").strip()


# ----------------------------------------------------------------------------------------- as JSON


@pytest.mark.parametrize("name", agents.names())
@pytest.mark.parametrize("on_mine", ["end", "continue"])
def test_json_is_the_record(name: str, on_mine: str, capsys: pytest.CaptureFixture[str]) -> None:
    words = ["--agent", name, "--seed", "4", "--on-mine", on_mine, "--json"]
    head, *actions, ending = map(json.loads, run(capsys, *words).splitlines())
    rules: Any = {"on_mine": on_mine}
    setup = Setup.level("easy", rules=Rules(**rules))
    record = play(Game(setup, 4), agents.get(name), seed=4)
    assert actions == [
        {
            "step": row["step"],
            "kind": move.kind,
            "cell": [*move.cell],
            "risk": move.risk,
            "certain": move.certain,
            "guess": move.is_guess,
            "reason": move.reason,
            "opened": move.opened,
            "hits": move.hits,
            "clues": action["clues"],
            "exploded": [[*move.cell]] * move.hits,
        }
        for move, row, action in zip(record.moves, move_rows(record.moves), actions, strict=True)
    ]
    assert head == {
        "agent": name,
        "conditions": {
            "rows": 9,
            "cols": 9,
            "topology": "square",
            "mines": 10,
            "start": "safe",
            "on_mine": on_mine,
            "cascade": True,
            "given_safe": 0,
            "channel": "exact",
            "first": [0, 0],
            "seed": 4,
        },
    }
    assert isinstance(ending.pop("seconds"), float)
    lost = record.outcome is Outcome.LOST
    mines = np.argwhere(Game.laid(setup, 4).board.layout).tolist()
    assert ending == ({"mines": mines} if lost else {}) | {
        "outcome": record.outcome,
        "score": record.score,
        "identified": record.identified,
        "wrong_flags": record.wrong_flags,
        "hits": record.hits,
        "opened": record.opened,
        "steps": record.steps,
        "guesses": record.guesses,
    }


def test_json_fields_and_types(capsys: pytest.CaptureFixture[str]) -> None:
    lines = run(capsys, "--agent", "exact", "--seed", "2", "--json").splitlines()
    _, *actions, result = map(json.loads, lines)
    names = ["step", "kind", "cell", "risk", "certain", "guess", "reason", "opened", "hits"]
    types = [int, str, list, float | None, bool, bool, str, int, int, list, list]
    for action in actions:
        assert list(action) == [*names, "clues", "exploded"]
        assert all(isinstance(*pair) for pair in zip(action.values(), types, strict=True))
        assert action["kind"] in ("open", "flag", "unflag", "chord")
        assert all(isinstance(number, int) for number in action["cell"])
    counts = ["identified", "wrong_flags", "hits", "opened", "steps", "guesses"]
    assert list(result) == ["outcome", "score", *counts, "seconds"]
    assert all(isinstance(result[count], int) for count in counts)
    assert isinstance(result["score"], float)
    assert result["outcome"] in list(Outcome)
    assert sum(action["opened"] for action in actions) == result["opened"]
    assert len({action["step"] for action in actions}) == result["steps"]
    assert sum(action["guess"] for action in actions) == result["guesses"]


def test_the_seed_of_the_game_is_the_seed_of_the_agent(capsys: pytest.CaptureFixture[str]) -> None:
    def cells(seed: int) -> list[list[int]]:
        out = run(capsys, "--agent", "random", "--seed", seed, "--json")
        return [json.loads(line)["cell"] for line in out.splitlines()[1:-1]]

    record = play(Game(Setup.level("easy"), 8), agents.get("random"), seed=8)
    assert cells(8) == [[*move.cell] for move in record.moves]
    assert cells(8) != cells(9)


@pytest.mark.parametrize("agent", ["exact", "logic", "random"])
@pytest.mark.parametrize(
    "words", [(), ("--no-cascade",), ("--channel", "lost:0.5"), ("--given-safe", "9")]
)
@pytest.mark.parametrize("start", ["any", "zero"])
def test_json_has_every_clue_and_the_explosions(
    agent: str, words: tuple[str, ...], start: str, capsys: pytest.CaptureFixture[str]
) -> None:
    more = ("--on-mine", "continue", "--start", start, "--seed", "6", *words)
    _, *actions, ending = map(
        json.loads, run(capsys, "--agent", agent, *more, "--json").splitlines()
    )
    assert all(len(action["clues"]) == action["opened"] for action in actions)
    assert sum(action["hits"] for action in actions) == ending["hits"]
    clues = {tuple(seen["cell"]): seen["clue"] for action in actions for seen in action["clues"]}
    assert len(clues) == ending["opened"]
    rules: Any = {"start": start, "on_mine": "continue"}
    mines = Game.laid(Setup.level("easy", rules=Rules(**rules)), 6).board.counts
    assert all(clue in (None, mines[cell]) for cell, clue in clues.items())
    assert (None in clues.values()) == (words[:1] == ("--channel",))


def test_json_has_every_late_clue_once(capsys: pytest.CaptureFixture[str]) -> None:
    words = ("--agent", "exact", "--seed", "3", "--channel", "late:0.4", "--json")
    _, *actions, ending = map(json.loads, run(capsys, *words).splitlines())
    assert all(len(action["clues"]) == action["opened"] for action in actions)
    cells = [tuple(seen["cell"]) for action in actions for seen in action["clues"]]
    assert len(cells) == len(set(cells)) == ending["opened"]


def test_json_with_beliefs(capsys: pytest.CaptureFixture[str]) -> None:
    def beliefs(agent: str) -> list[Any]:
        out = run(capsys, "--agent", agent, *SMALL, "--beliefs", "--json")
        return [json.loads(line)["beliefs"] for line in out.splitlines()[1:-1]]

    first, second, *_ = beliefs("exact")
    assert first is None
    assert {"cell": [2, 2], "number": 0} in second["numbers"]
    assert second["sentences"] == []
    assert beliefs("logic")[1]["sentences"]


def test_a_random_seed_is_told(capsys: pytest.CaptureFixture[str]) -> None:
    def watched(*words: str) -> tuple[str, str]:
        assert cli.main(["watch", "--agent", "random", "--json", *words]) == 0
        out, err = capsys.readouterr()
        return re.sub('"seconds": .*', "", out), err

    out, err = watched("--seed", "random")
    seed = json.loads(out.splitlines()[0])["conditions"]["seed"]
    assert err == f"mineproof: seed {seed}\n"
    assert watched("--seed", str(seed)) == (out, "")
    assert watched("--seed", "random")[1] != err


# ----------------------------------------------------------------------------------- as plain text


def test_a_whole_game_in_plain_text(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(capsys, "--agent", "exact", *SMALL) == GAME


def test_beliefs_as_numbers_in_plain_text(capsys: pytest.CaptureFixture[str]) -> None:
    words = "--rows 3 --cols 4 --mines 3 --seed 5 --on-mine continue --beliefs"
    out = run(capsys, "--agent", "exact", *words.split())
    assert out.count("Believed before:") == out.count("Step") - 1
    assert out.endswith("""\
Step 2: flag (0, 3): certain
Why: proved: true in every layout that fits
Then: opened 0 cells (9 of 9), 3 flags, 0 hits
    0 1 2 3
 0  0 0 1[F]
 1  2 2 2 1
 2  F F 1 0
Believed before:
        0     1     2     3
 0      0     0     1 [1.00]
 1      2     2     2     1
 2  F1.00 F1.00     1     0
F flag

Outcome: finished, score 1.000, identified 3 of 3 mines, wrong flags 0
hits 0, opened 9, steps 3, guesses 0
""")


def test_beliefs_as_sentences_in_plain_text(capsys: pytest.CaptureFixture[str]) -> None:
    out = run(capsys, "--agent", "basic", "--seed", "5", "--beliefs")
    assert "Believed before:\nthe 0 at (0, 0) " not in out
    assert re.search(r"Believed before:\nthe \d at \(\d, \d\) needs", out)


def test_an_agent_without_beliefs(capsys: pytest.CaptureFixture[str]) -> None:
    out = run(capsys, "--agent", "random", "--beliefs")
    assert "Believed before:\nnothing that it shows\n" in out


@pytest.mark.parametrize("name", agents.names())
@pytest.mark.parametrize("beliefs", [(), ("--beliefs",)])
def test_plain_text_repeats_and_holds_no_control_codes(
    name: str, beliefs: tuple[str, ...], capsys: pytest.CaptureFixture[str]
) -> None:
    words = ["--agent", name, "--seed", "6", "--on-mine", "continue", *beliefs]
    out = run(capsys, *words)
    assert out == run(capsys, *words)
    assert all(character == "\n" or character.isprintable() for character in out)
    assert not any(line.endswith(" ") for line in out.splitlines())


@pytest.mark.usefixtures("wide")
def test_all_conditions_are_told(capsys: pytest.CaptureFixture[str]) -> None:
    words = "--rows 5 --cols 6 --density 0.2 --seed 7 --start zero --first 2,2 --on-mine continue"
    more = "--no-cascade --given-safe 2 --channel lost:0.2"
    out = run(capsys, "--agent", "exact:untold", *words.split(), *more.split())
    assert out.splitlines()[0] == (
        "exact:untold: 5 rows, 6 columns, 6 mines, start zero, play goes on after a mine, "
        "no cascade, 2 safe cells given, clues lost:0.2, seed 7"
    )
    assert "Step 0: open (2, 2): certain" in out


def test_options_reach_the_game(capsys: pytest.CaptureFixture[str]) -> None:
    def watched(*words: str) -> list[Any]:
        out = run(capsys, "--agent", "exact", *words, "--json")
        return list(map(json.loads, out.splitlines()[1:]))

    assert watched("--level", "expert")[-1]["opened"] > 81
    assert watched("--no-cascade")[0]["opened"] == 1
    assert watched("--start", "zero")[0]["cell"] == [3, 3]
    assert watched("--first", "2,5")[0]["cell"] == [2, 5]
    assert watched("--first", "random", "--seed", "1")[0]["cell"] == [1, 8]
    assert watched("--start", "any")[0]["guess"] is True
    assert watched("--rows", "1", "--cols", "1", "--mines", "0")[-1]["outcome"] == "won"
    finished = watched("--on-mine", "continue", "--channel", "optimistic")[-1]
    assert finished["outcome"] == "finished"


def test_a_game_that_is_over_before_it_begins(capsys: pytest.CaptureFixture[str]) -> None:
    words = ["--rows", "2", "--cols", "2", "--mines", "4", "--start", "any"]
    assert "Outcome: won" in run(capsys, "--agent", "random", *words)
    _, ending = run(capsys, "--agent", "random", *words, "--json").splitlines()
    assert json.loads(ending)["steps"] == 0


# ------------------------------------------------------------------------------------- bad options


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        ("--agent nobody", "'--agent': agent 'nobody': must be random"),
        (
            "--agent exact:lucky",
            "'--agent': option of exact 'lucky': must be naive, chains,",
        ),
        ("--agent exact:total+untold", "'--agent': agent exact: cannot be told"),
        ("--level brutal", "'--level': 'brutal' is not one of "),
        ("--level easy --rows 5", "--level cannot be used with --rows"),
        ("--level easy --density .2", "--level cannot be used with --density"),
        ("--rows 5 --mines 3", "--rows needs --cols as well"),
        ("--cols 5", "--cols needs --rows as well"),
        ("--mines 5", "--mines needs --rows and --cols as well"),
        ("--density 0.5", "--density needs --rows and --cols as well"),
        ("--rows 5 --cols 5", "--rows and --cols need either --mines or --density"),
        ("--rows 5 --cols 5 --mines 3 --density .1", "--rows and --cols need either"),
        ("--rows 0 --cols 5 --mines 3", "'--rows': 0 is not in the range x>=1"),
        (
            "--rows x --cols 5 --mines 3",
            "'--rows': 'x' is not a valid whole number",
        ),
        (
            "--rows 5 --cols 1.5 --mines 3",
            "'--cols': '1.5' is not a valid whole number",
        ),
        ("--rows 99999 --cols 99999 --mines 3", "'--rows, --cols': 99,999"),
        ("--rows 5 --cols 5 --mines 25", "'--mines': 25 mines: the board"),
        (
            "--rows 5 --cols 5 --mines -1",
            "'--mines': -1 is not in the range x>=0",
        ),
        ("--rows 5 --cols 5 --density 1", "'--density': 25 mines: the board"),
        ("--rows 5 --cols 5 --density 2", "'--density': 2.0 is not in the range"),
        (
            "--rows 5 --cols 5 --density nan",
            "'--density': 'nan' is not a valid number",
        ),
        (
            "--rows 5 --cols 5 --density half",
            "'--density': 'half' is not a valid number",
        ),
        ("--seed -1", "'--seed': -1 is not in the range x>=0"),
        (
            "--seed 18446744073709551616",
            "'--seed': seed 18446744073709551616: must be",
        ),
        ("--seed lucky", "'--seed': 'lucky' is not a valid whole number"),
        ("--start soft", "'--start': 'soft' is not one of "),
        ("--first 9,0", "'--first': (9, 0): the board has"),
        ("--first 3", "'--first': '3' is not a row and a column"),
        ("--first a,b", "'--first': 'a,b' is not a row and a column"),
        ("--first 1,2,3", "'--first': '1,2,3' is not a row and a column"),
        ("--on-mine explode", "'--on-mine': 'explode' is not one of "),
        ("--given-safe 72", "'--given-safe': 72 given safe cells: the board has"),
        (
            "--given-safe some",
            "'--given-safe': 'some' is not a valid whole number",
        ),
        ("--channel loud", "'--channel': channel 'loud': must be exact, lost:P"),
        (
            "--channel lost:2",
            "'--channel': channel 'lost:2': must be exact, lost:P",
        ),
        ("--delay -1", "'--delay': -1.0 is not in the range 0<=x<=3600"),
        ("--delay soon", "'--delay': 'soon' is not a valid number"),
        ("--delay nan", "'--delay': 'nan' is not a valid number"),
        ("--delay inf", "'--delay': inf is not in the range 0<=x<=3600"),
        ("--step", "--step needs a terminal to read keys from"),
        ("--step --json", "--json cannot be used with --step"),
        ("--colour", "No such option '--colour'"),
        ("exact", "exact: no such file or directory"),
        ("one two", "Got unexpected extra argument (two)"),
    ],
)
def test_wrong_options(words: str, sentence: str, capsys: pytest.CaptureFixture[str]) -> None:
    agent = () if "--agent" in words else ("--agent", "exact")
    assert refused(capsys, *agent, *words.split()).startswith(sentence)


def test_an_agent_must_have_a_name(capsys: pytest.CaptureFixture[str]) -> None:
    assert "--agent" in refused(capsys, "--agent", "")


def test_a_good_game_without_options(capsys: pytest.CaptureFixture[str]) -> None:
    out = run(capsys)
    assert out.startswith("exact: 16 rows, 16 columns, 40 mines, start safe, seed 365\n")
    assert "Outcome: won" in out
    assert out.endswith("guesses 2\n")
    assert run(capsys, "--level", "easy").startswith("exact: 9 rows, 9 columns, 10 mines, start")
    assert run(capsys, "--seed", 3).startswith("exact: 9 rows, 9 columns, 10 mines, start safe, s")
    assert ", seed 0\n" in run(capsys, "--agent", "random")


class Faulty(Agent):
    """Raises what nobody expects."""

    name = "faulty"

    def decide(self, observation: Observation) -> Decision | None:
        raise KeyError("a\nb")


def test_a_fault_of_an_agent_is_one_sentence(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(agents, "get", lambda name: Faulty())
    assert cli.main(["watch", "--agent", "faulty", "--json"]) == 1
    err = capsys.readouterr().err
    assert err.startswith(
        "mineproof: agent 'faulty' failed in the game of seed 0: KeyError: 'a\\nb' ("
    )
    assert err.endswith("""in Faulty.decide: raise KeyError("a\\nb"))\n""")


@pytest.mark.usefixtures("wide")
def test_a_preset_gives_the_conditions_of_a_report(capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main(["watch", "--preset", "R2", "--agent", "logic", "--seed", "1"]) == 0
    assert capsys.readouterr().out.startswith(
        "logic: 9 rows, 9 columns, 10 mines, start any, no cascade, 9 safe cells given, seed 1"
    )
    r0 = ["watch", "--preset", "R0", "--agent", "clue-heap", "--mines", "8", "--on-mine", "end"]
    assert cli.main(r0) == 0
    assert capsys.readouterr().out.startswith(
        "clue-heap: 10 rows, 10 columns, 8 mines, start zero, seed 0"
    )
    assert cli.main(["watch", "--preset", "R4"]) == 2
    assert "--preset needs --mines or --density as well" in capsys.readouterr().err
