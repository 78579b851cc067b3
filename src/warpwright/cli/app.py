"""The root of the command line: where commands hang, how errors and exit codes come out."""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from typing import Annotated

import typer

from warpwright import __version__
from warpwright.cli import build, evaluate, ncu, run_commands, task
from warpwright.errors import UsageError, WarpwrightError

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
app.add_typer(run_commands.app, name="run")
app.add_typer(task.app, name="task")
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
    except WarpwrightError:
        raise
    except Exception as error:
        said = getattr(error, "format_message", None)  # what the parser raises
        if said is None:
            raise
        where = getattr(getattr(error, "ctx", None), "command_path", "warpwright")
        raise UsageError(said() or "no such command", hint=f"{where} --help") from None
    if code == INTERRUPTED:  # the parser makes this of a KeyboardInterrupt
        raise KeyboardInterrupt
    return code if isinstance(code, int) else 0


def _complain(message: str, hint: str | None) -> None:
    sys.stdout.flush()
    sys.stderr.write(f"error: {message}\n")
    if hint:
        sys.stderr.write(f"hint: {hint}\n")
