"""Kill a process and whatever it has started."""

from __future__ import annotations

import contextlib
import os
import signal
from collections.abc import Set
from pathlib import Path
from time import monotonic, sleep

_PATIENCE_S = 5.0
_PAUSE_S = 0.005


def kill_group(leader: int) -> None:
    """Kill the process group that `leader` leads, if it still exists."""
    with contextlib.suppress(ProcessLookupError, PermissionError):
        os.killpg(leader, signal.SIGKILL)


def children() -> set[int]:
    """The processes that this one has started or adopted."""
    return _family().get(os.getpid(), set())


def kill_descendants(spared: Set[int]) -> None:
    """Kill and reap every descendant of this process but `spared` children and theirs.

    This process adopts orphans (`process_control.guarding`), so neither a session of its own nor
    an empty environment hides a process from this. One that forks while we look is found the
    next time; one that the kernel cannot end is given up after some seconds.
    """
    deadline = monotonic() + _PATIENCE_S
    while (found := _descendants(spared)) and monotonic() < deadline:
        for pid in found:
            with contextlib.suppress(ProcessLookupError, PermissionError):
                os.kill(pid, signal.SIGKILL)
            with contextlib.suppress(ChildProcessError):  # not ours before its parent is dead
                os.waitpid(pid, os.WNOHANG)
        sleep(_PAUSE_S)


def _descendants(spared: Set[int]) -> set[int]:
    family = _family()
    left = list(family.get(os.getpid(), set()) - spared)
    found: set[int] = set()
    while left:
        pid = left.pop()
        if pid not in found:
            found.add(pid)
            left += family.get(pid, set())
    return found


def _family() -> dict[int, set[int]]:
    """The children of every process, from /proc; dead ones that nobody has reaped count."""
    family: dict[int, set[int]] = {}
    for entry in Path("/proc").iterdir():
        if entry.name.isdigit():
            with contextlib.suppress(OSError):
                # pid (name) state parent ...: the name may hold anything
                fields = (entry / "stat").read_bytes().rpartition(b")")[2].split()
                family.setdefault(int(fields[1]), set()).add(int(entry.name))
    return family
