"""`warpwright build`: compile a candidate and say what the compiler made of it."""

from __future__ import annotations

import sys
from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer


class Via(StrEnum):
    """Who compiles."""

    nvcc = "nvcc"
    torch = "torch"


def build(
    task: Annotated[Path, typer.Argument(help="The task's folder, or its task.toml.")],
    candidate: Annotated[Path, typer.Argument(help="The candidate: a .cu, .cpp or .py file.")],
    target: Annotated[
        str | None,
        typer.Option(help="Compile for this GPU, as sm_90a; left out: the one here, else sm_90a."),
    ] = None,
    via: Annotated[
        Via, typer.Option(help="nvcc alone (seconds), or torch's extension builder.")
    ] = Via.nvcc,
    as_json: Annotated[bool, typer.Option("--json", help="Print one JSON document.")] = False,
) -> None:
    """Compile a candidate and report registers, stack, spills, instructions and accesses.

    Needs no GPU. A build of the same source, flags and compiler is not made twice.
    """
    from warpwright.cli.output import emit
    from warpwright.operations.build import build as build_operation
    from warpwright.render.build import build_text

    if sys.stderr.isatty():
        sys.stderr.write(f"building {candidate} ...\n")
    emit(build_operation(task, candidate, target, via.value), as_json, build_text)
