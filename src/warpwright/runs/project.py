"""Which run is active: `.warpwright/run` in a project names it, and sub-folders find it."""

from __future__ import annotations

import contextlib
import os
import re
import tempfile
from pathlib import Path

from warpwright.errors import BadInput

FOLDER = ".warpwright"
_NAME = re.compile(r"(?!\.+$)[A-Za-z0-9._-]+")
_NAME_HINT = "use letters, digits, '.', '_' and '-'"


def check_name(name: str) -> str:
    """The name itself, where a run may be called so; else BadInput."""
    if len(name) > 100 or _NAME.fullmatch(name) is None:
        raise BadInput(f"'{name}' cannot be the name of a run", hint=_NAME_HINT)
    return name


def project_folder(start: Path) -> Path:
    """The nearest folder from `start` upwards with `.warpwright/` or `.git`; else `start`."""
    start = start.resolve()
    for folder in (start, *start.parents):
        if (folder / FOLDER).is_dir() or (folder / ".git").exists():
            return folder
    return start


def runs_folder(project: Path) -> Path:
    """Where a project keeps its runs."""
    return project / FOLDER / "runs"


def pointer(start: Path) -> Path | None:
    """The nearest `.warpwright/run` from `start` upwards, whatever it holds."""
    start = start.resolve()
    for folder in (start, *start.parents):
        path = folder / FOLDER / "run"
        if os.path.lexists(path):
            return path
    return None


def active_run(start: Path) -> Path | None:
    """The folder of the run that commands in `start` are recorded into, or None.

    Raises:
        BadInput: `.warpwright/run` is there and names no run.
    """
    path = pointer(start)
    if path is None:
        return None
    try:
        name = path.read_text(encoding="utf-8").strip()
        folder = runs_folder(path.parent.parent) / check_name(name)
    except (OSError, ValueError, BadInput) as error:
        raise _broken(
            path, "cannot be read" if isinstance(error, OSError) else "names no run"
        ) from None
    if not folder.is_dir():
        raise _broken(path, f"names the run '{name}', which is not there")
    return folder


def _broken(path: Path, what: str) -> BadInput:
    return BadInput(
        f"{path} {what}", hint="'warpwright run stop' removes it, 'run start NAME' starts anew"
    )


def point_to(project: Path, name: str) -> None:
    """Make `name` the active run of a project."""
    replace_file(project / FOLDER / "run", (check_name(name) + "\n").encode())


def replace_file(path: Path, data: bytes) -> None:
    """Write a file whole or not at all, and have it on the disk before returning."""
    path.parent.mkdir(parents=True, exist_ok=True)
    handle, temporary = tempfile.mkstemp(dir=path.parent, prefix=".tmp-")
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        Path(temporary).chmod(0o644)
        Path(temporary).replace(path)
    except BaseException:
        Path(temporary).unlink(missing_ok=True)
        raise
    sync_folder(path.parent)


def sync_folder(folder: Path) -> None:
    """Have a folder's own entries on the disk, where the file system can do that."""
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        with contextlib.suppress(OSError):
            os.fsync(descriptor)
    finally:
        os.close(descriptor)
