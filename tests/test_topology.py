from mineproof import _core


def test_neighbours_of_a_corner() -> None:
    assert _core.Topology.rectangle(3, 4).neighbours(0) == [1, 4, 5]
