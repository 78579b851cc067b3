"""Check a candidate on every shape of the device, with fresh secret inputs."""

from __future__ import annotations

from collections.abc import Iterator
from time import monotonic

from warpwright.evaluation.bench import Bench
from warpwright.evaluation.effort import draws, seed, shapes_on
from warpwright.evaluation.judge import Draw, judge_output
from warpwright.evaluation.worker import CandidateError, Worker
from warpwright.model.task import Shape
from warpwright.model.verdict import Check

_ENOUGH_FAILURES = 8
_SLACK = 20.0  # a call may take this many times as long as the reference


def check(bench: Bench, worker: Worker) -> Iterator[Check]:
    """All checks, the cheapest shapes first; stops early where many have failed.

    A crash or hang is the last check: the worker is gone then.
    """
    failures = 0
    for shape in shapes_on(bench.task.task, bench.device):
        bench.say(f"checking shape {shape.name}")
        for draw in draws(bench.task.task, shape, bench.rng):
            try:
                found = _one(bench, worker, shape, draw)
            except CandidateError as error:
                yield failed(error, shape, draw)
                return
            yield from found
            failures += sum(not check.passed for check in found)
            if failures >= _ENOUGH_FAILURES:
                return


def failed(error: CandidateError, shape: Shape | None, draw: Draw | None = None) -> Check:
    """The check that a candidate failed by crashing, hanging or lying."""
    return Check(
        name=error.name,
        passed=False,
        detail=str(error),
        shape=shape.name if shape else None,
        distribution=draw.distribution if draw else None,
    )


def compare(
    bench: Bench, shape: Shape, slot: int, draw: Draw, poison_seed: int, *, timed: bool = False
) -> list[Check]:
    """Have the reference process compare the outputs in a slot, and judge its numbers."""
    began = monotonic()
    errors = bench.reference.compare(shape, slot, draw, poison_seed)
    took = monotonic() - began
    bench.compare_s[shape.name] = min(took, bench.compare_s.get(shape.name, took))
    return [judge_output(bench.task.task, draw, error, timed=timed) for error in errors]


def _one(bench: Bench, worker: Worker, shape: Shape, draw: Draw) -> list[Check]:
    poison_seed = seed(bench.rng)
    bench.fill(shape, [draw])
    slack = _SLACK * bench.reference.reference_s.get(shape.name, 0.0)
    problems = worker.check(shape, 0, poison_seed, slack)
    if problems:
        return [
            Check(name="form", passed=False, detail=text, shape=shape.name) for text in problems
        ]
    return compare(bench, shape, 0, draw, poison_seed)
