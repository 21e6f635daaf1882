from many_games import Watched, games, keep_going

from mineproof import Action, Decision, Game, Observation, Rules, agents, play
from mineproof.agents.logic import KnowledgeBase, Sentence

R2 = Rules("any", cascade=False, given_safe=9)


def decide(text: str, name: str = "logic") -> Decision | None:
    return agents.get(name).decide(Observation.from_text(text))


def sentence(mines: int, *columns: int) -> Sentence:
    return Sentence(frozenset((0, column) for column in columns), mines)


def test_a_part_and_the_difference_take_the_place_of_the_whole() -> None:
    known = KnowledgeBase()
    known.learn([sentence(1, 0, 1), sentence(2, 0, 1, 2, 3)])
    known.match()
    assert set(known.sentences) == {sentence(1, 0, 1), sentence(1, 2, 3)}


def test_what_is_said_twice_is_kept_once() -> None:
    known = KnowledgeBase()
    known.learn([sentence(1, 0, 1), sentence(1, 1, 0)])
    assert known.sentences == (sentence(1, 0, 1),)


def test_marked_cells_leave_all_sentences() -> None:
    known = KnowledgeBase()
    known.learn([sentence(2, 0, 1, 2), sentence(1, 2, 3, 4), sentence(1, 2)])
    assert known.mines.keys() == {(0, 2)}
    assert known.safe.keys() == {(0, 3), (0, 4)}
    assert known.sentences == (sentence(1, 0, 1),)


def test_a_mark_sets_off_the_next() -> None:
    known = KnowledgeBase()
    known.learn([*(sentence(1, column, column + 1) for column in range(5)), sentence(0, 0)])
    assert known.mines.keys() == {(0, 1), (0, 3), (0, 5)}
    assert known.safe.keys() == {(0, 0), (0, 2), (0, 4)}


def test_what_cannot_be_is_dropped() -> None:
    known = KnowledgeBase()
    known.learn([sentence(3, 0, 1), sentence(0, 2), sentence(1, 2)])
    assert known.sentences == ()
    assert known.safe.keys() == {(0, 2)}
    assert not known.mines


def test_it_marks_one_cell_a_turn_and_safe_ones_first() -> None:
    agent = agents.get("logic")
    decision = agent.decide(Observation.from_text("1.?\n11?\n?s?"))
    assert decision is not None
    assert decision.actions == (Action("open", (2, 1), certain=True, risk=0.0),)
    assert decision.reason == "{(2, 1)} = 0 by what is known from the start"
    assert agent.beliefs().numbers == {(0, 1): 1.0, (2, 1): 0.0}
    decision = agent.decide(Observation.from_text("1.?\n11?\n?1?"))
    assert decision is not None
    assert decision.actions == (Action("flag", (0, 1), certain=True, risk=1.0),)


def test_two_clues_are_read_together_where_one_has_a_part_of_the_others_cells() -> None:
    decision = decide("11.\n...")
    assert decision is not None
    assert decision.actions[0].cell == (0, 2)


def test_clues_that_merely_overlap_are_not() -> None:
    """A 1 beside a 2: the last cell is a mine, but neither has a part of the other's cells."""
    assert decide("?12?\n....") is None


def test_the_total_is_one_more_sentence() -> None:
    decision = decide("6x1x1\n?.1.?.", "logic:total")
    assert decision is not None
    assert decision.actions[0].cell == (0, 5)
    assert decision.reason == "{(0, 5)} = 0 by the 1 at (0, 2) and the mine total"
    assert decide("?.1.?.") is None


def test_it_shows_its_sentences() -> None:
    agent = agents.get("logic")
    agent.decide(Observation.from_text("?12?\n...."))
    assert agent.beliefs().sentences == (
        "{(1, 0), (1, 1), (1, 2)} = 1",
        "{(1, 1), (1, 2), (1, 3)} = 2",
    )
    agent = agents.get("logic:total")
    agent.decide(Observation.from_text("....\n....\n....\n....", mines=3))
    assert agent.beliefs().sentences == ("{16 cells} = 3",)


def test_it_guesses_at_most_once() -> None:
    for seed in range(20):
        record = play(Game.level("easy", seed=seed, rules=Rules("any")), agents.get("logic"))
        assert record.guesses == 1
        assert record.outcome == "stuck" or record.steps == 1 or record.won


def test_it_starts_from_the_given_cells_and_never_loses() -> None:
    records = [play(Game.level("easy", seed=s, rules=R2), agents.get("logic")) for s in range(12)]
    assert {record.outcome for record in records} <= {"won", "stuck"}
    assert not any(record.guesses or record.wrong_flags for record in records)
    assert sum(record.won for record in records) >= 8


def test_games_end() -> None:
    for seed, game in enumerate(games()):
        agent = agents.get("logic")
        play(game, Watched(agent) if game.channel.is_exact else agent, seed=seed)


def test_the_total_helps() -> None:
    told, untold = (
        sum(record.score for record in keep_going(name, 15)) for name in ("logic:total", "logic")
    )
    assert told >= untold
