"""The code version: the same for the same sources, another for others."""

from __future__ import annotations

import tomllib
from pathlib import Path

import pytest

import mineproof
from mineproof import _core, version
from mineproof.version import APART, code_version, digest, recording_sources

ROOT = Path(__file__).parents[1]
NATIVE = ROOT / "native"
PACKAGE = ROOT / "src" / "mineproof"
SOURCES = {"game.py": b"rules", "agents/exact.py": b"counts", "agents/random.py": b"draws"}


def write(package: Path, sources: dict[str, bytes]) -> Path:
    for name, content in sources.items():
        (package / name).parent.mkdir(parents=True, exist_ok=True)
        (package / name).write_bytes(content)
    return package


def test_the_release_is_told_alike_everywhere() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    assert mineproof.__version__ == version.__version__ == project["version"]


def test_the_code_version_is_stable() -> None:
    release, digits = code_version().split("+")
    assert release == mineproof.__version__
    assert len(digits) == 8
    assert int(digits, 16) >= 0
    code_version.cache_clear()
    assert code_version() == f"{release}+{digits}"


def test_the_module_is_built_from_these_sources() -> None:
    files = [path for folder in ("bindings", "core") for path in (NATIVE / folder).rglob("*.?pp")]
    native = {path.relative_to(NATIVE).as_posix(): path.read_bytes() for path in files}
    assert digest(native)[:12] == _core.SOURCES, "native/ has changed since the module was built"


def test_other_native_sources_are_another_version(monkeypatch: pytest.MonkeyPatch) -> None:
    before = code_version()
    monkeypatch.setattr(_core, "SOURCES", "0" * 12)
    code_version.cache_clear()
    after = code_version()
    code_version.cache_clear()
    assert after != before


def test_any_change_of_a_source_changes_the_digest(tmp_path: Path) -> None:
    package = write(tmp_path, SOURCES)
    before = digest(recording_sources(package))
    changes: list[dict[str, bytes]] = [
        {"game.py": b"Rules"},
        {"game.py": b"rules\r\n"},
        {"agents/new.py": b""},
    ]
    seen = {before}
    for change in changes:
        seen.add(digest(recording_sources(write(package, change))))
    (package / "agents/new.py").rename(package / "agents/newer.py")
    seen.add(digest(recording_sources(package)))
    assert len(seen) == len(changes) + 2


def test_contents_that_change_places_are_noticed() -> None:
    assert digest({"a.py": b"1", "b.py": b"2"}) != digest({"a.py": b"2", "b.py": b"1"})
    assert digest({"a.py": b"12", "b.py": b""}) != digest({"a.py": b"1", "b.py": b"2"})


def test_the_order_of_listing_does_not_matter() -> None:
    backwards = dict(reversed(SOURCES.items()))
    assert list(backwards) != list(SOURCES)
    assert digest(backwards) == digest(SOURCES)


def test_where_the_package_lies_does_not_matter(tmp_path: Path) -> None:
    here, there = write(tmp_path / "here", SOURCES), write(tmp_path / "render" / "cli", SOURCES)
    assert recording_sources(here) == recording_sources(there) == SOURCES


@pytest.mark.parametrize("name", ["render.py", "cli/watch.py", "__init__.py", "game.pyi", "g.txt"])
def test_what_no_record_depends_on_is_left_out(name: str, tmp_path: Path) -> None:
    assert recording_sources(write(tmp_path, {**SOURCES, name: b"new"})) == SOURCES


def test_what_decides_is_in() -> None:
    sources = recording_sources(PACKAGE)
    assert {"game.py", "inference.py", "play.py", "agents/__init__.py", "agents/exact.py"} <= set(
        sources
    )
    assert not {name.partition("/")[0].removesuffix(".py") for name in sources} & APART
