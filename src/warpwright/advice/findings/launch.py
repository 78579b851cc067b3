"""launch.small_grid: the grid against the device."""

from __future__ import annotations

import math
from dataclasses import dataclass

from warpwright.advice.cautions import SHORT_NS
from warpwright.advice.draft import Draft, evidence, speedup
from warpwright.advice.facts import Facts, headroom
from warpwright.advice.residency import residency_gain
from warpwright.hardware import SCHEDULERS_PER_SM
from warpwright.model.digest import Confidence, Evidence

_FEW_IDLE = 0.1  # of the SMs


def small_grid(facts: Facts) -> Draft | None:
    """Fewer blocks than fill the device once.

    Splitting the same work over k times the blocks divides each block's work by k while all
    stay resident (k <= K = capacity / blocks): T(k) = T * max(f + (1 - f) / g(k), h). Here h is
    the busiest resource's share over the whole device (work is conserved), f the part of a
    block's time that every piece repeats besides the launch itself, and g(k) = s * r: s from SMs
    that were idle, r from more warps on each SM. The waiting at barriers is repeated; whether the
    waiting for global data is depends on the algorithm (a piece reads its own part, or all).
    low: only the idle SMs help (r = 1), both are repeated. expected: r by `residency_gain`, the
    barriers are repeated. high: r = k / s, f = 0. Where hardly an SM is idle the gain hangs on
    residency, and on how little a smaller piece repeats, which no report tells: then expected is
    that of a split by two with both repeated, and confidence low.
    """
    split = split_model(facts)
    if split is None:
        return None
    idle = max(0, facts.sm_count - facts.blocks)
    low, expected, high = split.gains(split.most)
    low = min(low, split.gains(split.spread)[0]) if idle else 1.0
    if idle < _FEW_IDLE * facts.sm_count:
        expected = split.cautious(2.0)
    if expected < 1.05:
        return None
    return Draft(
        id="launch.small_grid",
        title=_title(facts, idle, split.capacity),
        speedup=speedup(low, expected, high),
        evidence=_grid_evidence(facts, idle, split.capacity),
        actions=_split_actions(facts, split),
        confidence=_confidence(facts, idle),
    )


@dataclass(frozen=True)
class SplitModel:
    """What splitting a launch's work over k times the blocks gives.

    `most`: K, the k that fills the device once; `spread`: the k that gives every SM a block.
    """

    capacity: int
    most: float
    spread: float
    repeated: float
    most_repeated: float
    fixed: float
    floor: float
    busy: float
    warps: float

    def gains(self, k: float) -> tuple[float, float, float]:
        """Speedup for k: low, expected, high as `small_grid` defines them."""
        k = min(k, self.most)
        spread = min(k, self.spread)
        return (
            self._gain(spread, self.most_repeated),
            self._gain(self._crowd(k), self.repeated),
            self._gain(k, 0.0),
        )

    def cautious(self, k: float) -> float:
        """Speedup for k with more warps on each SM, where all that can be is repeated."""
        return self._gain(self._crowd(min(k, self.most)), self.most_repeated)

    def _crowd(self, k: float) -> float:
        spread = min(k, self.spread)
        return spread * residency_gain(self.busy, self.warps, k / spread)

    def _gain(self, ways: float, part: float) -> float:
        time = max((1 - self.fixed) * (part + (1 - part) / ways), self.floor)
        return 1 / min(1.0, self.fixed + time)


def split_model(facts: Facts) -> SplitModel | None:
    """The model of `small_grid`; None where the grid fills the device or limits are unknown."""
    capacity = facts.capacity
    if capacity is None or not 0 < facts.blocks < capacity:
        return None
    per_sm = max(1.0, facts.blocks / facts.sm_count)
    return SplitModel(
        capacity=capacity,
        most=capacity / facts.blocks,
        spread=max(1.0, facts.sm_count / facts.blocks),
        repeated=repeated_part(facts),
        most_repeated=most_repeated_part(facts),
        fixed=facts.fixed,
        floor=headroom(facts, spread=True),
        busy=headroom(facts),
        warps=per_sm * facts.warps_per_block / SCHEDULERS_PER_SM,
    )


def repeated_part(facts: Facts) -> float:
    """The part (0..1) of a block's time that every piece of it repeats: waiting at barriers."""
    return facts.stalls.share("barrier") if facts.stalls is not None else 0.1


def most_repeated_part(facts: Facts) -> float:
    """Likewise where every piece has to read what the whole block read; a half if not sampled."""
    stalls = facts.stalls
    if stalls is None:
        return 0.5
    return min(1.0, stalls.share("barrier") + stalls.share("long_scoreboard"))


def _confidence(facts: Facts, idle: int) -> Confidence:
    """Low too for launches of a few microseconds: fixed costs of a launch do not shrink."""
    if (facts.duration_ns or 0.0) < SHORT_NS:
        return "low"
    share = idle / facts.sm_count
    return "high" if share > 0.5 else "medium" if share > 0.1 else "low"


def _title(facts: Facts, idle: int, capacity: int) -> str:
    if idle:
        leave = "1 block leaves" if facts.blocks == 1 else f"{facts.blocks} blocks leave"
        return f"{leave} {idle} of {facts.sm_count} SMs idle"
    return f"{facts.blocks} blocks fill {facts.blocks / capacity:.0%} of the device's {capacity}"


def _grid_evidence(facts: Facts, idle: int, capacity: int) -> tuple[Evidence, ...]:
    occupancy = facts.launch.number("sm__warps_active.avg.pct_of_peak_sustained_active")
    limiter = min(facts.blocks_by, key=lambda name: facts.blocks_by[name])
    rows = [
        evidence("launch__grid_size", facts.blocks, "block", f"of {facts.block_threads} threads"),
        evidence("launch__sm_count", facts.sm_count, "SM", f"{idle} of them get no block"),
        evidence(
            f"launch__occupancy_limit_{limiter.replace(' memory', '_mem')}",
            facts.blocks_per_sm,
            "block/SM",
            f"an SM could hold at once (by {limiter}); {capacity} blocks fill the device",
        ),
    ]
    if occupancy is not None:
        rows.append(
            evidence(
                "sm__warps_active.avg.pct_of_peak_sustained_active",
                occupancy,
                "%",
                "achieved occupancy: a consequence of the grid, no cause",
            )
        )
    return tuple(rows)


def _split_actions(facts: Facts, split: SplitModel) -> tuple[str, ...]:
    one_each = math.ceil(facts.sm_count / facts.blocks)
    table = []
    for k in (2, 4, 8):
        if k <= split.most * 1.001:
            low, expected, high = split.gains(k)
            table.append(f"{k}x ({facts.blocks * k} blocks) {expected:.2f} ({low:.2f}-{high:.2f})")
    actions = [
        f"split each block's independent work (rows, columns, batch, sequence) over more "
        f"blocks: {facts.blocks} -> {facts.blocks * max(2, one_each)} or more gives each of "
        f"{facts.sm_count} SMs work; {split.capacity} fill the device once "
        f"({facts.blocks_per_sm} per SM), {2 * split.capacity} twice"
    ]
    if table:
        actions.append(f"predicted speedup when split by {', '.join(table)}")
    return tuple(actions)
