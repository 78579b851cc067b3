"""What the findings need to know of a launch, worked out once. A pure function of the launch.

The model behind every prediction (`Facts.after`): a launch takes T. For every resource r there is
the time t_r it would take were r all that mattered, T times r's busy share, over what the best
kernels reach of r's peak (`ATTAINABLE`). A part of T is the launch itself (`Facts.fixed`). Taking a
cause away shortens what warps wait for and what resources have to do; the predicted T' is the
launch itself plus the larger of the two: the rest of T less the waiting that vanishes, and the
largest t_r of the work that remains.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import PurePath

from warpwright.advice.code_facts import CodeFacts
from warpwright.advice.stalls import Stalls, read_stalls
from warpwright.hardware import WARP, SmLimits, nearest_limits
from warpwright.model.digest import Place
from warpwright.model.report import Launch

# Share of a unit's peak that kernels at its roof reach: on an H200, copies of 60 us and more keep
# L2 88 to 93 % and DRAM 80 to 92 % busy, FMA and XU loops their pipe 88 to 96 %.
ATTAINABLE = 0.92
# What a launch takes that hardly does anything: on an H200, kernels that load and store one value a
# thread take 2.1 to 2.5 us by gpu__time_duration, with caches flushed; an empty one takes 1.7.
LAUNCH_NS = 2_300
_VISIBLE = 0.01  # a line with less of the cost is not named
_ELAPSED = "pct_of_peak_sustained_elapsed"


@dataclass(frozen=True, slots=True)
class Busy:
    """How busy one resource was, 0..1 of its peak: over the device, and on the fullest SM."""

    name: str
    metric: str
    mean: float
    fullest: float


_RESOURCES = {
    "SM pipes": f"sm__throughput.avg.{_ELAPSED}",
    "L1 data pipe": f"l1tex__data_pipe_lsu_wavefronts.avg.{_ELAPSED}",
    "L2": f"lts__throughput.avg.{_ELAPSED}",
    "DRAM": f"gpu__dram_throughput.avg.{_ELAPSED}",
}
_PER_SM = ("SM pipes", "L1 data pipe")


@dataclass(frozen=True)
class Facts:
    """One launch, with the derived numbers that several findings share.

    `fellows`: durations (ns) of the short launches around it, its own among them.
    """

    launch: Launch
    sm_count: int
    sources: Mapping[str, str]
    fellows: tuple[float | None, ...] = ()

    @cached_property
    def code(self) -> CodeFacts:
        """What the machine code and the counters at its instructions tell together."""
        return CodeFacts(self.launch, self.stalls)

    @cached_property
    def duration_ns(self) -> float | None:
        """gpu__time_duration."""
        return self.launch.number("gpu__time_duration.sum")

    @cached_property
    def blocks(self) -> int:
        """Blocks in the grid."""
        x, y, z = self.launch.grid
        return x * y * z

    @cached_property
    def block_threads(self) -> int:
        """Threads in a block."""
        x, y, z = self.launch.block
        return x * y * z

    @cached_property
    def warps_per_block(self) -> int:
        """Warps in a block."""
        return -(-self.block_threads // WARP)

    @cached_property
    def limits(self) -> SmLimits | None:
        """What an SM of this device can hold; of an unknown one, as of the last known before it."""
        capability = self.launch.compute_capability
        return nearest_limits(capability)[1] if capability else None

    @cached_property
    def blocks_by(self) -> dict[str, int]:
        """Blocks one SM could hold by each limit (launch__occupancy_limit_*)."""
        named = {
            "registers": "registers",
            "shared memory": "shared_mem",
            "warps": "warps",
            "blocks": "blocks",
        }
        found = {
            label: self.launch.number(f"launch__occupancy_limit_{metric}")
            for label, metric in named.items()
        }
        return {label: int(n) for label, n in found.items() if n is not None and n >= 0}

    @cached_property
    def blocks_per_sm(self) -> int | None:
        """Blocks that fit one SM at once."""
        return min(self.blocks_by.values()) if self.blocks_by else None

    @cached_property
    def capacity(self) -> int | None:
        """Blocks that fill the device once."""
        return self.blocks_per_sm * self.sm_count if self.blocks_per_sm else None

    @cached_property
    def busy(self) -> tuple[Busy, ...]:
        """The resources this report has numbers for, the busiest first."""
        used = min(1.0, self.blocks / self.sm_count) or 1.0  # a grid of 0 is an unknown one
        found = []
        for name, metric in _RESOURCES.items():
            mean = self.launch.number(metric)
            if mean is None:
                continue
            peak = self.launch.number(metric.replace(".avg.", ".max."))
            fullest = mean
            if name in _PER_SM:
                fullest = max(mean / used, mean) if peak is None else max(peak, mean)
            found.append(Busy(name, metric, mean / 100, min(fullest / 100, 1.0)))
        return tuple(sorted(found, key=lambda busy: -busy.mean))

    @cached_property
    def fixed(self) -> float:
        """The part (0..1) of the duration that is the launch itself; 0 where none was measured."""
        return min(1.0, LAUNCH_NS / self.duration_ns) if self.duration_ns else 0.0

    def after(
        self, gone: float, *, left: Mapping[str, float] | None = None, spread: bool = False
    ) -> float:
        """T / T' when `gone` (0..1) of the waiting vanishes; never below 1.

        Args:
            gone: part of the warps' time.
            left: as of `headroom`.
            spread: as of `headroom`.
        """
        waiting = 1 - min(max(gone, 0.0), 1.0)
        floor = headroom(self, left=left, spread=spread)
        return 1 / min(1.0, self.fixed + max((1 - self.fixed) * waiting, floor, 0.003))

    @cached_property
    def stalls(self) -> Stalls | None:
        """Where warps spent their time, from stall sampling; None if it was not collected."""
        return read_stalls(self.launch)

    def places(self, cost: Mapping[int, float], most: int = 4) -> tuple[Place, ...]:
        """The source lines with the largest cost (any unit), by PC offset."""
        total = sum(cost.values())
        by_line: dict[tuple[str, int], dict[int, float]] = {}
        for pc, amount in cost.items():
            line = self.launch.code.lines.get(pc)
            if line is not None and amount > 0:
                by_line.setdefault((line.file, line.line), {})[pc] = amount
        ranked = sorted(by_line.items(), key=lambda item: -sum(item[1].values()))
        return tuple(
            Place(
                file=PurePath(file).name,
                line=line,
                sass_pc=max(pcs, key=lambda pc: pcs[pc]),
                share=round(sum(pcs.values()) / total, 4),
            )
            for (file, line), pcs in ranked[:most]
            if sum(pcs.values()) >= _VISIBLE * total
        )

    def source_text(self, place: Place) -> str | None:
        """The text of a line, if the report imported its file."""
        for path, text in self.sources.items():
            if PurePath(path).name == place.file:
                lines = text.splitlines()
                if 0 < place.line <= len(lines):
                    return lines[place.line - 1].strip()
        return None

    def quote(self, place: Place) -> str:
        """`kda.cu:42` with the line's text where it is known."""
        text = self.source_text(place)
        return f"{place.file}:{place.line}" + (f" `{text}`" if text else "")


def headroom(
    facts: Facts, *, spread: bool = False, left: Mapping[str, float] | None = None
) -> float:
    """The largest t_r over T, 0..1: T times this is the least T' that resources permit.

    Args:
        facts: the launch.
        spread: the change spreads work over all SMs (then the device's mean counts, else the
            fullest SM's share).
        left: by resource name, the share (0..1) of its work that remains after the change.
    """
    shares = [
        (busy.mean if spread else busy.fullest) * (left or {}).get(busy.name, 1.0)
        for busy in facts.busy
    ]
    return min(1.0, max(shares, default=0.0) / ATTAINABLE)
