"""The machine that a DWARF line program runs on (DWARF 5, section 6.2.5)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from warpwright.cubin.line_header import LineHeader, signed_leb, unsigned_leb

SET_ADDRESS_PREFIX = 3  # bytes before the operand of DW_LNE_set_address: 0, length, opcode

# standard opcodes, DWARF 5 section 6.2.5.2
_COPY, _ADVANCE_PC, _ADVANCE_LINE, _SET_FILE = 1, 2, 3, 4
_CONST_ADD_PC, _FIXED_ADVANCE_PC = 8, 9
# extended opcodes, section 6.2.5.3, and NVIDIA's own
_END_SEQUENCE, _SET_ADDRESS = 1, 2
_NV_INLINED_AT = 0x90
_CONST_ADD_OPCODE = 255

_MOST_ROWS = 1 << 18  # of a sequence, which is one function


@dataclass(frozen=True, slots=True)
class Row:
    """From `address` on, code is of this line. `context`: the row it was inlined at, from 1."""

    address: int
    file: int
    line: int
    context: int


def run(header: LineHeader, data: bytes, start: int, base: int) -> tuple[list[Row], int]:
    """The rows of the sequence that begins at `start`, the end's row last, and where it ends.

    Args:
        header: of the unit that the sequence is in.
        data: the whole `.debug_line`.
        start: position of the sequence's first opcode in `data`.
        base: added to every address that the program sets.

    Raises:
        IndexError: it is cut off, or has more rows than any function has.
    """
    rows: list[Row] = []
    address, file, line, context = base, 1, 1, 0
    step = header.minimum_instruction_bytes
    at, end = start, header.program.stop
    while at < end and len(rows) < _MOST_ROWS:
        opcode = data[at]
        at += 1
        if opcode >= header.opcode_base:
            advance, more = divmod(opcode - header.opcode_base, header.line_range)
            address += advance * step
            line += header.line_base + more
            rows.append(Row(address, file, line, context))
        elif opcode == 0:
            length, at = unsigned_leb(data, at)
            kind, operand, at = data[at], at + 1, at + length
            if kind == _END_SEQUENCE:
                rows.append(Row(address, file, line, context))
                return rows, at
            if kind == _SET_ADDRESS:
                address = base + int.from_bytes(data[operand:at], "little")
            elif kind == _NV_INLINED_AT:
                context, _ = unsigned_leb(data, operand)
        elif opcode == _COPY:
            rows.append(Row(address, file, line, context))
        elif opcode == _ADVANCE_PC:
            advance, at = unsigned_leb(data, at)
            address += advance * step
        elif opcode == _ADVANCE_LINE:
            more, at = signed_leb(data, at)
            line += more
        elif opcode == _SET_FILE:
            file, at = unsigned_leb(data, at)
        elif opcode == _CONST_ADD_PC:
            address += (_CONST_ADD_OPCODE - header.opcode_base) // header.line_range * step
        elif opcode == _FIXED_ADVANCE_PC:
            address += int.from_bytes(data[at : at + 2], "little")
            at += 2
        else:
            at = _skip(data, at, header.operand_counts[opcode - 1])
    if at < end:
        raise IndexError(at)
    return rows, at


def sequence_starts(header: LineHeader, data: bytes) -> Iterator[tuple[int, int]]:
    """Position of each sequence of a unit and the first address it sets."""
    at = header.program.start
    while at < header.program.stop:
        start, at, first = at, *_pass_over(header, data, at)
        if first is not None:
            yield start, first


def _pass_over(header: LineHeader, data: bytes, at: int) -> tuple[int, int | None]:
    """The position behind the sequence at `at`, and the first address that it sets."""
    first: int | None = None
    while at < header.program.stop:
        opcode = data[at]
        at += 1
        if opcode >= header.opcode_base:
            continue
        if opcode == 0:
            length, at = unsigned_leb(data, at)
            kind, operand, at = data[at], at + 1, at + length
            if kind == _END_SEQUENCE:
                break
            if kind == _SET_ADDRESS and first is None:
                first = int.from_bytes(data[operand:at], "little")
        elif opcode == _FIXED_ADVANCE_PC:
            at += 2
        else:
            at = _skip(data, at, header.operand_counts[opcode - 1])
    return at, first


def _skip(data: bytes, at: int, operands: int) -> int:
    for _ in range(operands):
        _, at = unsigned_leb(data, at)
    return at
