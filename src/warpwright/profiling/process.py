"""Run a program in a process group of its own, and leave none of it behind."""

from __future__ import annotations

import contextlib
import os
import signal
import subprocess
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO

_POLL_S = 0.1
_GRACE_S = 3.0


@dataclass(frozen=True, slots=True)
class Finished:
    """How it ended. `exit_code` None: it was stopped at its time limit."""

    exit_code: int | None
    text: str
    seconds: float


def run_in_group(
    command: Sequence[str],
    *,
    timeout_s: float,
    log: Path,
    on_line: Callable[[str], None] | None = None,
) -> Finished:
    """Run `command` with its output (both streams) in `log`; lines go to `on_line` as they come.

    At the time limit, and on any exception (Ctrl-C too), the whole group is ended: asked first,
    killed `_GRACE_S` seconds later. What outlives the program in its group is killed at once.
    """
    start = time.monotonic()
    with log.open("wb") as sink, log.open("rb") as source:
        process = subprocess.Popen(
            command,
            stdin=subprocess.DEVNULL,
            stdout=sink,
            stderr=subprocess.STDOUT,
            start_new_session=True,
        )
        try:
            exit_code = _wait(process, start + timeout_s, source, on_line)
        finally:
            if process.poll() is None:
                _ask_group(process)
            _kill_group(process)
    text = log.read_text(encoding="utf-8", errors="replace")
    return Finished(exit_code, text, time.monotonic() - start)


def _wait(
    process: subprocess.Popen[bytes],
    deadline: float,
    source: BinaryIO,
    on_line: Callable[[str], None] | None,
) -> int | None:
    unfinished = b""
    while True:
        with contextlib.suppress(subprocess.TimeoutExpired):
            process.wait(timeout=_POLL_S)
        if on_line is not None:
            *lines, unfinished = (unfinished + source.read()).split(b"\n")
            for line in lines:
                on_line(line.decode(errors="replace"))
        if process.returncode is not None or time.monotonic() >= deadline:
            return process.returncode


def _ask_group(process: subprocess.Popen[bytes]) -> None:
    os.killpg(process.pid, signal.SIGTERM)
    with contextlib.suppress(subprocess.TimeoutExpired):
        process.wait(timeout=_GRACE_S)


def _kill_group(process: subprocess.Popen[bytes]) -> None:
    with contextlib.suppress(ProcessLookupError):  # none is left of it
        os.killpg(process.pid, signal.SIGKILL)
    process.wait()
