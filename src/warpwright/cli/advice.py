"""`warpwright advice ...`: is the advice right?"""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from warpwright.cli.limit import limit_option

app = typer.Typer(
    help="What Warpwright's advice is worth.", no_args_is_help=True, rich_markup_mode=None
)


@app.command()
def ledger(
    device: Annotated[
        str | None,
        typer.Option(metavar="NAME", help="A device's name, or a part of it."),
    ] = None,
    finding: Annotated[
        str | None, typer.Option(metavar="ID", help="Only this finding: memory.local, say.")
    ] = None,
    limit: Annotated[int, limit_option("Entries to list.")] = 5,
    json: Annotated[bool, typer.Option("--json", help="One JSON document on stdout.")] = False,
) -> None:
    """How often advice that was followed paid, and how near its predictions came.

    'evaluate --because FINDING' scores a prediction where the active run knows the time of the
    candidate that was profiled, on the device that was profiled. WARPWRIGHT_LEDGER is the file.
    """
    from warpwright.cli.output import emit
    from warpwright.operations.ledger_view import show_ledger
    from warpwright.render.ledger import ledger_text

    emit(show_ledger(device, finding, limit), json, ledger_text)


@app.command()
def score(
    suite: Annotated[Path, typer.Argument(metavar="SUITE", help="suites/diagnosis, or alike.")],
    cases: Annotated[bool, typer.Option("--cases", help="Every case, too.")] = False,
    json: Annotated[bool, typer.Option("--json", help="One JSON document on stdout.")] = False,
) -> None:
    """How right the digest is on kernels whose cause and gain are known. Needs no GPU."""
    from warpwright.cli.output import emit
    from warpwright.operations.score import score_suite
    from warpwright.render.scoreboard import scoreboard_text

    emit(score_suite(suite), json, lambda board: scoreboard_text(board, cases))
