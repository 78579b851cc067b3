"""The ELF container of a cubin: sections, symbols and relocations, 64-bit little-endian.

Own reader, because a cubin is a plain ELF64 file and this takes a millisecond where importing
a general ELF package takes a hundred. Layout: System V ABI, "Object Files".
"""

from __future__ import annotations

import struct
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property

from warpwright.errors import BadInput

EM_CUDA = 190
STT_FUNC = 2
STO_CUDA_ENTRY = 0x10  # in a symbol's `other`: a kernel
_SHT_RELA = 4
_SHT_NOBITS = 8

_HEADER = struct.Struct("<16sHHIQQQIHHHHHH")
_SECTION = struct.Struct("<IIQQQQIIQQ")
_SYMBOL = struct.Struct("<IBBHQQ")


@dataclass(frozen=True, slots=True)
class Section:
    """One section. `size` is that in memory (`data` is empty for NOBITS)."""

    index: int
    name: str
    kind: int
    address: int
    size: int
    link: int
    info: int
    data: bytes


@dataclass(frozen=True, slots=True)
class Symbol:
    """One symbol; `section` is an index, `value` an offset in that section."""

    name: str
    kind: int
    other: int
    section: int
    value: int
    size: int


@dataclass(frozen=True)
class Elf:
    """Sections by name, and what they refer to."""

    flags: int
    abi_version: int
    sections: Mapping[str, Section]

    @cached_property
    def symbols(self) -> tuple[Symbol, ...]:
        """The symbol table (empty when there is none)."""
        table, names = self.sections.get(".symtab"), self.sections.get(".strtab")
        if table is None or names is None:
            return ()
        whole = len(table.data) // _SYMBOL.size * _SYMBOL.size
        return tuple(
            Symbol(string_at(names.data, name), info & 15, other, section, value, size)
            for name, info, other, section, value, size in _SYMBOL.iter_unpack(table.data[:whole])
        )

    def function(self, name: str) -> tuple[Symbol, Section] | None:
        """A function's symbol and the section that holds its code."""
        for symbol in self.symbols:
            if symbol.kind == STT_FUNC and symbol.name == name:
                for section in self.sections.values():
                    if section.index == symbol.section:
                        return symbol, section
        return None

    def relocations(self, section: str) -> dict[int, tuple[Symbol, int]]:
        """Offset in a section -> the symbol and addend that is to stand there."""
        found: dict[int, tuple[Symbol, int]] = {}
        for prefix in (".rela", ".rel"):
            table = self.sections.get(prefix + section)
            if table is None:
                continue
            entry = struct.Struct("<QQq" if table.kind == _SHT_RELA else "<QQ")
            whole = len(table.data) // entry.size * entry.size
            for offset, info, *addend in entry.iter_unpack(table.data[:whole]):
                if info >> 32 < len(self.symbols):
                    found[offset] = (self.symbols[info >> 32], addend[0] if addend else 0)
        return found


def string_at(data: bytes, offset: int) -> str:
    """The zero-terminated string at `offset` of a string table."""
    end = data.find(b"\0", offset)
    return data[offset : end if end >= 0 else len(data)].decode("utf-8", "replace")


def read_elf(data: bytes) -> Elf:
    """Read the container of a cubin.

    Raises:
        BadInput: not a 64-bit ELF file for CUDA, or cut short.
    """
    if data[:4] != b"\x7fELF" or len(data) < _HEADER.size or data[4:6] != b"\x02\x01":
        raise BadInput("not a cubin: no 64-bit ELF header")
    header = _HEADER.unpack_from(data)
    ident, machine, table, flags, count, names = (header[i] for i in (0, 2, 6, 7, 12, 13))
    if machine != EM_CUDA:
        raise BadInput(f"not a cubin: an ELF file for machine {machine}, not CUDA")
    if table + count * _SECTION.size > len(data) or names >= count:
        raise BadInput("the cubin is cut short: its section table is missing")
    heads = [_SECTION.unpack_from(data, table + i * _SECTION.size) for i in range(count)]
    label = data[heads[names][4] : heads[names][4] + heads[names][5]]
    sections: dict[str, Section] = {}
    for index, (name, kind, _, address, offset, size, link, info, _, _) in enumerate(heads):
        content = b"" if kind == _SHT_NOBITS else data[offset : offset + size]
        title = string_at(label, name)
        sections[title] = Section(index, title, kind, address, size, link, info, content)
    return Elf(flags, ident[8], sections)
