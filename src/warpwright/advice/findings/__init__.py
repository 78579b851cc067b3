"""One function per finding id: launch facts in, a draft or None out."""

from __future__ import annotations

from collections.abc import Callable

from warpwright.advice.draft import Draft
from warpwright.advice.facts import Facts
from warpwright.advice.findings.atomics import atomics
from warpwright.advice.findings.constant import constant_divergence
from warpwright.advice.findings.divergence import divergence
from warpwright.advice.findings.integer import integer_math
from warpwright.advice.findings.latency import dependency, memory_latency
from warpwright.advice.findings.launch import small_grid, tail
from warpwright.advice.findings.local import local_memory
from warpwright.advice.findings.narrow import narrow
from warpwright.advice.findings.occupancy import registers, shared_memory
from warpwright.advice.findings.overhead import overhead
from warpwright.advice.findings.pipes import fp64, special_functions
from warpwright.advice.findings.reuse import reuse
from warpwright.advice.findings.roofline import compute_roof, memory_roof
from warpwright.advice.findings.shape import balance, block_size
from warpwright.advice.findings.shared import bank_conflicts
from warpwright.advice.findings.tensor import tensor_cores_legacy, tensor_cores_unused
from warpwright.advice.findings.uncoalesced import uncoalesced
from warpwright.advice.findings.waiting import barrier, instruction_cache, no_overlap

FINDINGS: tuple[Callable[[Facts], Draft | None], ...] = (
    small_grid,
    tail,
    overhead,
    block_size,
    balance,
    registers,
    shared_memory,
    local_memory,
    uncoalesced,
    narrow,
    bank_conflicts,
    constant_divergence,
    atomics,
    reuse,
    fp64,
    tensor_cores_unused,
    tensor_cores_legacy,
    integer_math,
    special_functions,
    divergence,
    barrier,
    instruction_cache,
    no_overlap,
    dependency,
    memory_latency,
    memory_roof,
    compute_roof,
)
