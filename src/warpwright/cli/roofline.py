"""`warpwright ncu roofline`."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer


def roofline(
    report: Annotated[
        str, typer.Argument(metavar="REPORT", help="A report (its longest launch), or REPORT#L0.")
    ],
    svg: Annotated[
        Path | None,
        typer.Option("--svg", metavar="FILE", help="Write the picture, too.", show_default=False),
    ] = None,
    force: Annotated[bool, typer.Option("--force", help="Replace a file that is there.")] = False,
    json: Annotated[bool, typer.Option("--json", help="One JSON document on stdout.")] = False,
) -> None:
    """Where a launch stands under the roofs of its device, and how far it is from them.

    Ceilings: measured ('device calibrate'), else NVIDIA's data sheets, else the report's own.
    """
    from warpwright.cli.output import emit
    from warpwright.operations.roofline import roofline as stand
    from warpwright.operations.roofline import write_picture
    from warpwright.render.roofline import roofline_text
    from warpwright.render.roofline_svg import roofline_svg

    found = stand(report)
    if svg is not None:
        write_picture(svg, roofline_svg(found), report, force)
    emit(found, json, roofline_text)
