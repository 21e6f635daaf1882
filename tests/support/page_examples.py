"""Follows a page of the docs as a reader would: its files are saved, its commands and code run.

Games are fewer than the page says, and what takes seconds runs only where `long` is set. A block in
a language that nothing here runs is an error.
"""

from __future__ import annotations

import doctest
import io
import os
import re
import shlex
import socket
import subprocess
import sys
import time
import tomllib
from collections.abc import Callable, Iterator
from contextlib import ExitStack, redirect_stdout
from dataclasses import dataclass, field
from importlib import import_module
from pathlib import Path
from typing import Any, Final

import httpx
import yaml

from mineproof import Transcript, cli

__all__ = ["DRAWINGS", "ROOT", "Block", "Follower", "blocks_of", "commands_in"]

ROOT: Final = Path(__file__).parents[2]
PROJECT: Final = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
DRAWINGS: Final = {("docs/architecture.md", "seed, level, rules, channel")}
"""Blocks of text that are pictures: their pages and first lines."""

SLOW: Final = {"study", "records", "tournament", "serve", "play", "python", "python3", ".", "dask"}
"""Verbs of mineproof and programs that run only if there is time."""


@dataclass(frozen=True)
class Block:
    """A block of code, and the file as which the words before it tell the reader to save it."""

    page: str
    language: str
    text: str
    file: str | None


def blocks_of(page: Path) -> list[Block]:
    """Return the blocks of a page. Code is never indented, so that no block can hide."""
    text, name = page.read_text(encoding="utf-8"), page.relative_to(ROOT).as_posix()
    found, before = [], ""
    for part in re.split(r"^(```.*?^```$)", text, flags=re.DOTALL | re.MULTILINE):
        if not part.startswith("```"):
            assert not re.search(r"\n\n {4}", part), f"{name}: a block without a fence"
            assert "```" not in part, f"{name}: a fence that does not begin its line"
            before = part
            continue
        language, _, code = part.removeprefix("```").removesuffix("```").partition("\n")
        saved = re.search(r"[Ss]ave\s(?:this|it)\sas\s`([\w.]+)`[^`]*$", before)
        found.append(Block(name, language, code, saved and saved[1]))
        before = ""
    return found


def commands_in(block: str) -> Iterator[str]:
    """Yield the commands of a shell block, without comments."""
    for line in block.replace("\\\n", " ").splitlines():
        if command := re.sub(r"(^|\s)#\s.*", "", line).strip():
            yield command


@dataclass
class Follower:
    """Reads pages in a folder of its own."""

    folder: Path
    stack: ExitStack
    address: Callable[[], str]
    long: bool
    names: dict[str, Any] = field(default_factory=lambda: {"__name__": "example"})
    _scheduler: str = ""

    def follow(self, page: Path) -> None:
        """Run all blocks of a page."""
        for block in blocks_of(page):
            self._follow(block)

    def _follow(self, block: Block) -> None:
        if block.file is not None:
            (self.folder / block.file).write_text(block.text, encoding="utf-8")
        if block.language.startswith("{"):
            return  # A directive, which the site's build carries out.
        run = getattr(self, f"_run_{block.language or 'plain'}", None)
        assert run is not None, f"{block.page}: nothing runs {block.language or 'plain'} blocks"
        run(block)

    # Languages

    def _run_python(self, block: Block) -> None:
        text = block.text
        if ">>>" in text:
            test = doctest.DocTestParser().get_doctest(text, self.names, block.page, None, None)
            assert test.examples
            assert doctest.DocTestRunner().run(test, clear_globs=False).failed == 0
            self.names.update(test.globs)
        elif "ProcessPoolExecutor" not in text or self.long:
            if "http://127.0.0.1:8080" in text:
                text = text.replace("http://127.0.0.1:8080", self.address())
            text = re.sub(r"games=[\d_]+, exec", "games=2, exec", text)
            exec(compile(text, block.page, "exec"), self.names)

    def _run_sh(self, block: Block) -> None:
        if block.text.startswith("#!"):
            assert block.file, f"{block.page}: a script that is not saved"
            return
        for command in commands_in(block.text):
            self._command(command)

    def _run_console(self, block: Block) -> None:
        """Compare what commands print with what the page says."""
        for part in re.split(r"^\$ ", block.text, flags=re.MULTILINE)[1:]:
            command, _, shown = part.partition("\n")
            assert self._command(command, shorter=False).split("\n") == shown.split("\n"), command

    def _run_toml(self, block: Block) -> None:
        """Read entry points, and load what is there."""
        groups = tomllib.loads(block.text)["project"]["entry-points"]
        for group, points in groups.items():
            assert group in ("mineproof.agents", "mineproof.studies")
            for target in points.values():
                module, _, name = target.partition(":")
                if module != "my_package":
                    assert hasattr(import_module(module), name)

    def _run_yaml(self, block: Block) -> None:
        """Start what a cluster would start, each once, on this machine."""
        objects = list(yaml.safe_load_all(block.text))
        for each in objects:
            if each["kind"] == "Deployment":
                labels = each["spec"]["template"]["metadata"]["labels"]
                assert each["spec"]["selector"]["matchLabels"] == labels
                for container in each["spec"]["template"]["spec"]["containers"]:
                    names = {one["name"]: one["value"] for one in container.get("env", ())}
                    if self.long:
                        # A port of its own: the scheduler of this machine has taken one.
                        command = ["0" if word == "8786" else word for word in container["command"]]
                        self._start(command, **names)
        [service] = [each for each in objects if each["kind"] == "Service"]
        assert service["spec"]["ports"] == [{"port": 8786}]

    def _run_text(self, block: Block) -> None:
        first = block.text.strip().splitlines()[0].strip()
        if block.text.startswith("mineproof game"):
            text = block.text.rstrip("\n")
            assert Transcript.from_text(text).to_text() == text
        elif block.text.startswith("native/"):
            for folder in re.findall(r"^native/\S+", block.text, re.MULTILINE):
                assert (ROOT / folder).is_dir(), folder
        else:
            assert block.file or (block.page, first) in DRAWINGS, f"{block.page}: {first}"

    # Commands

    def _command(self, line: str, *, shorter: bool = True) -> str:
        line, _, file = line.partition(" > ")
        program, *words = shlex.split(line)
        verb = words[0] if program == "mineproof" and words else program
        run = getattr(self, f"_{'source' if program == '.' else program.rstrip('3')}", None)
        assert run is not None, f"nothing runs {line}"
        if not self.long and (verb in SLOW or "--search" in words):
            return ""
        out: str = run(*(_shorter(words) if shorter else words))
        if file:
            (self.folder / file).write_text(out, encoding="utf-8")
        return out

    def _mineproof(self, *words: str) -> str:
        if words[:1] in (("serve",), ("play",)):
            return self._serve(*words)
        if "--cluster" in words:
            words = tuple(self._contact() if word.endswith(":8786") else word for word in words)
        out = io.StringIO()
        with redirect_stdout(out):
            assert cli.main(list(words)) == 0, words
        return out.getvalue()

    def _serve(self, verb: str, *words: str) -> str:
        port = str(_free_port())
        if verb == "play":
            words = (*words, "--no-browser")
        else:
            words = tuple(port if word == "8080" else word for word in words)
        server = self._start([sys.executable, "-u", "-m", "mineproof", verb, *words], listen=True)
        assert server.stdout is not None
        for line in server.stdout:
            if found := re.search(r"http://\S+?:(\d+)", line):
                assert httpx.get(f"http://127.0.0.1:{found[1]}/").status_code == 200
                return ""
        raise AssertionError(f"mineproof {verb} ended")

    def _make(self, target: str) -> str:
        return self._run("make", "--dry-run", "--directory", str(ROOT), target)

    def _pip(self, verb: str, what: str) -> str:
        """Check the words; tests/test_packaging.py installs what they name."""
        found = re.fullmatch(r"(?:\.|mineproof)(?:\[(\w+)\])?", what)
        assert verb == "install"
        assert found is not None, what
        assert found[1] is None or found[1] in PROJECT["optional-dependencies"], what
        return ""

    def _python(self, *words: str) -> str:
        if words[:2] == ("-m", "benchmarks"):
            return self._run(sys.executable, *words, "--help")  # `make bench` takes ten minutes.
        if words[0] == "-m" and words[1].startswith("benchmarks."):
            return self._run(sys.executable, *words, "--help")
        return self._run(sys.executable, *words)

    def _source(self, file: str) -> str:
        assert (self.folder / file).exists()
        return ""

    def _dask(self, *words: str) -> str:
        self._contact()
        return ""

    def _sbatch(self, *words: str) -> str:
        """Run the script of a job once, on this machine."""
        if self.long:
            script = (self.folder / words[-1]).read_text(encoding="utf-8")
            script = script.replace("tcp://host:8786", self._contact())
            self._start(["bash", "-c", script.replace("--nworkers 32", "--nworkers 1")])
        return ""

    # Processes

    def _run(self, *words: str) -> str:
        where = self.folder if "benchmarks" not in " ".join(words) else ROOT
        done = subprocess.run(words, cwd=where, capture_output=True, text=True, env=_environment())
        assert done.returncode == 0, (words, done.stderr)
        return done.stdout

    def _start(
        self, words: list[str], *, listen: bool = False, **environment: str
    ) -> subprocess.Popen[str]:
        """Start a process that ends with the page."""
        contact = self._scheduler or "tcp://127.0.0.1:8786"
        words = [re.sub(r"tcp://\w+:8786", contact, word) for word in words]
        process = subprocess.Popen(
            words,
            cwd=self.folder,
            env=_environment() | environment,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE if listen else subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            text=True,
            start_new_session=True,
        )
        self.stack.enter_context(process)
        self.stack.callback(process.terminate)
        self.stack.callback(_assert_runs, process)
        return process

    def _contact(self) -> str:
        """Return the address of a cluster on this machine, started as docs/scale.md says."""
        if not self._scheduler:
            port = _free_port()
            self._scheduler = f"tcp://127.0.0.1:{port}"
            blocks = blocks_of(ROOT / "docs" / "scale.md")
            [lines] = [block.text for block in blocks if block.text.startswith("dask scheduler")]
            for line in commands_in(lines):
                self._start(shlex.split(line.replace("--port 8786", f"--port {port}")))
            _wait_for(port)
        return self._scheduler


def _shorter(words: list[str]) -> list[str]:
    """Play fewer games, and instead of all studies two small ones."""
    limits = {"--games": 2, "--evaluations": 1000, "--count": 3, "--workers": 1}
    for option, most in limits.items():
        if option in words:
            at = words.index(option) + 1
            words[at] = str(min(int(words[at]), most))
    if words[:1] == ["compare"]:
        words += ["--workers", "1"]
    if words[:1] == ["study"] and len(words) > 1:
        words = [word for word in words if word not in ("--quick", "--all")]
        words += ["given", "total"] * (words[1].startswith("--"))
        words += ["--games", "2"] * ("--games" not in words)
    return words


def _assert_runs(process: subprocess.Popen[str]) -> None:
    assert process.poll() is None, f"{process.args!r} has ended with {process.returncode}"


def _environment() -> dict[str, str]:
    programs = Path(sys.executable).parent
    return {**os.environ, "PATH": f"{programs}:{os.environ['PATH']}", "MAKEFLAGS": ""}


def _free_port() -> int:
    with socket.socket() as listening:
        listening.bind(("127.0.0.1", 0))
        port: int = listening.getsockname()[1]
        return port


def _wait_for(port: int) -> None:
    for _ in range(600):
        with socket.socket() as asking:
            if asking.connect_ex(("127.0.0.1", port)) == 0:
                return
        time.sleep(0.1)
    raise AssertionError("the scheduler does not answer")
