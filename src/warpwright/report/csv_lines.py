"""Lines of text that hold exports of `ncu --csv`, and the cells of a line."""

from __future__ import annotations

import csv
import re
from collections.abc import Iterator, Sequence

_HEADER = (
    r'\W{0,8}(ID"?([,;\t])"?(Process ID|Kernel Name)|(# )?Address"?([,;\t])"?Source'
    r'|(Line No|# Line)"?([,;\t])"?Source)'
)
IS_HEADER = re.compile(_HEADER)
_SUMMARY = r'Process ID"?[,;\t]"?Kernel Name"?[,;\t]"?Invocations'
IS_SUMMARY = re.compile(rf"(?m)^\W{{0,8}}{_SUMMARY}")
_IS_EXPORT = re.compile(
    rb"(?m)^("
    + _HEADER.encode()
    + rb"|==(PROF|ERROR|WARNING)== |\W{0,8}"
    + _SUMMARY.encode()
    + rb")"
)
_ROW = re.compile(r'"[\d.,]+"[,;\t]')
_MOST_LINES = 40  # that one quoted cell may span
_UTF16 = (b"\xff\xfe", b"\xfe\xff")


def looks_like_csv(data: bytes) -> bool:
    """Whether these bytes are an export or a log of ncu, which `read_csv_report` understands."""
    if data.startswith(_UTF16):
        data = data.replace(b"\0", b"")
    return _IS_EXPORT.search(data) is not None


def csv_as_text(data: bytes) -> str:
    """The text of an export: UTF-8, UTF-16 (a shell of Windows writes it), or Windows-1252."""
    if data.startswith(_UTF16):
        return data.decode("utf-16", "replace")
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError:
        return data.decode("cp1252", "replace")


def records(text: str) -> Iterator[tuple[int, str, bool]]:
    """Lines with their number; a row whose quoted cell spans lines is one. Whole: it is closed."""
    lines = [line.strip(" \r\ufeff") for line in text.split("\n")]
    at = 0
    while at < len(lines):
        line, taken, whole = lines[at], 1, True
        if line.count('"') % 2 and _ROW.match(line):
            line, taken, whole = _closed(lines, at)
        yield at + 1, line, whole
        at += taken


def _closed(lines: Sequence[str], at: int) -> tuple[str, int, bool]:
    """The row that begins at a line and whose last quote closes on a later one."""
    joined = lines[at]
    for taken, line in enumerate(lines[at + 1 : at + _MOST_LINES], 2):
        if _ROW.match(line) or line.startswith(("==", '""')) or IS_HEADER.match(line):
            break
        joined += "\n" + line
        if not joined.count('"') % 2:
            return joined, taken, True
    return lines[at], 1, False


def cells_of(line: str, delimiter: str, width: int) -> list[str]:
    """The cells of a line. Source text may stand in quotes that are not doubled."""
    try:
        cells = next(csv.reader([line], delimiter=delimiter, strict=True), [])
        if len(cells) == width:
            return cells
    except csv.Error:
        cells = []
    if not line.startswith('"'):
        return cells
    split = line.rstrip(delimiter)[1:].removesuffix('"').split(f'"{delimiter}"')
    return split if len(split) == width or not cells else cells
