"""Kill a process and whatever it has started."""

from __future__ import annotations

import contextlib
import os
import signal
from pathlib import Path


def kill_group(leader: int) -> None:
    """Kill the process group that `leader` leads, if it still exists."""
    with contextlib.suppress(ProcessLookupError, PermissionError):
        os.killpg(leader, signal.SIGKILL)


def kill_marked(variable: str, mark: str) -> None:
    """Kill every process whose environment holds `variable=mark`, whatever its session."""
    needle = f"{variable}={mark}".encode()
    for _ in range(3):  # one that forks while we look is found the next time
        found = [pid for pid in _processes() if needle in _environment(pid)]
        for pid in found:
            with contextlib.suppress(ProcessLookupError, PermissionError):
                os.kill(pid, signal.SIGKILL)
        if not found:
            return


def _processes() -> list[int]:
    proc = Path("/proc")
    return [int(entry.name) for entry in proc.iterdir() if entry.name.isdigit()]


def _environment(pid: int) -> list[bytes]:
    try:
        return Path(f"/proc/{pid}/environ").read_bytes().split(b"\0")
    except OSError:
        return []
