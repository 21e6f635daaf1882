"""The docs keep their word: examples run, commands exist, links work, nothing is missing."""

from __future__ import annotations

import doctest
import json
import re
import shlex
import subprocess
import sys
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path
from typing import Any

import click
import nbformat
import pytest
from commands import done
from nbclient import NotebookClient

import mineproof
from mineproof import LEVELS, Setup, cli
from mineproof.lab import Arm, Study
from mineproof.lab.run import run

ROOT = Path(__file__).parents[1]
DOCS = ROOT / "docs"
NOTEBOOKS = sorted((DOCS / "notebooks").glob("*.ipynb"))
PAGES = sorted([*DOCS.rglob("*.md"), *ROOT.glob("*.md")])
INTERNAL = {"arguments", "cli"}
"""Packages without a page in the reference: the commands have their own."""

ELSEWHERE = {"dask_jobqueue", "dask_kubernetes", "my_executor"}
"""What examples for clusters use, and the tests cannot."""


def named(page: Path) -> str:
    return page.relative_to(ROOT).as_posix()


def text_of(page: Path) -> str:
    if page.suffix == ".ipynb":
        cells = json.loads(page.read_text(encoding="utf-8"))["cells"]
        return "\n\n".join("".join(c["source"]) for c in cells if c["cell_type"] == "markdown")
    return page.read_text(encoding="utf-8")


def fenced(page: Path, *languages: str) -> list[str]:
    """Return the blocks of a page in one of these languages."""
    blocks = re.findall(r"^```(\S*)\n(.*?)^```", text_of(page), re.DOTALL | re.MULTILINE)
    return [block for language, block in blocks if language in languages]


# Examples in Python


def elsewhere(block: str) -> bool:
    return any(word in block for word in ELSEWHERE)


@pytest.mark.parametrize("page", [p for p in PAGES if fenced(p, "python")], ids=named)
def test_the_examples_run(
    page: Path, monkeypatch: pytest.MonkeyPatch, request: pytest.FixtureRequest
) -> None:
    monkeypatch.chdir(ROOT)
    names: dict[str, object] = {"__name__": "example"}
    for block in fenced(page, "python"):
        if ">>>" in block:
            test = doctest.DocTestParser().get_doctest(block, names, named(page), None, None)
            assert test.examples
            assert doctest.DocTestRunner().run(test, clear_globs=False).failed == 0
            names.update(test.globs)
        elif elsewhere(block):
            for line in block.splitlines():
                if line.startswith("from mineproof"):
                    exec(line, names)
        else:
            if "http://127.0.0.1:8080" in block:
                block = block.replace("http://127.0.0.1:8080", request.getfixturevalue("address"))
            exec(compile(block, named(page), "exec"), names)


# Commands


def commands_of(page: Path) -> Iterator[str]:
    """Yield all commands of mineproof that a page shows, in blocks and between words."""
    text = text_of(page)
    indented = re.findall(r"(?:^ {4}.*\n)+", text, re.MULTILINE)
    for block in [*fenced(page, "", "console", "sh"), *indented]:
        for line in block.replace("\\\n", " ").splitlines():
            found = re.match(r"\s*(?:\$ )?mineproof( .*|$)", line)
            if found and not re.match(r" game \d", found[1]):
                yield re.sub(r"\s#\s.*", "", found[1]).partition(" > ")[0].strip()
    prose = re.sub(r"```.*?```", "", text, flags=re.DOTALL)
    for words in re.findall(r"`mineproof( [^`]*)`", prose):
        if not re.match(r" game \d| VERB", words):
            # Between words an option may be named without its value: `mineproof solve --svg`.
            yield re.sub(r" --(svg|html|save|to)$", r" --\1 FILE", " ".join(words.split()))


def parse(line: str) -> tuple[click.Command, list[str]]:
    """Return the command of a line and its arguments; fail if there are none such."""
    verb, *words = shlex.split(line) or ["--help"]
    if verb.startswith("--"):
        verb, words = "", [verb]
    command = cli.app.commands[verb] if verb else cli.app
    context = click.Context(command, info_name=verb)
    values, left, _ = command.make_parser(context).parse_args(list(words))
    assert not left or command is cli.app, f"{line}: {left}"
    for option in command.params:
        value = values.get(option.name or "")
        if isinstance(option.type, click.Choice) and isinstance(value, str) and value.islower():
            option.type.convert(value, option, context)
    return command, words


@pytest.mark.parametrize("page", PAGES, ids=named)
def test_the_commands_exist(page: Path) -> None:
    for line in commands_of(page):
        try:
            parse(line)
        except (KeyError, click.UsageError) as error:
            pytest.fail(f"{named(page)}: mineproof {line}: {error!r}")


def test_an_unknown_command_would_be_found() -> None:
    for line in ("sovle FILE", "solve FILE --risks", "measure A B", "watch --start sfae"):
        with pytest.raises((KeyError, click.UsageError, AssertionError)):
            parse(line)


CHEAP = {
    "agents",
    "chains",
    "compare",
    "explain",
    "generate",
    "measure",
    "review",
    "solve",
    "watch",
}


@pytest.mark.parametrize("page", ["tutorial.md", "howto.md", "gallery.md"])
def test_the_cheap_commands_run(
    page: str, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "docs").symlink_to(DOCS)
    [position] = [b for b in fenced(DOCS / "tutorial.md", "") if b.startswith("7x3x4")]
    [agent] = [b for b in fenced(DOCS / "tutorial.md", "python") if "class Cautious" in b]
    (tmp_path / "position.txt").write_text(position)
    (tmp_path / "cautious.py").write_text(agent)
    (tmp_path / "my_agent.py").write_text(agent.replace("Cautious", "Mine"))
    (tmp_path / "boards.txt").write_text("..*\n...\n\n...\n.*.\n")
    monkeypatch.chdir(tmp_path)
    ran = set()
    for block in fenced(DOCS / page, ""):
        for line in block.splitlines():
            if line.startswith("mineproof ") and line.split()[1] in CHEAP:
                command, _, file = re.sub(r"\s#\s.*", "", line).partition(" > ")
                words = shlex.split(re.sub(r"--games \d+", "--games 2", command))
                workers = ["--workers", "1"] if words[1] == "compare" else []
                out = done(capsys, *words[1:], *workers)
                if file:
                    Path(file).write_text(out)
                ran.add(words[1])
    assert len(ran) >= 3


def test_the_first_agent_has_fifteen_lines() -> None:
    [agent] = [b for b in fenced(DOCS / "tutorial.md", "python") if "class Cautious" in b]
    assert len(agent.splitlines()) <= 15


# Links


def anchors_of(page: Path) -> set[str]:
    """Return the anchors of a page's headings, as code hosts and the site make them."""
    text = re.sub(r"```.*?```", "", text_of(page), flags=re.DOTALL)
    headings = re.findall(r"^#+ (.*)$", text, re.MULTILINE)
    plain = [re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", heading) for heading in headings]
    return {re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in plain}


@pytest.mark.parametrize("page", [*PAGES, *NOTEBOOKS], ids=named)
def test_links_lead_somewhere(page: Path) -> None:
    text = re.sub(r"```.*?```", "", text_of(page), flags=re.DOTALL)
    for link in re.findall(r"\]\(([^)\s]+)\)", text):
        if "://" in link:
            continue
        path, _, anchor = link.partition("#")
        target = page.parent / path if path else page
        assert target.exists(), f"{named(page)}: {link}"
        if anchor:
            assert anchor in anchors_of(target), f"{named(page)}: {link}"


@pytest.mark.long
def test_the_index_has_every_page() -> None:
    index = (DOCS / "index.md").read_text(encoding="utf-8")
    contents = "\n".join(re.findall(r"```\{toctree\}(.*?)```", index, re.DOTALL)).split()
    for page in [*DOCS.glob("*.md"), *NOTEBOOKS]:
        name = page.relative_to(DOCS).as_posix()
        if name != "index.md":
            assert f"]({name})" in index, name
            assert name.rpartition(".")[0] in contents, name


# Completeness


def modules_of_the_reference() -> list[str]:
    pages = "\n".join(p.read_text(encoding="utf-8") for p in (DOCS / "api").glob("*.md"))
    return re.findall(r"automodule:: (\S+)", pages)


def test_the_reference_has_every_package() -> None:
    packages = {file.stem for file in (ROOT / "src" / "mineproof").glob("[a-z]*.py")}
    packages |= {file.parent.name for file in (ROOT / "src" / "mineproof").glob("*/__init__.py")}
    expected = {f"mineproof.{package}" for package in packages - INTERNAL}
    assert expected <= set(modules_of_the_reference())


def test_the_reference_lists_the_names_of_mineproof() -> None:
    page = (DOCS / "api" / "index.md").read_text(encoding="utf-8")
    listed = re.findall(r"`(\w+) <mineproof[\w.]+>`", page)
    assert sorted([*listed, "__version__"]) == sorted(mineproof.__all__)


def test_public_names_have_docstrings() -> None:
    for name in modules_of_the_reference():
        module = import_module(name)
        for word in getattr(module, "__all__", ()):
            value = getattr(module, word)
            if callable(value) and not hasattr(value, "__origin__"):
                assert (value.__doc__ or "").strip(), f"{name}.{word}"


def test_the_glossary_has_the_levels() -> None:
    page = (DOCS / "glossary.md").read_text(encoding="utf-8")
    rows = re.findall(r"^\| (`.*`) \| (\d+) × (\d+) \| (\d+) \| ([\d.]+) \|$", page, re.MULTILINE)
    shown = {
        name: (int(rows), int(cols), int(mines))
        for names, rows, cols, mines, _ in rows
        for name in re.findall(r"`(\w+)`", names)
    }
    assert shown == {name: (v.rows, v.cols, v.mines) for name, v in LEVELS.items()}
    for _, height, width, mines, density in rows:
        assert float(density) == round(int(mines) / (int(height) * int(width)), 3)


@pytest.mark.long
def test_the_gallery_has_every_picture() -> None:
    page = (DOCS / "gallery.md").read_text(encoding="utf-8")
    for picture in (DOCS / "images").iterdir():
        if picture.suffix in (".svg", ".png") and not picture.name.startswith("long-chain"):
            assert f"](images/{picture.name})" in page, picture.name


# Promises


def stable_fields(command: str) -> list[str]:
    page = (DOCS / "versions.md").read_text(encoding="utf-8")
    [row] = re.findall(rf"^\| `{command}`.*? \| (.*) \|$", page, re.MULTILINE)
    return re.findall(r"`(\w+)`", row)


def test_the_stable_fields_are_those_of_json(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "p.txt").write_text("7x3x4\n.......\n..121..\n.......\n")
    solved = json.loads(done(capsys, "solve", tmp_path / "p.txt", "--json"))
    assert set(stable_fields("solve")) <= set(solved)
    explained = json.loads(done(capsys, "explain", tmp_path / "p.txt", "--json"))
    assert set(stable_fields("explain")) <= set(explained[0])
    least = json.loads(done(capsys, "optimal", "--rows", 2, "--cols", 2, "--mines", 1, "--json"))
    assert set(stable_fields("optimal")) <= set(least)
    words = ("compare", "--agents", "exact", "--level", "easy", "--games", 1, "--json")
    compared = json.loads(done(capsys, *words))
    fields = {"conditions", *compared["conditions"], "agents", *compared["agents"][0]}
    assert set(stable_fields("compare")) <= fields


def test_the_stable_columns_are_those_of_records(tmp_path: Path) -> None:
    page = (DOCS / "versions.md").read_text(encoding="utf-8")
    table = page.partition("## Columns of records")[2].partition("\n\nRecords")[0]
    listed = re.findall(r"`(\w+)`", "".join(re.findall(r"^\| (`.*?) \|", table, re.MULTILINE)))
    study = Study(
        "one",
        title="One",
        question="One?",
        arms=(Arm("exact", Setup(4, 4, 2), {}),),
        games=1,
        quick=1,
    )
    archive = run([study], tmp_path, workers=1)
    assert len(listed) > 25
    assert set(listed) <= set(archive.scan_all().collect_schema())


# Notebooks


def outputs_of(notebook: Any) -> list[str]:
    """Return what each cell of code prints and shows, without what is shown as a picture."""
    # Joined: how printed text is cut into outputs depends on timing.
    return [
        "".join(
            output.get("text") or output.get("data", {}).get("text/plain", "")
            for output in cell.outputs
            if "image/svg+xml" not in output.get("data", {})
        )
        for cell in notebook.cells
        if cell.cell_type == "code"
    ]


@pytest.mark.parametrize("page", NOTEBOOKS, ids=named)
def test_a_notebook_shows_what_it_computes(page: Path, tmp_path: Path) -> None:
    text = page.read_text(encoding="utf-8")
    kept: Any = nbformat.reads(text, as_version=4)
    again: Any = nbformat.reads(text, as_version=4)
    NotebookClient(again, timeout=300, resources={"metadata": {"path": tmp_path}}).execute()
    assert outputs_of(again) == outputs_of(kept)
    assert any(outputs_of(kept))


# The site


@pytest.mark.long
def test_the_site_builds_without_warnings_and_has_every_public_name(tmp_path: Path) -> None:
    from sphinx.util.inventory import InventoryFile

    words = ("--quiet", "--fail-on-warning", "--keep-going", DOCS, tmp_path)
    subprocess.run([sys.executable, "-m", "sphinx", *map(str, words)], check=True)
    inventory = InventoryFile.loads((tmp_path / "objects.inv").read_bytes(), uri="")
    documented = {name for kind in inventory.data for name in inventory.data[kind]}
    modules = {name: import_module(name) for name in modules_of_the_reference()}
    for name, module in modules.items():
        for word in getattr(module, "__all__", ()):
            value = getattr(module, word)
            homes = [home for home, m in modules.items() if getattr(m, word, None) is value]
            assert any(f"{home}.{word}" in documented for home in homes), f"{name}.{word}"
