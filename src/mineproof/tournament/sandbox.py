"""Starting the process of an agent: openly, or where the system keeps it from all else.

Isolation is bubblewrap's: namespaces of its own for files, processes and the network, and a filter
for the few calls of the kernel that could get around the limits.
"""

from __future__ import annotations

import errno
import os
import platform
import shutil
import struct
import subprocess
import sys
import sysconfig
from collections.abc import Collection, Iterator, Sequence
from pathlib import Path
from typing import Final

import mineproof

__all__ = ["check", "start", "start_openly"]

_TOOL: Final = "bwrap"
_PATIENCE: Final = 60.0
"""Seconds that the check may take."""
_KEPT: Final = ("LANG", "LC_ALL", "LD_LIBRARY_PATH", "PYTHONHASHSEED")
"""What an isolated process is told of the environment, if it is set."""
_TRIAL: Final = "from mineproof.tournament import player"


def start_openly(program: str, errors: int) -> subprocess.Popen[bytes]:
    """Start a program in Python with the rights of this process, but without a terminal."""
    return subprocess.Popen(
        _python(program, sys.path),
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=errors,
        start_new_session=True,
    )


def start(
    program: str, errors: int, file: Path, private: Collection[Path] = ()
) -> subprocess.Popen[bytes]:
    """Start a program in Python where there is nothing but Python, mineproof and a file's folder.

    There are no network and no other processes, nothing can be written, no process can be started,
    and all ends with this process. Private files, and the other agents in the folder, are hidden.
    """
    needed = [*_needed()]
    paths = [path for path in sys.path if path and _is_in(Path(path), needed)]
    with os.fdopen(_filter(), "rb") as calls:
        walls = [shutil.which(_TOOL) or _TOOL, *_walls(file, private, needed, calls.fileno())]
        return subprocess.Popen(
            [*walls, *_python(program, paths)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=errors,
            start_new_session=True,
            pass_fds=[calls.fileno()],
            env={name: os.environ[name] for name in _KEPT if name in os.environ},
        )


def check(file: Path) -> None:
    """Make sure that the agent of a file can be isolated here.

    Raises
    ------
    ValueError
        If it cannot.
    """
    if shutil.which(_TOOL) is None:
        raise ValueError(f"--isolate needs bubblewrap, on Linux: there is no program {_TOOL}")
    if platform.machine() not in _MACHINES:
        raise ValueError(f"--isolate does not know the processor {platform.machine()}")
    reading, writing = os.pipe()
    with os.fdopen(reading, encoding="utf-8", errors="replace") as errors:
        try:
            process = start(_TRIAL, writing, file.resolve())
        finally:
            os.close(writing)
        try:
            process.communicate(timeout=_PATIENCE)
        except subprocess.TimeoutExpired:
            process.kill()
            process.communicate()
        if process.returncode:
            said = [line.strip() for line in errors if line.strip()]
            reason = said[-1] if said else f"it ends with exit code {process.returncode}"
            raise ValueError(f"--isolate: bubblewrap does not work here: {reason}")


def _python(program: str, paths: Sequence[str]) -> list[str]:
    whole = f"import sys; sys.path[:] = sys.argv[1:]; {program}"
    return [sys.executable, "-P", "-c", whole, *paths]


# ------------------------------------------------------------------------------------------- files


def _needed() -> Iterator[Path]:
    """Yield the folders that Python needs: its own, those of packages, and that of mineproof."""
    yield from map(Path, (sys.prefix, sys.base_prefix, sys.exec_prefix, sys.base_exec_prefix))
    yield from map(Path, sysconfig.get_paths().values())
    yield from map(Path, mineproof.__path__)
    yield from (
        Path(path) for path in sys.path if path.endswith(("site-packages", "dist-packages"))
    )


def _is_in(path: Path, folders: Sequence[Path]) -> bool:
    """Return whether a path is one of the folders or in one, or holds the package itself."""
    return any(path.is_relative_to(each) for each in folders) or path in {
        Path(each).parent for each in mineproof.__path__
    }


def _walls(
    file: Path, private: Collection[Path], needed: Sequence[Path], calls: int
) -> Iterator[str]:
    """Yield the options of bubblewrap."""
    yield from ("--unshare-all", "--unshare-user", "--die-with-parent", "--cap-drop", "ALL")
    # With an init of bubblewrap's, an agent could write into its memory, which has no limit.
    yield "--as-pid-1"
    yield from ("--uid", "65534", "--gid", "65534", "--seccomp", str(calls))
    yield from ("--ro-bind", "/usr", "/usr")
    for name in ("/etc/ld.so.cache", "/etc/alternatives"):  # Libraries are found through them.
        yield from ("--ro-bind-try", name, name)
    for path in (Path(name) for name in ("/lib", "/lib64", "/bin")):
        if path.is_symlink():
            yield from ("--symlink", os.readlink(path), str(path))
        elif path.is_dir():
            yield from ("--ro-bind", str(path), str(path))
    yield from ("--proc", "/proc", "--dev", "/dev")
    folders = {each for path in (*needed, file.parent) for each in (path, path.resolve())}
    for path in sorted(folders, key=lambda path: len(path.parts)):
        if path.is_dir():
            yield from ("--ro-bind", str(path), str(path))
    for path in {*_hidden(file, private, folders)}:
        if path.is_dir():
            yield from ("--tmpfs", str(path), "--remount-ro", str(path))
        elif path.exists():
            yield from ("--ro-bind", "/dev/null", str(path))
    yield from ("--remount-ro", "/dev", "--remount-ro", "/", "--chdir", str(file.parent))


def _hidden(file: Path, private: Collection[Path], seen: Collection[Path]) -> Iterator[Path]:
    """Yield what nobody may see, although it lies in a folder that can be seen."""
    others = [other for other in file.parent.glob("*.py") if other.name[0] not in "._"]
    for path in (file.parent / "__pycache__", *others):
        # What a link leads to elsewhere cannot be seen, or belongs to the system.
        target = Path(os.path.realpath(path))  # Links may lead in a circle.
        if target.is_relative_to(file.parent) and target not in (file, file.parent):
            yield target
    for path in private:
        if any(path.is_relative_to(each) for each in seen):
            # The whole folder, unless something in it is needed.
            holds = any(each.is_relative_to(path.parent) for each in seen)
            yield path if holds else path.parent


# ------------------------------------------------------------------------------ calls of the kernel

_MACHINES: Final[dict[str, tuple[int, dict[str, int]]]] = {
    "x86_64": (
        0xC000003E,
        {
            "clone": 56,
            "fork": 57,
            "vfork": 58,
            "clone3": 435,
            "sched_setaffinity": 203,
            "memfd_create": 319,
            "memfd_secret": 447,
            "shmget": 29,
            "semget": 64,
            "msgget": 68,
            "mq_open": 240,
            "unshare": 272,
            "setns": 308,
            "ptrace": 101,
            "io_uring_setup": 425,
            "socket": 41,
            "add_key": 248,
            "request_key": 249,
            "keyctl": 250,
        },
    ),
    "aarch64": (
        0xC00000B7,
        {
            "clone": 220,
            "clone3": 435,
            "sched_setaffinity": 122,
            "memfd_create": 279,
            "memfd_secret": 447,
            "shmget": 194,
            "semget": 190,
            "msgget": 186,
            "mq_open": 180,
            "unshare": 97,
            "setns": 268,
            "ptrace": 117,
            "io_uring_setup": 425,
            "socket": 198,
            "add_key": 217,
            "request_key": 218,
            "keyctl": 219,
        },
    ),
}
"""By type of processor: the kernel's number for it, and those of the calls that are forbidden.

They start processes, take memory that the limits do not count, change the processor, or lead out of
the namespaces: the keys of a session and the sockets of virtual machines are in none.
"""

_LOAD, _EQUAL, _AT_LEAST, _ANY_BIT, _RETURN = 0x20, 0x15, 0x35, 0x45, 0x06
_ALLOW, _REFUSE, _KILL = 0x7FFF0000, 0x00050000, 0x80000000
_NUMBER_AT, _MACHINE_AT, _FLAGS_AT = 0, 4, 16
_OTHER_NUMBERS: Final = 0x40000000
"""From here on, numbers mean the same calls once more."""
_THREAD: Final = 0x00010000
"""The flag of `clone` for a thread of this process."""


def _filter() -> int:
    """Return a file to read the filter from, in the kernel's own code (see seccomp(2))."""
    reading, writing = os.pipe()
    with os.fdopen(writing, "wb") as stream:
        stream.write(_program(*_MACHINES[platform.machine()]))
    return reading


def _program(machine: int, calls: dict[str, int]) -> bytes:
    # Each step is (code, steps to skip if true, if false, value); the number of the call is loaded.
    steps = [
        (_LOAD, 0, 0, _MACHINE_AT),
        (_EQUAL, 1, 0, machine),
        (_RETURN, 0, 0, _KILL),
        (_LOAD, 0, 0, _NUMBER_AT),
        (_AT_LEAST, 0, 1, _OTHER_NUMBERS),
        (_RETURN, 0, 0, _KILL),
    ]
    for name, number in calls.items():
        # The C library does without clone3 only if it seems to be missing.
        refused = (_RETURN, 0, 0, _REFUSE | (errno.ENOSYS if name == "clone3" else errno.EPERM))
        if name != "clone":
            steps += [(_EQUAL, 0, 1, number), refused]
            continue
        steps += [
            (_EQUAL, 0, 4, number),
            (_LOAD, 0, 0, _FLAGS_AT),
            (_ANY_BIT, 1, 0, _THREAD),
            refused,
            (_RETURN, 0, 0, _ALLOW),
        ]
    steps.append((_RETURN, 0, 0, _ALLOW))
    return b"".join(struct.pack("=HBBI", *step) for step in steps)
