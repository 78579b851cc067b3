"""`warpwright ncu explain`."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer


def explain(
    address: Annotated[
        str,
        typer.Argument(
            metavar="FINDING",
            help="A finding's address, REPORT#L0/finding/ID, as `ncu digest` prints it.",
        ),
    ],
    source_root: Annotated[
        Path | None,
        typer.Option(metavar="DIR", help="Where sources lie that the report did not import."),
    ] = None,
    json: Annotated[bool, typer.Option("--json", help="One JSON document on stdout.")] = False,
) -> None:
    """One finding: its evidence, model, lines, SASS and stalls; how to verify a fix of it."""
    from warpwright.cli.output import emit
    from warpwright.operations.explain import explain as explain_finding
    from warpwright.render.explanation import explanation_text

    emit(explain_finding(address, source_root), json, explanation_text)
