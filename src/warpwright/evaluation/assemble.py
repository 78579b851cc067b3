"""Put the evidence on a candidate together as a verdict. Pure but for the bench's facts."""

from __future__ import annotations

import random
import statistics
from collections.abc import Iterator, Sequence

from warpwright.evaluation.bench import Bench
from warpwright.evaluation.contestants import copy_bandwidth
from warpwright.evaluation.effort import timed_shapes
from warpwright.evaluation.evidence import Evidence, Where
from warpwright.evaluation.judge import reasons, status_of
from warpwright.evaluation.rounds import Timed
from warpwright.evaluation.statistics import (
    Ratio,
    block_log_ratios,
    is_noisy,
    paired_ratio,
    percentile,
    self_ratio,
    unpaired_ratio,
)
from warpwright.evaluation.worker import Subject
from warpwright.model.verdict import (
    Environment,
    FloorUse,
    Noise,
    SpeedupMeasured,
    Status,
    Timing,
    Verdict,
)
from warpwright.tasks import floor_bytes, floor_flops

_FEWEST_PAIRS = 3


def verdict_of(
    bench: Bench, subject: Subject, evidence: Evidence, environment: Environment, judged_s: float
) -> Verdict:
    """The verdict. Only a correct candidate gets times and speedups."""
    status: Status = status_of(evidence.checks)
    why = reasons(evidence.checks)
    if evidence.fault is not None:
        status, why = "infrastructure-error", (evidence.fault, *why)
    correct = status == "correct"
    rng = random.Random(bench.task.sha256)  # resampling needs no secret
    return Verdict(
        task=bench.task.task.name,
        task_sha256=bench.task.sha256,
        candidate=subject.candidate.name,
        candidate_sha256=subject.candidate.sha256,
        status=status,
        reasons=why,
        rel_error=_worst_error(evidence),
        checks=tuple(evidence.checks),
        timings=tuple(_timings(evidence)) if correct else (),
        speedups=tuple(_speedups(evidence, rng)) if correct else (),
        floor=_floor(bench, evidence) if correct else None,
        noise=tuple(_noise(bench, evidence, rng)) if correct else (),
        environment=environment,
        seconds={
            "build": round(subject.build_s, 3),
            "check": round(evidence.check_s, 3),
            "time": round(evidence.time_s, 3),
            "total": round(subject.build_s + judged_s, 3),
        },
    )


def _worst_error(evidence: Evidence) -> float | None:
    names = ("error", "timed call")
    errors = [c.measured for c in evidence.checks if c.name in names and c.measured is not None]
    return max(errors, default=None)


def _timings(evidence: Evidence) -> Iterator[Timing]:
    for where, timed in evidence.timed.items():
        yield _timing("candidate", where, _flat(timed.candidate))
        for name in timed.baselines:
            yield _timing(name, where, _flat(timed.pairs(name)[0]))
        for name, samples in evidence.contestants[where].stored.items():
            yield _timing(name, where, samples, cached=True)


def _timing(
    subject: str, where: Where, samples: Sequence[float], *, cached: bool = False
) -> Timing:
    return Timing(
        subject=subject,
        shape=where[0],
        mode=where[1],
        median_ns=statistics.median(samples),
        p20_ns=percentile(samples, 20),
        p80_ns=percentile(samples, 80),
        samples=len(samples),
        cached=cached,
    )


def _speedups(evidence: Evidence, rng: random.Random) -> Iterator[SpeedupMeasured]:
    for where, timed in evidence.timed.items():
        for name in timed.baselines:
            baseline, candidate = timed.pairs(name)
            paired = len(baseline) >= _FEWEST_PAIRS
            if paired:
                ratio = paired_ratio(block_log_ratios(baseline, candidate), rng)
            else:
                ratio = unpaired_ratio(_flat(baseline), _flat(candidate), rng)
            yield _speedup(name, where, ratio, len(baseline), paired=paired)
        for name, samples in evidence.contestants[where].stored.items():
            ratio = unpaired_ratio(samples, _flat(timed.candidate), rng)
            yield _speedup(name, where, ratio, 0, paired=False)


def _speedup(
    baseline: str, where: Where, ratio: Ratio, pairs: int, *, paired: bool
) -> SpeedupMeasured:
    return SpeedupMeasured(
        baseline=baseline,
        shape=where[0],
        mode=where[1],
        ratio=ratio.value,
        low=ratio.low,
        high=ratio.high,
        pairs=pairs,
        paired=paired,
    )


def _main(bench: Bench, evidence: Evidence) -> Iterator[tuple[Where, Timed]]:
    """The modes of the first timed shape; launch (or cpu) comes first."""
    shapes = timed_shapes(bench.task.task, bench.device)
    for where, timed in evidence.timed.items():
        if shapes and where[0] == shapes[0].name and timed.candidate:
            yield where, timed


def _floor(bench: Bench, evidence: Evidence) -> FloorUse | None:
    for where, timed in _main(bench, evidence):
        task = bench.task.task
        dims = next(shape.dims for shape in task.shapes if shape.name == where[0])
        rate, size = copy_bandwidth(bench), floor_bytes(task, dims)
        floor_ns = size / rate * 1e9
        return FloorUse(
            shape=where[0],
            bytes=size,
            flops=floor_flops(task, dims),
            floor_ns=floor_ns,
            percent=100.0 * floor_ns / statistics.median(_flat(timed.candidate)),
            memory_bytes_per_s=rate,
            flops_per_s=None,
        )
    return None


def _noise(bench: Bench, evidence: Evidence, rng: random.Random) -> Iterator[Noise]:
    for (_, mode), timed in _main(bench, evidence):
        ratio = self_ratio(timed.candidate, rng)
        if ratio is not None:
            noisy = is_noisy(ratio, statistics.median(_flat(timed.candidate)))
            yield Noise(mode=mode, ratio=ratio.value, low=ratio.low, high=ratio.high, noisy=noisy)


def _flat(blocks: Sequence[Sequence[float]]) -> list[float]:
    return [sample for block in blocks for sample in block]
