"""Run a compiler so that it ends with us: own process group, time limit, own temporary folder."""

from __future__ import annotations

import os
import signal
import subprocess
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from warpwright.errors import BuildFailed, ToolMissing


@dataclass(frozen=True, slots=True)
class Finished:
    """How a compiler ended: exit status, all that it said, and wall-clock seconds."""

    status: int
    log: str
    seconds: float


def run_compiler(
    command: Sequence[str], *, folder: Path, timeout_s: float, request: str | None = None
) -> Finished:
    """Run to the end; on any interruption the whole process group is killed first.

    Args:
        command: program and arguments.
        folder: for the compiler's temporary files (the caller removes it).
        timeout_s: limit on wall-clock time.
        request: text for its standard input.

    Raises:
        BuildFailed: over the time limit.
        ToolMissing: the program cannot be started.
    """
    started = time.monotonic()
    try:
        process = subprocess.Popen(
            list(command),
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            errors="replace",
            env={**os.environ, "TMPDIR": str(folder), "LC_ALL": "C"},
            start_new_session=True,
        )
    except OSError as error:
        raise ToolMissing(f"{command[0]} cannot be started ({error.strerror})") from None
    try:
        log, _ = process.communicate(request, timeout=timeout_s)
    except subprocess.TimeoutExpired:
        log = _end(process)
        raise BuildFailed(
            f"the build took more than {timeout_s:g} s and was stopped",
            hint="a smaller unroll factor or fewer template instances compile faster",
            log=log,
        ) from None
    except BaseException:
        _end(process)
        raise
    return Finished(process.returncode, log, time.monotonic() - started)


def _end(process: subprocess.Popen[str]) -> str:
    os.killpg(process.pid, signal.SIGKILL)
    log, _ = process.communicate()
    return log
