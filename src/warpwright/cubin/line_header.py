"""Headers of `.debug_line` (DWARF 2 to 5, 32-bit format) and the LEB128 numbers in it."""

from __future__ import annotations

import struct
from collections.abc import Iterator
from dataclasses import dataclass

from warpwright.cubin.sections import string_at
from warpwright.errors import BadInput

_CONTENT_PATH, _CONTENT_DIRECTORY = 1, 2
_FORM_BLOCK, _FORM_STRING, _FORM_STRP, _FORM_UDATA, _FORM_LINE_STRP = 0x09, 0x08, 0x0E, 0x0F, 0x1F
_FIXED_FORMS = {0x05: 2, 0x06: 4, 0x07: 8, 0x0B: 1, 0x1E: 16}  # data2, data4, data8, data1, data16

_MOST_PATHS, _MOST_PATH_BYTES = 8192, 4096  # of a unit; an offset of four bytes claims a path


@dataclass(frozen=True, slots=True)
class LineHeader:
    """What a line program needs to run. `files[i]` is the path of file register `i`."""

    minimum_instruction_bytes: int
    line_base: int
    line_range: int
    operand_counts: bytes
    files: tuple[str, ...]
    program: range

    @property
    def opcode_base(self) -> int:
        """The first special opcode."""
        return len(self.operand_counts) + 1


@dataclass(frozen=True, slots=True)
class StringTables:
    """What DW_FORM_strp and DW_FORM_line_strp point into."""

    strings: bytes
    line_strings: bytes


def unsigned_leb(data: bytes, at: int) -> tuple[int, int]:
    """An unsigned LEB128 number and the position behind it.

    Raises:
        IndexError: it runs past the end of the data, or over ten bytes.
    """
    value = shift = 0
    while shift < 70:
        byte = data[at]
        at += 1
        value |= (byte & 0x7F) << shift
        shift += 7
        if byte < 0x80:
            return value, at
    raise IndexError(at)


def signed_leb(data: bytes, at: int) -> tuple[int, int]:
    """A signed LEB128 number and the position behind it."""
    start = at
    value, at = unsigned_leb(data, at)
    if data[at - 1] & 0x40:
        value -= 1 << 7 * (at - start)
    return value, at


def read_headers(section: bytes, tables: StringTables) -> Iterator[LineHeader]:
    """Every unit of the section, in order.

    Raises:
        BadInput: 64-bit DWARF, a version that is not 2 to 5, or a header cut short.
    """
    at = 0
    while at + 6 <= len(section):
        length, version = struct.unpack_from("<IH", section, at)
        end = at + 4 + length
        if length == 0xFFFFFFFF or end > len(section) or not 2 <= version <= 5:
            raise BadInput(f"the cubin's line table is damaged: unit at {at}, version {version}")
        try:
            yield _header(section, at + 6, end, version, tables)
        except (IndexError, KeyError, ValueError, struct.error) as error:
            raise BadInput(f"the cubin's line table is damaged: unit at {at}") from error
        at = end


def _header(data: bytes, at: int, end: int, version: int, tables: StringTables) -> LineHeader:
    at += 2 if version >= 5 else 0  # sizes of an address and of a segment selector
    (length,) = struct.unpack_from("<I", data, at)
    at += 4
    program = range(at + length, end)
    minimum = data[at]
    at += 2 if version >= 4 else 1  # version 4 added operations per instruction
    line_base, line_range, opcode_base = struct.unpack_from("<bBB", data, at + 1)
    at += 4
    counts = data[at : at + opcode_base - 1]
    at += len(counts)
    if not line_range:
        raise ValueError(line_range)
    files = _files_v5(data, at, tables) if version >= 5 else _files_v2(data, at)
    return LineHeader(minimum, line_base, line_range, counts, files, program)


def _files_v2(data: bytes, at: int) -> tuple[str, ...]:
    folders = [""]
    while data[at]:
        folders.append(_path_at(data, at))
        at = data.index(b"\0", at) + 1
    at += 1
    files = [""]
    while data[at]:
        name = _path_at(data, at)
        folder, at = unsigned_leb(data, data.index(b"\0", at) + 1)
        _, at = unsigned_leb(data, at)  # time of change
        _, at = unsigned_leb(data, at)  # size
        files.append(_join(folders[folder] if folder < len(folders) else "", name))
        if len(files) + len(folders) > _MOST_PATHS:
            raise ValueError(len(files))
    return tuple(files)


def _files_v5(data: bytes, at: int, tables: StringTables) -> tuple[str, ...]:
    folders, at = _entries(data, at, tables)
    files, at = _entries(data, at, tables)
    paths = [str(entry.get(_CONTENT_PATH, "")) for entry in folders]
    joined = []
    for entry in files:
        folder = entry.get(_CONTENT_DIRECTORY, 0)
        known = isinstance(folder, int) and folder < len(paths)
        joined.append(_join(paths[int(folder)] if known else "", str(entry[_CONTENT_PATH])))
    return tuple(joined)


def _entries(data: bytes, at: int, tables: StringTables) -> tuple[list[dict[int, str | int]], int]:
    formats, at = data[at], at + 1
    layout = []
    for _ in range(formats):
        content, at = unsigned_leb(data, at)
        form, at = unsigned_leb(data, at)
        layout.append((content, form))
    count, at = unsigned_leb(data, at)
    if count > _MOST_PATHS:
        raise ValueError(count)
    entries: list[dict[int, str | int]] = []
    for _ in range(count):
        entry: dict[int, str | int] = {}
        for content, form in layout:
            entry[content], at = _form(data, at, form, tables)
        entries.append(entry)
    return entries, at


def _form(data: bytes, at: int, form: int, tables: StringTables) -> tuple[str | int, int]:
    if form == _FORM_STRING:
        return _path_at(data, at), data.index(b"\0", at) + 1
    if form in (_FORM_STRP, _FORM_LINE_STRP):
        (offset,) = struct.unpack_from("<I", data, at)
        table = tables.strings if form == _FORM_STRP else tables.line_strings
        return _path_at(table, offset), at + 4
    if form == _FORM_UDATA:
        return unsigned_leb(data, at)
    if form == _FORM_BLOCK:
        length, at = unsigned_leb(data, at)
        return 0, at + length
    if form in _FIXED_FORMS:
        size = _FIXED_FORMS[form]
        return int.from_bytes(data[at : at + size], "little"), at + size
    raise BadInput(f"the cubin's line table uses a form this reader does not know: {form:#x}")


def _path_at(data: bytes, at: int) -> str:
    return string_at(data[at : at + _MOST_PATH_BYTES], 0)


def _join(folder: str, name: str) -> str:
    return f"{folder}/{name}" if folder and not name.startswith("/") else name
