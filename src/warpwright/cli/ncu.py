"""`warpwright ncu ...`: profile with Nsight Compute, and read its reports."""

from __future__ import annotations

from typing import Annotated

import typer

from warpwright.cli.profile import ProfileCommand, profile

app = typer.Typer(
    help="Profile with Nsight Compute, and read its reports.",
    no_args_is_help=True,
    rich_markup_mode=None,
)
app.command("profile", cls=ProfileCommand)(profile)


@app.command()
def digest(
    report: Annotated[
        str, typer.Argument(metavar="REPORT", help="A .ncu-rep (or .xz of it), or REPORT#L0.")
    ],
    json: Annotated[bool, typer.Option("--json", help="One JSON document on stdout.")] = False,
    limit: Annotated[int, typer.Option(min=1, help="Launches to print, costliest first.")] = 8,
) -> None:
    """What limits each launch: ranked causes, their evidence, lines, remedy, predicted gain."""
    from warpwright.cli.output import emit
    from warpwright.operations.digest import digest as make_digest
    from warpwright.render.digest import digest_text

    emit(make_digest(report), json, lambda document: digest_text(document, limit))
