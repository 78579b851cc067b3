"""What a run is made of (schema warpwright.event/1): one line of events.jsonl each.

Content lives in blobs, addressed by the sha256 of the uncompressed bytes; an event names them.
"""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field, TypeAdapter

from warpwright.model.base import Model


class Blob(Model):
    """Content in the run's store. `name`: what the user called it (a file's name or path)."""

    sha256: str
    name: str
    bytes: int


class EventBase(Model):
    """`id` counts from 1 in a run. `at` is ISO 8601 in UTC."""

    schema_name: Literal["warpwright.event/1"] = Field(default="warpwright.event/1", alias="schema")
    id: int
    at: str


class RunStarted(EventBase):
    """The first event."""

    type: Literal["run.started"] = "run.started"
    name: str
    version: str = Field(description="Warpwright's own.")


class RunStopped(EventBase):
    """`run stop` was called; a run can be started again."""

    type: Literal["run.stopped"] = "run.stopped"


class CommandStarted(EventBase):
    """A command began. No later event with this `command_id`: it was killed."""

    type: Literal["command.started"] = "command.started"
    argv: tuple[str, ...]


class CommandEnded(EventBase):
    """What every ending has in common. `command_id` is the id of its CommandStarted."""

    command_id: int
    argv: tuple[str, ...]
    exit_code: int
    seconds: float
    error: str | None = None


class CommandFinished(CommandEnded):
    """A command that left nothing but its output (show, diff, an error ...)."""

    type: Literal["command.finished"] = "command.finished"


class Built(CommandEnded):
    """A candidate was built."""

    type: Literal["built"] = "built"
    candidate: Blob
    build_report: Blob


class Profiled(CommandEnded):
    """Nsight Compute came back with a report. `candidate` None: a plain command was profiled."""

    type: Literal["profiled"] = "profiled"
    candidate: Blob | None
    report: Blob


class Digested(CommandEnded):
    """A report was digested: the predictions as they stood, before anything was measured."""

    type: Literal["digested"] = "digested"
    report: Blob
    digest: Blob


class Evaluated(CommandEnded):
    """One candidate was judged. A command with three candidates leaves three events."""

    type: Literal["evaluated"] = "evaluated"
    candidate: Blob
    build_report: Blob | None
    verdict: Blob
    because: str | None = None


Event = Annotated[
    RunStarted
    | RunStopped
    | CommandStarted
    | CommandFinished
    | Built
    | Profiled
    | Digested
    | Evaluated,
    Field(discriminator="type"),
]
EVENT: TypeAdapter[Event] = TypeAdapter(Event)
