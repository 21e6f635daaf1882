"""The package builds from its own source distribution, and works from the wheel alone."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import sysconfig
import tarfile
import tomllib
import venv
import zipfile
from importlib.metadata import distribution
from pathlib import Path

import pytest
from packaging.requirements import Requirement
from packaging.version import Version

import mineproof
from mineproof.cli.errors import EXTRAS

ROOT = Path(__file__).parents[1]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
WORKFLOWS = sorted((ROOT / ".github" / "workflows").glob("*.yml"))
OFFLINE = {"PIP_NO_INDEX": "1", "PIP_DISABLE_PIP_VERSION_CHECK": "1"}


def run(*words: object, cwd: Path = ROOT, env: dict[str, str] = OFFLINE) -> str:
    """Run a program without the network's index; return its output, or fail with all of it."""
    clean = {k: v for k, v in os.environ.items() if not k.startswith(("PYTHON", "PYTEST"))}
    done = subprocess.run(
        [*map(str, words)],
        cwd=cwd,
        env=clean | env,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    )
    assert done.returncode == 0, done.stdout
    return done.stdout


def build(kind: str, source: Path, out: Path) -> Path:
    run(sys.executable, "-m", "build", f"--{kind}", "--no-isolation", "-o", out, source, cwd=out)
    [made] = out.glob("*.tar.gz" if kind == "sdist" else "*.whl")
    return made


@pytest.fixture(scope="module")
def sdist(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return build("sdist", ROOT, tmp_path_factory.mktemp("sdist"))


def test_the_source_distribution_has_all_that_it_needs(sdist: Path) -> None:
    with tarfile.open(sdist) as file:
        names = {name.partition("/")[2] for name in file.getnames()}
    assert "PKG-INFO" in names
    unwanted = r"(^|/)(\.venv|build|dist|\.git|__pycache__|\..*_cache)(/|$)|\.pyi$|^\.ci/"
    assert not [name for name in names if re.search(unwanted, name)]
    if not (ROOT / ".git").exists():
        pytest.skip("only a clone knows which files belong to it")
    tracked = set(run("git", "ls-files").splitlines())
    there = {name for name in tracked if (ROOT / name).is_file()}
    assert {name for name in there - names if not name.startswith(".ci/")} == set()


def test_versions_agree() -> None:
    citation = (ROOT / "CITATION.cff").read_text(encoding="utf-8")
    assert re.findall(r"^version: (.*)$", citation, re.MULTILINE) == [mineproof.__version__]
    assert f"## {Version(mineproof.__version__).base_version}" in (ROOT / "CHANGELOG.md").read_text(
        encoding="utf-8"
    )


@pytest.mark.parametrize(
    ("schema", "file"),
    [("citation-file-format", ROOT / "CITATION.cff")]
    + [("github-workflows", workflow) for workflow in WORKFLOWS],
    ids=lambda value: getattr(value, "name", value),
)
def test_files_for_others_fit_their_schemas(schema: str, file: Path) -> None:
    run(sys.executable, "-m", "check_jsonschema", "--builtin-schema", f"vendor.{schema}", file)


def test_the_workflows_pass_their_linter(tmp_path: Path) -> None:
    programs = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    lint = (shutil.which("zizmor", path=programs), "--offline", "--persona=pedantic")
    run(*lint, *WORKFLOWS)
    loose = re.sub(r"@[0-9a-f]{40} # v", "@v", WORKFLOWS[0].read_text(encoding="utf-8"))
    (tmp_path / "loose.yml").write_text(loose)
    with pytest.raises(AssertionError, match="unpinned"):
        run(*lint, tmp_path / "loose.yml")


def test_the_commands_name_extras_that_exist() -> None:
    extras = PROJECT["optional-dependencies"]
    assert set(EXTRAS.values()) <= set(extras)
    for package, extra in EXTRAS.items():
        names = {Requirement(line).name.replace("-", "_") for line in extras[extra]}
        assert package in names | {"pydantic", "vl_convert"}, package


def test_wheels_for_the_stable_abi_are_configured() -> None:
    tools = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["tool"]
    assert tools["cibuildwheel"]["config-settings"] == {"wheel.py-api": "cp312"}
    assert "STABLE_ABI" in (ROOT / "CMakeLists.txt").read_text(encoding="utf-8")


class Environment:
    """A virtual environment with nothing in it but pip."""

    def __init__(self, folder: Path) -> None:
        venv.create(folder, with_pip=True)
        self.bin = folder / "bin"
        self.python = self.bin / "python"
        self.packages = Path(sysconfig.get_path("purelib", vars={"base": str(folder)}))

    def copy_requirements(self, lines: list[str]) -> None:
        """Copy distributions, and all that they require, from the environment of the tests."""
        waiting, copied = [Requirement(line) for line in lines], set()
        while waiting:
            requirement = waiting.pop()
            if requirement.name in copied or not (
                requirement.marker is None or requirement.marker.evaluate({"extra": ""})
            ):
                continue
            copied.add(requirement.name)
            found = distribution(requirement.name)
            for file in found.files or ():
                if ".." not in file.parts and file.suffix != ".pyc":
                    target = self.packages / file
                    target.parent.mkdir(parents=True, exist_ok=True)
                    shutil.copy(str(file.locate()), target)
            waiting += [Requirement(line) for line in found.requires or ()]


@pytest.mark.long
def test_the_wheel_alone_solves_and_says_what_to_install(sdist: Path, tmp_path: Path) -> None:
    with tarfile.open(sdist) as file:
        file.extractall(tmp_path, filter="data")
    [source] = tmp_path.glob("mineproof-*")
    wheel = build("wheel", source, tmp_path)
    with zipfile.ZipFile(wheel) as file:
        names = file.namelist()
    assert "mineproof/_core.pyi" in names
    assert "mineproof/py.typed" in names
    assert not [name for name in names if name.startswith(("tests", "docs", "benchmarks"))]

    clean = Environment(tmp_path / "clean")
    clean.copy_requirements(PROJECT["dependencies"])
    run(clean.python, "-m", "pip", "install", "--no-index", wheel)
    run(clean.python, "-m", "pip", "check")
    command = clean.bin / "mineproof"
    position = source / "docs" / "images" / "position.txt"
    assert "%" in run(command, "solve", position, cwd=tmp_path)
    assert "won" in run(command, "watch", "--level", "easy", "--seed", 3, cwd=tmp_path)

    (tmp_path / "game.avf").write_bytes(b"x" * 64)
    for words, extra in [
        (("play",), "web"),
        (("serve",), "web"),
        (("study", "total", "--quick"), "lab"),
        (("report", "DIR"), "lab"),
        (("records", "DIR"), "lab"),
        (("watch", "game.avf"), "replays"),
    ]:
        failed = subprocess.run([command, *words], cwd=tmp_path, capture_output=True, text=True)
        assert failed.returncode == 2, failed
        assert failed.stderr.count("\n") == 1, failed.stderr
        assert f"pip install 'mineproof[{extra}]'" in failed.stderr, failed.stderr
    failed = subprocess.run(
        [clean.python, "-c", "import mineproof.env"], capture_output=True, text=True
    )
    assert "pip install 'mineproof[env]'" in failed.stderr


@pytest.mark.long
def test_the_source_distribution_passes_its_tests_offline(sdist: Path, tmp_path: Path) -> None:
    """The environment has the requirements of the tests, but neither mineproof nor this clone."""
    with tarfile.open(sdist) as file:
        file.extractall(tmp_path, filter="data")
    [source] = tmp_path.glob("mineproof-*")
    clean = Environment(tmp_path / "clean")
    # Entries of a .pth file are searched, but their own .pth files, such as that of an
    # installation in place, are not read.
    tests = sysconfig.get_path("purelib")
    (clean.packages / "tests.pth").write_text(f"{tests}\n")
    offline = OFFLINE | {"PATH": f"{clean.bin}:{Path(sys.executable).parent}:{os.environ['PATH']}"}
    install = ("pip", "install", "--no-build-isolation", "--no-deps", "--editable", ".")
    run(clean.python, "-m", *install, cwd=source, env=offline)
    where = run(clean.python, "-c", "import mineproof; print(mineproof.__file__)", cwd=tmp_path)
    assert where.startswith(str(source))
    output = run(
        clean.python, "-m", "pytest", "-q", "-n", 2, "-m", "not long", cwd=source, env=offline
    )
    assert " passed" in output
