"""`warpwright ncu metrics`."""

from __future__ import annotations

from typing import Annotated

import typer

from warpwright.cli.limit import limit_option


def metrics(
    report: Annotated[
        str,
        typer.Argument(
            metavar="REPORT", help="A report, REPORT#L0, or a metric's or section's address."
        ),
    ],
    glob: Annotated[
        list[str] | None,
        typer.Argument(metavar="GLOB...", help="Names, globs, or re:EXPRESSION (contained)."),
    ] = None,
    instances: Annotated[
        bool, typer.Option("--instances", help="Every instance too: by PC, opcode, size ...")
    ] = False,
    limit: Annotated[
        int,
        limit_option("Values, and instances of each."),
    ] = 50,
    json: Annotated[bool, typer.Option("--json", help="One JSON document on stdout.")] = False,
) -> None:
    """Values of metrics by name, with unit and meaning, for every launch."""
    from warpwright.cli.output import emit
    from warpwright.operations.metrics import list_metrics
    from warpwright.render.metrics import metrics_text

    emit(list_metrics(report, tuple(glob or ()), instances, limit), json, metrics_text)
