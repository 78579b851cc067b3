"""One function for each finding id: facts of a launch in, a draft of that id or None out."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from warpwright.advice.draft import Draft
from warpwright.advice.facts import Facts
from warpwright.advice.findings.atomics import atomics
from warpwright.advice.findings.constant import constant_divergence
from warpwright.advice.findings.divergence import divergence
from warpwright.advice.findings.integer import integer_math
from warpwright.advice.findings.latency import dependency, memory_latency
from warpwright.advice.findings.launch import small_grid
from warpwright.advice.findings.local import local_memory
from warpwright.advice.findings.narrow import narrow
from warpwright.advice.findings.occupancy import registers, shared_memory
from warpwright.advice.findings.overhead import overhead
from warpwright.advice.findings.pipes import fp64, special_functions
from warpwright.advice.findings.reuse import reuse
from warpwright.advice.findings.roofline import compute_roof, memory_roof
from warpwright.advice.findings.shape import balance, block_size
from warpwright.advice.findings.shared import bank_conflicts
from warpwright.advice.findings.tail import tail
from warpwright.advice.findings.tensor import tensor_cores_unused
from warpwright.advice.findings.tensor_legacy import tensor_cores_legacy
from warpwright.advice.findings.uncoalesced import uncoalesced
from warpwright.advice.findings.waiting import barrier, instruction_cache, no_overlap

FINDINGS: Mapping[str, Callable[[Facts], Draft | None]] = {
    "launch.small_grid": small_grid,
    "launch.tail": tail,
    "launch.overhead": overhead,
    "launch.block_size": block_size,
    "balance.blocks": balance,
    "occupancy.registers": registers,
    "occupancy.shared_memory": shared_memory,
    "memory.local": local_memory,
    "memory.uncoalesced": uncoalesced,
    "memory.narrow": narrow,
    "memory.bank_conflicts": bank_conflicts,
    "memory.constant_divergence": constant_divergence,
    "memory.atomics": atomics,
    "memory.reuse": reuse,
    "compute.fp64": fp64,
    "compute.tensor_cores_unused": tensor_cores_unused,
    "compute.tensor_cores_legacy": tensor_cores_legacy,
    "compute.integer_math": integer_math,
    "compute.special_functions": special_functions,
    "control.divergence": divergence,
    "sync.barrier": barrier,
    "latency.instruction_cache": instruction_cache,
    "latency.no_overlap": no_overlap,
    "latency.dependency": dependency,
    "latency.memory": memory_latency,
    "roofline.memory": memory_roof,
    "roofline.compute": compute_roof,
}
