"""Where an operation may write."""

from __future__ import annotations

from pathlib import Path

from warpwright.errors import BadInput


def check_target(target: Path, report: Path, force: bool) -> None:
    """See that a file may be written from a report.

    Raises:
        BadInput: the target is a folder, the report itself, or there already without `force`.
    """
    if target.is_dir():
        raise BadInput(f"{target} is a folder", hint="name a file in it")
    if not target.exists():
        return
    if not target.is_file():
        raise BadInput(f"{target} is no regular file", hint="name a file")
    if report.exists() and target.samefile(report):
        raise BadInput(f"{target} is the report itself", hint="name another file")
    if not force:
        raise BadInput(f"{target} is there already", hint="name another file, or add --force")
