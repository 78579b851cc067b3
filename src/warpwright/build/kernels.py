"""From machine code to the kernels of a build report."""

from __future__ import annotations

import shutil
import subprocess
from collections import Counter
from collections.abc import Mapping, Sequence

from warpwright.build.accesses import accesses
from warpwright.build.log import PtxasFacts, ptxas_facts
from warpwright.build.target import compute_capability
from warpwright.cubin.elf import KernelCode, read_cubin
from warpwright.cubin.lines import Chain, call_chains
from warpwright.cubin.sass import Instruction, disassemble
from warpwright.hardware import occupancy, sm_limits
from warpwright.model.build import KernelBuild, OccupancyLimit

_USUAL_BLOCKS = (128, 256, 512, 1024)
_NO_DISASSEMBLER = (
    "no disassembler could read the machine code: instruction mix and accesses are missing"
    " (pip install 'warpwright[sass]')"
)
_NO_LINES = "the machine code has no line table: accesses stand without source lines"


def read_kernels(
    cubin: bytes, log: str, own_file: str
) -> tuple[tuple[KernelBuild, ...], tuple[str, ...]]:
    """The kernels of one cubin, and cautions on what could not be told.

    Args:
        cubin: the ELF file.
        log: what `ptxas -v` said when it made it (spills are told nowhere else).
        own_file: file name of the candidate's source.

    Raises:
        BadInput: not a cubin.
    """
    facts = read_cubin(cubin)
    if not facts.kernels:
        return (), ()
    code = disassemble(cubin)
    spills = ptxas_facts(log)
    names = demangle([kernel.name for kernel in facts.kernels])
    kernels = tuple(
        _kernel(facts.target, kernel, demangled, spills.get(kernel.name))
        for kernel, demangled in zip(facts.kernels, names, strict=True)
    )
    if code is None:
        return kernels, (_NO_DISASSEMBLER,)
    chains = {kernel.name: call_chains(cubin, kernel.name) for kernel in kernels}
    return (
        tuple(
            _with_code(kernel, code.functions.get(kernel.name, ()), chains[kernel.name], own_file)
            for kernel in kernels
        ),
        () if all(chains.values()) else (_NO_LINES,),
    )


def _kernel(
    target: str, kernel: KernelCode, demangled: str, spills: PtxasFacts | None
) -> KernelBuild:
    return KernelBuild(
        name=kernel.name,
        demangled=demangled,
        registers=kernel.registers,
        stack_bytes=kernel.frame_bytes,
        spill_store_bytes=spills.spill_store_bytes if spills else None,
        spill_load_bytes=spills.spill_load_bytes if spills else None,
        shared_static_bytes=kernel.shared_static_bytes,
        max_threads=kernel.max_threads,
        occupancy=occupancy_limits(
            target, kernel.registers, kernel.shared_static_bytes, kernel.max_threads
        ),
    )


def _with_code(
    kernel: KernelBuild, code: Sequence[Instruction], chains: Mapping[int, Chain], own_file: str
) -> KernelBuild:
    last = max((i for i, one in enumerate(code) if one.base != "NOP"), default=-1)
    body = code[: last + 1]  # what follows is padding
    return kernel.model_copy(
        update={
            "instructions": len(body),
            "opcodes": dict(Counter(one.base for one in body).most_common()),
            "accesses": accesses(body, chains, own_file),
        }
    )


def occupancy_limits(
    target: str, registers: int, shared_bytes: int, max_threads: int | None
) -> tuple[OccupancyLimit, ...]:
    """At the block size of its launch bounds, else at the usual ones; without dynamic shared
    memory. Empty for a target whose limits are not known."""  # noqa: D209
    limits = sm_limits(compute_capability(target))
    if limits is None:
        return ()
    blocks = (max_threads,) if max_threads else _USUAL_BLOCKS
    found = []
    for threads in blocks:
        held = occupancy(limits, threads, registers, shared_bytes)
        found.append(
            OccupancyLimit(
                block_threads=threads,
                blocks_per_sm=held.blocks_per_sm,
                warps_per_sm=held.warps_per_sm,
                occupancy_pct=held.percent,
                limiter=held.limiter,
            )
        )
    return tuple(found)


def demangle(names: Sequence[str]) -> list[str]:
    """C++ names as people write them, through binutils' c++filt; as they are without it."""
    tool = shutil.which("c++filt")
    if tool is None:
        return list(names)
    done = subprocess.run(
        [tool], input="\n".join(names), capture_output=True, text=True, check=False
    )
    lines = done.stdout.splitlines()
    return lines if done.returncode == 0 and len(lines) == len(names) else list(names)
