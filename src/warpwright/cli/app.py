"""The root of the command line: where commands hang, how errors and exit codes come out."""

from __future__ import annotations

import contextlib
import os
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Annotated

import typer

from warpwright import __version__
from warpwright.cli import advice, build, device, evaluate, ncu, run_commands, task
from warpwright.errors import EnvironmentFault, UsageError, WarpwrightError

INTERRUPTED = 130

app = typer.Typer(
    name="warpwright",
    help="Optimize GPU kernels from evidence: profile, digest, change, prove, record.",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,
)
app.add_typer(ncu.app, name="ncu")
app.add_typer(advice.app, name="advice")
app.add_typer(run_commands.app, name="run")
app.add_typer(task.app, name="task")
app.add_typer(device.app, name="device")
app.command("build")(build.build)
app.command("evaluate")(evaluate.evaluate)


def _version(show: bool) -> None:
    if show:
        sys.stdout.write(f"warpwright {__version__}\n")
        raise typer.Exit


@app.callback()
def root(
    version: Annotated[
        bool, typer.Option("--version", callback=_version, is_eager=True, help="Print the version.")
    ] = False,
) -> None:
    """Optimize GPU kernels from evidence: profile, digest, change, prove, record."""


def run(argv: Sequence[str]) -> int:
    """Run one command line; returns its exit code (0, 1, 2, 3 or 130)."""
    from warpwright.operations.record import recording

    try:
        with recording(tuple(argv)) as command:
            command.exit_code = _invoke(argv)
        return command.exit_code
    except WarpwrightError as error:
        _complain(str(error), error.hint)
        return error.exit_code
    except KeyboardInterrupt:
        _complain("interrupted", None)
        return INTERRUPTED
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())  # nobody reads it any more
        return 0


def _invoke(argv: Sequence[str]) -> int:
    command = typer.main.get_command(app)
    try:
        code = command.main(args=list(argv), prog_name="warpwright", standalone_mode=False)
    except SystemExit as stop:
        if isinstance(stop.__context__, BrokenPipeError):  # of which the parser makes exit code 1
            raise stop.__context__ from None
        raise
    except WarpwrightError:
        raise
    except (OSError, UnicodeError) as error:
        raise _fault(error) from None
    except Exception as error:
        said = getattr(error, "format_message", None)  # what the parser raises
        if said is None:
            raise
        where = getattr(getattr(error, "ctx", None), "command_path", "warpwright")
        raise UsageError(said() or "no such command", hint=f"{where} --help") from None
    if code == INTERRUPTED:  # the parser makes this of a KeyboardInterrupt
        raise KeyboardInterrupt
    return code if isinstance(code, int) else 0


def _fault(error: OSError | UnicodeError) -> EnvironmentFault:
    """What no operation foresaw of this machine's files, and of text it cannot write."""
    if isinstance(error, UnicodeError):
        return EnvironmentFault(
            f"a text cannot be read or written: {error}",
            hint="name files in UTF-8, and set LC_ALL=C.UTF-8",
        )
    if not _has_current_folder():
        return EnvironmentFault("the current folder is gone", hint="cd to one that exists")
    place = f"{os.fsdecode(error.filename)}: " if error.filename else ""
    return EnvironmentFault(
        f"{place}{(error.strerror or str(error)).lower()}",
        hint="is it there, may you use it, and is the disk full?",
    )


def _has_current_folder() -> bool:
    try:
        Path.cwd()
    except OSError:
        return False
    return True


def _complain(message: str, hint: str | None) -> None:
    with contextlib.suppress(OSError):  # a full disk may be what is told here
        sys.stdout.flush()
    sys.stderr.write(f"error: {message}\n")
    if hint:
        sys.stderr.write(f"hint: {hint}\n")
