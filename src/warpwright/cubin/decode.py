"""What each machine instruction is, and which registers it reads and writes, from its 16 bytes.

Compute capability 7.0 to 12.x share one layout, found by comparing cubins with what nvdisasm says
of them (tests/cubin/test_decode.py compares again): of the low word, bits 0-8 are the operation,
9-11 the form of the second operand, 12-15 the guard, and bytes 2, 3, 4 the destination and two
sources; the lowest byte of the high word is the third source. An operation that is not in the table
has no name and touches no register.
"""

from __future__ import annotations

import struct
from dataclasses import dataclass

from warpwright.cubin.sections import read_elf

_WORDS = struct.Struct("<QQ")
SIZE = _WORDS.size  # bytes of an instruction, from 7.0 on
ZERO = 255  # register RZ, which is always zero
_ALWAYS = 7  # guard PT
_REGISTER = 1  # form: the second operand is a register
_FIRST = 70  # architectures before it have another layout
_FAR = 90  # from this architecture on, branches hold 8 more bits of their distance

_NAMES = {
    0x002: "MOV", 0x005: "CS2R", 0x007: "SEL", 0x008: "FSEL", 0x009: "FMNMX", 0x00B: "FSETP",
    0x00C: "ISETP", 0x010: "IADD3", 0x011: "LEA", 0x012: "LOP3", 0x013: "IABS", 0x016: "PRMT",
    0x017: "IMNMX", 0x019: "SHF", 0x01A: "SGXT", 0x01C: "PLOP3", 0x020: "FMUL", 0x021: "FADD",
    0x023: "FFMA", 0x024: "IMAD", 0x025: "IMAD.WIDE", 0x026: "IDP", 0x027: "IMAD.HI",
    0x028: "DMUL", 0x029: "DADD", 0x02A: "DSETP", 0x02B: "DFMA", 0x030: "HADD2", 0x031: "HFMA2",
    0x032: "HMUL2", 0x035: "HFMA2", 0x036: "VIADD", 0x037: "IMMA", 0x03B: "LDSM", 0x03C: "HMMA",
    0x03E: "F2FP", 0x03F: "DMMA", 0x044: "STSM", 0x045: "I2FP", 0x046: "VIADDMNMX",
    0x048: "VIMNMX", 0x100: "FLO", 0x102: "FCHK", 0x104: "F2F", 0x105: "F2I", 0x106: "I2F",
    0x107: "FRND", 0x108: "MUFU", 0x109: "POPC", 0x110: "F2F.64", 0x111: "F2I.64", 0x112: "I2F.64",
    0x119: "S2R", 0x11D: "BAR", 0x142: "BREAK", 0x143: "CALL", 0x144: "CALL", 0x147: "BRA",
    0x14D: "EXIT", 0x150: "RET", 0x180: "LD", 0x181: "LDG", 0x182: "LDC", 0x183: "LDL",
    0x184: "LDS", 0x185: "ST", 0x186: "STG", 0x187: "STL", 0x188: "STS", 0x189: "SHFL",
    0x18A: "ATOM", 0x18C: "ATOMS", 0x18D: "ATOMS", 0x18E: "RED", 0x1A6: "RED", 0x1A8: "ATOMG",
    0x1A9: "ATOMG", 0x1AE: "LDGSTS", 0x1B4: "UTMALDG", 0x1BA: "UBLKCP", 0x1F0: "HGMMA",
    0x1F1: "IGMMA",
}  # fmt: skip
_LOADS = frozenset(("LD", "LDG", "LDC", "LDL", "LDS"))
_STORES = frozenset(("ST", "STG", "STL", "STS", "STSM", "RED"))
_ATOMICS = frozenset(("ATOM", "ATOMG", "ATOMS"))
_WIDE_ADDRESS = frozenset(("LD", "LDG", "ST", "STG", "RED", "ATOM", "ATOMG", "LDGSTS"))
_MEMORY = _LOADS | _STORES | _ATOMICS | {"LDGSTS", "LDSM"}
_QUAD = frozenset(("HMMA", "IMMA", "DMMA", "LDSM"))
_JUMPS = frozenset(("BRA", "CALL"))
# Which of the three sources an operation reads; the second only where it is a register. x: of a
# double addition that second operand stands third.
_SOURCES = {
    "ax": ("DADD",),
    "": ("MOV", "I2F", "F2I", "F2F", "MUFU", "FRND", "FLO", "POPC", "IABS", "I2FP",
         "F2F.64", "F2I.64", "I2F.64"),
    "a": ("FMUL", "FADD", "FMNMX", "FSETP", "ISETP", "SEL", "FSEL", "SGXT", "DMUL",
          "DSETP", "FCHK", "IMNMX", "HADD2", "HMUL2", "VIADD", "SHFL", "F2FP", "VIMNMX"),
    "ac": ("IADD3", "LEA", "LOP3", "PRMT", "SHF", "FFMA", "IMAD", "IMAD.WIDE", "IMAD.HI", "DFMA",
           "HFMA2", "IDP", "VIADDMNMX", "HMMA", "IMMA", "DMMA"),
}  # fmt: skip
_READS = {name: fields for fields, names in _SOURCES.items() for name in names}
_NO_RESULT = _STORES | frozenset(
    ("FSETP", "ISETP", "DSETP", "PLOP3", "FCHK", "BAR", "BREAK", "CALL", "BRA", "EXIT", "RET",
     "LDGSTS", "UTMALDG", "UBLKCP")
)  # fmt: skip
_SIZES = (1, 1, 2, 2, 4, 8, 16, 0)  # bytes by the size field: signed and unsigned ones, then words
_WIDTHS = {4: 1, 5: 2, 6: 4}  # of a memory access's size field: registers of 32 bits
# Registers of the result and of each source, where that is not one.
_SPANS = {
    "DMUL": (2, 2, 2, 2), "DADD": (2, 2, 2, 2), "DFMA": (2, 2, 2, 2), "DSETP": (0, 2, 2, 2),
    "IMAD.WIDE": (2, 1, 1, 2), "F2F.64": (2, 2, 2, 2), "I2F.64": (2, 2, 2, 2),
    "F2I.64": (2, 2, 2, 2), "CS2R": (2, 1, 1, 1), "HMMA": (4, 4, 2, 4), "IMMA": (4, 4, 2, 4),
    "DMMA": (4, 2, 2, 4), "HGMMA": (1, 1, 1, 1), "LDSM": (4, 1, 1, 1),
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Decoded:
    """One instruction. `offset`: bytes from the function's start; registers by their number.

    `reads` has the operands in order, RZ among them, without constants and uniform registers.
    `address`: the registers that tell where a memory access goes; `displacement`: bytes from there;
    `size_bytes`: of what a lane moves (0: not told). `guarded`: executed under a
    predicate. `target`: the offset that a branch or call goes to.
    """

    offset: int
    name: str
    writes: tuple[int, ...]
    reads: tuple[int, ...]
    address: tuple[int, ...] = ()
    displacement: int = 0
    size_bytes: int = 0
    guarded: bool = False
    target: int | None = None


def decode(cubin: bytes, function: str) -> tuple[Decoded, ...]:
    """The instructions of one function, in order.

    Returns:
        Nothing for a function that is not there, and for compute capability below 7.0.

    Raises:
        BadInput: not a cubin.
    """
    elf = read_elf(cubin)
    found = elf.function(function)
    if found is None or elf.architecture < _FIRST:
        return ()
    symbol, section = found
    start = symbol.value if symbol.value < section.size else 0  # a loaded cubin has addresses there
    code = section.data[start : start + symbol.size]
    whole = len(code) // SIZE * SIZE
    far = elf.architecture >= _FAR
    return tuple(
        _instruction(index * SIZE, low, high, far)
        for index, (low, high) in enumerate(_WORDS.iter_unpack(code[:whole]))
    )


def _instruction(offset: int, low: int, high: int, far: bool) -> Decoded:
    name = _NAMES.get(low & 0x1FF, "")
    fields = (low >> 16 & 255, low >> 24 & 255, low >> 32 & 255, high & 255)
    size = high >> 9 & 7
    address = _span(fields[1], 2 if name in _WIDE_ADDRESS else 1) if name in _MEMORY else ()
    return Decoded(
        offset=offset,
        name=name,
        writes=_written(name, fields[0], size),
        reads=(*address, *_read(name, low >> 9 & 7, fields, size)),
        address=address,
        displacement=_signed(low >> 40, 24) if address else 0,
        size_bytes=_SIZES[size] if address else 0,
        guarded=low >> 12 & 15 != _ALWAYS,
        target=_target(offset, low, high, far) if name in _JUMPS else None,
    )


def _read(name: str, form: int, fields: tuple[int, ...], size: int) -> tuple[int, ...]:
    if name in _STORES or name in _ATOMICS:
        return _span(fields[2], _WIDTHS.get(size, 1))
    if name not in _READS:
        return ()
    _, first, second, third = _SPANS.get(name, (1, 1, 1, 1))
    which = _READS[name]
    found: tuple[int, ...] = ()
    if "a" in which:
        found += _span(fields[1], first)
    if form == _REGISTER and "x" not in which:
        found += _span(fields[2], second)
    if "c" in which or (form == _REGISTER and "x" in which):
        found += _span(fields[3], third)
    return found


def _written(name: str, register: int, size: int) -> tuple[int, ...]:
    if not name or name in _NO_RESULT:
        return ()
    if name in _LOADS or name in _ATOMICS:
        return _span(register, _WIDTHS.get(size, 1))
    return _span(register, _SPANS.get(name, (1,))[0])


def _span(register: int, width: int) -> tuple[int, ...]:
    return (ZERO,) if register == ZERO else tuple(range(register, min(register + width, ZERO)))


def _target(offset: int, low: int, high: int, far: bool) -> int:
    """Where a branch goes: a signed distance, in words of 4 bytes, from the next instruction."""
    words = _signed((high & ((1 << 18) - 1)) << 30 | low >> 34, 48)
    if far:
        words = words << 8 | low >> 16 & 255
    return offset + SIZE + 4 * words


def _signed(value: int, bits: int) -> int:
    return value - (1 << bits) if value >> (bits - 1) else value
