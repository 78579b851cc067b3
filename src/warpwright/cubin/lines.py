"""The line table of a cubin: which source line each machine instruction comes from.

`.debug_line` holds a DWARF line program (DWARF 5, section 6.2; versions 2 to 5 are read) with
one sequence for every function, and NVIDIA's extended opcode 0x90, which says that the rows
that follow were inlined at an earlier row of the same sequence.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator
from functools import cache
from itertools import pairwise
from posixpath import normpath

from warpwright.cubin.line_header import LineHeader, StringTables, read_headers
from warpwright.cubin.line_program import SET_ADDRESS_PREFIX, Row, run, sequence_starts
from warpwright.cubin.sections import Elf, Section, read_elf
from warpwright.errors import BadInput
from warpwright.model.report import SourceLine

INSTRUCTION_BYTES = 16  # of every architecture since Volta
_OLD_INSTRUCTION_BYTES, _VOLTA = 8, 70
_NAME = ".debug_line"

_DEEPEST = 128  # inlining of one line
_MOST_CHAINED = 1 << 22  # lines in all chains of a function together

Chain = tuple[SourceLine, ...]


def call_chains(cubin: bytes, function: str) -> dict[int, Chain]:
    """Source lines of every instruction of a function, innermost first, then what inlined it.

    Args:
        cubin: the ELF file.
        function: mangled name of a function in it.

    Returns:
        Offset in bytes from the function's start -> lines. Empty when the function is not
        there, or was built without -lineinfo.

    Raises:
        BadInput: the bytes are no cubin, or its line program is damaged.
    """
    elf = read_elf(cubin)
    found = elf.function(function)
    if found is None or _NAME not in elf.sections:
        return {}
    symbol, section = found
    if not symbol.value <= len(section.data):
        raise BadInput(f"the cubin is damaged: {function} lies outside of its section")
    step = INSTRUCTION_BYTES if elf.architecture >= _VOLTA else _OLD_INSTRUCTION_BYTES
    size = min(symbol.size or section.size, len(section.data) - symbol.value)
    chains: dict[int, Chain] = {}
    covered, chained = 0, 0
    try:
        for header, rows in sequences(elf, section):
            for first, last, chain in _spans(header, rows):
                begin = max(first - symbol.value, 0)
                begin += -begin % step
                end = min(last - symbol.value, size)
                places = range(begin, end, step)
                chains.update(dict.fromkeys(places, chain))
                covered, chained = covered + len(places), chained + len(chain)
                if covered > 16 * len(section.data) or chained > _MOST_CHAINED:
                    raise IndexError(covered)
    except IndexError as error:
        raise BadInput(f"the cubin's line table is damaged in {function}") from error
    return dict(sorted(chains.items()))


def source_files(cubin: bytes) -> set[str]:
    """Paths of all files that the line table names. Raises BadInput like `call_chains`."""
    elf = read_elf(cubin)
    if _NAME not in elf.sections:
        return set()
    headers = read_headers(elf.sections[_NAME].data, _string_tables(elf))
    return {file for header in headers for file in header.files if file}


def sequences(elf: Elf, code: Section) -> Iterator[tuple[LineHeader, list[Row]]]:
    """The sequences of one code section, addresses counted from its start."""
    data = elf.sections[_NAME].data
    places = elf.relocations(_NAME)
    operands = sorted(places)
    for header in read_headers(data, _string_tables(elf)):
        if places:
            program, behind = header.program, 0
            own = slice(bisect_left(operands, program.start), bisect_left(operands, program.stop))
            for operand in operands[own]:
                symbol, addend = places[operand]
                if symbol.section == code.index and operand >= behind:
                    start = operand - SET_ADDRESS_PREFIX
                    rows, behind = run(header, data, start, symbol.value + addend)
                    yield header, rows
            continue
        for start, address in sequence_starts(header, data):
            if code.address <= address < code.address + code.size:
                yield header, run(header, data, start, -code.address)[0]


def _string_tables(elf: Elf) -> StringTables:
    names = (".debug_str", ".debug_line_str")
    strings, lines = (elf.sections[n].data if n in elf.sections else b"" for n in names)
    return StringTables(strings, lines)


def _spans(header: LineHeader, rows: list[Row]) -> Iterator[tuple[int, int, Chain]]:
    """First and last (exclusive) address of each row, and its chain of lines."""
    for row, following in pairwise(rows):
        if row.address < following.address:
            chain = tuple(_chain(header, rows, row))
            if chain:
                yield row.address, following.address, chain


def _chain(header: LineHeader, rows: list[Row], row: Row) -> Iterator[SourceLine]:
    for _ in range(_DEEPEST):  # a chain longer than that would be a circle
        if row.line > 0 and row.file < len(header.files):
            yield SourceLine(_plain(header.files[row.file]), row.line)
        if not 0 < row.context <= len(rows):
            return
        row = rows[row.context - 1]


@cache
def _plain(path: str) -> str:
    """A path without `..`, as NVIDIA's tools print it."""
    return normpath(path) if ".." in path else path
