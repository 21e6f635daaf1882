"""Which package may import which; docs/architecture.md shows the same table."""

from __future__ import annotations

import ast
import re
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

import mineproof

ROOT = Path(__file__).parents[1]
PACKAGE = ROOT / "src" / "mineproof"
NATIVE = ROOT / "native"

LAYERS: dict[str, str] = {
    "arguments": "checks of arguments; every package may import it",
    "errors": "all errors that users may want to catch",
    "statistics": "shares, means and their intervals",
    "random": "portable seeded randomness",
    "writing": "files written whole or not at all",
    "cancel": "stopping long calls from another thread",
    "stdout": "keeping what agents print out of the output of commands",
    "position": "topology, prior and channel, rules, setup and levels, observation, text",
    "inference": "infer, Solver, Posterior, Budget; exact counting",
    "proofs": "why a cell is certain: premises, arguments, words, hints",
    "game": "boards and their measures, game, move, transcript in its notation, records, presets",
    "formats": "files of games, boards and positions, also those of other programs",
    "chains": "chains of influence",
    "search": "choosing a move where none is certain: advice, optimal play",
    "draw": "boards, risks, proofs and chains as text and SVG",
    "agents": "one idea per file, its source cited at the top",
    "arena": "play, boards to play, workers, compare, contract, signatures",
    "tournament": "agents of a folder, played within limits and ranked",
    "lab": "studies, probes, archive, findings, report, cluster",
    "web": "the board in the browser: server, HTTP API and page",
    "env": "environments for Gymnasium",
    "cli": "thin commands, one per file",
}
"""The packages from bottom to top, and what each is for. A package imports only those above it."""

NEVER = {
    ("agents", "game"): "an agent sees observations only",
    ("agents", "chains"): "chains know games",
    ("agents", "draw"): "agents do not draw",
    ("draw", "random"): "drawing draws nothing by chance",
}
"""Imports that the order would allow, and why they are not."""

HOOK = ("position/drawn.py", "draw")
"""The one import against the order: values hand their drawing over when they are asked to."""

ON_DEMAND = {
    "cli": {"agents", "cli", "lab", "polars", "web"},
    "formats": {"ms_toollib"},
    "lab": {"polars"},
}
"""What is imported only when it is needed: extras, and what would slow down every command."""

PUBLIC = {
    "LEVELS",
    "Action",
    "Agent",
    "Board",
    "Budget",
    "BudgetExceeded",
    "Cancel",
    "Cancelled",
    "Cell",
    "CellCode",
    "Channel",
    "Contradiction",
    "Decision",
    "Estimate",
    "FixedBoards",
    "Game",
    "GameRecord",
    "MineproofError",
    "Move",
    "Observation",
    "Outcome",
    "Posterior",
    "Prior",
    "Proof",
    "RandomBoards",
    "Result",
    "Rules",
    "Setup",
    "Solver",
    "Topology",
    "Transcript",
    "__version__",
    "agents",
    "compare",
    "explain",
    "infer",
    "play",
    "play_many",
}


def sources() -> list[Path]:
    return sorted(PACKAGE.rglob("*.py"))


def name_of(path: Path) -> str:
    return path.relative_to(PACKAGE).as_posix()


def package_of(path: Path) -> str:
    return path.relative_to(PACKAGE).with_suffix("").parts[0]


def imports(path: Path) -> Iterator[tuple[str, bool]]:
    """The packages that a file imports, and whether inside a function."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    inside = {
        id(inner)
        for node in ast.walk(tree)
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)
        for inner in ast.walk(node)
    }
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            names = [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{path.name}: imports are absolute"
            names = [f"{node.module}.{alias.name}" for alias in node.names]
        else:
            continue
        for name in names:
            first, _, rest = name.partition(".")
            yield rest.partition(".")[0] if first == "mineproof" else first, id(node) in inside


def ours() -> list[Path]:
    return [path for path in sources() if package_of(path) not in ("__init__", "__main__")]


@pytest.mark.parametrize("path", ours(), ids=name_of)
def test_imports_go_one_way(path: Path) -> None:
    here = package_of(path)
    order = list(LAYERS)
    assert here in LAYERS, f"{name_of(path)} is in no known package"
    for there, inside in imports(path):
        if there in LAYERS and (name_of(path), there) != HOOK:
            assert order.index(there) <= order.index(here), f"{here} imports {there}"
            assert (here, there) not in NEVER, NEVER[here, there]
        if inside and (name_of(path), there) != HOOK:
            allowed = ON_DEMAND.get(here, set()) | sys.stdlib_module_names
            assert there in allowed, f"{name_of(path)} imports {there} inside a function"


def test_no_name_is_a_drawer() -> None:
    names = {path.stem for path in sources()}
    assert not names & {"utils", "common", "helpers", "base", "types"}


def test_every_package_says_what_it_is_for_and_exports_its_names() -> None:
    for name in LAYERS:
        if (PACKAGE / name).is_dir():
            tree = ast.parse((PACKAGE / name / "__init__.py").read_text(encoding="utf-8"))
            assert ast.get_docstring(tree), name
            assert "__all__" in ast.unparse(tree), name


def test_the_docs_show_the_same_table() -> None:
    page = (ROOT / "docs" / "architecture.md").read_text(encoding="utf-8")
    rows = dict(re.findall(r"^\| `(\w+)/?` \| (.+?) \|$", page, re.MULTILINE))
    assert list(rows.items()) == list(LAYERS.items())


def test_the_core_numbers_its_steps_as_the_docs_do() -> None:
    page = (ROOT / "docs" / "architecture.md").read_text(encoding="utf-8")
    how = page.partition("## How a posterior is computed")[2].partition("\n## ")[0]
    whole = set(re.findall(r"^(\d)\. \*\*", how, re.MULTILINE))
    parts = set(re.findall(r"\((\d\.\d)\)", how))
    code = "".join(path.read_text(encoding="utf-8") for path in (NATIVE / "core").rglob("*.cpp"))
    steps = set(re.findall(r"Steps? (\d[\d.]*\d|\d)", code))
    assert {step for step in steps if len(step) == 3} == parts
    for step in steps:
        assert step[:3] in parts or step in whole, step


@pytest.mark.parametrize("path", ours(), ids=name_of)
def test_no_module_touches_private_names_of_another(path: Path) -> None:
    tree = ast.parse(path.read_text(encoding="utf-8"))
    own = {
        name
        for node in ast.walk(tree)
        for name in (
            [node.name]
            if isinstance(node, ast.FunctionDef | ast.ClassDef)
            else [node.attr]
            if isinstance(node, ast.Attribute)
            and isinstance(node.value, ast.Name)
            and node.value.id in ("self", "cls")
            else []
        )
    }
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom) and node.module and node.module.startswith("mineproof"):
            for alias in node.names:
                assert not re.match("_[a-z]", alias.name) or alias.name == "_core", alias.name
        if isinstance(node, ast.Attribute) and re.match(r"_[a-z]", node.attr):
            known = node.attr in own or node.attr in ("_exit", "_replace", "_asdict")
            assert known, f"{ast.unparse(node)} in {name_of(path)}"


NATIVE_MAY_INCLUDE: dict[str, set[str]] = {
    "board": set(),
    "counting": {"board"},
    "posterior": {"board", "counting"},
    "proofs": {"board", "counting", "posterior"},
    "env": {"board"},
    "reasoning": {"board", "counting", "posterior"},
    "chains": {"board", "counting", "posterior", "proofs", "reasoning"},
    "search": {"board", "counting", "posterior"},
    "play": {"board", "counting", "posterior", "chains", "search"},
    "agents": {"board", "counting", "posterior", "play"},
}
"""The folders of the core, and which others each may include."""


def native_includes(path: Path) -> Iterator[str]:
    for line in path.read_text(encoding="utf-8").splitlines():
        if line.startswith('#include "'):
            yield line.split('"')[1]


@pytest.mark.parametrize("folder", sorted(NATIVE_MAY_INCLUDE))
def test_native_includes_go_downwards(folder: str) -> None:
    for path in (NATIVE / "core" / folder).iterdir():
        for name in native_includes(path):
            there = name.partition("/")[0]
            assert (NATIVE / "core" / name).is_file(), f"{path}: {name}"
            assert there in NATIVE_MAY_INCLUDE[folder] | {folder}, f"{path} includes {name}"


def test_the_core_has_no_other_folders() -> None:
    assert {path.name for path in (NATIVE / "core").iterdir()} == set(NATIVE_MAY_INCLUDE)
    for folder in NATIVE_MAY_INCLUDE:
        paths = list((NATIVE / "core" / folder).iterdir())
        assert paths
        assert all(path.suffix in (".cpp", ".hpp") for path in paths), folder


def test_native_folders_include_each_other_one_way() -> None:
    done: set[str] = set()
    for folder, others in NATIVE_MAY_INCLUDE.items():
        assert others <= done, folder
        done.add(folder)


def test_the_core_knows_no_python_file_stream_or_clock() -> None:
    banned = ("nanobind", "Python.h", "<iostream>", "<fstream>", "<cstdio>", "<chrono>", "<ctime>")
    paths = list((NATIVE / "core").rglob("*.?pp"))
    assert len(paths) > 20
    for path in paths:
        text = path.read_text(encoding="utf-8")
        assert not any(word in text for word in banned), path


def test_native_tests_mirror_the_core() -> None:
    folders = {path.name for path in (NATIVE / "tests").iterdir() if path.is_dir()}
    assert folders == set(NATIVE_MAY_INCLUDE)


def test_the_public_names() -> None:
    assert set(mineproof.__all__) == PUBLIC
    for name in PUBLIC:
        assert hasattr(mineproof, name)
