"""`warpwright ncu what-if`."""

from __future__ import annotations

from typing import Annotated

import typer


def what_if(
    report: Annotated[
        str, typer.Argument(metavar="REPORT", help="A report of one launch, or REPORT#L0.")
    ],
    block: Annotated[
        int | None, typer.Option(metavar="N", help="Threads of a block.", show_default=False)
    ] = None,
    grid: Annotated[
        int | None,
        typer.Option(metavar="N", help="Blocks that share the work.", show_default=False),
    ] = None,
    registers: Annotated[
        int | None, typer.Option(metavar="N", help="Registers of a thread.", show_default=False)
    ] = None,
    shared: Annotated[
        int | None,
        typer.Option(
            metavar="N",
            help="Bytes of shared memory of a block, static plus dynamic.",
            show_default=False,
        ),
    ] = None,
    cluster: Annotated[
        int | None, typer.Option(metavar="N", help="Blocks of a cluster.", show_default=False)
    ] = None,
    sweep: Annotated[
        bool, typer.Option("--sweep", help="Occupancy over block size, registers, shared memory.")
    ] = False,
    json: Annotated[bool, typer.Option("--json", help="One JSON document on stdout.")] = False,
) -> None:
    """What another launch configuration gives: blocks per SM, waves, tail, predicted time."""
    from warpwright.cli.output import emit
    from warpwright.model.what_if import Change
    from warpwright.operations.what_if import what_if as ask
    from warpwright.render.what_if import what_if_text

    asked = Change(
        block=block, grid=grid, registers=registers, shared_bytes=shared, cluster=cluster
    )
    emit(ask(report, asked, sweep), json, what_if_text)
