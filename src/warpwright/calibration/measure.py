"""What a GPU reaches, each rate by itself: warmed up, timed by events, median of repetitions.

Runs last some milliseconds, so that the limits of power and heat of a long load are not seen: a
rate is what a kernel can reach, not what it can hold for minutes.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from statistics import median
from typing import Literal

from warpwright.calibration import ptx
from warpwright.calibration.driver import DriverError, Gpu
from warpwright.model.calibration import Measured, Rate

_REPETITIONS = 9
_RUN_NS = 4e6
_COPY_BYTES = 1 << 30
_PIECE_BYTES = 16384  # that a block copies or reads at once
_BLOCKS_PER_SM = 4
_MAX_LOOPS = 1 << 28
_EMPTY_LAUNCHES = 500
_BLOCKED_NS = 20e6
_TCGEN05 = (10, 11)  # major compute capabilities whose tensor cores mma.sync does not fill

Unit = Literal["byte/s", "FLOP/s"]


def measure_rates(gpu: Gpu) -> dict[Rate, Measured]:
    """Every rate; one that cannot be measured says why, and the others go on."""
    measures: dict[Rate, tuple[Unit, Callable[[], Measured]]] = {
        "dram": ("byte/s", lambda: _copy(gpu)),
        "l2": ("byte/s", lambda: _l2(gpu)),
        "fp64": ("FLOP/s", lambda: _fma(gpu, "f64")),
        "fp32": ("FLOP/s", lambda: _fma(gpu, "f32")),
        "fp16": ("FLOP/s", lambda: _fma(gpu, "f16x2")),
        "tensor.fp16": ("FLOP/s", lambda: _tensor(gpu, "f16")),
        "tensor.bf16": ("FLOP/s", lambda: _tensor(gpu, "bf16")),
    }
    return {rate: _tried(unit, measure) for rate, (unit, measure) in measures.items()}


def measure_launch_interval(gpu: Gpu) -> Measured:
    """Nanoseconds a launch of empty kernels in a row on one stream.

    They are enqueued behind a kernel that keeps the device busy meanwhile: how fast this process
    enqueues does not count.
    """
    try:
        return _launch_interval(gpu)
    except DriverError as error:
        return Measured(value=None, unit="ns", why_not=str(error))


def _tried(unit: Unit, measure: Callable[[], Measured]) -> Measured:
    try:
        return measure()
    except DriverError as error:
        return Measured(value=None, unit=unit, why_not=str(error))


def _summary(values: list[float], unit: Literal["byte/s", "FLOP/s", "ns"], how: str) -> Measured:
    if not all(math.isfinite(value) and value > 0 for value in values):
        return Measured(value=None, unit=unit, why_not="the driver's events told no time")
    low, high = min(values), max(values)
    return Measured(value=median(values), unit=unit, low=low, high=high, runs=len(values), how=how)


def _higher(one: Measured, other: Measured) -> Measured:
    return max((one, other), key=lambda measured: measured.value or 0.0)


def _target(gpu: Gpu) -> str:
    return "sm_75" if gpu.facts.compute_capability >= (7, 5) else "sm_70"


def _copy(gpu: Gpu) -> Measured:
    """Bytes read plus written, by a kernel and by the driver's own copy: the higher of the two."""
    wanted = max(_COPY_BYTES, 16 * gpu.facts.l2_bytes)
    size = min(wanted, gpu.free_bytes() // 4) // _PIECE_BYTES * _PIECE_BYTES
    if size < 4 * gpu.facts.l2_bytes or not size:
        return Measured(value=None, unit="byte/s", why_not="too little device memory is free")
    kernel = ptx.copy_kernel(_target(gpu))
    text = f"of {size >> 20} MiB in device memory, bytes read plus written"
    with gpu.memory(size) as source, gpu.memory(size) as target:
        copied = _rate(gpu, lambda: gpu.copy(target, source, size), 2.0 * size)
        by_driver = _summary(copied, "byte/s", f"the driver's copy {text}")
        with gpu.kernel(kernel.text, kernel.name) as function:
            blocks = gpu.facts.sm_count * 8

            def run() -> None:
                pieces = size // _PIECE_BYTES
                gpu.launch(function, blocks, kernel.threads, source, target, pieces)

            by_kernel = _summary(_rate(gpu, run, 2.0 * size), "byte/s", f"a kernel's copy {text}")
    return _higher(by_driver, by_kernel)


def _l2(gpu: Gpu) -> Measured:
    """Reads past the L1 of a piece that fits a quarter of the L2."""
    quarter = gpu.facts.l2_bytes // 4
    if quarter < _PIECE_BYTES:
        return Measured(value=None, unit="byte/s", why_not="the driver tells no L2 size")
    size = 1 << (quarter.bit_length() - 1)
    kernel = ptx.read_kernel(_target(gpu), size)
    blocks = gpu.facts.sm_count * _BLOCKS_PER_SM
    how = f"16-byte reads (.cg) of {size >> 20} MiB over and over by every SM"
    moved = float(blocks * _PIECE_BYTES)
    with gpu.memory(size) as source:
        return _looped(gpu, kernel, blocks, source, (moved, "byte/s", how))


def _fma(gpu: Gpu, scalar: ptx.Scalar) -> Measured:
    kernel = ptx.fma_kernel(_target(gpu), scalar)
    blocks = gpu.facts.sm_count * _BLOCKS_PER_SM
    how = f"fma.rn.{scalar}: 16 independent chains a thread, 32 warps an SM"
    flop = kernel.flop * blocks * kernel.threads / 32
    return _looped(gpu, kernel, blocks, 0, (flop, "FLOP/s", how))


def _tensor(gpu: Gpu, kind: Literal["f16", "bf16"]) -> Measured:
    """Products of halves with sums in FP32, by the fastest instructions that PTX has for them."""
    capability = gpu.facts.compute_capability
    if capability[0] in _TCGEN05:
        why = "tcgen05 is not timed by this version, and mma.sync does not fill these tensor cores"
        return Measured(value=None, unit="FLOP/s", why_not=why)
    if capability < ((7, 5) if kind == "f16" else (8, 0)):
        why = f"no mma.sync m16n8 of {kind} on this compute capability"
        return Measured(value=None, unit="FLOP/s", why_not=why)
    depth: Literal[8, 16] = 16 if capability >= (8, 0) else 8
    mma = ptx.mma_kernel("sm_80" if depth == 16 else "sm_75", kind, depth)
    best = _tried("FLOP/s", lambda: _products(gpu, mma, 4, f"mma.sync m16n8k{depth}"))
    if capability == (9, 0):
        wgmma = ptx.wgmma_kernel(kind)
        other = _tried("FLOP/s", lambda: _products(gpu, wgmma, 2, "wgmma m64n256k16"))
        best = _higher(other, best)
    return best


def _products(gpu: Gpu, kernel: ptx.Kernel, blocks_per_sm: int, what: str) -> Measured:
    blocks = gpu.facts.sm_count * blocks_per_sm
    flop = kernel.flop * blocks * kernel.threads / 32
    how = f"{what}, sums in FP32, random operands"
    return _looped(gpu, kernel, blocks, 0, (flop, "FLOP/s", how))


def _looped(
    gpu: Gpu, kernel: ptx.Kernel, blocks: int, source: int, counted: tuple[float, Unit, str]
) -> Measured:
    """Time a kernel with as many loops as fill a run. `counted`: what one loop does, unit, how."""
    amount, unit, how = counted
    with (
        gpu.memory(blocks * kernel.threads * 8) as target,
        gpu.kernel(kernel.text, kernel.name) as function,
    ):

        def run(loops: int) -> None:
            gpu.launch(function, blocks, kernel.threads, source, target, loops)

        loops = _loops(gpu, run, _RUN_NS)
        return _summary(_rate(gpu, lambda: run(loops), amount * loops), unit, how)


def _loops(gpu: Gpu, run: Callable[[int], None], wanted_ns: float) -> int:
    """How many loops take so long: doubled until the time can be told, then scaled."""

    def time_ns(loops: int) -> float:
        return gpu.time_ns(lambda: run(loops))

    loops = 16
    took = time_ns(loops)
    while took < wanted_ns / 4 and loops < _MAX_LOOPS:
        loops *= 2
        took = time_ns(loops)
    return max(1, min(_MAX_LOOPS, round(loops * wanted_ns / max(took, 1.0))))


def _rate(gpu: Gpu, run: Callable[[], None], amount: float) -> list[float]:
    """`amount` a second of each repetition; two before them warm up."""
    for _ in range(2):
        gpu.time_ns(run)
    return [amount / (gpu.time_ns(run) * 1e-9) for _ in range(_REPETITIONS)]


def _launch_interval(gpu: Gpu) -> Measured:
    target = _target(gpu)
    empty, busy = ptx.empty_kernel(target), ptx.fma_kernel(target, "f32")
    blocks = gpu.facts.sm_count * _BLOCKS_PER_SM
    with (
        gpu.memory(blocks * busy.threads * 8) as memory,
        gpu.kernel(busy.text, busy.name) as blocker,
        gpu.kernel(empty.text, empty.name) as nothing,
    ):

        def block(loops: int) -> None:
            gpu.launch(blocker, blocks, busy.threads, 0, memory, loops)

        def many() -> None:
            for _ in range(_EMPTY_LAUNCHES):
                gpu.launch(nothing, 1, empty.threads, 0, 0, 0)

        loops = _loops(gpu, block, _BLOCKED_NS)
        gpu.time_ns(many)
        times = [gpu.time_ns(many, lambda: block(loops)) for _ in range(_REPETITIONS)]
    each = [took / _EMPTY_LAUNCHES for took in times]
    how = f"{_EMPTY_LAUNCHES} empty kernels of one block, enqueued while another kernel ran"
    return _summary(each, "ns", how)
