"""Time a candidate in one process, interleaved with the baselines, and compare timed calls."""

from __future__ import annotations

from dataclasses import dataclass, field
from time import monotonic

from warpwright.evaluation.bench import Bench
from warpwright.evaluation.contestants import Contestant, copy_bandwidth
from warpwright.evaluation.correctness import compare
from warpwright.evaluation.effort import seed, timed_shapes
from warpwright.evaluation.judge import Draw
from warpwright.evaluation.worker import CandidateError, Claim, Worker
from warpwright.model.task import Shape
from warpwright.model.verdict import Check, Mode
from warpwright.tasks import floor_bytes, tensor_bytes

Block = tuple[float, ...]

_COMPARE_SHARE = 0.25  # of a heat's time; one comparison a heat is certain


@dataclass
class Timed:
    """What was timed at one shape and mode, in all processes. Blocks: ns of consecutive calls.

    `baselines` maps a name to (number of the round, block): slow ones sit rounds out.
    """

    candidate: list[Block] = field(default_factory=list)
    baselines: dict[str, list[tuple[int, Block]]] = field(default_factory=dict)
    checks: list[Check] = field(default_factory=list)

    def pairs(self, baseline: str) -> tuple[list[Block], list[Block]]:
        """Blocks of a baseline and of the candidate from the same rounds."""
        taken = self.baselines.get(baseline, [])
        return [block for _, block in taken], [self.candidate[index] for index, _ in taken]


@dataclass
class Heat:
    """The timing at one shape and mode in one worker process. Adds to `timed`."""

    bench: Bench
    worker: Worker
    shape: Shape
    mode: Mode
    timed: Timed
    spent_s: dict[str, float] = field(default_factory=dict)
    compared: int = 0
    compared_s: float = 0.0

    def run(self, contestants: list[Contestant]) -> None:
        """Rounds until this process's share of the targets or of the time is reached.

        Raises:
            CandidateError: the candidate crashed, hung, or claims times that cannot be.
        """
        least_ns = least_possible_ns(self.bench, self.shape)
        before = len(self.timed.candidate)
        deadline = monotonic() + self._share_s()
        while not self._enough(self.timed.candidate[before:]):
            done = len(self.timed.candidate) - before
            if done and monotonic() > deadline:
                return
            limit = self._share_s() / (2 * max(1, len(contestants)))
            here = [c for c in contestants if self.spent_s.get(c.baseline.name, 0.0) < limit]
            self._round(here if done else contestants, least_ns)

    def _share_s(self) -> float:
        """This heat's part of the candidate's time."""
        effort, bench = self.bench.effort, self.bench
        shapes = timed_shapes(bench.task.task, bench.device)
        return effort.time_limit_s / effort.processes / len(modes_of(bench)) / len(shapes)

    def _enough(self, blocks: list[Block]) -> bool:
        effort = self.bench.effort
        pairs = len(blocks) * effort.processes
        side_s = sum(map(sum, blocks)) * 1e-9 * effort.processes
        return (pairs >= effort.pairs and side_s >= effort.side_s) or pairs >= effort.max_pairs

    def _round(self, contestants: list[Contestant], least_ns: float) -> None:
        """One block of the candidate and one of each baseline, in random order."""
        rng = self.bench.rng
        distribution = rng.choice(self.bench.task.task.distributions).name
        number = len(self.timed.candidate)
        everyone: list[Contestant | None] = [None, *contestants]
        for contestant in rng.sample(everyone, len(everyone)):
            if contestant is None:
                self._candidate(distribution, least_ns)
            else:
                self._baseline(contestant, distribution, number)

    def _candidate(self, distribution: str, least_ns: float) -> None:
        bench, shape = self.bench, self.shape
        slots = list(range(bench.slots(shape)))
        drawn = [Draw(shape.name, distribution, seed(bench.rng)) for _ in slots]
        poison_seeds = [seed(bench.rng) for _ in slots]
        bench.fill(shape, drawn)
        claim = self.worker.time(shape, slots, poison_seeds)
        believe(claim, least_ns)
        self.timed.candidate.append(claim.times_ns)
        if self._is_compared():
            slot = bench.rng.choice(slots)
            began = monotonic()
            self.timed.checks += compare(
                bench, shape, slot, drawn[slot], poison_seeds[slot], timed=True
            )
            self.compared += 1
            self.compared_s += monotonic() - began

    def _is_compared(self) -> bool:
        """Whether one of the calls just timed is compared: by chance, so nobody can know."""
        effort = self.bench.effort
        if not self.compared:
            return True
        rounds = effort.pairs / effort.processes * len(modes_of(self.bench))
        within = self.compared_s < _COMPARE_SHARE * self._share_s()
        return within and self.bench.rng.random() < effort.compared / rounds

    def _baseline(self, contestant: Contestant, distribution: str, number: int) -> None:
        seeds = [seed(self.bench.rng) for _ in range(contestant.samples)]
        began = monotonic()
        name = contestant.baseline.name
        block = self.bench.reference.time(
            contestant.baseline, self.mode, self.shape, distribution, seeds
        )
        self.spent_s[name] = self.spent_s.get(name, 0.0) + monotonic() - began
        self.timed.baselines.setdefault(name, []).append((number, tuple(block)))


def modes_of(bench: Bench) -> tuple[Mode, ...]:
    """The modes of the bench's device; graphs come last: a failed capture may leave damage."""
    return ("launch", "graph") if bench.device == "cuda" else ("cpu",)


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
