"""`warpwright ncu source`: hot spots by source line, instruction or stall reason."""

from __future__ import annotations

from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer

from warpwright.cli.limit import limit_option


class By(StrEnum):
    """What is ranked."""

    line = "line"
    sass = "sass"
    stall = "stall"


def source(
    report: Annotated[
        str,
        typer.Argument(
            metavar="REPORT", help="A report, REPORT#L0, or a line: REPORT#L0/line/kda.cu:42."
        ),
    ],
    by: Annotated[
        By | None, typer.Option(help="Rank lines (the default), instructions, or stall reasons.")
    ] = None,
    around: Annotated[
        str | None,
        typer.Option(metavar="FILE:LINE", help="This line, its neighbours and instructions."),
    ] = None,
    source_root: Annotated[
        Path | None,
        typer.Option(metavar="DIR", help="Where sources lie that the report has not imported."),
    ] = None,
    limit: Annotated[
        int | None,
        limit_option("The most rows; of instructions, the hottest."),
    ] = None,
    json: Annotated[bool, typer.Option("--json", help="One JSON document on stdout.")] = False,
) -> None:
    """Hot spots of a launch: samples, stalls, traffic by source line and by instruction."""
    from warpwright.cli.output import emit
    from warpwright.operations.source import show_source
    from warpwright.render.source import source_text

    emit(
        show_source(report, by.value if by else None, around, source_root, limit),
        json,
        source_text,
    )
