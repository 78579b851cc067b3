"""What an SM of each compute capability can hold, and the occupancy that follows.

Limits are those of NVIDIA's CUDA Programming Guide, appendix "Compute Capabilities"
(docs.nvidia.com/cuda/cuda-programming-guide/05-appendices/compute-capabilities.html; 7.0 and 7.2:
table "Technical Specifications per Compute Capability" of the guide for CUDA 12). Allocation units,
the sizes that the split between L1 and shared memory can have, and barriers are as NVIDIA's
occupancy calculator has them (cuda_occupancy.h of CUDA 13.0), with which the tests compare.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Literal

Limiter = Literal["registers", "shared memory", "warps", "blocks", "barriers"]

WARP = 32
SCHEDULERS_PER_SM = 4
MAX_BLOCK_THREADS = 1024
MAX_REGISTERS = 255  # of a thread, as a compiler can use them; 256 are allocated for them

_KIB = 1024
_TO_64 = tuple(size * _KIB for size in (0, 8, 16, 32, 64))
_TO_96 = (*_TO_64, 96 * _KIB)
_TO_100 = (*_TO_64, 100 * _KIB)
_TO_164 = (*_TO_100, 132 * _KIB, 164 * _KIB)
_TO_228 = (*_TO_164, 196 * _KIB, 228 * _KIB)


@dataclass(frozen=True, slots=True)
class SmLimits:
    """Per-SM limits. Sizes in bytes; registers are 32-bit.

    `carveouts`: the sizes that shared memory can have beside L1, in ascending order.
    `barriers`: named barriers of an SM; None before 9.0, where they limit nothing.
    `block_shared_limit`: of one block, where that is less than all but the reserved part.
    """

    max_warps: int
    max_blocks: int
    carveouts: tuple[int, ...]
    reserved_shared_bytes: int = _KIB
    barriers: int | None = None
    registers: int = 65536
    register_unit: int = 256
    shared_unit: int = 128
    block_shared_limit: int | None = None

    @property
    def shared_bytes(self) -> int:
        """Shared memory of an SM at its largest."""
        return self.carveouts[-1]

    @property
    def block_shared_bytes(self) -> int:
        """Static plus dynamic shared memory that one block can have (above 48 KiB: opted in)."""
        if self.block_shared_limit is not None:
            return self.block_shared_limit
        return self.shared_bytes - self.reserved_shared_bytes

    def allocated_shared(self, shared_bytes: int) -> int:
        """What a block of so much static plus dynamic shared memory takes of the SM's."""
        asked = shared_bytes + self.reserved_shared_bytes
        return math.ceil(asked / self.shared_unit) * self.shared_unit

    def carveout_for(self, shared_bytes: int, blocks: int) -> int:
        """The smallest carveout that holds so many blocks; the largest where none does."""
        needed = self.allocated_shared(shared_bytes) * blocks
        return next((size for size in self.carveouts if size >= needed), self.shared_bytes)


_LIMITS: dict[tuple[int, int], SmLimits] = {
    (7, 0): SmLimits(64, 32, _TO_96, 0, shared_unit=256),
    (7, 2): SmLimits(64, 32, _TO_96, 0, shared_unit=256, block_shared_limit=48 * _KIB),
    (7, 5): SmLimits(32, 16, (32 * _KIB, 64 * _KIB), 0, shared_unit=256),
    (8, 0): SmLimits(64, 32, _TO_164),
    (8, 6): SmLimits(48, 16, _TO_100),
    (8, 7): SmLimits(48, 16, _TO_164),
    (8, 8): SmLimits(48, 16, _TO_100),
    (8, 9): SmLimits(48, 24, _TO_100),
    (9, 0): SmLimits(64, 32, _TO_228, barriers=64),
    (10, 0): SmLimits(64, 32, _TO_228, barriers=64),
    (10, 1): SmLimits(48, 24, _TO_228, barriers=24),
    (10, 3): SmLimits(64, 32, _TO_228, barriers=64),
    (11, 0): SmLimits(48, 24, _TO_228, barriers=24),
    (12, 0): SmLimits(48, 24, _TO_100, barriers=24),
    (12, 1): SmLimits(48, 24, _TO_100, barriers=24),
}


def sm_limits(compute_capability: tuple[int, int]) -> SmLimits | None:
    """Limits of a compute capability, or None for one this table does not know."""
    return _LIMITS.get(compute_capability)


def nearest_limits(compute_capability: tuple[int, int]) -> tuple[tuple[int, int], SmLimits]:
    """The last known compute capability up to this one (the first for an older), and its limits."""
    known = [one for one in _LIMITS if one <= compute_capability]
    chosen = max(known, default=min(_LIMITS))
    return chosen, _LIMITS[chosen]


@dataclass(frozen=True, slots=True)
class Occupancy:
    """Blocks one SM holds at once. The limits are blocks per SM."""

    by_registers: int
    by_shared: int
    by_warps: int
    by_blocks: int
    by_barriers: int
    warps_per_block: int
    max_warps: int

    @property
    def limits(self) -> dict[Limiter, int]:
        """Each limit by its name."""
        return {
            "warps": self.by_warps,
            "registers": self.by_registers,
            "shared memory": self.by_shared,
            "blocks": self.by_blocks,
            "barriers": self.by_barriers,
        }

    @property
    def blocks_per_sm(self) -> int:
        """The smallest of the limits (0: the launch would fail)."""
        return min(self.limits.values())

    @property
    def warps_per_sm(self) -> int:
        """Resident warps."""
        return self.blocks_per_sm * self.warps_per_block

    @property
    def percent(self) -> float:
        """Theoretical occupancy, 0..100."""
        return 100.0 * self.warps_per_sm / self.max_warps

    @property
    def limiters(self) -> tuple[Limiter, ...]:
        """What limits it: all limits as small as the smallest (barriers: only if below blocks)."""
        return tuple(
            name
            for name, count in self.limits.items()
            if count == self.blocks_per_sm and (name != "barriers" or count < self.by_blocks)
        )

    @property
    def limiter(self) -> Limiter:
        """What limits it (the first of equals: warps, registers, shared memory, blocks)."""
        return self.limiters[0]


def occupancy(
    limits: SmLimits,
    block_threads: int,
    registers: int,
    shared_bytes: int,
    *,
    barriers: int = 0,
    carveout: int | None = None,
) -> Occupancy:
    """Blocks per SM of a launch.

    Args:
        limits: of the device's SM.
        block_threads: threads of one block.
        registers: 32-bit registers of one thread.
        shared_bytes: static plus dynamic shared memory of one block, without the reserved part.
        barriers: named barriers of one block.
        carveout: shared memory that the SM is set to; None: the largest there is. One that is
            too small for a single block gives way to the next that is not.

    Registers are allocated per warp in units of 256 and warps in fours (one per scheduler);
    shared memory in units of `shared_unit` with `reserved_shared_bytes` on top per block.
    """
    warps = max(1, math.ceil(block_threads / WARP))
    per_warp = math.ceil(max(registers, 1) * WARP / limits.register_unit) * limits.register_unit
    warps_by_registers = limits.registers // per_warp // SCHEDULERS_PER_SM * SCHEDULERS_PER_SM
    return Occupancy(
        by_registers=warps_by_registers // warps if registers <= MAX_REGISTERS + 1 else 0,
        by_shared=_by_shared(limits, shared_bytes, carveout),
        by_warps=limits.max_warps // warps if block_threads <= MAX_BLOCK_THREADS else 0,
        by_blocks=limits.max_blocks,
        by_barriers=_by_barriers(limits, barriers),
        warps_per_block=warps,
        max_warps=limits.max_warps,
    )


def _by_shared(limits: SmLimits, shared_bytes: int, carveout: int | None) -> int:
    if shared_bytes > limits.block_shared_bytes:
        return 0
    allocated = limits.allocated_shared(shared_bytes)
    if not allocated:
        return limits.max_blocks
    size = limits.shared_bytes if carveout is None else carveout
    return max(size, limits.carveout_for(shared_bytes, 1)) // allocated


def _by_barriers(limits: SmLimits, barriers: int) -> int:
    """As Nsight Compute tells it: never more than the blocks that fit anyway."""
    if limits.barriers is None or barriers < 1:
        return limits.max_blocks
    return min(limits.max_blocks, limits.barriers // barriers)
