"""What a report tells of the machine and person it was made by, gathered from all its texts."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

from warpwright.cubin.lines import source_files
from warpwright.errors import BadInput
from warpwright.report.masks import ABSOLUTE, USERS, is_public, masked, without_addresses
from warpwright.report.redact_plan import Leaf, Style

_PLACES = (Style.PATH, Style.FOLDER, Style.COMMAND, Style.ENVIRONMENT)
_NO_NAMES = {b"root", b"user", b"host", b"ubuntu", b"runner", b"nobody", b"localhost", b"Public"}
_USER_VARIABLES = {b"USER", b"LOGNAME", b"USERNAME"}
_HOST_VARIABLES = {b"HOSTNAME", b"HOST", b"COMPUTERNAME"}
_NO_ADDRESS = re.compile(rb"127\.[0.]*1|0\.0\.0\.0|::1?|localhost")
_LEAST_NAME, _LEAST_VALUE = 3, 8  # shorter texts are words of everybody
_LETTERS = re.compile(rb"[A-Za-z1-9]")


@dataclass
class PrivateTexts:
    """Texts that must not stay in a report.

    `hosts` and `users` may be words of any language: they are taken out of what can name them.
    `everywhere` goes wherever a text stands. `values` are of environment variables, `files` the
    names of source files.
    """

    hosts: set[bytes] = field(default_factory=set)
    users: set[bytes] = field(default_factory=set)
    folders: set[bytes] = field(default_factory=set)
    addresses: set[bytes] = field(default_factory=set)
    values: set[bytes] = field(default_factory=set)
    files: set[bytes] = field(default_factory=set)
    everywhere: frozenset[bytes] = frozenset()

    @property
    def names(self) -> set[bytes]:
        """Names of users and hosts."""
        return self.hosts | self.users


def private_texts(
    data: bytes, leaves: Iterable[Leaf], also: Iterable[str], everywhere: Iterable[str]
) -> PrivateTexts:
    """Hosts, users, folders, addresses and variables that the texts of a report tell.

    Args:
        data: the report.
        leaves: where its texts are.
        also: further folders (they begin with `/`), and names.
        everywhere: texts to take out wherever they stand.
    """
    found = PrivateTexts(everywhere=frozenset(text.encode() for text in everywhere if text))
    for text in (text.encode() for text in also):
        if text.startswith(b"/"):
            found.folders.add(text)
        elif len(text) >= _LEAST_NAME:
            found.users.add(text)
    for style, text in {(leaf.style, data[leaf.first : leaf.last]) for leaf in leaves}:
        _gather(found, style, text)
    found.folders = {folder.rstrip(b"/") for folder in found.folders}
    found.folders = {f for f in found.folders if _LETTERS.search(f) and not is_public(f)}
    return found


def _gather(found: PrivateTexts, style: Style, text: bytes) -> None:
    if style is Style.HOST:
        _add_host(found, text)
    elif style is Style.ADDRESS:
        _add_address(found, text)
    elif style is Style.CUBIN:
        _gather_files(found, text)
    elif style in _PLACES:
        found.users |= set(_names(USERS.findall(text)))
    if style is Style.PATH:
        _add_path(found, text)
    elif style is Style.FOLDER and text.startswith(b"/"):
        found.folders.add(text)
    elif style is Style.COMMAND:
        found.folders |= {folder[0] for folder in ABSOLUTE.finditer(text) if _starts(text, folder)}
        for address in _addresses(text):
            _add_address(found, address)
    elif style is Style.ENVIRONMENT:
        _gather_variables(found, text)


def _starts(text: bytes, found: re.Match[bytes]) -> bool:
    """Whether a path begins here: behind a blank, a quote or `=`, not within another."""
    return not found.start() or text[found.start() - 1 : found.start()] in b" '\"=:,"


def _gather_files(found: PrivateTexts, cubin: bytes) -> None:
    try:
        paths = {path.encode() for path in source_files(cubin)}
    except BadInput:
        return  # a binary of another kind has no line table
    for path in paths:
        found.users |= set(_names(USERS.findall(path)))
        _add_path(found, path)


def _add_path(found: PrivateTexts, path: bytes) -> None:
    if is_public(path):
        return
    folder, _, name = path.rpartition(b"/")
    if path.startswith(b"/"):
        found.folders.add(folder)
    found.files.add(name)


def _add_host(found: PrivateTexts, host: bytes) -> None:
    if re.fullmatch(rb"[0-9.]+|[0-9A-Fa-f:]+:[0-9A-Fa-f:.%\w]*", host):
        _add_address(found, host)
    else:
        found.hosts |= set(_names((host, host.partition(b".")[0])))


def _add_address(found: PrivateTexts, address: bytes) -> None:
    bare = address.partition(b"%")[0]
    if not _NO_ADDRESS.fullmatch(bare) and len(bare) > 4:
        found.addresses |= {address, bare}


def _gather_variables(found: PrivateTexts, text: bytes) -> None:
    for variable in re.split(rb"[\0\n;]", text):
        name, _, value = variable.partition(b"=")
        if name in _USER_VARIABLES:
            found.users |= set(_names((value,)))
        elif name in _HOST_VARIABLES:
            _add_host(found, value)
        elif value.startswith(b"/") and value.count(b"/") > 1 and b":" not in value:
            found.folders.add(value)
        if len(value) >= _LEAST_VALUE and not is_public(value) and masked(value) != value:
            found.values.add(value)


def _names(texts: Iterable[bytes]) -> Iterator[bytes]:
    for text in texts:
        if len(text) >= _LEAST_NAME and text not in _NO_NAMES and masked(text) != text:
            yield text


def _addresses(text: bytes) -> list[bytes]:
    seen: list[bytes] = []

    def see(address: bytes) -> bytes:
        seen.append(address)
        return address

    without_addresses(text, see)
    return seen
