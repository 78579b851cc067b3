"""Overwrite private parts of a text with as many other bytes."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from functools import partial
from ipaddress import ip_address
from posixpath import normpath

Rewrite = Callable[[bytes], bytes]

_PUBLIC_ROOTS = (
    b"/bin/",
    b"/usr/bin/",
    b"/usr/lib/",
    b"/usr/include/",
    b"/usr/local/bin/",
    b"/usr/local/cuda",
    b"/opt/nvidia/",
)
_PUBLIC_WINDOWS = b"C:\\Program Files\\NVIDIA"
_SEGMENT = rb"[^\x00-\x20\x7f\"'`<>:;,|*?()\[\]{}=/\\]+"
_WINDOWS_FOLDERS = rb"(?:[^\\/:*?\"<>|\r\n\0]+[\\/]{1,2})*"

HOMES = re.compile(
    rb"/(?:home|Users)/%(s)b(?:/%(s)b)*(?=/)|/(?:home|Users)/%(s)b"
    rb"|/root(?:/%(s)b)*(?=/)|(?<![\w/.])/root(?![\w.-])" % {b"s": _SEGMENT}
)
# Folders of absolute paths: of any word, in prose and behind a quote, where no operator can be.
ABSOLUTE = re.compile(rb"/[^\s'\":;,=]*/")
IN_PROSE = re.compile(rb"(?<![\w.\-/)\]~$])/(?:%b/)+(?=%b)" % (_SEGMENT, _SEGMENT))
QUOTED = re.compile(rb"(?<=[\"'<])/(?:%b/)+(?=%b)" % (_SEGMENT, _SEGMENT))
# Within data of a program, such as the file's name that an assertion prints.
IN_DATA = re.compile(rb"(?<![^\0])/(?:[!-.0-~]+/)+(?=[!-.0-~]+\0)")
WINDOWS = re.compile(rb"(?:(?<![A-Za-z0-9])[A-Za-z]:[\\/]{1,2}|\\\\)" + _WINDOWS_FOLDERS)
WINDOWS_IN_PROSE = re.compile(rb"(?<![A-Za-z0-9])[A-Za-z]:\\{1,2}" + _WINDOWS_FOLDERS)
WINDOWS_HOMES = re.compile(
    rb"[A-Za-z]:[\\/]{1,2}Users[\\/]{1,2}[^\\/:*?\"<>|\r\n\0]+[\\/]{1,2}" + _WINDOWS_FOLDERS
)
USERS = re.compile(rb"[\\/](?:home|Users)[\\/]{1,2}([^\x00-\x1f/\\\"':;,]+)")
_ADDRESSES = re.compile(
    rb"(?<![\w.:])(?:\d{1,3}(?:\.\d{1,3}){3}(?![\w.])|(?:[0-9A-Fa-f]{2}[:-]){5}[0-9A-Fa-f]{2}(?!\w)"
    rb"|[0-9A-Fa-f:.]*:[0-9A-Fa-f:.]*:[0-9A-Fa-f:.]*(?:%\w+)?)"
)
# In a command line: folders of a home, what a URL points at, and what options call secret.
TILDE = re.compile(rb"(?<![\w/])~[\w.-]*/[^\s'\"]*")
URL = re.compile(rb"(?<=://)[^\s'\"]+")
SECRET = re.compile(
    rb"(-[\w-]*(?:token|secret|passw|credential|api-?_?key)[\w-]*[=\s])([^\s]+)", re.IGNORECASE
)
_COMMENT = re.compile(rb"//[^\n]*|/\*.*?\*/", re.DOTALL)
_PYTHON_COMMENT = re.compile(rb"#[^\n]*")


def masked(text: bytes) -> bytes:
    """Letters and digits become x and 0; separators stay, so that it still reads as a path."""
    return re.sub(rb"[0-9]", b"0", re.sub(rb"[A-Za-z]|[^\x00-\x7f]", b"x", text))


def whole_words(texts: Iterable[bytes]) -> re.Pattern[bytes] | None:
    """Any of the texts, the longest first, between anything but letters and digits."""
    every = sorted(set(texts), key=lambda text: (-len(text), text))
    if not every:
        return None
    inner = b"|".join(map(re.escape, every))
    return re.compile(rb"(?<![A-Za-z0-9])(?:" + inner + rb")(?![A-Za-z0-9])")


def folder_words(folders: Iterable[bytes]) -> re.Pattern[bytes] | None:
    """Any of the folders, wherever it ends as one: at `/`, at a zero, at a quote."""
    every = sorted(set(folders), key=lambda text: (-len(text), text))
    if not every:
        return None
    return re.compile(rb"(?:" + b"|".join(map(re.escape, every)) + rb")(?![A-Za-z0-9_.-])")


def without_names(text: bytes, names: Iterable[str]) -> bytes:
    """Names are masked as whole words, that is between anything but letters and digits."""
    words = whole_words(name.encode() for name in names)
    return words.sub(lambda found: masked(found[0]), text) if words else text


def in_comments(source: bytes, rewrite: Rewrite, *, python: bool) -> bytes:
    """A program with every comment rewritten."""
    comment = _PYTHON_COMMENT if python else _COMMENT
    return comment.sub(lambda found: rewrite(found[0]), source)


def commented_names(source: bytes, names: Iterable[str], *, python: bool) -> bytes:
    """A program with the names in its comments masked."""
    return in_comments(source, partial(without_names, names=names), python=python)


def is_public(path: bytes) -> bool:
    """Whether a folder or path is the system's or the toolkit's, the same on every machine."""
    if path.startswith(_PUBLIC_WINDOWS):
        return True
    return (normpath(path) + b"/").startswith(_PUBLIC_ROOTS)


def masked_folder(folder: bytes) -> bytes:
    """A folder masked, unless it is public."""
    return folder if is_public(folder) else masked(folder)


def without_addresses(text: bytes, rewrite: Rewrite = masked) -> bytes:
    """A text whose addresses (IPv4, IPv6, of network cards) are rewritten."""
    return _ADDRESSES.sub(lambda found: _address(found[0], rewrite), text)


def _address(text: bytes, rewrite: Rewrite) -> bytes:
    if text.count(b":") == 5 or b"-" in text or b":" not in text:
        return rewrite(text)
    try:
        ip_address(text.decode())
    except ValueError:  # a time, or C++ names
        return text
    return rewrite(text) if re.search(rb"[0-9]", text) else text
