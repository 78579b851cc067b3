"""Start, stop, list and show runs."""

from __future__ import annotations

from pathlib import Path

from warpwright import __version__
from warpwright.errors import BadInput, EnvironmentFault
from warpwright.model.event import CommandStarted, Evaluated, RunStarted, RunStopped
from warpwright.model.run import RunBrief, RunList, RunNotice, RunStory
from warpwright.operations.story import tell
from warpwright.runs.project import (
    active_run,
    check_name,
    point_to,
    pointer,
    project_folder,
    runs_folder,
)
from warpwright.runs.store import RunStore


def start_run(name: str, start: Path) -> RunNotice:
    """Record every later command of the project around `start` into a run.

    Raises:
        BadInput: no name for a run.
        EnvironmentFault: the project cannot be written.
    """
    found = pointer(start)
    project = found.parent.parent if found else project_folder(start)
    store = RunStore(runs_folder(project) / check_name(name))
    earlier = _active_or_none(start)
    known = store.exists
    if earlier is not None and earlier == store.folder:
        return RunNotice(run=name, did="already active", path=str(store.folder))
    try:
        store.folder.mkdir(parents=True, exist_ok=True)
        store.append(RunStarted, name=name, version=__version__)
        point_to(project, name)
        if earlier is not None:
            RunStore(earlier).append(RunStopped)
    except OSError as error:
        raise EnvironmentFault(f"the run cannot be written: {error}") from None
    return RunNotice(
        run=name,
        did="continued" if known else "started",
        path=str(store.folder),
        stopped=earlier.name if earlier else None,
    )


def _active_or_none(start: Path) -> Path | None:
    try:
        return active_run(start)
    except BadInput:
        return None


def stop_run(start: Path) -> RunNotice:
    """End the active run; a pointer to no run is removed too.

    Raises:
        BadInput: no run is active.
        EnvironmentFault: the project cannot be written.
    """
    path = pointer(start)
    if path is None:
        raise BadInput("no run is active here", hint="warpwright run start NAME")
    folder = _active_or_none(start)
    try:
        if folder is not None:
            RunStore(folder).append(RunStopped)
        path.unlink()
    except OSError as error:
        raise EnvironmentFault(f"the run cannot be stopped: {error}") from None
    return RunNotice(
        run=folder.name if folder else None, did="stopped", path=str(folder if folder else path)
    )


def find_run(run: str | None, start: Path) -> RunStore:
    """A run by name or folder; without either the active run, else the project's latest.

    Raises:
        BadInput: there is no such run.
    """
    found = pointer(start)
    runs = runs_folder(found.parent.parent if found else project_folder(start))
    if run is not None:
        for store in (RunStore(runs / run), RunStore(Path(run))):
            if store.exists:
                return store
        raise BadInput(f"there is no run '{run}'", hint="warpwright run list shows this project's")
    active = _active_or_none(start)
    if active is not None:
        return RunStore(active)
    stores = [store for store in _stores(runs) if store.read().events]
    if not stores:
        raise BadInput("no run was recorded here", hint="warpwright run start NAME")
    return max(stores, key=lambda store: store.read().events[-1].at)


def _stores(runs: Path) -> list[RunStore]:
    folders = sorted(runs.iterdir()) if runs.is_dir() else []
    return [store for store in map(RunStore, folders) if store.exists]


def list_runs(start: Path) -> RunList:
    """The runs of the project around `start`."""
    found = pointer(start)
    active = _active_or_none(start)
    stores = _stores(runs_folder(found.parent.parent if found else project_folder(start)))
    return RunList(runs=tuple(_brief(store, store.folder == active) for store in stores))


def _brief(store: RunStore, active: bool) -> RunBrief:
    events = store.read().events
    files = [path for path in store.folder.rglob("*") if path.is_file()]
    return RunBrief(
        name=store.name,
        active=active,
        started_at=events[0].at if events else None,
        commands=sum(isinstance(event, CommandStarted) for event in events),
        candidates=len({e.candidate.sha256 for e in events if isinstance(e, Evaluated)}),
        bytes=sum(path.stat().st_size for path in files),
    )


def show_run(run: str | None, start: Path, grouped: bool) -> RunStory:
    """The story of a run: a step per evaluated candidate (`grouped`), or per event.

    Raises:
        BadInput: there is no such run, or a blob of it is missing or damaged.
    """
    return tell(find_run(run, start), grouped)[0]
