"""`events.jsonl`: one event a line, appended whole, never changed (see `lines`)."""

from __future__ import annotations

import json
import os
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import TypeVar

from pydantic import ValidationError

from warpwright.errors import BadInput
from warpwright.model.event import EVENT, Event, EventBase
from warpwright.runs.lines import append_line, locked

FILE = "events.jsonl"
E = TypeVar("E", bound=EventBase)


@dataclass(frozen=True, slots=True)
class Journal:
    """The events that can be read, in order, and what could not."""

    events: tuple[Event, ...]
    cautions: tuple[str, ...]


def append_event(run: Path, kind: type[E], **fields: object) -> E:
    """Append one event; its `id` (above every earlier one) and `at` are given here.

    Raises:
        OSError: it could not be written; the file is as it was.
    """
    path = run / FILE
    with locked(path) as descriptor:
        data = os.pread(descriptor, os.fstat(descriptor).st_size, 0)
        now = datetime.now(UTC).isoformat(timespec="milliseconds")
        event = kind.model_validate({"id": _next_id(data), "at": now, **fields})
        append_line(descriptor, path, event.model_dump_json().encode())
    return event


def _next_id(data: bytes) -> int:
    """A line takes an id even where it is torn: so none is ever given twice."""
    lines = data.removesuffix(b"\n").split(b"\n") if data else []
    for line in reversed(lines):
        number = _id_of(line)
        if number is not None:
            return max(number, len(lines)) + 1
    return len(lines) + 1


def _id_of(line: bytes) -> int | None:
    try:
        number = json.loads(line)["id"]
    except (ValueError, KeyError, TypeError):
        return None
    return number if isinstance(number, int) else None


def read_events(run: Path) -> Journal:
    """Read every event that can be read.

    Raises:
        BadInput: the folder is no run.
    """
    path = run / FILE
    try:
        data = path.read_bytes()
    except OSError:
        raise BadInput(f"{run} is no run: it has no {FILE}", hint="warpwright run list") from None
    lines = data.split(b"\n")
    events: list[Event] = []
    cautions: list[str] = []
    for number, line in enumerate(lines, start=1):
        if not line:
            continue
        event = _parse(line)
        if not isinstance(event, str):
            events.append(event)
        elif number == len(lines):
            cautions.append(f"{FILE}:{number}: torn last line skipped (its writer was killed)")
        else:
            cautions.append(f"{FILE}:{number}: {event}, skipped")
    return Journal(tuple(events), tuple(cautions))


def _parse(line: bytes) -> Event | str:
    """An event, or why it is none."""
    try:
        raw = json.loads(line)
    except ValueError:
        return "no JSON"
    if not isinstance(raw, dict):
        return "no event"
    try:
        return EVENT.validate_python(raw)
    except ValidationError as error:
        first = error.errors()[0]
        if first["type"] == "union_tag_invalid":
            return f"event of the unknown type '{raw.get('type')}' (a newer Warpwright's?)"
        place = ".".join(str(part) for part in first["loc"])
        return f"event that cannot be understood ({place}: {first['msg']})"
