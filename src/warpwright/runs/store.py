"""A run: a folder with `events.jsonl` and `blobs/`."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TypeVar

from warpwright.model.event import Blob, EventBase
from warpwright.runs.blobs import blob_path, get_blob, has_blob, put_blob
from warpwright.runs.journal import FILE, Journal, append_event, read_events

E = TypeVar("E", bound=EventBase)


@dataclass(frozen=True, slots=True)
class RunStore:
    """One run's folder. Appends and blobs are on the disk when a method returns."""

    folder: Path

    @property
    def name(self) -> str:
        """The folder's name is the run's."""
        return self.folder.resolve().name

    @property
    def exists(self) -> bool:
        """Whether anything was ever recorded here."""
        return (self.folder / FILE).is_file()

    def append(self, kind: type[E], **fields: object) -> E:
        """Append an event; see `journal.append_event`."""
        return append_event(self.folder, kind, **fields)

    def read(self) -> Journal:
        """Every event; see `journal.read_events`."""
        return read_events(self.folder)

    def put(self, data: bytes, name: str) -> Blob:
        """Store content; see `blobs.put_blob`."""
        return put_blob(self.folder, data, name)

    def get(self, blob: Blob) -> bytes:
        """Content, verified; see `blobs.get_blob`."""
        return get_blob(self.folder, blob)

    def has(self, sha256: str) -> bool:
        """Whether content of this address is stored."""
        return has_blob(self.folder, sha256)

    def path_of(self, blob: Blob) -> Path:
        """The file that holds content; see `blobs.blob_path`."""
        return blob_path(self.folder, blob)
