"""What `import mineproof` and the commands load: no more than they need."""

from __future__ import annotations

import subprocess
import sys
from importlib import import_module

import pytest

import mineproof
from mineproof.cli.program import SUMMARIES, app

HEAVY = {
    *("numpy", "rich", "asyncio", "multiprocessing", "importlib.metadata"),
    *("mineproof._core", "mineproof.agents", "mineproof.search"),
}


def loaded(program: str) -> set[str]:
    """Return the modules that a program has loaded at its end."""
    words = [sys.executable, "-c", f"{program}\nimport sys\nprint(*sys.modules, file=sys.stderr)"]
    done = subprocess.run(words, capture_output=True, text=True, check=True)
    return set(done.stderr.split())


def command(*words: str) -> str:
    return f"from mineproof.cli import main\nassert main({list(words)!r}) == 0"


def test_the_package_loads_nothing_until_it_is_used() -> None:
    package = {name for name in loaded("import mineproof") if name.startswith("mineproof")}
    assert package == {"mineproof"}


@pytest.mark.parametrize("words", [(), ("--help",), ("--version",), ("completion", "bash")])
def test_what_needs_no_board_loads_no_arrays(words: tuple[str, ...]) -> None:
    assert not HEAVY & loaded(command(*words))


@pytest.mark.parametrize(
    ("words", "unneeded"),
    [
        (("solve", "--help"), {"mineproof.agents", "mineproof.arena", "asyncio"}),
        (("explain", "--help"), {"mineproof.agents", "mineproof.arena", "asyncio"}),
        (("convert", "--help"), {"mineproof.agents", "mineproof.search", "rich"}),
        (("watch", "--help"), {"mineproof.tournament", "mineproof.lab", "mineproof.web"}),
        (("compare", "--help"), {"mineproof.tournament", "mineproof.lab", "mineproof.web"}),
    ],
)
def test_a_command_loads_only_what_it_needs(words: tuple[str, ...], unneeded: set[str]) -> None:
    assert not unneeded & loaded(command(*words))


def test_every_public_name_is_that_of_its_package() -> None:
    for name in mineproof.__all__:
        assert name in dir(mineproof)
        found = getattr(mineproof, name)
        kept = getattr(found, "__module__", None)
        if kept is not None and kept.startswith("mineproof."):
            package = import_module(".".join(kept.split(".")[:2]))
            assert getattr(package, name) is found
    with pytest.raises(AttributeError, match="has no attribute 'nothing'"):
        _ = mineproof.nothing  # type: ignore[attr-defined]


@pytest.mark.parametrize(
    "package",
    [
        *(
            "agents",
            "arena",
            "chains",
            "draw",
            "formats",
            "game",
            "inference",
            "lab",
            "position",
            "proofs",
        ),
        "search",
    ],
)
def test_packages_are_attributes(package: str) -> None:
    program = f"import mineproof\nassert mineproof.{package}.__doc__\nassert dir(mineproof)"
    assert f"mineproof.{package}" in loaded(program)


@pytest.mark.parametrize("verb", SUMMARIES)
def test_summaries_are_the_first_sentences_of_help(verb: str) -> None:
    assert app.commands[verb].get_short_help_str(100) == SUMMARIES[verb]
