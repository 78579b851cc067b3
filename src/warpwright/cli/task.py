"""`warpwright task`: look at a task."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

app = typer.Typer(help="Tasks: what is to be computed.", no_args_is_help=True)


@app.callback()
def task() -> None:
    """Tasks: what is to be computed."""


@app.command()
def check(
    task: Annotated[Path, typer.Argument(help="A task's folder, or its task.toml.")],
    as_json: Annotated[bool, typer.Option("--json", help="Print one JSON document.")] = False,
) -> None:
    """Read a task whole, run none of it, and say what it is or what is wrong in it."""
    from warpwright.cli.output import emit
    from warpwright.operations.task import check_task
    from warpwright.render.task import task_text

    emit(check_task(task), as_json, task_text)
