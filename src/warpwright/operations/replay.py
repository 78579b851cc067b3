"""The verb `replay`: walk a recorded run again, without a GPU and without torch."""

from __future__ import annotations

import tempfile
from pathlib import Path, PurePath
from typing import Any

from warpwright.build.candidates import load_candidate
from warpwright.build.compile import build_candidate
from warpwright.config import find_tool
from warpwright.errors import WarpwrightError
from warpwright.model.build import BuildReport
from warpwright.model.digest import Digest
from warpwright.model.run import Replay, ReplayedBuild, ReplayedDigest, ReplayStep, Step
from warpwright.operations.chapters import Chapter, RecordedDigest
from warpwright.operations.digest import digest_file
from warpwright.operations.runs import find_run
from warpwright.operations.story import briefs, tell, unified_diff
from warpwright.runs.store import RunStore

_FINDINGS = 5


def replay_run(run: str | None, start: Path, rebuild: bool = False) -> Replay:
    """Walk a run: digests and what changed are computed now, verdicts are as recorded.

    A digest that differs from the recorded one is said, and no error: another version of
    Warpwright may know more.

    Args:
        run: name or folder; None: the active or latest run.
        start: the folder to look for runs from.
        rebuild: also build the recorded sources again, where nvcc is here.

    Raises:
        BadInput: no such run, or a blob of it is missing, damaged or not understood.
    """
    store = find_run(run, start)
    story, told = tell(store, grouped=True)
    steps = tuple(
        _replay(store, step, chapter, rebuild)
        for step, chapter in zip(story.steps, told, strict=True)
    )
    digests = [digest for step in steps for digest in step.digests]
    return Replay(
        name=story.name,
        device=story.device,
        steps=steps,
        digests_same=sum(digest.same for digest in digests),
        digests_total=len(digests),
        cautions=story.cautions,
    )


def _replay(store: RunStore, step: Step, chapter: Chapter, rebuild: bool) -> ReplayStep:
    return ReplayStep(
        step=step,
        diff=unified_diff(chapter),
        digests=tuple(_digest(store, recorded) for recorded in chapter.digests),
        build=_build(chapter, rebuild),
    )


def _digest(store: RunStore, recorded: RecordedDigest) -> ReplayedDigest:
    store.get(recorded.report)  # verifies it
    live = digest_file(store.path_of(recorded.report), recorded.digest.report.path)
    difference = first_difference(recorded.digest, live)
    return ReplayedDigest(
        report=recorded.digest.report.path,
        findings=briefs(live, _FINDINGS),
        same=difference is None,
        difference=difference,
    )


def first_difference(recorded: Digest, live: Digest) -> str | None:
    """Where two digests differ first, as `path: recorded ..., now ...`; None: nowhere."""
    found = _compare("", recorded.model_dump(mode="json"), live.model_dump(mode="json"))
    return found.removeprefix(".") if found else None


def _compare(place: str, old: Any, new: Any) -> str | None:
    if isinstance(old, dict) and isinstance(new, dict):
        pairs = [(f"{place}.{key}", old.get(key), new.get(key)) for key in {**old, **new}]
    elif isinstance(old, list) and isinstance(new, list):
        if len(old) != len(new):
            return f"{place}: {len(old)} recorded, {len(new)} now"
        pairs = [(f"{place}[{i}]", *pair) for i, pair in enumerate(zip(old, new, strict=True))]
    else:
        return None if old == new else f"{place}: {old!r} recorded, {new!r} now"
    return next((found for pair in pairs if (found := _compare(*pair))), None)


def _build(chapter: Chapter, rebuild: bool) -> ReplayedBuild | None:
    recorded = chapter.build
    if recorded is None:
        return None
    if rebuild and recorded.language == "cuda" and chapter.source is not None:
        return _rebuild(recorded, chapter.source)
    return ReplayedBuild(live=False, note=None, kernels=recorded.kernels)


def _rebuild(recorded: BuildReport, source: str) -> ReplayedBuild:
    if find_tool("nvcc") is None:
        note = "not built again: nvcc is not here"
        return ReplayedBuild(live=False, note=note, kernels=recorded.kernels)
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / PurePath(recorded.candidate).with_suffix(".cu").name
        path.write_text(source, encoding="utf-8")
        try:
            kernels = build_candidate(load_candidate(path), target=recorded.target).report.kernels
        except WarpwrightError as error:
            note = f"not built again: {error}"
            return ReplayedBuild(live=False, note=note, kernels=recorded.kernels)
    dumps = (
        [kernel.model_dump(mode="json") for kernel in side] for side in (recorded.kernels, kernels)
    )
    return ReplayedBuild(live=True, note=_compare("kernels", *dumps), kernels=kernels)
