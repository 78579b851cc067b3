"""How much is measured: draws for the correctness check, pairs and samples for the timing."""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import dataclass, replace

from warpwright.evaluation.judge import Draw
from warpwright.model.task import DeviceKind, Shape, Task
from warpwright.tasks import floor_bytes

_BIG_BYTES = 64 << 20


@dataclass(frozen=True, slots=True)
class Effort:
    """Targets of the timing, in all worker processes together, and limits in seconds.

    At least `pairs` pairs of `samples` calls and `side_s` of the candidate's own time, at most
    `max_pairs`.
    """

    processes: int
    pairs: int
    max_pairs: int
    samples: int
    side_s: float
    time_limit_s: float
    setup_timeout_s: float = 60.0
    call_timeout_s: float = 30.0


_ON_CUDA = Effort(processes=3, pairs=21, max_pairs=60, samples=5, side_s=0.5, time_limit_s=60.0)
_ON_CPU = Effort(processes=2, pairs=10, max_pairs=20, samples=3, side_s=0.2, time_limit_s=60.0)


def effort_for(
    device: DeviceKind, task: Task, *, quick: bool, time_limit_s: float | None
) -> Effort:
    """The usual effort on a device. `quick`: one process, 6 pairs, a quarter of the time."""
    limit = time_limit_s or task.time_limit_s
    effort = replace(_ON_CUDA if device == "cuda" else _ON_CPU, time_limit_s=limit)
    if not quick:
        return effort
    return replace(
        effort, processes=1, pairs=6, max_pairs=6, samples=3, side_s=0.0, time_limit_s=limit / 4
    )


def shapes_on(task: Task, device: DeviceKind) -> list[Shape]:
    """The shapes of a device, the cheapest first."""
    shapes = [shape for shape in task.shapes if device in shape.devices]
    return sorted(shapes, key=lambda shape: floor_bytes(task, shape.dims))


def timed_shapes(task: Task, device: DeviceKind) -> list[Shape]:
    """The shapes of a device that are timed, in the task's order; the first is the main one."""
    return [shape for shape in task.shapes if device in shape.devices and shape.timed]


def draws(task: Task, shape: Shape, rng: random.Random) -> Iterator[Draw]:
    """What a shape is checked on, with fresh secret seeds.

    Every distribution at least once, in random order, and `task.seeds` draws at least; on a
    shape of 64 MB or more every distribution once (two draws where there is one distribution).
    """
    count = len(task.distributions)
    big = floor_bytes(task, shape.dims) >= _BIG_BYTES
    wanted = max(2, count) if big else max(task.seeds, count)
    for index in range(wanted):
        if index % count == 0:
            order = rng.sample([d.name for d in task.distributions], count)
        yield Draw(shape.name, order[index % count], seed(rng))


def new_draw(task: Task, shape: Shape, rng: random.Random) -> Draw:
    """Fresh inputs of any distribution."""
    return Draw(shape.name, rng.choice(task.distributions).name, seed(rng))


def seed(rng: random.Random) -> int:
    """A seed that nobody can guess, if `rng` is a SystemRandom."""
    return rng.getrandbits(62)
