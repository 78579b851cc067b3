"""Operations of a tensor instruction, by its opcode as Nsight Compute counts it."""

from __future__ import annotations

import re

from warpwright.model.calibration import Rate

_OPCODE = re.compile(r"(H|I|D|Q|B|O)(G?)MMA\.(.+)")
_SHAPES = {
    "884": (8, 8, 4),
    "8816": (8, 8, 16),
    "8832": (8, 8, 32),
    "1684": (16, 8, 4),
    "1688": (16, 8, 8),
    "16816": (16, 8, 16),
    "16832": (16, 8, 32),
    "16864": (16, 8, 64),
}
_WITH_X = re.compile(r"(\d+)x(\d+)x(\d+)")
_WARPS_OF_A_GROUP = 4


def is_tensor(opcode: str) -> bool:
    """Whether it is a matrix product (HFMA2.MMA is none)."""
    return _OPCODE.match(opcode) is not None or opcode.startswith("UTC")


def tensor_work(opcode: str) -> tuple[Rate, float] | None:
    """Kind and operations (a multiply-add is two) of one warp's instruction.

    `HMMA.16816.F32.BF16` multiplies 16 x 8 x 16; `HGMMA.64x128x16.F32` is one product of four
    warps, each of which is counted. None: a shape or type that is not known here, a sparse one,
    one of Volta's (which does a part of 8 x 8 x 4), or of tcgen05 (whose opcode has no shape).
    """
    match = _OPCODE.match(opcode)
    if match is None:
        return None
    kind, group, rest = match.groups()
    modifiers = rest.split(".")
    rate = _rate(kind, modifiers)
    shape = _shape(modifiers[0])
    if rate is None or shape is None or "SP" in modifiers or (kind == "H" and shape[0] == 8):
        return None
    m, n, k = shape
    return rate, 2.0 * m * n * k / (_WARPS_OF_A_GROUP if group else 1)


def _shape(text: str) -> tuple[int, int, int] | None:
    match = _WITH_X.fullmatch(text)
    if match is None:
        return _SHAPES.get(text)
    m, n, k = (int(size) for size in match.groups())
    return m, n, k


def _rate(kind: str, modifiers: list[str]) -> Rate | None:
    if kind == "D":
        return "tensor.fp64"
    if kind == "H":
        if "TF32" in modifiers:
            return "tensor.tf32"
        return "tensor.bf16" if "BF16" in modifiers else "tensor.fp16"
    if kind == "I" and any(name in modifiers for name in ("S8", "U8")):
        return "tensor.int8"
    if kind == "Q" and any(name in modifiers for name in ("E4M3", "E5M2")):
        return "tensor.fp8"
    return None
