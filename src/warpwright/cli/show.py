"""`warpwright ncu show`."""

from __future__ import annotations

from typing import Annotated

import typer

from warpwright.cli.limit import limit_option


def show(
    address: Annotated[
        str,
        typer.Argument(
            metavar="ADDRESS",
            help="REPORT, REPORT#L0, or REPORT#L0/KIND/NAME, where KIND is section, metric, line "
            "or finding.",
        ),
    ],
    limit: Annotated[int, limit_option("Rows of each list.")] = 10,
    absent: Annotated[
        bool, typer.Option("--all", help="Of a section: also the metrics that were not collected.")
    ] = False,
    json: Annotated[bool, typer.Option("--json", help="One JSON document on stdout.")] = False,
) -> None:
    """Drill down: a report, a launch, a section, then a metric, a line or a finding."""
    from warpwright.cli.output import emit
    from warpwright.operations.show import show as show_place
    from warpwright.render.show import view_text

    emit(show_place(address, limit, absent), json, view_text)
