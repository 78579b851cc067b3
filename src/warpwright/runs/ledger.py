"""`ledger.jsonl`: one scored prediction a line, of all of a user's runs (see `lines`)."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from pydantic import ValidationError

from warpwright.model.ledger import LedgerEntry
from warpwright.runs.lines import append_line, locked


@dataclass(frozen=True, slots=True)
class Ledger:
    """The entries that can be read, oldest first, and the numbers of lines that cannot."""

    entries: tuple[LedgerEntry, ...] = ()
    damaged: tuple[int, ...] = ()


def append_entry(path: Path, entry: LedgerEntry) -> None:
    """Append one entry; the folder is made where it is not there yet.

    Raises:
        OSError: it could not be written; the file is as it was.
    """
    path.parent.mkdir(parents=True, exist_ok=True)
    with locked(path) as descriptor:
        append_line(descriptor, path, entry.model_dump_json().encode())


def read_ledger(path: Path) -> Ledger:
    """Read every entry that can be read; a file that is not there yet has none.

    Raises:
        OSError: it is there and cannot be read.
    """
    try:
        lines = path.read_bytes().split(b"\n")
    except FileNotFoundError:
        return Ledger()
    entries: list[LedgerEntry] = []
    damaged: list[int] = []
    for number, line in enumerate(lines, start=1):
        try:
            if line:
                entries.append(LedgerEntry.model_validate_json(line))
        except ValidationError:
            damaged.append(number)
    return Ledger(tuple(entries), tuple(damaged))
