"""`warpwright ncu ...`: profile with Nsight Compute, and read its reports."""

from __future__ import annotations

from typing import Annotated

import typer

from warpwright.cli.diff import diff
from warpwright.cli.explain import explain
from warpwright.cli.export import export
from warpwright.cli.launches import launches
from warpwright.cli.limit import limit_option
from warpwright.cli.metrics import metrics
from warpwright.cli.profile import ProfileCommand, profile
from warpwright.cli.redact import redact
from warpwright.cli.roofline import roofline
from warpwright.cli.rules import rules
from warpwright.cli.session import session
from warpwright.cli.show import show
from warpwright.cli.source import source
from warpwright.cli.sql import sql
from warpwright.cli.what_if import what_if

app = typer.Typer(
    help="Profile with Nsight Compute, and read its reports.",
    no_args_is_help=True,
    rich_markup_mode=None,
)
app.command("profile", cls=ProfileCommand)(profile)
app.command("launches")(launches)
app.command("show")(show)
app.command("metrics")(metrics)
app.command("rules")(rules)
app.command("session")(session)
app.command("sql")(sql)
app.command("export")(export)
app.command("source")(source)
app.command("explain")(explain)
app.command("diff")(diff)
app.command("redact")(redact)
app.command("what-if")(what_if)
app.command("roofline")(roofline)


@app.command()
def digest(
    report: Annotated[
        str, typer.Argument(metavar="REPORT", help="A .ncu-rep (or .xz of it), or REPORT#L0.")
    ],
    json: Annotated[bool, typer.Option("--json", help="One JSON document on stdout.")] = False,
    limit: Annotated[
        int,
        limit_option("Launches to print, costliest first."),
    ] = 8,
    budget: Annotated[
        int | None,
        typer.Option(
            min=200,
            metavar="TOKENS",
            help="The most that it may take, for each of at most four launches: 800. A token is 4 "
            "bytes. The best findings stay whole, later ones become one line each, the least are "
            "left out. Given, it cuts --json too, which is whole otherwise.",
        ),
    ] = None,
) -> None:
    """What limits each launch: ranked causes, their evidence, lines, remedy, predicted gain."""
    from warpwright.cli.output import emit
    from warpwright.operations.budget import BUDGET, within_budget
    from warpwright.operations.digest import digest as make_digest
    from warpwright.render.digest import digest_text

    found = make_digest(report)
    if json and budget is not None:
        found = within_budget(found, budget)
    emit(found, json, lambda document: digest_text(document, limit, budget or BUDGET))
