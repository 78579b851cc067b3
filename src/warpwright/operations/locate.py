"""Find the file behind a report's name."""

from __future__ import annotations

from pathlib import Path, PurePath

from warpwright.errors import BadReport


def locate_report(path: Path) -> Path:
    """The file to read for a report that is called `path`.

    A report in a run's folder goes by the name it had when it was profiled:
    `RUN/before.ncu-rep` is the newest report of that name which the run holds.

    Raises:
        BadReport: the folder is a run that holds no report of this name; the hint lists its
            reports.
    """
    if path.exists():
        return path
    from warpwright.model.event import Profiled  # start-up time that a plain file need not pay
    from warpwright.runs.store import RunStore

    store = RunStore(path.parent)
    if not store.exists:
        return path
    held = {
        PurePath(event.report.name).name: event.report
        for event in store.read().events
        if isinstance(event, Profiled)
    }
    if path.name in held:
        return store.path_of(held[path.name])
    known = ", ".join(held) or "none"
    raise BadReport(f"run {store.name} holds no report {path.name}", hint=f"its reports: {known}")
