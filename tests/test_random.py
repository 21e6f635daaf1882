"""The generator gives the same numbers on every platform and version."""

from copy import copy, deepcopy
from pickle import dumps, loads

import pytest

from mineproof import Board, Rules, Setup, Topology, _core
from mineproof.random import Random, check_seed

GOLDEN_0 = [11091344671253066420, 13793997310169335082, 1900383378846508768]
GOLDEN_MAX = [10328197420357168392, 14156678507024973869, 9357971779955476126]
GOLDEN_NOISE = [0.029245508709438317, 0.35886348691486825, 0.7550561897367517]
GOLDEN_BOARD = ["......", ".*..*.", "**.*..", "....*.", ".*.*.."]


def test_golden_values() -> None:
    random = _core.Random(0)
    assert [random.next() for _ in range(3)] == GOLDEN_0
    random = _core.Random(2**64 - 1)
    assert [random.next() for _ in range(3)] == GOLDEN_MAX


def test_seeding_is_the_published_pair() -> None:
    """An independent splitmix64 and xoshiro256** give the same numbers."""
    mask = 2**64 - 1
    state = []
    seed = 42
    for _ in range(4):
        seed = (seed + 0x9E3779B97F4A7C15) & mask
        z = seed
        z = ((z ^ (z >> 30)) * 0xBF58476D1CE4E5B9) & mask
        z = ((z ^ (z >> 27)) * 0x94D049BB133111EB) & mask
        state.append(z ^ (z >> 31))

    def rotl(x: int, k: int) -> int:
        return ((x << k) | (x >> (64 - k))) & mask

    random = _core.Random(42)
    for _ in range(100):
        expected = (rotl((state[1] * 5) & mask, 7) * 9) & mask
        shifted = (state[1] << 17) & mask
        state[2] ^= state[0]
        state[3] ^= state[1]
        state[1] ^= state[2]
        state[0] ^= state[3]
        state[2] ^= shifted
        state[3] = rotl(state[3], 45)
        assert random.next() == expected


def test_golden_noise() -> None:
    assert [_core.noise(1, 0), _core.noise(1, 1), _core.noise(2, 0)] == GOLDEN_NOISE


def test_golden_board() -> None:
    board = Board.random(Setup(Topology(5, 6), 8, Rules("any")), seed=2026)
    assert ["".join(".*"[mine] for mine in row) for row in board.layout.tolist()] == GOLDEN_BOARD


def test_numbers_below_a_bound_are_uniform() -> None:
    random = Random(5)
    counts = [0] * 6
    for _ in range(60_000):
        counts[random.below(6)] += 1
    chi_square = sum((count - 10_000) ** 2 / 10_000 for count in counts)
    assert chi_square < 25.7  # 5 degrees of freedom, 1 in 10,000


def test_uniform_numbers_stay_below_one() -> None:
    random = Random(6)
    draws = [random.uniform() for _ in range(10_000)]
    assert 0 <= min(draws) < max(draws) < 1
    assert abs(sum(draws) / len(draws) - 0.5) < 0.02


@pytest.mark.parametrize("bound", [1, 6, 480, 2**63 + 1, 2**64 - 1])
def test_numbers_are_those_of_the_core(bound: int) -> None:
    random, core = Random(9), _core.Random(9)
    for _ in range(200):
        assert random.below(bound) == core.below(bound)
        assert random.uniform() == core.uniform()


def test_a_copy_continues_from_the_same_state() -> None:
    random = Random(4)
    for bound in (6, 2**63 + 1, 480):
        random.below(bound)
    copies = [copy(random), deepcopy(random), loads(dumps(random))]
    numbers = [random.below(480) for _ in range(20)]
    for other in copies:
        assert [other.below(480) for _ in range(20)] == numbers


@pytest.mark.parametrize("seed", [-1, 2**64])
def test_a_seed_fits_64_bits(seed: int) -> None:
    with pytest.raises(ValueError, match=f"seed {seed}: must be a whole number from 0 to 2"):
        check_seed(seed)


def test_a_bound_is_positive() -> None:
    with pytest.raises(ValueError, match="bound 0"):
        Random(1).below(0)
