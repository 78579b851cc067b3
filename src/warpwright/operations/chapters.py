"""A run's events in the order they tell a story: one chapter a step, with what it names."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import PurePath
from typing import TypeVar

from pydantic import ValidationError

from warpwright.errors import BadInput
from warpwright.model.base import Model
from warpwright.model.build import BuildReport
from warpwright.model.digest import Digest
from warpwright.model.event import (
    Blob,
    Built,
    CommandEnded,
    CommandFinished,
    CommandStarted,
    Digested,
    Evaluated,
    Event,
    Profiled,
)
from warpwright.model.verdict import Verdict
from warpwright.runs.store import RunStore

M = TypeVar("M", bound=Model)
Told = CommandStarted | CommandFinished | Built | Profiled | Digested | Evaluated


@dataclass(frozen=True, slots=True)
class RecordedDigest:
    """A digest as it was recorded, and the report it was made from."""

    report: Blob
    digest: Digest


@dataclass(frozen=True, slots=True)
class Chapter:
    """The events of one step. `source_before`: of the candidate evaluated before it."""

    events: tuple[Told, ...]
    candidate: str | None = None
    source_blob: Blob | None = None
    source: str | None = None
    candidate_before: str | None = None
    source_before: str | None = None
    build: BuildReport | None = None
    digests: tuple[RecordedDigest, ...] = ()
    verdict: Verdict | None = None


def chapters(store: RunStore, events: tuple[Event, ...], grouped: bool) -> list[Chapter]:
    """Tell a run. `grouped`: a chapter per evaluated candidate, with all that led to it.

    Raises:
        BadInput: a blob is missing, damaged, or not what its event says.
    """
    told = [event for event in events if isinstance(event, Told)]
    typed = {e.command_id for e in told if isinstance(e, CommandEnded)}
    told = [e for e in told if not (isinstance(e, CommandStarted) and e.id in typed)]
    groups = _by_candidate(told) if grouped else [[event] for event in told]
    return [_chapter(store, group, told) for group in groups]


def candidate_blobs(told: list[Told]) -> dict[int, Blob]:
    """The candidate each event is about, by event id; a digest's is that of its report."""
    found: dict[int, Blob] = {}
    profiled: dict[str, Blob] = {}
    for event in told:
        if isinstance(event, Built | Evaluated | Profiled) and event.candidate:
            found[event.id] = event.candidate
        if isinstance(event, Profiled) and event.candidate:
            profiled[event.report.sha256] = event.candidate
        if isinstance(event, Digested) and event.report.sha256 in profiled:
            found[event.id] = profiled[event.report.sha256]
    return found


def _by_candidate(told: list[Told]) -> list[list[Told]]:
    """Join to every verdict what was built, profiled and digested of its candidate.

    What precedes a verdict is told with the next verdict on that candidate, what follows the
    last one with that. Candidates never judged, failures and killed commands stand alone.
    """
    blobs = candidate_blobs(told)
    groups: dict[int | str, list[Told]] = {}
    for event in told:
        blob = blobs.get(event.id)
        key: int | str = event.id
        if isinstance(event, CommandFinished):
            same = [e for e in told if _command(e) == event.command_id and e is not event]
            if event.exit_code == 0 and not same:
                continue
            key = _verdict_for(same[-1], told, blobs) if same else event.id
        elif blob is not None:
            key = _verdict_for(event, told, blobs)
        groups.setdefault(key, []).append(event)
    return sorted(groups.values(), key=_place)


def _verdict_for(event: Told, told: list[Told], blobs: dict[int, Blob]) -> int | str:
    """The id of the verdict that an event belongs to; where there is none, its candidate."""
    blob = blobs.get(event.id)
    if blob is None:
        return event.id
    same = [e.id for e in told if isinstance(e, Evaluated) and e.candidate.sha256 == blob.sha256]
    later = [verdict for verdict in same if verdict >= event.id]
    return later[0] if later else same[-1] if same else blob.sha256


def _place(group: list[Told]) -> int:
    verdicts = [event.id for event in group if isinstance(event, Evaluated)]
    return verdicts[0] if verdicts else group[-1].id


def _command(event: Told) -> int:
    return event.id if isinstance(event, CommandStarted) else event.command_id


def _chapter(store: RunStore, group: list[Told], told: list[Told]) -> Chapter:
    blobs = candidate_blobs(told)
    blob = next((blobs[e.id] for e in reversed(group) if e.id in blobs), None)
    place = _place(group)
    before = [e for e in told if isinstance(e, Evaluated) and e.id < place]
    verdicts = [e for e in group if isinstance(e, Evaluated)]
    builds = [e.build_report for e in group if isinstance(e, Built | Evaluated) and e.build_report]
    reports = {e.report.sha256: e for e in group if isinstance(e, Digested)}
    verdict = load(store, verdicts[-1].verdict, Verdict) if verdicts else None
    return Chapter(
        events=tuple(group),
        candidate=PurePath(blob.name).stem if blob else None,
        source_blob=blob,
        source=_text(store, blob) if blob else None,
        candidate_before=PurePath(before[-1].candidate.name).stem if before else None,
        source_before=_text(store, before[-1].candidate) if before else None,
        build=load(store, builds[-1], BuildReport) if builds else None,
        digests=tuple(
            RecordedDigest(e.report, load(store, e.digest, Digest)) for e in reports.values()
        ),
        verdict=verdict,
    )


def load(store: RunStore, blob: Blob, kind: type[M]) -> M:
    """A recorded model.

    Raises:
        BadInput: the blob is missing, damaged, or no such model.
    """
    try:
        return kind.model_validate_json(store.get(blob))
    except ValidationError:
        raise BadInput(
            f"{store.folder}: blob {blob.sha256} ({blob.name}) is no {kind.__name__.lower()} "
            "that this version understands",
            hint="it may come from a newer Warpwright",
        ) from None


def _text(store: RunStore, blob: Blob) -> str:
    return store.get(blob).decode(errors="replace")
