"""What a run already knows of the candidate behind a report."""

from __future__ import annotations

import lzma
from pathlib import Path, PurePath

from warpwright.model.event import Evaluated, Profiled
from warpwright.model.verdict import Timing, Verdict
from warpwright.runs.store import RunStore

_XZ_MAGIC = b"\xfd7zXZ\x00"


def report_bytes(path: Path) -> bytes:
    """A report's own bytes: what `.xz` holds, where it is compressed."""
    data = path.read_bytes()
    return lzma.decompress(data) if data.startswith(_XZ_MAGIC) else data


def time_of_profiled(
    store: RunStore, report_sha256: str, shape: str, mode: str, like: Verdict | None
) -> tuple[str, Timing] | None:
    """Candidate name and time of the latest correct verdict on what was profiled.

    `like`: only a verdict on the same task and device says a time to compare this one's with.
    """
    events = store.read().events
    candidates = {
        event.candidate.sha256
        for event in events
        if isinstance(event, Profiled) and event.candidate and event.report.sha256 == report_sha256
    }
    for event in reversed(events):
        if isinstance(event, Evaluated) and event.candidate.sha256 in candidates:
            verdict = Verdict.model_validate_json(store.get(event.verdict))
            if verdict.status != "correct" or not _comparable(verdict, like):
                continue
            for timing in verdict.timings:
                if (timing.subject, timing.shape, timing.mode) == ("candidate", shape, mode):
                    return PurePath(event.candidate.name).stem, timing
    return None


def _comparable(old: Verdict, new: Verdict | None) -> bool:
    if new is None:
        return True
    devices = [verdict.environment and verdict.environment.device for verdict in (old, new)]
    return old.task_sha256 == new.task_sha256 and devices[0] == devices[1]
