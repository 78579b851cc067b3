"""`warpwright evaluate`: is a candidate right, and how fast is it?"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer


class DeviceChoice(StrEnum):
    """Where to evaluate."""

    auto = "auto"
    cuda = "cuda"
    cpu = "cpu"


class BaselineSource(StrEnum):
    """Where the times of baselines come from."""

    auto = "auto"
    live = "live"
    cached = "cached"


class Compiler(StrEnum):
    """What compiles a CUDA C++ candidate."""

    nvcc = "nvcc"
    torch = "torch"


def evaluate(
    task: Annotated[Path, typer.Argument(help="The task's folder, or its task.toml.")],
    candidates: Annotated[
        list[Path],
        typer.Argument(help="Candidates: .cu, .cpp or .py files.", metavar="CANDIDATE"),
    ],
    because: Annotated[
        str | None,
        typer.Option(help="The finding acted on: REPORT#L0/finding/ID.", metavar="ADDRESS"),
    ] = None,
    device: Annotated[DeviceChoice, typer.Option(help="Where to run.")] = DeviceChoice.auto,
    min_speedup: Annotated[
        float | None,
        typer.Option(
            help="Exit 1 unless the interval of every measured speedup lies at or above this.",
            min=0.0,
        ),
    ] = None,
    baselines: Annotated[
        BaselineSource,
        typer.Option(help="auto: slow ones (> 50 ms) on a GPU from an earlier measurement on it."),
    ] = BaselineSource.auto,
    time_limit: Annotated[
        float | None,
        typer.Option(help="Seconds of timing a candidate (default: the task's).", min=0.1),
    ] = None,
    call_timeout: Annotated[
        float, typer.Option(help="Seconds one call may take before it is killed.", min=0.1)
    ] = 30.0,
    via: Annotated[Compiler, typer.Option(help="Compile .cu by nvcc alone, or by torch.")] = (
        Compiler.nvcc
    ),
    quick: Annotated[
        bool, typer.Option("--quick", help="All checks, but only a short timing.")
    ] = False,
    as_json: Annotated[bool, typer.Option("--json", help="Print one JSON document.")] = False,
) -> None:
    """Check candidates against float64 on fresh inputs, and time them against the baselines.

    Exit code 1: a candidate is not correct, or slower than --min-speedup asks.
    """
    from warpwright.cli.output import emit
    from warpwright.evaluation.bench import Request
    from warpwright.operations import evaluate as verb
    from warpwright.render.verdict import evaluation_text

    request = Request(device.value, baselines.value, time_limit, call_timeout, quick)
    options = verb.EvaluateOptions(request, via.value, because)
    with _progress() as say:
        evaluation = verb.evaluate(task, candidates, options, say)
    emit(evaluation, as_json, evaluation_text)
    if verb.has_fault(evaluation):
        raise typer.Exit(3)
    for line in verb.shortfalls(evaluation, min_speedup):
        sys.stderr.write(f"{line}\n")
    if not verb.is_positive(evaluation, min_speedup):
        raise typer.Exit(1)


@contextmanager
def _progress() -> Iterator[Callable[[str], None]]:
    """One line on stderr that says what is going on; nothing if stderr is no terminal."""
    if not sys.stderr.isatty():
        yield lambda _: None
        return
    from rich.console import Console
    from rich.text import Text

    with Console(stderr=True).status("starting") as status:
        yield lambda text: status.update(Text(text))  # a name is no markup
