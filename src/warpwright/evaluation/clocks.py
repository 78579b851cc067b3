"""What may be believed of times that a worker claims."""

from __future__ import annotations

import random
from time import sleep

from warpwright.evaluation.bench import Bench
from warpwright.evaluation.contestants import copy_bandwidth
from warpwright.evaluation.worker import CandidateError, Claim, Worker
from warpwright.model.task import DeviceKind, Shape
from warpwright.model.verdict import Check, Mode
from warpwright.tasks import floor_bytes, tensor_bytes

_SHARE = {"cuda": 0.5, "cpu": 0.25}
"""A claim must be at least this share of what a call takes; the CPU may be busy elsewhere."""
_ALLOWANCE_NS = 30e3
_LOOP_NS = 50e6
_MOST_CALLS = 500
_TRIES = 5
_PAUSE_S = 0.2


def believe(claim: Claim, least_ns: float) -> None:
    """Raise CandidateError where claimed times cannot be.

    Their sum must fit into the wall time that the controller saw, and none may be below what is
    physically possible.
    """
    if sum(claim.times_ns) > claim.wall_ns:
        total, wall = sum(claim.times_ns) * 1e-6, claim.wall_ns * 1e-6
        text = f"claims {total:.3g} ms for calls that took {wall:.3g} ms on the controller's clock"
        raise CandidateError("claim", text)
    if min(claim.times_ns) < least_ns:
        text = f"claims {min(claim.times_ns):.4g} ns; {least_ns:.4g} ns is the least possible"
        raise CandidateError("claim", text)


def least_possible_ns(bench: Bench, shape: Shape) -> float:
    """The task's bytes at twice the measured copy bandwidth; writes may stay in the L2 cache.

    0 on a CPU, whose caches may hold everything.
    """
    if bench.device == "cpu":
        return 0.0
    task = bench.task.task
    written = sum(tensor_bytes(spec, shape.dims) for spec in task.outputs)
    moved = floor_bytes(task, shape.dims) - min(written, bench.l2_bytes or written)
    return max(0.0, moved) / (2.0 * copy_bandwidth(bench)) * 1e9


def two_clocks(
    worker: Worker,
    rng: random.Random,
    claimed_ns: float,
    device: DeviceKind,
    where: tuple[str, Mode],
) -> Check:
    """Whether the claimed median is borne out by the controller's own clock.

    A call in a row of calls finds warm caches and waits for nothing, so it takes no longer than
    a timed one; and the row ends when the whole device is idle, so that no side stream or thread
    escapes. The claim must therefore be at least the time a call in two rows of random lengths,
    the difference of their times over that of their lengths. It may be half of it on a GPU and a
    quarter on a CPU (whose load changes), less 30 us: in mode "launch" the events of a timed call
    end with its last kernel, but a row also contains what the host does after it. In doubt the
    rows are repeated, some seconds long, and the fastest counts.

    A worker whose own code the candidate has replaced can make fewer calls than it was asked for.
    """
    limit = (claimed_ns + _ALLOWANCE_NS) / _SHARE[device]
    slope = _slope_ns(worker, rng)
    for attempt in range(1, _TRIES):
        if slope <= limit:
            break
        sleep(_PAUSE_S * attempt)
        slope = min(slope, _slope_ns(worker, rng))
    shape, mode = where
    both = f"{claimed_ns * 1e-3:.4g} us a call, the controller's clock {slope * 1e-3:.4g} us"
    return Check(
        name="two clocks",
        passed=slope <= limit,
        detail=f"{mode}: the worker claims {both}",
        shape=shape,
        measured=slope,
        limit=limit,
    )


def _slope_ns(worker: Worker, rng: random.Random) -> float:
    """Nanoseconds a call; a slow call is its own row, beside which a request is nothing."""
    one = worker.repeat(1)
    calls = min(_MOST_CALLS, int(_LOOP_NS / one))
    if calls < 2:
        return one
    few = rng.randint(1, calls // 2)
    more = few + rng.randint(calls // 2, calls)
    took = worker.repeat(few)
    return max(0.0, (worker.repeat(more) - took) / (more - few))
