"""`warpwright ncu diff`."""

from __future__ import annotations

import math
from typing import Annotated

import typer

from warpwright.cli.limit import limit_option
from warpwright.errors import UsageError


def diff(
    before: Annotated[str, typer.Argument(metavar="BEFORE", help="A report, or REPORT#L0.")],
    after: Annotated[str, typer.Argument(metavar="AFTER", help="The other one.")],
    raw: Annotated[bool, typer.Option("--raw", help="The numbers alone: all that moved.")] = False,
    limit: Annotated[
        int | None,
        limit_option("Rows of each list: 5; with --raw or --metric all."),
    ] = None,
    noise: Annotated[
        float | None,
        typer.Option(
            min=0, metavar="PCT", help="Smaller changes are none: 3, or 6 with unlocked clocks."
        ),
    ] = None,
    metric: Annotated[
        list[str] | None,
        typer.Option(metavar="GLOB", help="Only these metrics, moved or not. Can be repeated."),
    ] = None,
    any_device: Annotated[
        bool, typer.Option("--any-device", help="Compare reports of different GPUs.")
    ] = False,
    claim: Annotated[
        list[str] | None,
        typer.Option(
            "--claim",
            "--because",
            metavar="FINDING",
            help="Id or address of a finding: did what removes it take effect in the machine "
            "code? Without it, this is told of every finding that vanished. Can be repeated.",
        ),
    ] = None,
    json: Annotated[bool, typer.Option("--json", help="One JSON document on stdout.")] = False,
) -> None:
    """What changed, and why: where the time went, findings, whether changes took effect."""
    from warpwright.cli.output import emit
    from warpwright.operations.diff import diff as compare
    from warpwright.operations.diff_options import DiffOptions
    from warpwright.render.difference import difference_text

    if noise is not None and not math.isfinite(noise):
        raise UsageError(f"--noise {noise} is no percentage", hint="for example --noise 5")
    if claim and (raw or metric):
        raise UsageError(
            f"--claim asks for causes and {'--raw' if raw else '--metric'} for numbers alone",
            hint="give one of them",
        )
    options = DiffOptions(raw, tuple(metric or ()), limit, noise, any_device, tuple(claim or ()))
    emit(compare(before, after, options), json, difference_text)
