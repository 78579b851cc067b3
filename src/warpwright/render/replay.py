"""A run walked again, as text."""

from __future__ import annotations

from warpwright.model.run import Replay, ReplayedBuild, ReplayedDigest, ReplayStep, Step
from warpwright.render.numbers import time_text
from warpwright.render.run import step_name, wrapped
from warpwright.render.run_words import factor, outcome, promise, state, typed

_SHORT_DIFF = 30


def replay_text(replay: Replay) -> str:
    """Step by step: commands as typed, what changed, findings computed now, the verdict."""
    where = f", recorded on {replay.device}" if replay.device else ""
    lines = [f"replay of run {replay.name}{where}"]
    for step in replay.steps:
        lines += ["", *_step(step)]
    lines += ["", *_summary(replay)]
    lines += [line for caution in replay.cautions for line in wrapped("caution: ", caution)]
    return "\n".join(lines) + "\n"


def _step(replayed: ReplayStep) -> list[str]:
    step = replayed.step
    title = f"step {step.number}: {step_name(step, grouped=True)}"
    lines = [title, "=" * min(len(title), 80)]
    lines += [line for argv in step.commands for line in wrapped("$ ", typed(argv))]
    lines += _changed(replayed)
    if replayed.build is not None:
        lines += _build(replayed.build)
    for digest in replayed.digests:
        lines += _digest(digest)
    return lines + _verdict(step)


def _changed(replayed: ReplayStep) -> list[str]:
    change = replayed.step.change
    if change is None:
        return []
    if change.against is None:
        return [f"source: {change.added} lines, the first candidate"]
    if not replayed.diff:
        return [f"source: as {change.against}"]
    shown = replayed.diff[2:]
    lines = [f"source: +{change.added} -{change.removed} lines against {change.against}"]
    if len(shown) > _SHORT_DIFF:
        shown = tuple(line for line in shown if line.startswith("@@"))
    return lines + [f"  | {line}".rstrip() for line in shown]


def _build(build: ReplayedBuild) -> list[str]:
    how = "as recorded"
    if build.live:
        how = "built again now, " + ("it differs" if build.note else "same as recorded")
    lines = [f"build: {how}"] + (wrapped("  ", build.note) if build.note else [])
    for kernel in build.kernels:
        spills = [b for b in (kernel.spill_store_bytes, kernel.spill_load_bytes) if b is not None]
        name = kernel.demangled.partition("(")[0] or kernel.name
        text = f"{name}: {kernel.registers} registers, {kernel.stack_bytes} B stack"
        text += f", {sum(spills)} B spilled" if spills else ""
        lines += wrapped("  ", f"{text}, {kernel.shared_static_bytes} B static shared memory")
    return lines


def _digest(digest: ReplayedDigest) -> list[str]:
    lines = wrapped("digest: ", f"of {digest.report}, computed now from the recorded report")
    for rank, finding in enumerate(digest.findings, start=1):
        lines.append(f"  {rank}. {finding.id:<24} {promise(finding.speedup)}")
        lines += wrapped("     ", finding.title)
    if digest.same:
        return [*lines, "  same as recorded"]
    return lines + wrapped("  not as recorded: ", digest.difference or "")


def _verdict(step: Step) -> list[str]:
    if step.status is None:
        return [f"ended: {state(step)}", *(wrapped("  ", step.error) if step.error else [])]
    times = (("launch", step.launch_ns), ("graph", step.graph_ns), ("cpu", step.cpu_ns))
    parts = [f"{name} {time_text(ns)}" for name, ns in times if ns is not None]
    if step.speedup:
        parts.append(f"{factor(step.speedup.ratio)} over {step.speedup.baseline}")
    if step.floor_pct is not None:
        parts.append(f"{step.floor_pct:.1f} % of the floor")
    lines = wrapped("verdict: ", ", ".join([f"{step.status} (as recorded)", *parts]))
    lines += [line for reason in step.reasons for line in wrapped("  ", reason)]
    if step.because:
        lines += wrapped("acted on: ", step.because)
    if step.prediction:
        lines += wrapped("  ", outcome(step.prediction))
    return lines


def _summary(replay: Replay) -> list[str]:
    total, same = replay.digests_total, replay.digests_same
    predictions = [p for s in replay.steps if (p := s.step.prediction) and p.within is not None]
    lines = [f"{same} of {total} digest{'s' * (total != 1)} computed now: same as recorded"]
    if same < total:
        lines.append("(another version of Warpwright can see more or rank differently)")
    if predictions:
        within = sum(prediction.within is True for prediction in predictions)
        lines.append(f"{within} of {len(predictions)} measured gains within the predicted range")
    return lines
