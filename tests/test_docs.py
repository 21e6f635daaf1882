"""The docs keep their word: examples run, commands exist, links work, nothing is missing."""

from __future__ import annotations

import json
import re
import shlex
import subprocess
import sys
from collections.abc import Iterator
from contextlib import ExitStack
from functools import partial
from importlib import import_module
from pathlib import Path
from typing import Any

import click
import nbformat
import page_examples
import pytest
from commands import done
from nbclient import NotebookClient
from page_examples import SLOW, Block, Follower, blocks_of, commands_in
from replay_files import clicks_of, evf

import mineproof
from mineproof import LEVELS, Game, Outcome, Setup, Topology, Transcript, agents, cli, play
from mineproof.arena.signatures import SIGNATURES
from mineproof.formats import write_entry
from mineproof.lab import Arm, Study, studies
from mineproof.lab.run import run

ROOT = Path(__file__).parents[1]
DOCS = ROOT / "docs"
NOTEBOOKS = sorted((DOCS / "notebooks").glob("*.ipynb"))
PAGES = sorted([*DOCS.rglob("*.md"), *ROOT.glob("*.md")])
INTERNAL = {"arguments", "cli", "stdout"}
"""Packages without a page in the reference: the commands have their own."""


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


# Examples


@pytest.fixture(scope="module")
def given_files() -> dict[str, bytes]:
    """A finished game, as the examples name it."""
    game = Game.level("intermediate", seed=5)
    assert play(game, agents.get("exact"), seed=5).outcome is Outcome.WON
    played = Transcript.of(game)
    return {
        "game.txt": write_entry(played, "text"),
        "game.rawvf": write_entry(played, "rawvf"),
        "game.evf": evf(game.board, clicks_of(played)),
        "board.mbf": write_entry(game.board, "mbf"),
    }


@pytest.fixture
def follower(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    request: pytest.FixtureRequest,
    given_files: dict[str, bytes],
) -> Iterator[Follower]:
    """Follows pages in a folder that has what they take for granted."""
    (tmp_path / "docs").symlink_to(DOCS)
    for file, data in given_files.items():
        (tmp_path / file).write_bytes(data)
    (tmp_path / "position.txt").write_text(POSITION)
    (tmp_path / "boards.txt").write_text("..*\n...\n\n...\n.*.\n")
    (tmp_path / "homework").mkdir()
    [agent] = [b.text for b in blocks_of(DOCS / "tutorial.md") if "class Cautious" in b.text]
    (tmp_path / "my_agent.py").write_text(agent.replace("Cautious", "Mine"))
    (tmp_path / "homework" / "ada.py").write_text(agent)
    monkeypatch.chdir(tmp_path)
    monkeypatch.syspath_prepend(str(ROOT / "examples" / "edge_agent"))
    with ExitStack() as stack:
        address = partial(request.getfixturevalue, "address")
        yield Follower(tmp_path, stack, address, long=False)


POSITION = "7x3x4\n.......\n..121..\n.......\n"
EXAMPLES = [page for page in PAGES if blocks_of(page)]


@pytest.mark.parametrize("page", EXAMPLES, ids=named)
def test_the_examples_run(page: Path, follower: Follower) -> None:
    follower.follow(page)


def takes_long(block: Block) -> bool:
    words = (shlex.split(line) for line in commands_in(block.text) if block.language == "sh")
    return (
        any(SLOW & set(each[:2]) or "--search" in each for each in words)
        or "ProcessPoolExecutor" in block.text
        or block.language == "yaml"
    )


@pytest.mark.long
@pytest.mark.parametrize(
    "page", [p for p in EXAMPLES if any(map(takes_long, blocks_of(p)))], ids=named
)
def test_all_examples_run(page: Path, follower: Follower) -> None:
    follower.long = True
    follower.follow(page)


@pytest.mark.parametrize(
    "text",
    [
        "Words.\n\n    mineproof solve FILE\n",
        "```\nmineproof solve FILE\n```\n",
        "```sh\nrsync a b\n```\n",
        "```sh\nmake nothing\n```\n",
        "```sh\npip install 'mineproof[nothing]'\n```\n",
        "```text\na\n```\n",
        "```ruby\nputs 1\n```\n",
        "- ```sh\n  mineproof\n  ```\n",
        "```console\n$ mineproof --version\nmineproof 9\n```\n",
        "```python\n>>> 1 + 1\n3\n```\n",
    ],
)
def test_a_block_that_nothing_runs_would_be_found(
    text: str, follower: Follower, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(page_examples, "ROOT", tmp_path)
    (tmp_path / "Makefile").write_text("test:\n")
    (tmp_path / "page.md").write_text(text)
    with pytest.raises(AssertionError):
        follower.follow(tmp_path / "page.md")


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


@pytest.mark.parametrize("page", PAGES, ids=named)
def test_lines_are_short(page: Path) -> None:
    """Only tables, pictures and examples may have long lines."""
    text = re.sub(r"^```.*?^```", "", text_of(page), flags=re.DOTALL | re.MULTILINE)
    lines = [line for line in text.splitlines() if len(line) > 100]
    assert not [line for line in lines if not line.startswith(("|", "!["))]


@pytest.mark.parametrize("page", PAGES, ids=named)
def test_every_row_of_a_table_is_a_line(page: Path) -> None:
    """Also in lists, where it is easy to wrap a table as if it were text."""
    text = re.sub(r"^ *```.*?^ *```", "", text_of(page), flags=re.DOTALL | re.MULTILINE)
    assert not [line for line in text.splitlines() if "|--" in line and line.strip("|-: ")]


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


def test_the_tables_of_the_reports_are_of_the_agents_of_today() -> None:
    """`python examples/reports.py` plays their games again; read the page afterwards."""
    page = (DOCS / "reports.md").read_text(encoding="utf-8")
    codes = dict(re.findall(r"^([a-z-]+) ([0-9a-f]{8})$", page, re.MULTILINE))
    assert codes == {name: SIGNATURES[name] for name in codes}
    agents = {arm.agent.partition(":")[0] for arm in studies.get("reports").arms}
    assert set(codes) == agents


def test_the_glossary_has_the_levels() -> None:
    page = (DOCS / "glossary.md").read_text(encoding="utf-8")
    rows = re.findall(r"^\| (`.*`) \| (\d+) × (\d+) \| (\d+) \| ([\d.]+) \|$", page, re.MULTILINE)
    shown = {
        name: (int(rows), int(cols), int(mines))
        for names, rows, cols, mines, _ in rows
        for name in re.findall(r"`(\w+)`", names)
    }
    assert shown == {name: (*v.topology.shape, v.mines) for name, v in LEVELS.items()}
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
        arms=(Arm("exact", Setup(Topology(4, 4), 2), {}),),
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
