"""What NVIDIA's own rules name as causes, in the ids of our findings."""

from __future__ import annotations

from collections.abc import Iterator

from warpwright.model.annotations import RuleResult
from warpwright.model.report import Launch

# Rule, words that its title or message must hold, and every finding it may be taken for. The
# mapping is generous: where a rule's words fit several causes, each of them counts as named.
_NAMES: tuple[tuple[str, str, tuple[str, ...]], ...] = (
    ("SOLBottleneck", "small grid", ("launch.small_grid",)),
    ("SOLBottleneck", "latency", ("latency.memory", "latency.dependency")),
    ("SOLBottleneck", "memory", ("roofline.memory", "memory.reuse", "memory.uncoalesced")),
    ("SOLBottleneck", "compute", ("roofline.compute",)),
    ("LaunchConfiguration", "tail", ("launch.tail",)),
    ("LaunchConfiguration", "block size", ("launch.block_size",)),
    ("LaunchConfiguration", "grid", ("launch.small_grid",)),
    ("TheoreticalOccupancy", "register", ("occupancy.registers",)),
    ("TheoreticalOccupancy", "shared memory", ("occupancy.shared_memory",)),
    ("TheoreticalOccupancy", "block", ("launch.block_size",)),
    ("WorkloadImbalance", "", ("balance.blocks",)),
    ("UncoalescedGlobalAccess", "", ("memory.uncoalesced",)),
    ("UncoalescedSharedAccess", "", ("memory.bank_conflicts",)),
    ("SharedMemoryConflicts", "", ("memory.bank_conflicts",)),
    ("MemoryCacheAccessPattern", "local", ("memory.local",)),
    ("MemoryCacheAccessPattern", "", ("memory.uncoalesced", "memory.narrow")),
    ("ThreadDivergence", "", ("control.divergence",)),
    ("HighPipeUtilization", "fp64", ("compute.fp64",)),
    ("HighPipeUtilization", "xu", ("compute.special_functions",)),
    ("HighPipeUtilization", "alu", ("compute.integer_math",)),
    ("HighPipeUtilization", "tensor", ("roofline.compute", "compute.tensor_cores_legacy")),
    ("SlowPipeLimiter", "fp64", ("compute.fp64",)),
    ("SlowPipeLimiter", "", ("compute.special_functions",)),
    ("SOLFPRoofline", "fp64", ("compute.fp64",)),
    ("CPIStall", "barrier", ("sync.barrier",)),
    ("CPIStall", "long scoreboard", ("latency.memory", "latency.no_overlap")),
    ("CPIStall", "lg throttle", ("memory.narrow", "memory.local")),
    ("CPIStall", "mio throttle", ("memory.bank_conflicts", "memory.atomics")),
    ("CPIStall", "short scoreboard", ("memory.bank_conflicts", "compute.special_functions")),
    ("CPIStall", "math pipe", ("roofline.compute", "compute.fp64", "compute.special_functions")),
    ("CPIStall", "imc miss", ("memory.constant_divergence",)),
    ("CPIStall", "no instruction", ("latency.instruction_cache",)),
    ("CPIStall", "branch", ("control.divergence",)),
    ("CPIStall", "wait", ("latency.dependency",)),
)


def vendor_causes(launch: Launch) -> list[tuple[tuple[str, ...], float | None]]:
    """What the rules name, as (ids it may be taken for, promised speedup of the kernel).

    Those with an estimate of the whole kernel come first, the largest first, as a reader who trusts
    the estimates would take them; then the others, in the report's order. A promise of p percent
    less time is a speedup of 1 / (1 - p / 100). Results that only say that all is well are
    left out.
    """
    named = list(_named(launch))
    named.sort(key=lambda one: -(one[1] or 0.0))
    return named


def _named(launch: Launch) -> Iterator[tuple[tuple[str, ...], float | None]]:
    for result in launch.annotations.rules:
        if result.kind not in ("optimization", "warning"):
            continue
        ids = _ids(result)
        if ids:
            yield ids, _promise(result)


def _ids(result: RuleResult) -> tuple[str, ...]:
    said = f"{result.title or ''} {result.message}".lower()
    for rule, words, ids in _NAMES:
        if result.rule.startswith(rule) and words in said:
            return ids
    return ()


def _promise(result: RuleResult) -> float | None:
    estimate = result.speedup
    if estimate is None or estimate.scope != "global" or not 0 < estimate.pct < 100:
        return None
    return 1 / (1 - estimate.pct / 100)
