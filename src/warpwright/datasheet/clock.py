"""Operations that one SM finishes in a clock.

FP64, FP32 and FP16: the throughput table of NVIDIA's CUDA Programming Guide (a fused multiply-add
is two operations). Tensor rates: published rate / (SMs x boost clock), where no product of that
compute capability differs from the others: A100 (8.0) and H100 (9.0).
"""

from __future__ import annotations

from warpwright.model.calibration import Rate

_FP32 = {(7, 0): 128, (7, 2): 128, (7, 5): 128, (8, 0): 128, (8, 6): 256, (8, 7): 256, (8, 9): 256}
_FP32 |= {(9, 0): 256, (10, 0): 256, (10, 3): 256, (12, 0): 256, (12, 1): 256}
_FP64 = {(7, 0): 64, (7, 5): 4, (8, 0): 64, (8, 6): 4, (8, 9): 4, (9, 0): 128, (10, 0): 128}
_FP64 |= {(12, 0): 4}
_FP16 = {(7, 0): 256, (7, 2): 256, (7, 5): 256, (8, 0): 512, (9, 0): 512}
_TENSOR: dict[tuple[int, int], dict[Rate, int]] = {
    (7, 0): {"tensor.fp16": 1024},
    (8, 0): {
        "tensor.fp64": 128,
        "tensor.tf32": 1024,
        "tensor.fp16": 2048,
        "tensor.bf16": 2048,
        "tensor.int8": 4096,
    },
    (9, 0): {
        "tensor.fp64": 256,
        "tensor.tf32": 2048,
        "tensor.fp16": 4096,
        "tensor.bf16": 4096,
        "tensor.fp8": 8192,
        "tensor.int8": 8192,
    },
}


def flop_per_clock(rate: Rate, compute_capability: tuple[int, int]) -> int | None:
    """Operations of one SM in a clock; None where they are not known."""
    table = {"fp32": _FP32, "fp64": _FP64, "fp16": _FP16}.get(rate)
    if table is not None:
        return table.get(compute_capability)
    return _TENSOR.get(compute_capability, {}).get(rate)
