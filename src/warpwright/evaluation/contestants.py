"""The baselines a candidate is timed against: live ones made ready, slow ones from disk."""

from __future__ import annotations

import statistics
from dataclasses import dataclass, field

from warpwright.evaluation.bench import Bench
from warpwright.evaluation.child import ChildError
from warpwright.evaluation.effort import new_draw
from warpwright.model.task import Baseline, Shape
from warpwright.model.verdict import Mode

_SLOW_NS = 50e6
_BLOCK_NS = 250e6


@dataclass(frozen=True, slots=True)
class Contestant:
    """A baseline that is warm, and how many samples one block of it has."""

    baseline: Baseline
    samples: int


@dataclass
class Contestants:
    """The baselines at one shape and mode. `notes`: why one is missing."""

    live: list[Contestant] = field(default_factory=list)
    stored: dict[str, list[float]] = field(default_factory=dict)
    notes: list[str] = field(default_factory=list)


def make_ready(bench: Bench, shape: Shape, mode: Mode) -> Contestants:
    """Warm up the baselines that are timed live, outside every clock, and fetch the others."""
    result = Contestants()
    for baseline in bench.task.task.baselines:
        if mode == "graph" and not baseline.graph:
            continue
        old = bench.stored.get(*_key(bench, shape, baseline, mode))
        if old and _wanted(bench, old):
            result.stored[baseline.name] = old
            continue
        bench.say(f"warming up baseline {baseline.name} ({mode})")
        draw = new_draw(bench.task.task, shape, bench.rng)
        try:
            estimate = bench.reference.prepare(baseline, mode, shape, draw)
        except ChildError as error:
            result.notes.append(f"baseline {baseline.name} has no {mode} time: {error}")
            continue
        fitting = max(1, int(_BLOCK_NS / max(estimate, 1.0)))
        result.live.append(Contestant(baseline, min(bench.effort.samples, fitting)))
    return result


def keep(bench: Bench, shape: Shape, mode: Mode, name: str, samples: list[float]) -> None:
    """Store what was measured live, for later commands; few quick samples replace none."""
    baseline = next(b for b in bench.task.task.baselines if b.name == name)
    key = _key(bench, shape, baseline, mode)
    if not (bench.request.quick and bench.stored.get(*key)):
        bench.stored.put(samples, *key)


def copy_bandwidth(bench: Bench) -> float:
    """Bytes per second of a large copy, measured once per device."""
    old = bench.stored.get("copy bandwidth", bench.device)
    if old:
        return old[0]
    bench.say("measuring copy bandwidth")
    measured = bench.reference.bandwidth()
    bench.stored.put([measured], "copy bandwidth", bench.device)
    return measured


def _wanted(bench: Bench, old: list[float]) -> bool:
    if bench.request.baselines == "auto":  # a CPU is too unsteady for old times
        return bench.device == "cuda" and statistics.median(old) > _SLOW_NS
    return bench.request.baselines == "cached"


def _key(bench: Bench, shape: Shape, baseline: Baseline, mode: Mode) -> tuple[str, ...]:
    return (bench.task.sha256, shape.name, baseline.name, baseline.function, mode)
