"""`warpwright ncu profile`."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

import typer
from typer.core import TyperCommand

from warpwright.cli.limit import limit_option
from warpwright.cli.output import emit
from warpwright.errors import BadInput

if TYPE_CHECKING:
    from collections.abc import Callable

    from warpwright.model.profile import Profile
    from warpwright.profiling.options import Options

_PROGRAM = "warpwright.cli.profile.program"


class ProfileCommand(TyperCommand):
    """Takes what follows `--` as the program to profile; the parser sees only what precedes."""

    def parse_args(self, ctx: typer.Context, args: list[str]) -> list[str]:  # type: ignore[override]
        """Set the program aside (None without `--`) and parse the rest."""
        end = args.index("--") if "--" in args else None
        ctx.meta[_PROGRAM] = None if end is None else tuple(args[end + 1 :])
        return super().parse_args(ctx, args[:end])


def profile(
    ctx: typer.Context,
    task: Annotated[Path | None, typer.Argument(help="The task's folder.")] = None,
    candidate: Annotated[Path | None, typer.Argument(help="The candidate's file.")] = None,
    preset: Annotated[
        Literal["quick", "full"] | None,
        typer.Option("--set", help="Sections: full (default for a TASK), quick (for a COMMAND)."),
    ] = None,
    kernel: Annotated[
        str | None, typer.Option(metavar="REGEX", help="Only kernels whose name matches.")
    ] = None,
    launch_skip: Annotated[
        int, typer.Option(min=0, metavar="N", help="Skip the first N matching launches.")
    ] = 0,
    launch_count: Annotated[
        int | None,
        limit_option("Profile at most N launches."),
    ] = None,
    target_processes: Annotated[
        Literal["all", "application-only"],
        typer.Option(help="For a COMMAND: its child processes too, or not."),
    ] = "all",
    shape: Annotated[
        str | None, typer.Option(metavar="NAME", help="The task's shape (default: the timed one).")
    ] = None,
    clock_control: Annotated[
        Literal["none", "base"], typer.Option(help="base locks the GPU's clocks to base.")
    ] = "none",
    replay: Annotated[
        Literal["kernel", "application", "range"],
        typer.Option(help="What is run again for every pass over the counters."),
    ] = "kernel",
    timeout: Annotated[
        float, typer.Option(min=1, metavar="SECONDS", help="Stop Nsight Compute after this.")
    ] = 600.0,
    output: Annotated[
        Path | None, typer.Option("--output", "-o", help="The report (default: SUBJECT.ncu-rep).")
    ] = None,
    force: Annotated[bool, typer.Option("--force", help="Replace an existing report.")] = False,
    as_json: Annotated[bool, typer.Option("--json", help="Print one JSON document.")] = False,
) -> None:
    """Profile one warm call of a CANDIDATE of a TASK, or any program: [OPTIONS] -- COMMAND...

    Every launch of the call is profiled; its inputs are made, and it is warmed up, outside the
    profiler's range. A COMMAND is profiled from its start.
    """
    from warpwright.operations.profile import profile_command, report_path
    from warpwright.profiling.options import Options
    from warpwright.render.profile import profile_text

    program: tuple[str, ...] | None = ctx.meta[_PROGRAM]
    if program is not None:
        _check_program(program, task, shape)
    options = Options(
        output=report_path(output, _stem(program, candidate)),
        preset=preset or ("full" if program is None else "quick"),
        clock_control=clock_control,
        kernel=kernel,
        launch_skip=launch_skip,
        launch_count=launch_count,
        target_processes=target_processes,
        replay=replay,
        timeout_s=timeout,
        force=force,
    )
    if program is None:
        document = _profile_task(task, candidate, shape, options)
    else:
        document = profile_command(program, options, _progress())
    emit(document, as_json, profile_text)


def _profile_task(
    task: Path | None, candidate: Path | None, shape: str | None, options: Options
) -> Profile:
    from warpwright.operations.profile import profile_task

    if task is None or candidate is None:
        raise BadInput(
            "give a TASK and a CANDIDATE, or -- and a COMMAND",
            hint="warpwright ncu profile examples/kda examples/kda/candidates/before.cu",
        )
    return profile_task(task, candidate, options, shape, _progress())


def _check_program(program: tuple[str, ...], task: Path | None, shape: str | None) -> None:
    if not program or not program[0]:
        raise BadInput("no COMMAND after --", hint="warpwright ncu profile -- python bench.py")
    if task is not None or shape is not None:
        what = str(task) if task is not None else "--shape"
        raise BadInput(f"{what} does not go with a COMMAND", hint="give either, not both")


def _stem(program: tuple[str, ...] | None, candidate: Path | None) -> str:
    """What the report is named after: the candidate, the Python file, or the program."""
    if not program:
        subject = candidate or Path()
    else:
        subject = Path(next((word for word in program if word.endswith(".py")), program[0]))
    return subject.stem.strip(".") or "profile"


def _progress() -> Callable[[str], None] | None:
    return _show if sys.stderr.isatty() else None


def _show(line: str) -> None:
    if line.startswith("==PROF=="):
        sys.stderr.write(f"{line}\n")
