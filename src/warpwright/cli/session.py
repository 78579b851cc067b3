"""`warpwright ncu session`."""

from __future__ import annotations

from typing import Annotated

import typer


def session(
    report: Annotated[str, typer.Argument(metavar="REPORT", help="A report.")],
    json: Annotated[bool, typer.Option("--json", help="One JSON document on stdout.")] = False,
) -> None:
    """When, where and with what a report was made. Much of it is private."""
    from warpwright.cli.output import emit
    from warpwright.operations.session import show_session
    from warpwright.render.session import session_text

    emit(show_session(report), json, session_text)
