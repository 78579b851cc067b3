"""Which instructions touch memory: space, operation and width by opcode (SASS, Volta to Blackwell).

Opcodes are those of NVIDIA's "CUDA Binary Utilities", instruction set reference.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping
from typing import Literal

from warpwright.cubin.lines import Chain
from warpwright.cubin.sass import Instruction
from warpwright.model.build import Access

Space = Literal["global", "local", "shared", "constant", "generic"]
Op = Literal["load", "store", "atomic", "async copy"]
Kind = tuple[Space, Op, int | None]

_KINDS: dict[str, tuple[Space, Op]] = {
    "LDG": ("global", "load"),
    "STG": ("global", "store"),
    "ATOMG": ("global", "atomic"),
    "RED": ("global", "atomic"),
    "REDG": ("global", "atomic"),
    "LDGSTS": ("global", "async copy"),
    "LDL": ("local", "load"),
    "STL": ("local", "store"),
    "LDS": ("shared", "load"),
    "LDSM": ("shared", "load"),
    "STS": ("shared", "store"),
    "STSM": ("shared", "store"),
    "ATOMS": ("shared", "atomic"),
    "LDC": ("constant", "load"),
    "LDCU": ("constant", "load"),
    "ULDC": ("constant", "load"),
    "LD": ("generic", "load"),
    "ST": ("generic", "store"),
    "ATOM": ("generic", "atomic"),
}
_BULK: dict[str, tuple[Space, Op]] = {
    "UBLKCP": ("global", "async copy"),
    "UBLKRED": ("global", "atomic"),
    "UTMALDG": ("global", "async copy"),
    "UTMASTG": ("global", "async copy"),
    "UTMAREDG": ("global", "atomic"),
}
_MATRIX = ("LDSM", "STSM")  # 8x8 tiles of 16 bits: one, two or four words of every thread
_WORD_BITS = 32
_WIDTH = re.compile(r"(?:U|S|F|BF)?(8|16|32|64|128|256)(?:x(\d))?(?:_V\d)?")


def access_kind(instruction: Instruction) -> Kind | None:
    """Space, operation and bits of one thread; None for an instruction that touches no memory."""
    base, *modifiers = instruction.opcode.split(".")
    if base in _BULK:
        return (*_BULK[base], None)
    if base not in _KINDS:
        return None
    return (*_KINDS[base], _width(base, modifiers))


def _width(base: str, modifiers: list[str]) -> int:
    if base in _MATRIX:
        return _WORD_BITS * (int(modifiers[-1]) if modifiers[-1:] in (["2"], ["4"]) else 1)
    bits = _WORD_BITS
    for modifier in modifiers:
        if found := _WIDTH.fullmatch(modifier):
            bits = int(found[1]) * int(found[2] or 1)
    return bits


def accesses(
    code: Iterable[Instruction], chains: Mapping[int, Chain], own_file: str
) -> tuple[Access, ...]:
    """Static counts by kind and source line, in the order of lines.

    Args:
        code: instructions of one function.
        chains: by offset, the lines an instruction comes from, innermost first.
        own_file: file name of the candidate; code inlined from elsewhere counts at the line of
            this file that called it.
    """
    counts: Counter[tuple[Kind, str | None, int | None]] = Counter()
    for instruction in code:
        if kind := access_kind(instruction):
            counts[(kind, *_place(chains.get(instruction.offset, ()), own_file))] += 1
    found = [
        Access(space=space, op=op, width_bits=bits, count=count, file=file, line=line)
        for ((space, op, bits), file, line), count in counts.items()
    ]
    return tuple(sorted(found, key=_order))


def _order(access: Access) -> tuple[str, int, str, str, int]:
    return (access.file or "", access.line or 0, access.space, access.op, access.width_bits or 0)


def _place(chain: Chain, own_file: str) -> tuple[str | None, int | None]:
    for line in chain:
        if _name(line.file) == own_file:
            return own_file, line.line
    return (_name(chain[0].file), chain[0].line) if chain else (None, None)


def _name(path: str) -> str:
    return path.rpartition("/")[2]
