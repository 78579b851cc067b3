"""What a cubin says of its kernels: registers, stack, shared memory, launch bounds."""

from __future__ import annotations

import math
import re
import struct
from collections.abc import Iterator
from dataclasses import dataclass

from warpwright.cubin.sections import STO_CUDA_ENTRY, STT_FUNC, Elf, Symbol, read_elf
from warpwright.errors import BadInput

# Attributes of `.nv.info` sections; the names are those that `nvdisasm` prints.
_MAX_THREADS, _REQUIRED_THREADS, _FRAME_SIZE, _MIN_STACK_SIZE, _REGISTERS = (
    0x05,  # EIATTR_MAX_THREADS: __launch_bounds__, x y z
    0x10,  # EIATTR_REQNTID: .reqntid, x y z
    0x11,  # EIATTR_FRAME_SIZE: symbol, bytes
    0x12,  # EIATTR_MIN_STACK_SIZE: symbol, bytes with what it calls
    0x2F,  # EIATTR_REGCOUNT: symbol, registers
)
_SIZED = 4  # EIFMT_SVAL: the 16 bits behind an attribute are the size of its value
_RESERVED_SHARED_BYTES = 1024  # of a block, for the system, since compute capability 9.0


@dataclass(frozen=True, slots=True)
class KernelCode:
    """One kernel. `frame_bytes` is the largest local-memory stack of a thread."""

    name: str
    size_bytes: int
    registers: int
    frame_bytes: int
    shared_static_bytes: int
    max_threads: int | None


@dataclass(frozen=True, slots=True)
class Cubin:
    """`target` is for example sm_90a (sm_90 where the compiler left no note of the suffix)."""

    target: str
    kernels: tuple[KernelCode, ...]


def read_cubin(data: bytes) -> Cubin:
    """Read the facts of every kernel, in the order of the symbol table.

    Raises:
        BadInput: not a cubin, or one cut short.
    """
    elf = read_elf(data)
    return Cubin(_target(elf), tuple(_kernels(elf)))


def frame_bytes(data: bytes, kernel: str) -> int | None:
    """The stack of a thread of one kernel; None if the cubin has no such kernel.

    Raises:
        BadInput: like `read_cubin`.
    """
    found = next(_kernels(read_elf(data), kernel), None)
    return found.frame_bytes if found else None


def _kernels(elf: Elf, only: str | None = None) -> Iterator[KernelCode]:
    try:
        by_symbol = _by_symbol(elf)
        for index, symbol in enumerate(elf.symbols):
            is_kernel = symbol.kind == STT_FUNC and symbol.other & STO_CUDA_ENTRY
            if is_kernel and only in (None, symbol.name):
                yield _kernel(elf, index, by_symbol.get(index, {}))
    except struct.error as error:
        raise BadInput("the cubin's .nv.info is damaged") from error


def _kernel(elf: Elf, index: int, facts: dict[int, int]) -> KernelCode:
    symbol = elf.symbols[index]
    own = dict(_attributes(elf, f".nv.info.{symbol.name}"))
    bounds = own.get(_REQUIRED_THREADS) or own.get(_MAX_THREADS)
    shared = elf.sections.get(f".nv.shared.{symbol.name}")
    shared_bytes = shared.size if shared else 0
    if shared_bytes and ".nv.shared.reserved.0" in elf.sections:
        shared_bytes = max(0, shared_bytes - _RESERVED_SHARED_BYTES)
    return KernelCode(
        name=symbol.name,
        size_bytes=symbol.size,
        registers=facts[_REGISTERS] if _REGISTERS in facts else _registers_of_code(elf, symbol),
        frame_bytes=max(facts.get(_FRAME_SIZE, 0), facts.get(_MIN_STACK_SIZE, 0)),
        shared_static_bytes=shared_bytes,
        max_threads=math.prod(struct.unpack_from("<3I", bounds)) if bounds else None,
    )


def _registers_of_code(elf: Elf, symbol: Symbol) -> int:
    """Before `.nv.info` told them, registers stood in the top byte of the code section's info."""
    section = elf.section_of(symbol)
    return section.info >> 24 if section else 0


def _by_symbol(elf: Elf) -> dict[int, dict[int, int]]:
    """Symbol index -> attribute -> number, of the attributes in `.nv.info`."""
    found: dict[int, dict[int, int]] = {}
    for kind, value in _attributes(elf, ".nv.info"):
        if kind in (_FRAME_SIZE, _MIN_STACK_SIZE, _REGISTERS):
            symbol, number = struct.unpack_from("<2I", value)
            if symbol < len(elf.symbols):
                found.setdefault(symbol, {})[kind] = number
    return found


def _attributes(elf: Elf, section: str) -> Iterator[tuple[int, bytes]]:
    data = elf.sections[section].data if section in elf.sections else b""
    at = 0
    while at + 4 <= len(data):
        form, kind, number = struct.unpack_from("<BBH", data, at)
        at += 4
        if form == _SIZED:
            yield kind, data[at : at + number]
            at += number


def _target(elf: Elf) -> str:
    note = elf.sections.get(".note.nv.tkinfo")
    told = re.search(rb"-arch[ =](sm_\d+[af]?)", note.data) if note else None
    if told:
        return told[1].decode()
    return f"sm_{elf.architecture}"
