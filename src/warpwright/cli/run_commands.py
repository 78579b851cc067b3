"""`warpwright run`: the record of an optimization."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

app = typer.Typer(help="Record an optimization and tell its story.", no_args_is_help=True)

Json = Annotated[bool, typer.Option("--json", help="Print one JSON document.")]
Run = Annotated[
    str | None,
    typer.Argument(help="A run's name or folder; left out: the active run, else the latest."),
]


@app.command()
def start(
    name: Annotated[str, typer.Argument(help="What to call the run.")], as_json: Json = False
) -> None:
    """Record every later command in this project, from any shell, until 'run stop'."""
    from warpwright.cli.output import emit
    from warpwright.operations.runs import start_run
    from warpwright.render.run import notice_text

    emit(start_run(name, Path.cwd()), as_json, notice_text)


@app.command()
def stop(as_json: Json = False) -> None:
    """Stop recording; 'run start' with the same name continues the run."""
    from warpwright.cli.output import emit
    from warpwright.operations.runs import stop_run
    from warpwright.render.run import notice_text

    emit(stop_run(Path.cwd()), as_json, notice_text)


@app.command("list")
def list_runs(as_json: Json = False) -> None:
    """The runs of this project."""
    from warpwright.cli.output import emit
    from warpwright.operations import runs
    from warpwright.render.run import list_text

    emit(runs.list_runs(Path.cwd()), as_json, list_text)


@app.command()
def show(
    run: Run = None,
    every: Annotated[
        bool, typer.Option("--all", help="A row per event, not per evaluated candidate.")
    ] = False,
    as_json: Json = False,
) -> None:
    """The story of a run: what changed, the verdict, the speedup, predicted and measured gain."""
    from warpwright.cli.output import emit
    from warpwright.operations.runs import show_run
    from warpwright.render.run import story_text

    emit(show_run(run, Path.cwd(), grouped=not every), as_json, story_text)


@app.command()
def replay(
    run: Run = None,
    rebuild: Annotated[
        bool, typer.Option("--rebuild", help="Also build the recorded sources, where nvcc is here.")
    ] = False,
    as_json: Json = False,
) -> None:
    """Walk a recorded run again: no GPU, no torch; digests and changes are computed now."""
    from warpwright.cli.output import emit
    from warpwright.operations.replay import replay_run
    from warpwright.render.replay import replay_text

    emit(replay_run(run, Path.cwd(), rebuild), as_json, replay_text)


@app.command()
def export(
    run: Run = None,
    html: Annotated[
        Path | None, typer.Option("--html", help="Write the run as one static page.")
    ] = None,
    to: Annotated[Path | None, typer.Option("--to", help="Copy the run to a new folder.")] = None,
    redacted: Annotated[
        bool, typer.Option("--redacted", help="With --to: leave out paths, users and hosts.")
    ] = False,
    as_json: Json = False,
) -> None:
    """Write a run as a page, or as a copy that can be given away."""
    from warpwright.cli.output import emit
    from warpwright.errors import BadInput
    from warpwright.operations.export import export_folder, export_page
    from warpwright.render.run import notice_text
    from warpwright.render.run_html import run_page

    if (html is None) == (to is None):
        raise BadInput(
            "say where to: --html FILE or --to FOLDER", hint="run export RUN --html FILE"
        )
    if redacted and to is None:
        raise BadInput("--redacted goes with --to", hint="export --to, then --html of that copy")
    if html is not None:
        emit(export_page(run, Path.cwd(), html, run_page), as_json, notice_text)
    elif to is not None:
        emit(export_folder(run, Path.cwd(), to, redacted), as_json, notice_text)
