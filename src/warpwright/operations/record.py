"""Record every command into the active run, without the agent's doing.

A surface wraps one command in `recording`; operations hand what they made to
`recorded_command()`. With no active run both do nothing. A command never fails because it
could not be recorded: one caution on stderr says so.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from warpwright.errors import WarpwrightError
from warpwright.runs.project import active_run

if TYPE_CHECKING:  # models cost start-up time, which a command outside a run need not pay
    from warpwright.operations.recorded import RecordedCommand

_CURRENT: ContextVar[RecordedCommand | None] = ContextVar("recorded command", default=None)


@dataclass
class Command:
    """The command being recorded; the surface sets `exit_code` before it ends."""

    argv: tuple[str, ...]
    exit_code: int = 0


def recorded_command() -> RecordedCommand | None:
    """The command being recorded, to hand results to; None where nothing is recorded."""
    return _CURRENT.get()


@contextmanager
def recording(argv: tuple[str, ...]) -> Iterator[Command]:
    """Record one command line into the active run, if there is one."""
    command = Command(argv)
    recorded = _begin(argv) if _is_recorded(argv) else None
    if recorded is None:
        yield command
        return
    token = _CURRENT.set(recorded)
    try:
        yield command
    except BaseException as error:
        recorded.end(_exit_code(error), _text(error))
        raise
    else:
        recorded.end(command.exit_code, None)
    finally:
        _CURRENT.reset(token)


def _is_recorded(argv: tuple[str, ...]) -> bool:
    """`run ...` tells of the record and help of the program: neither is part of the story."""
    own = argv[: argv.index("--")] if "--" in argv else argv
    return bool(own) and own[0] != "run" and not {"--help", "--version"} & set(own)


def _begin(argv: tuple[str, ...]) -> RecordedCommand | None:
    try:
        folder = active_run(Path.cwd())
        if folder is None:
            return None
        from warpwright.operations.recorded import RecordedCommand

        return RecordedCommand.begin(folder, argv)
    except (WarpwrightError, OSError) as error:
        sys.stderr.write(f"caution: this command is not recorded: {error}\n")
        return None


def _exit_code(error: BaseException) -> int:
    """What the process will exit with, as `cli.app.run` decides it."""
    if isinstance(error, KeyboardInterrupt):
        return 130
    if isinstance(error, BrokenPipeError):
        return 0
    code = error.code if isinstance(error, SystemExit) else getattr(error, "exit_code", 1)
    return code if isinstance(code, int) else int(code is not None)


def _text(error: BaseException) -> str | None:
    if isinstance(error, WarpwrightError):
        return str(error)
    if isinstance(error, KeyboardInterrupt):
        return "interrupted"
    if _exit_code(error) == 0 or hasattr(error, "exit_code") or isinstance(error, SystemExit):
        return None
    return f"{type(error).__name__}: {error}"
