"""The source metrics of a launch, joined by PC offset.

Their instances are sparse: a sampling metric has none where no sample fell (that is zero), and a
metric of one kind of memory has none at instructions of another kind (that is None).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from warpwright.model.report import Launch
from warpwright.model.source_view import Cost, Ranking

_SAMPLES = "smsp__pcsamp_sample_count"
# The second prefix is that of Pascal.
_REASONS = ("smsp__pcsamp_warps_issue_stalled_", "smsp__pcsamp_warp_stall_")
_NOT_ISSUED = "_not_issued"
# Names of newer versions first; before 2021 the tool had the others.
_L2_GLOBAL = ("memory_l2_theoretical_sectors_global", "memory_l2_sectors_global")
_L2_LOCAL = ("memory_l2_theoretical_sectors_local", "memory_l2_sectors_local")
_SHARED = ("memory_l1_wavefronts_shared",)
_LOCAL = 8  # code of the source metric memory_type

PerPc = dict[int, float]


class PcCounters:
    """What the report measured at each PC offset. `offsets`: where anything was measured.

    `stalls` and `not_issued`: reason -> samples by PC offset; empty without sampling.
    """

    def __init__(self, launch: Launch) -> None:
        self._launch = launch
        self.stalls: dict[str, PerPc] = {}
        self.not_issued: dict[str, PerPc] = {}
        self._read_stalls()
        samples = self._read((_SAMPLES,))
        if samples is None and self.stalls:  # before 2021 only the reasons were there
            samples = _sum_by_pc(self.stalls.values())
        self._samples = samples
        self._executed = self._read(("inst_executed",))
        self._threads = self._read(("thread_inst_executed",))
        self._threads_on = self._read(("thread_inst_executed_true",))
        self._l2, self._l2_ideal = self._read(_L2_GLOBAL), self._read(_L2_GLOBAL, "_ideal")
        self._shared, self._shared_ideal = self._read(_SHARED), self._read(_SHARED, "_ideal")
        self._l2_local = self._read(_L2_LOCAL)
        kinds = self._read(("memory_type",)) or {}
        self._local = {pc for pc, kind in kinds.items() if kind == _LOCAL}
        self.offsets = {pc for part in (samples, self._executed, kinds) for pc in part or ()}

    @property
    def ranking(self) -> Ranking | None:
        """What hot means here."""
        if self._samples and any(self._samples.values()):
            return "samples"
        return "inst_executed" if self._executed else None

    def cost(self, offsets: Iterable[int]) -> Cost:
        """What the instructions at these offsets cost together."""
        at = tuple(offsets)
        executed = _sum(self._executed, at)
        threads, threads_on = _sum(self._threads, at), _sum(self._threads_on, at)
        sampled = self._samples is not None
        return Cost(
            samples=_count(self._samples, at),
            stalls=_by_reason(self.stalls, at) if sampled and self.stalls else None,
            not_issued=_by_reason(self.not_issued, at) if sampled and self.not_issued else None,
            inst_executed=executed,
            thread_inst_executed=threads,
            active_lanes=_ratio(threads, executed),
            predicated_on_lanes=_ratio(threads_on, executed),
            l2_global_sectors=_sum(self._l2, at),
            l2_global_sectors_ideal=_sum(self._l2_ideal, at),
            shared_wavefronts=_sum(self._shared, at),
            shared_wavefronts_ideal=_sum(self._shared_ideal, at),
            local_inst_executed=_sum(self._executed, [pc for pc in at if pc in self._local]),
            l2_local_sectors=_sum(self._l2_local, at),
        )

    def _read(self, names: tuple[str, ...], suffix: str = "") -> PerPc | None:
        """The first of these metrics that was collected, without values that could not be read."""
        for name in names:
            per_pc = self._launch.per_pc(name + suffix)
            if per_pc:
                return {pc: value for pc, value in per_pc.items() if value == value} or None
        return None

    def _read_stalls(self) -> None:
        for name in self._launch.metrics:
            for prefix in _REASONS:
                if name.startswith(prefix):
                    reason = name.removeprefix(prefix)
                    kind = self.not_issued if reason.endswith(_NOT_ISSUED) else self.stalls
                    per_pc = self._read((name,))
                    if per_pc is not None:
                        kind[reason.removesuffix(_NOT_ISSUED)] = per_pc


def heat(cost: Cost | None, ranked_by: Ranking | None) -> int:
    """How hot a cost is; 0 for none, or where nothing was measured."""
    if cost is None or ranked_by is None:
        return 0
    return (cost.samples if ranked_by == "samples" else cost.inst_executed) or 0


def _sum_by_pc(parts: Iterable[PerPc]) -> PerPc:
    sums: PerPc = {}
    for part in parts:
        for pc, value in part.items():
            sums[pc] = sums.get(pc, 0.0) + value
    return sums


def _count(per_pc: PerPc | None, offsets: Iterable[int]) -> int | None:
    """The sum; an offset without an instance counts 0."""
    return None if per_pc is None else round(sum(per_pc.get(pc, 0.0) for pc in offsets))


def _sum(per_pc: PerPc | None, offsets: Iterable[int]) -> int | None:
    """The sum over the offsets that have an instance; None if none has."""
    found = [per_pc[pc] for pc in offsets if pc in per_pc] if per_pc else []
    return round(sum(found)) if found else None


def _by_reason(parts: Mapping[str, PerPc], offsets: tuple[int, ...]) -> dict[str, int]:
    """The reasons with samples at these offsets, most first."""
    sums = {reason: _count(per_pc, offsets) or 0 for reason, per_pc in parts.items()}
    return {r: n for r, n in sorted(sums.items(), key=lambda item: (-item[1], item[0])) if n}


def _ratio(part: int | None, whole: int | None) -> float | None:
    return part / whole if part is not None and whole else None
