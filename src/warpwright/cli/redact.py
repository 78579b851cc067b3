"""`warpwright ncu redact`: a report that may be given away."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer


def redact(
    report: Annotated[str, typer.Argument(metavar="REPORT", help="A report of ncu.")],
    output: Annotated[
        Path | None,
        typer.Option(
            "--output",
            "-o",
            metavar="PATH",
            help="The copy (.ncu-rep, .ncu-rep.xz, .ncu-repz); left out: NAME.redacted.ncu-rep.",
        ),
    ] = None,
    also: Annotated[
        list[str] | None,
        typer.Option(metavar="TEXT", help="Mask this too, wherever it stands but in metrics."),
    ] = None,
    force: Annotated[bool, typer.Option("--force", help="Replace a file that is there.")] = False,
    check: Annotated[
        bool, typer.Option("--check", help="Write nothing; exit 1 if private facts are in it.")
    ] = False,
    json: Annotated[bool, typer.Option("--json", help="One JSON document on stdout.")] = False,
) -> None:
    """Mask host, addresses, users, paths and environment in a copy; metrics stay as they are.

    Exit code 1: a private text is left in the copy or, with --check, in the report.
    """
    from warpwright.cli.output import emit
    from warpwright.errors import UsageError
    from warpwright.operations.redact import check_file, redact_file
    from warpwright.render.redaction import redaction_text

    texts = tuple(also or ())
    if check and output is not None:
        raise UsageError("--check writes nothing", hint="leave out --output or --check")
    done = (
        check_file(report, also=texts)
        if check
        else redact_file(report, output, also=texts, force=force)
    )
    emit(done, json, redaction_text)
    if not done.clean:
        raise typer.Exit(1)
