"""Where a report is made, so that the file it becomes is never lost and never half-written."""

from __future__ import annotations

import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path

from warpwright.config import cache_dir
from warpwright.errors import BadInput
from warpwright.profiling.options import Options


@dataclass(frozen=True, slots=True)
class Place:
    """A temporary folder beside the report to come."""

    folder: Path

    @property
    def report(self) -> Path:
        """Where Nsight Compute is to write."""
        return self.folder / "report.ncu-rep"

    @property
    def log(self) -> Path:
        """What Nsight Compute and the program print."""
        return self.folder / "ncu.log"

    def made(self) -> Path | None:
        """What Nsight Compute wrote; recent versions may write `.ncu-repz`."""
        return next(iter(sorted(self.folder.glob("report.ncu-rep*"))), None)

    def keep_log(self) -> Path | None:
        """Copy the log to the cache, where it outlives this folder; None: it cannot be kept."""
        kept = cache_dir() / "ncu.log"
        try:
            kept.parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(self.log, kept)
        except OSError:
            return None
        return kept


@contextmanager
def open_place(options: Options) -> Iterator[Place]:
    """A place for one report; whatever is left in it goes when it closes.

    Raises:
        BadInput: as `check_output`, or the folder cannot be written to.
    """
    check_output(options)
    try:
        folder = tempfile.TemporaryDirectory(prefix=".warpwright-ncu-", dir=options.output.parent)
    except OSError as error:
        raise BadInput(f"{options.output.parent} cannot be written to: {error.strerror}") from None
    with folder as name:
        yield Place(Path(name).resolve())


def move_into_place(made: Path, options: Options) -> Path:
    """Move a complete report to where it was asked for; returns that path.

    Raises:
        BadInput: a report of that name has come to be in the meantime.
    """
    output = options.output.with_suffix(made.suffix)
    check_output(replace(options, output=output))
    return made.replace(output)


def check_output(options: Options) -> None:
    """Refuse what would lose a report or cannot be written.

    Raises:
        BadInput: the report exists and `force` is not set, or its folder is not there.
    """
    output = options.output
    if output.is_dir():
        raise BadInput(f"{output} is a folder", hint="give --output a file's name")
    if output.exists() and not options.force:
        raise BadInput(f"{output} exists already", hint="--force replaces it; -o names another")
    if not output.parent.is_dir():
        raise BadInput(f"{output.parent}: no such folder", hint=f"mkdir -p {output.parent}")
