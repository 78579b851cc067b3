"""What an SM of each compute capability can hold, and the occupancy that follows.

Limits are those of NVIDIA's CUDA C++ Programming Guide, appendix "Compute Capabilities"
(table "Technical Specifications per Compute Capability"), and of the CUDA Occupancy
Calculator (allocation granularities).
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Literal

Limiter = Literal["registers", "shared memory", "warps", "blocks"]

WARP = 32
SCHEDULERS_PER_SM = 4


@dataclass(frozen=True, slots=True)
class SmLimits:
    """Per-SM limits. Sizes in bytes; registers are 32-bit."""

    max_warps: int
    max_blocks: int
    shared_bytes: int
    reserved_shared_bytes: int
    registers: int = 65536
    register_unit: int = 256
    shared_unit: int = 128


_KIB = 1024
_LIMITS: dict[tuple[int, int], SmLimits] = {
    (7, 0): SmLimits(64, 32, 96 * _KIB, 0, shared_unit=256),
    (7, 2): SmLimits(64, 32, 96 * _KIB, 0, shared_unit=256),
    (7, 5): SmLimits(32, 16, 64 * _KIB, 0, shared_unit=256),
    (8, 0): SmLimits(64, 32, 164 * _KIB, _KIB),
    (8, 6): SmLimits(48, 16, 100 * _KIB, _KIB),
    (8, 7): SmLimits(48, 16, 164 * _KIB, _KIB),
    (8, 9): SmLimits(48, 24, 100 * _KIB, _KIB),
    (9, 0): SmLimits(64, 32, 228 * _KIB, _KIB),
    (10, 0): SmLimits(64, 32, 228 * _KIB, _KIB),
    (10, 1): SmLimits(48, 24, 228 * _KIB, _KIB),
    (10, 3): SmLimits(64, 32, 228 * _KIB, _KIB),
    (11, 0): SmLimits(48, 24, 228 * _KIB, _KIB),
    (12, 0): SmLimits(48, 24, 100 * _KIB, _KIB),
    (12, 1): SmLimits(48, 24, 100 * _KIB, _KIB),
}


def sm_limits(compute_capability: tuple[int, int]) -> SmLimits | None:
    """Limits of a compute capability, or None for one this table does not know."""
    return _LIMITS.get(compute_capability)


@dataclass(frozen=True, slots=True)
class Occupancy:
    """Blocks one SM holds at once. The five limits are blocks per SM."""

    by_registers: int
    by_shared: int
    by_warps: int
    by_blocks: int
    warps_per_block: int
    max_warps: int

    @property
    def blocks_per_sm(self) -> int:
        """The smallest of the limits (0: the launch would fail)."""
        return min(self.by_registers, self.by_shared, self.by_warps, self.by_blocks)

    @property
    def warps_per_sm(self) -> int:
        """Resident warps."""
        return self.blocks_per_sm * self.warps_per_block

    @property
    def percent(self) -> float:
        """Theoretical occupancy, 0..100."""
        return 100.0 * self.warps_per_sm / self.max_warps

    @property
    def limiter(self) -> Limiter:
        """What limits it (the first of equals: warps, registers, shared memory, blocks)."""
        limits: dict[Limiter, int] = {
            "warps": self.by_warps,
            "registers": self.by_registers,
            "shared memory": self.by_shared,
            "blocks": self.by_blocks,
        }
        return min(limits, key=lambda name: limits[name])


def occupancy(limits: SmLimits, block_threads: int, registers: int, shared_bytes: int) -> Occupancy:
    """Blocks per SM of a launch.

    Args:
        limits: of the device's SM.
        block_threads: threads of one block.
        registers: 32-bit registers of one thread.
        shared_bytes: static plus dynamic shared memory of one block, without the reserved part.

    Registers are allocated per warp in units of 256 and warps in fours (one per scheduler);
    shared memory in units of `shared_unit` with `reserved_shared_bytes` on top per block.
    """
    warps = max(1, math.ceil(block_threads / WARP))
    per_warp = math.ceil(max(registers, 1) * WARP / limits.register_unit) * limits.register_unit
    warps_by_registers = limits.registers // per_warp // SCHEDULERS_PER_SM * SCHEDULERS_PER_SM
    shared = shared_bytes + limits.reserved_shared_bytes
    shared = math.ceil(shared / limits.shared_unit) * limits.shared_unit
    return Occupancy(
        by_registers=warps_by_registers // warps,
        by_shared=limits.shared_bytes // shared if shared else limits.max_blocks,
        by_warps=limits.max_warps // warps,
        by_blocks=limits.max_blocks,
        warps_per_block=warps,
        max_warps=limits.max_warps,
    )
