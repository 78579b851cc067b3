"""`warpwright ncu rules`."""

from __future__ import annotations

from typing import Annotated

import typer

from warpwright.cli.limit import limit_option


def rules(
    report: Annotated[
        str, typer.Argument(metavar="REPORT", help="A report, REPORT#L0, or a section's address.")
    ],
    limit: Annotated[int, limit_option("Rule results to list.")] = 8,
    json: Annotated[bool, typer.Option("--json", help="One JSON document on stdout.")] = False,
) -> None:
    """What Nsight Compute's own rules say; estimates of the kernel's gain first."""
    from warpwright.cli.output import emit
    from warpwright.operations.rules import list_rules
    from warpwright.render.rules import rules_text

    emit(list_rules(report, limit), json, rules_text)
