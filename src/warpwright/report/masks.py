"""Overwrite private parts of a text with as many other bytes."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from functools import partial

Rewrite = Callable[[bytes], bytes]

PUBLIC_ROOTS = (b"/usr/bin/", b"/usr/lib/", b"/usr/include/", b"/usr/local/cuda", b"/opt/nvidia/")
_HOMES = re.compile(rb"/(?:root|(?:home|Users)/[A-Za-z0-9._-]+)(?=/)")
_ABSOLUTE = re.compile(rb"/[^\s'\":;,=]+")
_COMMENT = re.compile(rb"//[^\n]*|/\*.*?\*/", re.DOTALL)
_PYTHON_COMMENT = re.compile(rb"#[^\n]*")


def masked(text: bytes) -> bytes:
    """Letters and digits become x and 0; separators stay, so that it still reads as a path."""
    return re.sub(rb"[0-9]", b"0", re.sub(rb"[A-Za-z]|[^\x00-\x7f]", b"x", text))


def without_names(text: bytes, names: Iterable[str]) -> bytes:
    """Names are masked as whole words, that is between anything but letters and digits."""
    for name in names:
        word = rb"(?<![A-Za-z0-9])" + re.escape(name.encode()) + rb"(?![A-Za-z0-9])"
        text = re.sub(word, lambda found: masked(found[0]), text)
    return text


def in_comments(source: bytes, rewrite: Rewrite, *, python: bool) -> bytes:
    """A program with every comment rewritten."""
    comment = _PYTHON_COMMENT if python else _COMMENT
    return comment.sub(lambda found: rewrite(found[0]), source)


def commented_names(source: bytes, names: Iterable[str], *, python: bool) -> bytes:
    """A program with the names in its comments masked."""
    return in_comments(source, partial(without_names, names=names), python=python)


def without_folder(path: bytes) -> bytes:
    """A path with its folder masked, unless that is the system's or the toolkit's."""
    if path.startswith(PUBLIC_ROOTS):
        return path
    folder, slash, name = path.rpartition(b"/")
    return masked(folder) + slash + name


def command_line(text: bytes, names: Iterable[str]) -> bytes:
    """Options stay; folders of paths, and names, are masked."""
    text = _ABSOLUTE.sub(lambda found: without_folder(found[0]), text)
    return b" ".join(_word(word, names) for word in text.split(b" "))


def _word(word: bytes, names: Iterable[str]) -> bytes:
    option, equals, value = word.partition(b"=") if word.startswith(b"-") else (b"", b"", word)
    if b"/" in option:  # -I/a/folder
        option = without_names(option, names)
    return option + equals + without_names(value, names)


def without_folders(text: bytes, folders: Iterable[bytes]) -> bytes:
    """Folders are masked wherever they end as one: at `/`, at a zero, at a quote."""
    for folder in sorted(folders, key=len, reverse=True):
        whole = re.escape(folder) + rb"(?![A-Za-z0-9_.-])"
        text = re.sub(whole, lambda found: masked(found[0]), text)
    return text


def without_homes(text: bytes) -> bytes:
    """Home folders are masked, whosever they are."""
    return _HOMES.sub(lambda found: masked(found[0]), text)


def replaced(text: bytes, changes: Mapping[bytes, bytes]) -> bytes:
    """Every key of `changes` becomes its value, the longest first."""
    for old in sorted(changes, key=len, reverse=True):
        text = text.replace(old, changes[old])
    return text
