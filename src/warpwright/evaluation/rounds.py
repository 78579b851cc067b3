"""Time a candidate in one process, interleaved with the baselines, and compare timed calls."""

from __future__ import annotations

import statistics
from dataclasses import dataclass, field
from time import monotonic

from warpwright.evaluation.bench import Bench
from warpwright.evaluation.clocks import believe, least_possible_ns, two_clocks
from warpwright.evaluation.contestants import Contestant
from warpwright.evaluation.correctness import compare
from warpwright.evaluation.effort import seed, timed_shapes
from warpwright.evaluation.judge import Draw
from warpwright.evaluation.worker import Worker
from warpwright.model.task import Shape
from warpwright.model.verdict import Check, Mode

Block = tuple[float, ...]

_CHEAP_S = 0.02
_COMPARE_SHARE = 0.25  # of a heat's time


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
    """The timing at one shape and mode in one worker process. Adds to `timed`.

    The outputs of timed calls are compared with the oracle: all of them where a comparison took
    below 20 ms in the check; else one of the first block, and by chance, so that nobody can know,
    one of any other, for about a quarter of the time.
    """

    bench: Bench
    worker: Worker
    shape: Shape
    mode: Mode
    timed: Timed
    spent_s: dict[str, float] = field(default_factory=dict)

    def run(self, contestants: list[Contestant]) -> None:
        """Rounds until this process's share of the targets or of the time is reached.

        Then the controller's clock is asked whether it bears the times out.

        Raises:
            CandidateError: the candidate crashed, hung, or claims times that cannot be.
        """
        before = len(self.timed.candidate)
        self._rounds(contestants, before)
        claimed = statistics.median(ns for block in self.timed.candidate[before:] for ns in block)
        where = (self.shape.name, self.mode)
        clocks = two_clocks(self.worker, self.bench.rng, claimed, self.bench.device, where)
        self.timed.checks.append(clocks)

    def _rounds(self, contestants: list[Contestant], before: int) -> None:
        least_ns = least_possible_ns(self.bench, self.shape)
        deadline = monotonic() + self._share_s()
        while not self._enough(self.timed.candidate[before:]):
            done = len(self.timed.candidate) - before
            if done and monotonic() > deadline:
                return
            limit = self._share_s() / (2 * max(1, len(contestants)))
            here = [c for c in contestants if self.spent_s.get(c.baseline.name, 0.0) < limit]
            self._round(here if done else contestants, least_ns, certain=not done)

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

    def _round(self, contestants: list[Contestant], least_ns: float, *, certain: bool) -> None:
        """One block of the candidate and one of each baseline, in random order."""
        rng = self.bench.rng
        distribution = rng.choice(self.bench.task.task.distributions).name
        number = len(self.timed.candidate)
        everyone: list[Contestant | None] = [None, *contestants]
        for contestant in rng.sample(everyone, len(everyone)):
            if contestant is None:
                self._candidate(distribution, least_ns, certain=certain)
            else:
                self._baseline(contestant, distribution, number)

    def _candidate(self, distribution: str, least_ns: float, *, certain: bool) -> None:
        bench, shape = self.bench, self.shape
        slots = list(range(bench.slots(shape)))
        drawn = [Draw(shape.name, distribution, seed(bench.rng)) for _ in slots]
        poison_seeds = [seed(bench.rng) for _ in slots]
        bench.fill(shape, drawn)
        claim = self.worker.time(shape, slots, poison_seeds)
        believe(claim, least_ns)
        self.timed.candidate.append(claim.times_ns)
        for slot in self._compared(slots, certain=certain):
            self.timed.checks += compare(
                bench, shape, slot, drawn[slot], poison_seeds[slot], timed=True
            )

    def _compared(self, slots: list[int], *, certain: bool) -> list[int]:
        """Which of the calls just timed are compared."""
        effort, rng = self.bench.effort, self.bench.rng
        cost_s = self.bench.compare_s[self.shape.name]
        if cost_s < _CHEAP_S:
            return slots
        rounds = effort.max_pairs / effort.processes
        chance = _COMPARE_SHARE * self._share_s() / (cost_s * rounds)
        return [rng.choice(slots)] if certain or rng.random() < chance else []

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
