"""What a launch moved and computed, from whichever metrics its report has."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field

from warpwright.model.calibration import Rate
from warpwright.model.report import Launch
from warpwright.model.roofline import Memory
from warpwright.query.tensor_shapes import is_tensor, tensor_work

_SECTOR_BYTES = 32
_VISIBLE = 0.01  # of all operations: a rate with fewer is no point of the plot
_OPCODES = "sass__inst_executed_per_opcode_with_modifier_all"
_THREAD_OPCODES = "sass__thread_inst_executed_true_per_opcode"
_SCALARS: dict[Rate, dict[str, int]] = {
    "fp64": {"dadd": 1, "dmul": 1, "dfma": 2},
    "fp32": {"fadd": 1, "fmul": 1, "ffma": 2},
    "fp16": {"hadd": 2, "hmul": 2, "hfma": 4},  # instructions on pairs of halves
}
_THREAD_NAMES: dict[Rate, dict[str, int]] = {
    "fp64": {"DADD": 1, "DMUL": 1, "DFMA": 2},
    "fp32": {"FADD": 1, "FMUL": 1, "FFMA": 2, "FADD2": 2, "FMUL2": 2, "FFMA2": 4},
    "fp16": {"HADD2": 2, "HMUL2": 2, "HFMA2": 4},
}
_OPS_PATH = re.compile(r"sm__ops_path_tensor_src_([a-z0-9]+)(?:_dst_\w+?)?(_sparsity_o(?:ff|n))?")
_TENSOR: dict[str, Rate] = {
    "fp64": "tensor.fp64",
    "tf32": "tensor.tf32",
    "fp16": "tensor.fp16",
    "bf16": "tensor.bf16",
    "fp8": "tensor.fp8",
    "int8": "tensor.int8",
}


@dataclass(frozen=True, slots=True)
class Counted:
    """An amount (bytes or operations) of the whole launch, and the metric that counted it."""

    amount: float
    metric: str


@dataclass(frozen=True)
class Achieved:
    """What was counted; `notes` tell what was counted with reserve, or not at all."""

    moved: Mapping[Memory, Counted]
    work: Mapping[Rate, Counted]
    scalars_known: bool
    tensors_known: bool
    notes: tuple[str, ...] = field(default=())


def achieved(launch: Launch, duration_ns: float) -> Achieved:
    """Count the launch's bytes and operations. Absent and NaN metrics count as not measured."""
    seconds = duration_ns * 1e-9
    scalar = _scalar_work(launch, seconds)
    tensor, notes = _tensor_work(launch, seconds)
    moved: dict[Memory, Counted | None] = {
        "dram": _dram_bytes(launch, seconds),
        "l2": _l2_bytes(launch, seconds),
        "l1": _l1_bytes(launch),
    }
    known: dict[Rate, Counted] = {**(scalar or {}), **(tensor or {})}
    halves, whole = known.get("fp16"), sum(count.amount for count in known.values())
    if halves and halves.metric == _THREAD_OPCODES and halves.amount > _VISIBLE * whole:
        notes = (*notes, "HFMA2 also loads constants: the FP16 operations may be fewer")
    return Achieved(
        moved={level: count for level, count in moved.items() if count is not None},
        work={rate: count for rate, count in known.items() if count.amount > _VISIBLE * whole},
        scalars_known=scalar is not None,
        tensors_known=tensor is not None,
        notes=notes,
    )


def sm_hz(launch: Launch) -> float | None:
    """SM cycles a second of this launch."""
    names = ("sm__cycles_elapsed", "smsp__cycles_elapsed", "gpc__cycles_elapsed")
    rates = (launch.number(f"{name}.avg.per_second") for name in names)
    return next((rate for rate in rates if rate), None)


def _dram_bytes(launch: Launch, seconds: float) -> Counted | None:
    whole = _total(launch, "dram__bytes", seconds)
    if whole is not None:
        return whole
    read, written = (_total(launch, f"dram__bytes_{op}", seconds) for op in ("read", "write"))
    if read is None or written is None:
        return None
    return Counted(read.amount + written.amount, f"{read.metric} + {written.metric}")


def _l2_bytes(launch: Launch, seconds: float) -> Counted | None:
    """What SMs asked of the L2, without what its own halves and the DRAM exchange."""
    sectors = _total(launch, "lts__t_sectors_srcunit_tex", seconds)
    return sectors and Counted(sectors.amount * _SECTOR_BYTES, sectors.metric)


def _l1_bytes(launch: Launch) -> Counted | None:
    loads, stores = (f"l1tex__t_sectors_pipe_lsu_mem_global_op_{op}.sum" for op in ("ld", "st"))
    found = [launch.number(name) for name in (loads, stores)]
    if any(count is None for count in found):
        return None
    return Counted(sum(n for n in found if n is not None) * _SECTOR_BYTES, f"{loads} and _st")


def _total(launch: Launch, counter: str, seconds: float) -> Counted | None:
    whole = launch.number(f"{counter}.sum")
    if whole is not None:
        return Counted(whole, f"{counter}.sum")
    rate = launch.number(f"{counter}.sum.per_second")
    if rate is not None:
        return Counted(rate * seconds, f"{counter}.sum.per_second")
    each, clock = launch.number(f"{counter}.sum.per_cycle_elapsed"), sm_hz(launch)
    if each is None or clock is None:
        return None
    return Counted(each * clock * seconds, f"{counter}.sum.per_cycle_elapsed")


def _scalar_work(launch: Launch, seconds: float) -> dict[Rate, Counted] | None:
    """By precision; those that the roofline sections leave out, from counts by opcode."""
    by_opcode = _numbers(launch, _THREAD_OPCODES)
    found: dict[Rate, Counted] = {}
    for rate, kinds in _SCALARS.items():
        parts = []
        for kind, operations in kinds.items():
            counter = f"smsp__sass_thread_inst_executed_op_{kind}_pred_on"
            parts.append((_total(launch, counter, seconds), operations))
        if all(count is not None for count, _ in parts):
            amount = sum(count.amount * operations for count, operations in parts if count)
            last = next(count for count, _ in reversed(parts) if count)
            found[rate] = Counted(amount, last.metric)
        elif by_opcode is not None:
            names = _THREAD_NAMES[rate]
            amount = sum(by_opcode.get(name, 0.0) * each for name, each in names.items())
            found[rate] = Counted(amount, _THREAD_OPCODES)
    return found or None


def _tensor_work(
    launch: Launch, seconds: float
) -> tuple[dict[Rate, Counted] | None, tuple[str, ...]]:
    """By type: from the counters of tensor operations, else from instructions and their shapes."""
    counted = _ops_path(launch, seconds)
    if counted:
        return counted, ()
    by_opcode = _numbers(launch, _OPCODES)
    if by_opcode is None:
        return None, ()
    found: dict[Rate, Counted] = {}
    unknown = []
    for opcode, count in by_opcode.items():
        if not is_tensor(opcode) or not count:
            continue
        work = tensor_work(opcode)
        if work is None:
            unknown.append(opcode)
            continue
        rate, each = work
        before = found[rate].amount if rate in found else 0.0
        found[rate] = Counted(before + count * each, _OPCODES)
    notes = (f"operations of {', '.join(sorted(unknown))} are not counted",) if unknown else ()
    return found, notes


def _ops_path(launch: Launch, seconds: float) -> dict[Rate, Counted]:
    """Totals of `sm__ops_path_tensor_src_*`: of a type as a whole, else the sum over sparsity.

    What a counter of several types (fp16_bf16_tf32) holds cannot be told apart, and is left out.
    """
    totals: dict[Rate, dict[bool, float]] = {}
    names = {name.partition(".")[0] for name in launch.metrics if "ops_path_tensor_src" in name}
    for counter in names:
        match = _OPS_PATH.fullmatch(counter)
        rate = _TENSOR.get(match[1]) if match else None
        count = _total(launch, counter, seconds)
        if match is None or rate is None or count is None:
            continue
        sums = totals.setdefault(rate, {})
        part = match[2] is not None
        sums[part] = sums.get(part, 0.0) + count.amount
    return {
        rate: Counted(sums.get(False, sums.get(True, 0.0)), "sm__ops_path_tensor_src_*")
        for rate, sums in totals.items()
    }


def _numbers(launch: Launch, name: str) -> dict[str, float] | None:
    metric = launch.metrics.get(name)
    if metric is None or not metric.instances:
        return None
    pairs = metric.instances.items()
    return {str(key): float(count) for key, count in pairs if not isinstance(count, str)}
