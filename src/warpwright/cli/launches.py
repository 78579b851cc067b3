"""`warpwright ncu launches`."""

from __future__ import annotations

from typing import Annotated, Literal

import typer

from warpwright.cli.limit import limit_option


def launches(
    report: Annotated[str, typer.Argument(metavar="REPORT", help="A report, or REPORT#L0.")],
    kernel: Annotated[
        str | None, typer.Option(metavar="REGEX", help="Only kernels whose name matches.")
    ] = None,
    by: Annotated[
        Literal["launch", "kernel"], typer.Option(help="Every launch, or only sums by kernel.")
    ] = "launch",
    sort: Annotated[
        Literal["time", "index"], typer.Option(help="The longest first, or as they ran.")
    ] = "time",
    limit: Annotated[
        int,
        limit_option("Launches and kernels to list."),
    ] = 20,
    json: Annotated[bool, typer.Option("--json", help="One JSON document on stdout.")] = False,
) -> None:
    """Which kernels ran, how often, and where the time went."""
    from warpwright.cli.output import emit
    from warpwright.operations.launches import list_launches
    from warpwright.render.launches import launches_text

    emit(list_launches(report, kernel, by, sort, limit), json, launches_text)
