"""The ELF container of a cubin: sections, symbols and relocations, 64-bit little-endian.

Own reader, because a cubin is a plain ELF64 file and this takes a millisecond where importing
a general ELF package takes a hundred. Layout: System V ABI, "Object Files".
"""

from __future__ import annotations

import struct
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property, lru_cache

from warpwright.errors import BadInput

EM_CUDA = 190
STT_FUNC = 2
STO_CUDA_ENTRY = 0x10  # in a symbol's `other`: a kernel
_SHT_RELA = 4
_SHT_NOBITS = 8
_MOST_SYMBOLS = 1 << 17
_MOST_NAMES_BYTES = 1 << 24  # of all names together: they may share their bytes
_STD_ABI = 8  # since this ABI version the architecture stands in bits 8 to 15 of the flags

_HEADER = struct.Struct("<16sHHIQQQIHHHHHH")
_SECTION = struct.Struct("<IIQQQQIIQQ")
_SYMBOL = struct.Struct("<IBBHQQ")


@dataclass(frozen=True, slots=True)
class Section:
    """One section. `size` is that in memory, `place` where it lies in the file."""

    index: int
    name: str
    kind: int
    address: int
    size: int
    link: int
    info: int
    place: slice
    file: bytes

    @property
    def data(self) -> bytes:
        """Its bytes in the file; empty for NOBITS."""
        return self.file[self.place]


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

    @property
    def architecture(self) -> int:
        """The compute capability as one number: 90 for 9.0."""
        return (self.flags >> 8 if self.abi_version >= _STD_ABI else self.flags) & 0xFF

    @cached_property
    def symbols(self) -> tuple[Symbol, ...]:
        """The symbol table (empty when there is none). Raises BadInput if it is absurd."""
        if ".symtab" not in self.sections or ".strtab" not in self.sections:
            return ()
        table, names = self.sections[".symtab"].data, self.sections[".strtab"].data
        found: list[Symbol] = []
        left = _MOST_NAMES_BYTES
        for name, info, *rest in _SYMBOL.iter_unpack(_whole(table, _SYMBOL)):
            found.append(Symbol(string_at(names, name), info & 15, *rest))
            left -= len(found[-1].name)
            if left < 0 or len(found) > _MOST_SYMBOLS:
                raise BadInput("the cubin is damaged: its symbol table has no end")
        return tuple(found)

    @cached_property
    def _functions(self) -> Mapping[str, Symbol]:
        return {symbol.name: symbol for symbol in self.symbols if symbol.kind == STT_FUNC}

    @cached_property
    def _by_index(self) -> Mapping[int, Section]:
        return {section.index: section for section in self.sections.values()}

    def section_of(self, symbol: Symbol) -> Section | None:
        """The section that a symbol lies in."""
        return self._by_index.get(symbol.section)

    def function(self, name: str) -> tuple[Symbol, Section] | None:
        """A function's symbol and the section that holds its code."""
        symbol = self._functions.get(name)
        section = self.section_of(symbol) if symbol else None
        return (symbol, section) if symbol and section else None

    def relocations(self, section: str) -> dict[int, tuple[Symbol, int]]:
        """Offset in a section -> the symbol and addend that is to stand there."""
        found: dict[int, tuple[Symbol, int]] = {}
        for prefix in (".rela", ".rel"):
            table = self.sections.get(prefix + section)
            if table is None:
                continue
            entry = struct.Struct("<QQq" if table.kind == _SHT_RELA else "<QQ")
            for offset, info, *addend in entry.iter_unpack(_whole(table.data, entry)):
                if info >> 32 < len(self.symbols):
                    found[offset] = (self.symbols[info >> 32], addend[0] if addend else 0)
        return found


def _whole(table: bytes, entry: struct.Struct) -> bytes:
    """As many bytes of a table as make whole entries."""
    return table[: len(table) // entry.size * entry.size]


def string_at(data: bytes, offset: int) -> str:
    """The zero-terminated string at `offset` of a string table."""
    end = data.find(b"\0", offset)
    return data[offset : end if end >= 0 else len(data)].decode("utf-8", "replace")


@lru_cache(maxsize=2)  # one cubin is asked again and again, for each of its functions
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
    left = _MOST_NAMES_BYTES
    for index, (name, kind, _, address, offset, size, link, info, _, _) in enumerate(heads):
        place = slice(0, 0) if kind == _SHT_NOBITS else slice(offset, offset + size)
        title = string_at(label, name)
        left -= len(title)
        if left < 0:
            raise BadInput("the cubin is damaged: names of its sections have no end")
        sections[title] = Section(index, title, kind, address, size, link, info, place, data)
    return Elf(flags, ident[8], sections)
