"""The story of a run: chapters to the rows of a table."""

from __future__ import annotations

import difflib

from warpwright.model.digest import Digest, DigestLaunch
from warpwright.model.event import (
    Built,
    CommandEnded,
    CommandStarted,
    Digested,
    Evaluated,
    Event,
    Profiled,
    RunStarted,
)
from warpwright.model.run import Change, FindingBrief, RunStory, Step, StepKind
from warpwright.model.verdict import Mode, SpeedupMeasured, Verdict
from warpwright.operations.chapters import Chapter, chapters
from warpwright.runs.journal import Journal
from warpwright.runs.store import RunStore

_FINDINGS = 3
_KINDS: tuple[tuple[StepKind, type[Event]], ...] = (
    ("evaluate", Evaluated),
    ("digest", Digested),
    ("profile", Profiled),
    ("build", Built),
)


def tell(store: RunStore, grouped: bool) -> tuple[RunStory, list[Chapter]]:
    """A run as a table, and the chapters behind its rows (as many, in the same order).

    Raises:
        BadInput: no run, or a blob of it is missing or damaged.
    """
    journal = store.read()
    told = chapters(store, journal.events, grouped)
    steps = tuple(step_of(number, chapter) for number, chapter in enumerate(told, start=1))
    return _story(store, journal, told, steps, grouped), told


def _story(
    store: RunStore, journal: Journal, told: list[Chapter], steps: tuple[Step, ...], grouped: bool
) -> RunStory:
    events = journal.events
    starts = [event for event in events if isinstance(event, RunStarted)]
    verdicts = [chapter.verdict for chapter in told if chapter.verdict]
    devices = [verdict.environment.device for verdict in verdicts if verdict.environment]
    devices += [d.digest.report.device for c in told for d in c.digests if d.digest.report.device]
    return RunStory(
        name=starts[0].name if starts else store.name,
        version=starts[0].version if starts else None,
        started_at=events[0].at if events else None,
        ended_at=events[-1].at if events else None,
        task=verdicts[0].task if verdicts else None,
        device=devices[0] if devices else None,
        commands=sum(isinstance(event, CommandStarted) for event in events),
        grouped=grouped,
        steps=steps,
        cautions=journal.cautions,
    )


def step_of(number: int, chapter: Chapter) -> Step:
    """The row of one chapter."""
    events = chapter.events
    ended = [event for event in events if isinstance(event, CommandEnded)]
    commands = {e.command_id if isinstance(e, CommandEnded) else e.id: e.argv for e in events}
    seconds = {event.command_id: event.seconds for event in ended}
    errors = [event.error for event in ended if event.error]
    becauses = [e.because for e in events if isinstance(e, Evaluated) and e.because]
    row = Step(
        number=number,
        kind=_kind(chapter),
        events=tuple(event.id for event in events),
        commands=tuple(commands[key] for key in sorted(commands)),
        at=events[0].at,
        seconds=round(sum(seconds.values()), 3) if ended else None,
        exit_code=ended[-1].exit_code if ended else None,
        interrupted=not ended or ended[-1].exit_code == 130,
        error=errors[-1] if errors else None,
        candidate=chapter.candidate,
        candidate_sha256=chapter.source_blob.sha256 if chapter.source_blob else None,
        change=_change(chapter),
        findings=tuple(f for d in chapter.digests for f in briefs(d.digest, _FINDINGS)),
        because=becauses[-1] if becauses else None,
    )
    return _judged(row, chapter.verdict) if chapter.verdict else row


def _kind(chapter: Chapter) -> StepKind:
    for kind, event_type in _KINDS:
        if any(isinstance(event, event_type) for event in chapter.events):
            return kind
    return "command"


def _judged(row: Step, verdict: Verdict) -> Step:
    own = [timing for timing in verdict.timings if timing.subject == "candidate"]
    shape = own[0].shape if own else None
    times = {timing.mode: timing.median_ns for timing in own if timing.shape == shape}
    return row.model_copy(
        update={
            "status": verdict.status,
            "reasons": verdict.reasons,
            "shape": shape,
            "launch_ns": times.get("launch"),
            "graph_ns": times.get("graph"),
            "cpu_ns": times.get("cpu"),
            "speedup": headline(verdict, shape),
            "floor_pct": verdict.floor.percent if verdict.floor else None,
            "prediction": verdict.prediction,
        }
    )


def headline(verdict: Verdict, shape: str | None) -> SpeedupMeasured | None:
    """The speedup at a shape over torch.compile (else any baseline), as a graph if measured."""
    modes: list[Mode] = ["graph", "launch", "cpu"]
    found = [speedup for speedup in verdict.speedups if speedup.shape == shape]
    return min(
        found, key=lambda s: ("compile" not in s.baseline, modes.index(s.mode)), default=None
    )


def briefs(digest: Digest, count: int) -> tuple[FindingBrief, ...]:
    """The first findings of the launch that takes the most time."""

    def time(launch: DigestLaunch) -> float:
        return launch.duration_ns or 0.0

    longest = max(digest.launches, key=time, default=None)
    return tuple(
        FindingBrief(id=f.id, address=f.address, title=f.title, speedup=f.speedup)
        for f in (longest.findings[:count] if longest else ())
    )


def unified_diff(chapter: Chapter) -> tuple[str, ...]:
    """What changed against the candidate evaluated before; empty for the first."""
    if chapter.source is None or chapter.source_before is None:
        return ()
    return tuple(
        difflib.unified_diff(
            chapter.source_before.splitlines(),
            chapter.source.splitlines(),
            chapter.candidate_before or "",
            chapter.candidate or "",
            lineterm="",
        )
    )


def _change(chapter: Chapter) -> Change | None:
    if chapter.source is None:
        return None
    if chapter.source_before is None:
        return Change(against=None, added=len(chapter.source.splitlines()), removed=0)
    lines = unified_diff(chapter)[2:]
    return Change(
        against=chapter.candidate_before,
        added=sum(line.startswith("+") for line in lines),
        removed=sum(line.startswith("-") for line in lines),
    )
