"""The environments obey Gymnasium, and play the games that `Game` plays."""

from __future__ import annotations

from typing import Any

import gymnasium
import numpy as np
import pytest
from gymnasium.utils.env_checker import check_env
from gymnasium.vector import AutoresetMode

from mineproof import Channel, Game, Rules, Setup, Topology, agents, infer
from mineproof.env import ENV_ID, MinesweeperEnv, MinesweeperVectorEnv
from mineproof.position.rules import Start
from mineproof.position.topology import TOPOLOGIES, TopologyKind

SWITCHES: list[dict[str, Any]] = [
    {},
    {"rows": 4, "cols": 7, "mines": 5, "start": "zero"},
    {"start": "any", "cascade": False, "reward": {"cell": 0.1, "loss": -5, "invalid": -0.5}},
    {"channel": "lost:0.3", "planes": True},
    {"labels": True, "rows": 5, "cols": 5, "mines": 4},
    {"invalid": "end", "planes": True},
    {"topology": "hex", "labels": True, "rows": 4, "cols": 5, "mines": 4},
]


@pytest.mark.parametrize("switches", SWITCHES, ids=str)
@pytest.mark.parametrize("mode", [None, "ansi", "rgb_array"])
def test_the_checker_of_gymnasium_is_content(switches: dict[str, Any], mode: str | None) -> None:
    env = gymnasium.make(ENV_ID, render_mode=mode, **switches).unwrapped
    check_env(env, skip_render_check=mode is None)


@pytest.mark.parametrize("start", ["any", "safe", "zero"])
@pytest.mark.parametrize("channel", ["exact", "lost:0.3", "optimistic", "cautious"])
@pytest.mark.parametrize(
    ("cascade", "topology"),
    [(True, "square"), (False, "square"), (True, "torus"), (True, "hex")],
)
def test_a_game_is_the_game_of_its_seed(
    start: Start, channel: str, cascade: bool, topology: TopologyKind
) -> None:
    env = MinesweeperEnv(6, 7, 8, start=start, channel=channel, cascade=cascade, topology=topology)
    random = np.random.default_rng(1)
    for seed in range(8):
        seen, info = env.reset(seed=seed)
        assert info["seed"] == seed
        rules = Rules(start=start, cascade=cascade)
        noise = Channel.parse(channel)
        game = Game(Setup(Topology(6, 7, topology), 8, rules, noise), seed=seed)
        ended = False
        while not ended:
            action = int(random.choice(np.flatnonzero(env.action_masks())))
            seen, reward, ended, truncated, info = env.step(action)
            game.open(game.topology.cell(action))
            codes = game.observation.cells
            closed = (codes == -1) | (codes == -5) | (codes == -4)
            assert np.array_equal(seen, np.where(closed, -1, np.where(codes == -3, 9, codes)))
            assert np.array_equal(info["action_mask"], (seen == -1).ravel())
            assert ended == (game.outcome is not None)
            assert info["won"] == game.won
            assert reward == (1 if game.won else -1 if ended else 0)
            assert not truncated


def equal(one: Any, other: Any) -> bool:
    if isinstance(one, dict):
        return one.keys() == other.keys() and all(equal(one[key], other[key]) for key in one)
    if isinstance(one, np.ndarray) and one.dtype == object:
        return all(map(np.array_equal, one, other))
    return np.array_equal(one, other)


@pytest.mark.parametrize("switches", SWITCHES, ids=str)
@pytest.mark.parametrize("autoreset", [AutoresetMode.NEXT_STEP, AutoresetMode.SAME_STEP])
def test_many_games_are_those_of_single_environments(
    switches: dict[str, Any], autoreset: AutoresetMode
) -> None:
    both = {**switches, "max_episode_steps": 9}
    ours = gymnasium.make_vec(ENV_ID, num_envs=5, autoreset_mode=autoreset, **both)
    assert isinstance(ours, MinesweeperVectorEnv)
    singles = gymnasium.make_vec(
        ENV_ID,
        num_envs=5,
        vectorization_mode="sync",
        vector_kwargs={"autoreset_mode": autoreset},
        **both,
    )
    assert ours.single_observation_space == singles.single_observation_space
    assert ours.observation_space == singles.observation_space
    assert ours.action_space == singles.action_space
    assert ours.metadata["autoreset_mode"] is autoreset
    assert all(map(equal, ours.reset(seed=3), singles.reset(seed=3)))
    ours.action_space.seed(1)
    ended = truncated = 0
    for _ in range(60):
        actions = ours.action_space.sample()
        found, expected = ours.step(actions), singles.step(actions)
        for label in ("risk", "move"):
            for key in (label, f"_{label}"):
                expected[4].get("final_info", {}).pop(key, None)
        for one, other in zip(found, expected, strict=True):
            assert equal(one, other)
        ended += int(found[2].sum())
        truncated += int(found[3].sum())
    assert ended
    assert truncated or switches.get("invalid") == "end" or ended > 20


def test_a_game_waits_for_its_reset() -> None:
    envs = MinesweeperVectorEnv(4, 4, 6, num_envs=3, autoreset_mode=AutoresetMode.DISABLED)
    envs.reset(seed=1)
    over = np.zeros(3, np.bool_)
    for action in range(16):
        _, _, terminated, truncated, _ = envs.step(np.full(3, action))
        over = terminated | truncated
        if over.any():
            break
    assert over.any()
    with pytest.raises(ValueError, match="a game is over"):
        envs.step(np.zeros(3, int))
    before = envs.action_masks()
    seen, _ = envs.reset(options={"reset_mask": over})
    assert (seen[over] == -1).all()
    assert np.array_equal(envs.action_masks()[~over], before[~over])
    envs.step(np.zeros(3, int))
    with pytest.raises(ValueError, match="'reset_mask' must be 3 values of bool"):
        envs.reset(options={"reset_mask": np.ones(2, np.bool_)})


def test_returned_arrays_do_not_change() -> None:
    envs = MinesweeperVectorEnv(num_envs=4)
    seen, infos = envs.reset(seed=1)
    mask = infos["action_mask"]
    envs.step(np.full(4, 40))
    assert (seen == -1).all()
    assert mask.all()


@pytest.mark.parametrize("topology", TOPOLOGIES)
def test_labels_are_exact(topology: TopologyKind) -> None:
    env = MinesweeperEnv(6, 6, 6, start="zero", labels=True, topology=topology)
    env.reset(seed=4)
    seen, _, _, _, info = env.step(14)
    game = Game(Setup(Topology(6, 6, topology), 6, Rules("zero")), seed=4)
    game.open((2, 2))
    posterior = infer(game.observation)
    closed = seen == -1
    # The game knows the cells around the first one to be safe; they are open by now.
    assert np.allclose(info["risk"][closed], posterior.risk[closed])
    assert (info["risk"][~closed] == 0).all()
    decision = agents.get("exact").decide(game.observation)
    assert decision is not None
    opened = [action.cell for action in decision.actions if action.kind == "open"]
    assert game.topology.cell(int(info["move"])) == opened[0]
    assert "risk" not in MinesweeperEnv().reset(seed=1)[1]


def test_invalid_actions() -> None:
    for invalid, ends in (("ignore", False), ("end", True)):
        env = MinesweeperEnv(invalid=invalid, reward={"invalid": -3})  # type: ignore[arg-type]
        env.reset(seed=1)
        first = env.step(40)[0]
        seen, reward, ended, _, _ = env.step(40)
        assert (reward, ended) == (-3, ends)
        assert np.array_equal(first, seen)
    env = MinesweeperEnv(invalid="error")
    env.reset(seed=1)
    env.step(40)
    with pytest.raises(ValueError, match=r"action 40 of game 0: \(4, 4\) is open already"):
        env.step(40)


def test_pictures() -> None:
    env = MinesweeperEnv(4, 5, 6, render_mode="rgb_array")
    env.reset(seed=1)
    picture = env.render()
    assert picture.shape == (64, 80, 3)
    for action in range(20):
        if env.step(action)[2]:
            break
    assert not np.array_equal(env.render(), picture)
    text = MinesweeperEnv(2, 3, 1, render_mode="ansi")
    text.reset(seed=1)
    assert text.render() == "3x2x1\n...\n..."
    several = MinesweeperVectorEnv(2, 3, 1, num_envs=2, render_mode="ansi")
    several.reset(seed=1)
    assert several.render() == ("3x2x1\n...\n...",) * 2
    assert MinesweeperVectorEnv(num_envs=2).render() is None
    hexagons = MinesweeperEnv(4, 5, 6, render_mode="rgb_array", topology="hex")
    hexagons.reset(seed=1)
    assert hexagons.render().shape == (64, 88, 3)


def test_without_a_seed_games_differ() -> None:
    seeds = set()
    for _ in range(3):
        env = MinesweeperEnv()
        seeds |= {int(env.reset()[1]["seed"]) for _ in range(2)}
    assert len(seeds) == 6


@pytest.mark.parametrize(
    ("switches", "sentence"),
    [
        ({"rows": 0}, "rows 0: must be"),
        ({"rows": 2, "topology": "torus"}, "a torus needs at least 3 rows"),
        ({"topology": "ball"}, "topology 'ball': must be square, torus or hex"),
        ({"mines": 81}, "81 mines: the board has room for 0 to 80"),
        ({"start": "lucky"}, "start 'lucky': must be any, safe or zero"),
        ({"channel": "loud"}, "channel"),
        ({"channel": "late:0.5"}, "environments have no clues that arrive late"),
        ({"invalid": "maybe"}, "invalid 'maybe': must be ignore, end or error"),
        ({"reward": {"luck": 1}}, "reward 'luck': must be win, loss, safe, cell or invalid"),
        ({"reward": {"win": float("nan")}}, "reward 'win' nan: must be a finite number"),
        ({"render_mode": "human"}, "render_mode 'human': must be ansi or rgb_array"),
    ],
)
def test_bad_switches_are_named(switches: dict[str, Any], sentence: str) -> None:
    for make in (MinesweeperEnv, MinesweeperVectorEnv):
        with pytest.raises(ValueError, match=sentence):
            make(**switches)


BAD_ACTIONS = [40.9, 40.0, float("nan"), float("inf"), "40", None, 1j, -1, 81, 2**62, 2**64]


@pytest.mark.parametrize("action", BAD_ACTIONS)
def test_both_environments_refuse_an_action_alike(action: Any) -> None:
    one, many = MinesweeperEnv(), MinesweeperVectorEnv(num_envs=2)
    one.reset(seed=1)
    many.reset(seed=1)
    with pytest.raises((TypeError, ValueError)) as alone:
        one.step(action)
    assert str(alone.value) == f"action {action!r}: must be a whole number from 0 to 80"
    for place in (0, 1):
        actions = np.array([40, 40], object)
        actions[place] = action
        # Each as it is, and as NumPy would hold them.
        with pytest.raises(type(alone.value)) as together:
            many.step(actions)
        assert str(together.value) == str(alone.value).replace("action", f"actions[{place}]", 1)
        with pytest.raises(type(alone.value), match=r"^actions\[[01]\] .*: must be a whole number"):
            many.step(np.array(actions.tolist()))
    assert np.array_equal(many.step(np.array([40, 40]))[0][0], one.step(40)[0])


@pytest.mark.parametrize("kind", [np.int8, np.uint8, np.int32, np.uint64, object])
def test_whole_numbers_of_any_type_are_actions(kind: type) -> None:
    expected = MinesweeperVectorEnv(num_envs=3)
    envs = MinesweeperVectorEnv(num_envs=3)
    expected.reset(seed=1)
    envs.reset(seed=np.int64(1))  # type: ignore[arg-type]
    wanted = expected.step(np.array([40, 0, 80]))
    # A view with gaps between its values.
    assert equal(wanted[0], envs.step(np.array([40, 1, 0, 1, 80, 1], kind)[::2])[0])
    single = MinesweeperEnv()
    single.reset(seed=1)
    assert equal(wanted[0][0], single.step(np.array([40], kind)[0])[0])


@pytest.mark.parametrize("shape", [(2, 1), (1, 2), (2, 2), (3,), ()], ids=str)
def test_the_shape_of_actions_is_told(shape: tuple[int, ...]) -> None:
    envs = MinesweeperVectorEnv(num_envs=2)
    envs.reset(seed=1)
    with pytest.raises(ValueError, match=r"^actions: shape \(.*\), expected \(2,\)$"):
        envs.step(np.zeros(shape, int))
    with pytest.raises(ValueError, match=r"^actions \[\[40\], 40\]: must be 2 whole numbers$"):
        envs.step([[40], 40])  # type: ignore[arg-type]


def test_bad_calls_are_named() -> None:
    env = MinesweeperEnv()
    with pytest.raises(ValueError, match="needs reset first"):
        env.step(0)
    env.reset(seed=1)
    with pytest.raises(ValueError, match="action 81: must be a whole number from 0 to 80"):
        env.step(81)
    with pytest.raises(ValueError, match="options: 'luck' is not known"):
        env.reset(options={"luck": 1})
    envs = MinesweeperVectorEnv(num_envs=2)
    with pytest.raises(ValueError, match="needs reset first"):
        envs.step(np.zeros(2, int))
    envs.reset(seed=[1, 2])
    with pytest.raises(ValueError, match=r"^actions: shape \(3,\), expected \(2,\)$"):
        envs.step(np.zeros(3, int))
    with pytest.raises(ValueError, match=r"^actions\[1\] 81: must be a whole number from 0 to 80$"):
        envs.step(np.array([0, 81]))
    with pytest.raises(TypeError, match=r"^seed 2\.5: must be a whole number"):
        envs.reset(seed=[1, 2.5])  # type: ignore[list-item]
    with pytest.raises(ValueError, match="seed: 3 seeds, expected 2"):
        envs.reset(seed=[1, 2, 3])
