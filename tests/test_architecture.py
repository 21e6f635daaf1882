"""Which room may import which: the table of docs/architecture.md, as data."""

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

import mineproof
from mineproof.version import APART

ROOT = Path(__file__).parents[1]
PACKAGE = ROOT / "src" / "mineproof"
NATIVE = ROOT / "native"

VALUES = {"random", "topology", "model", "board", "observation"}
MAY_IMPORT: dict[str, set[str]] = {
    "arguments": set(),
    "statistics": set(),
    "version": {"_core"},
    "random": {"_core"},
    "topology": {"_core"},
    "model": {"_core", "topology"},
    "board": {"_core", "random", "topology"},
    "observation": {"model", "topology"},
    "counting": {"_core"},
    "effort": set(),
    "errors": {"_core", "model", "observation", "topology"},
    "inference": {
        "_core",
        "counting",
        "effort",
        "errors",
        "model",
        "observation",
        "random",
        "topology",
    },
    "deduction": {
        "_core",
        "deduction",
        "inference",
        "model",
        "observation",
        "topology",
    },
    "agents": {
        "_core",
        "agents",
        "errors",
        "inference",
        "model",
        "observation",
        "random",
        "topology",
    },
    "game": {"_core", *VALUES},
    "setup": {"board", "game", "model", "topology"},
    "records": {"observation"},
    "contract": {"agents", "board", "game", "model", "observation", "play", "records", "topology"},
    "chains": {"_core", "chains", "errors", "game", "inference", "records", *VALUES},
    "play": {"_core", "agents", "game", "observation", "random", "records", "topology"},
    "games": {"board", "game", "model", "random", "setup", "topology"},
    "processes": set(),
    "batches": {"agents", "games", "play", "processes", "records"},
    "comparison": {"agents", "batches", "game", "games", "statistics"},
    "presets": {"board", "game"},
    "study": {"agents", "model", "setup"},
    "probe": {"game", "observation", "records"},
    "chain_probes": {"board", "chains", "errors", "game", "observation", "probe", "records"},
    "probes": {
        "chain_probes",
        "errors",
        "game",
        "inference",
        "observation",
        "probe",
        "records",
    },
    "record_files": {"records", "study"},
    "archive": {"record_files", "study"},
    "lab": {
        "agents",
        "archive",
        "batches",
        "games",
        "lab",
        "probes",
        "processes",
        "record_files",
        "study",
        "version",
    },
    "findings": {"archive", "statistics", "study"},
    "studies": {
        "agents",
        "board",
        "findings",
        "game",
        "model",
        "presets",
        "setup",
        "statistics",
        "studies",
        "study",
    },
    "report": {
        "archive",
        "errors",
        "findings",
        "inference",
        "looks",
        "observation",
        "render",
        "report",
        "statistics",
        "study",
        "topology",
    },
    "formats": {"board", "model", "observation", "records", "topology"},
    "looks": {"inference", "observation", "topology"},
    "picture": {"inference", "looks", "observation", "topology"},
    "symbols": {"looks", "observation"},
    "chain_pictures": {
        "chain_pictures",
        "chains",
        "looks",
        "observation",
        "picture",
        "topology",
    },
    "proof_pictures": {
        "deduction",
        "inference",
        "looks",
        "observation",
        "picture",
        "proof_pictures",
        "symbols",
        "topology",
    },
    "render": {
        "inference",
        "looks",
        "observation",
        "picture",
        "proof_pictures",
        "symbols",
        "topology",
    },
}
"""Rooms that are not named (the command line, the package itself) may import anything.

Every room may import `arguments`.
"""

DELEGATES = {
    ("board", "formats"),
    ("observation", "formats"),
    ("observation", "render"),
    ("inference", "render"),
    ("study", "findings"),
}
"""Rooms that hand over to a higher one, and import it only then or to name its types."""

PUBLIC = {
    "CLOSED",
    "EXPLODED",
    "FLAGGED",
    "KNOWN_SAFE",
    "LEVELS",
    "NO_CLUE",
    "Action",
    "Advice",
    "Agent",
    "AgentFailed",
    "Beliefs",
    "Best",
    "Board",
    "Budget",
    "BudgetExceeded",
    "Cell",
    "Chains",
    "Channel",
    "Contradiction",
    "Decision",
    "Doubt",
    "Effort",
    "FixedBoards",
    "Game",
    "GameRecord",
    "Hint",
    "Influence",
    "Level",
    "Link",
    "MoveRecord",
    "Observation",
    "Outcome",
    "Posterior",
    "Pressure",
    "Prior",
    "Proof",
    "Random",
    "RandomBoards",
    "Result",
    "Rules",
    "Setup",
    "Solver",
    "Step",
    "Technique",
    "Topology",
    "__version__",
    "advise",
    "agents",
    "chains_of",
    "compare",
    "explain",
    "explain_all",
    "hints",
    "infer",
    "influence_of",
    "play",
    "play_many",
}


def sources() -> list[Path]:
    return sorted(PACKAGE.rglob("*.py"))


def room(path: Path) -> str:
    return path.relative_to(PACKAGE).with_suffix("").parts[0]


def is_for_types(node: ast.AST) -> bool:
    return isinstance(node, ast.If) and ast.unparse(node.test) == "TYPE_CHECKING"


def imports(path: Path) -> Iterator[tuple[str, bool]]:
    """The rooms a file imports, and whether only inside a function or for annotations."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    lazy = {
        id(inner)
        for node in ast.walk(tree)
        if isinstance(node, ast.FunctionDef) or is_for_types(node)
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
            package, _, rest = name.partition(".")
            if package == "mineproof":
                yield rest.partition(".")[0], id(node) in lazy


@pytest.mark.parametrize("path", sources(), ids=lambda path: str(path.relative_to(PACKAGE)))
def test_imports_go_downwards(path: Path) -> None:
    here = room(path)
    for there, lazy in imports(path):
        if lazy and (here, there) in DELEGATES:
            continue
        if here in MAY_IMPORT and there != "arguments":
            assert there in MAY_IMPORT[here], f"{here} imports {there}"


def test_the_table_has_no_circle() -> None:
    done: set[str] = {"_core"}
    waiting = {here: there - {here} for here, there in MAY_IMPORT.items()}
    while waiting:
        ready = {here for here, there in waiting.items() if there <= done}
        assert ready, f"a circle among {sorted(waiting)}"
        done |= ready
        waiting = {here: there for here, there in waiting.items() if here not in ready}


def test_no_record_depends_on_a_room_that_the_code_version_leaves_out() -> None:
    for here in MAY_IMPORT.keys() - APART:
        assert not MAY_IMPORT[here] & APART, here


def test_no_room_is_a_drawer() -> None:
    names = {path.stem for path in sources()}
    assert not names & {"utils", "common", "helpers", "base", "types"}


def test_files_stay_small() -> None:
    for path in sources():
        assert len(path.read_text(encoding="utf-8").splitlines()) <= 400, path


NATIVE_MAY_INCLUDE: dict[str, set[str]] = {
    "board": set(),
    "counting": {"board"},
    "posterior": {"board", "counting"},
    "proofs": {"board", "counting", "posterior"},
    "chains": {"board", "counting", "posterior", "proofs"},
    "play": {"board", "counting", "posterior", "chains"},
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
