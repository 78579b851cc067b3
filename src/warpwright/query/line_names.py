"""Names of source lines: the shortest that tell files apart, and back."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping

from warpwright.errors import BadInput
from warpwright.model.report import Launch, SourceLine

_SEPARATOR = re.compile(r"[\\/]+")
_MOST_NAMED = 4


def parts_of(path: str) -> tuple[str, ...]:
    """The names in a path with either system's separators, `..` resolved."""
    parts: list[str] = []
    for part in _SEPARATOR.split(path):
        if part == ".." and parts:
            parts.pop()
        elif part not in ("", ".", ".."):
            parts.append(part)
    return tuple(parts)


def is_suffix(name: str, path: str) -> bool:
    """Whether a path ends with the whole names of another: `b/c.cu` ends `/a/b/c.cu`."""
    short, long = parts_of(name), parts_of(path)
    return bool(short) and long[-len(short) :] == short


def source_files(launch: Launch) -> set[str]:
    """Every file that the launch's instructions come from, or were inlined into."""
    return {line.file for chain in launch.code.chains.values() for line in chain}


def short_names(files: Iterable[str]) -> Mapping[str, str]:
    """File -> its base name, or as much of its path as no other of the files ends with."""
    known = set(files)
    return {file: _short(file, known) for file in known}


def _short(file: str, known: set[str]) -> str:
    parts = parts_of(file)
    for count in range(1, len(parts)):
        name = "/".join(parts[-count:])
        if sum(is_suffix(name, other) for other in known) == 1:
            return name
    return file


def find_line(launch: Launch, text: str) -> SourceLine:
    """The line that FILE:LINE names, where FILE is as much of a path's end as is needed.

    Raises:
        BadInput: not FILE:LINE, or no file or several files of the launch end so.
    """
    name, _, number = text.rpartition(":")
    if not name or not number.isdecimal() or int(number) < 1:
        raise BadInput(f"'{text}' is no source line", hint="write FILE:LINE, for example kda.cu:42")
    files = source_files(launch)
    found = [name] if name in files else sorted(f for f in files if is_suffix(name, f))
    if len(found) == 1:
        return SourceLine(found[0], int(number))
    names = sorted(short_names(files).values())
    if found:
        raise BadInput(
            f"'{name}' is the end of {len(found)} files' paths",
            hint=f"write one of them: {_listed(sorted(short_names(files)[f] for f in found))}",
        )
    raise BadInput(
        f"no instruction of L{launch.index} ({launch.kernel}) comes from a file {name}",
        hint=f"its files: {_listed(names)}"
        if names
        else "its code has no line table: build it with -lineinfo",
    )


def _listed(names: list[str]) -> str:
    more = f" and {len(names) - _MOST_NAMED} more" if len(names) > _MOST_NAMED else ""
    return ", ".join(names[:_MOST_NAMED]) + more
