"""Take private facts out of a report, byte for byte in place.

Host names, addresses, user paths and the environment are overwritten with as many other bytes, so
that every length in the file, every metric and every line table stays what it was and NVIDIA's own
tools still open the result.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from pathlib import PurePosixPath

from warpwright.errors import BadInput
from warpwright.report.container import parse_frames
from warpwright.report.wire import BYTES, FIXED64, VARINT, as_text, fields

Rewrite = Callable[[bytes], bytes]

_PUBLIC_ROOTS = ("/usr/bin/", "/usr/lib/", "/usr/include/", "/usr/local/cuda", "/opt/nvidia/")
_HOMES = re.compile(rb"/(?:root|(?:home|Users)/[A-Za-z0-9._-]+)(?=/)")
_ABSOLUTE = re.compile(rb"/[^\s'\":;,=]+")


def redact_report(data: bytes, *, also: tuple[str, ...] = ()) -> bytes:
    """The same report without host, addresses, users, folders and process.

    Args:
        data: the bytes of an uncompressed report.
        also: further private texts (a project's folder, a user name) to overwrite wherever
            they stand in sources and session details.

    Raises:
        BadReport: not a whole report.
    """
    out = bytearray(data)
    folders: set[bytes] = {text.encode() for text in also if len(text) >= 3}
    for frame in parse_frames(data, "the report"):
        header = _rewritten(data[frame.header.start : frame.header.stop], _HEADER)
        out[frame.header.start : frame.header.stop] = header
        for source in frame.sources:
            folders |= set(_folders(data[source.start : source.stop]))
    result = bytes(out)
    folders |= set(_HOMES.findall(result))  # ncu names where its section files lie
    for folder in sorted(folders, key=len, reverse=True):
        result = result.replace(folder, _masked_text(folder))
    return result


def _rewritten(message: bytes, plan: Mapping[int, Rewrite]) -> bytes:
    """The message with the BYTES fields of `plan` rewritten; field 0 stands for all others."""
    out = bytearray()
    for number, wire, value in fields(message):
        out += _varint(number << 3 | wire)
        if wire == BYTES and isinstance(value, bytes):
            rewrite = plan.get(number) or plan.get(0)
            value = rewrite(value) if rewrite else value
            out += _varint(len(value)) + value
        elif isinstance(value, int):
            size = 8 if wire == FIXED64 else 4
            out += _varint(value) if wire == VARINT else value.to_bytes(size, "little")
    return bytes(out) if len(out) == len(message) else message


def _varint(number: int) -> bytes:
    out = bytearray()
    while number > 127:
        out.append(number & 127 | 128)
        number >>= 7
    out.append(number)
    return bytes(out)


def _masked_text(text: bytes) -> bytes:
    """Letters and digits become x and 0; separators stay, so that it still reads as a path."""
    return re.sub(rb"[0-9]", b"0", re.sub(rb"[A-Za-z]|[^\x00-\x7f]", b"x", text))


def _command_line(text: bytes) -> bytes:
    """Options stay; folders of paths that are not the system's are overwritten."""
    return _ABSOLUTE.sub(lambda found: _masked_path(found[0]), text)


def _masked_path(path: bytes) -> bytes:
    if path.startswith(tuple(root.encode() for root in _PUBLIC_ROOTS)):
        return path
    folder, slash, name = path.rpartition(b"/")
    return _masked_text(folder) + slash + name


def _keep(text: bytes) -> bytes:
    return text


def _nested(plan: Mapping[int, Rewrite]) -> Rewrite:
    return lambda message: _rewritten(message, plan)


# A machine: 1 system, 3 processor, 4 architecture may stay; its name, kernel and addresses not.
_MACHINE = _nested({1: _keep, 3: _keep, 4: _keep, 7: _nested({1: _masked_text}), 0: _masked_text})
_DETAILS: dict[int, Rewrite] = {
    3: _MACHINE,
    4: _MACHINE,
    6: _keep,  # devices
    8: _keep,  # versions
    11: _command_line,
    0: _masked_text,
}
_HEADER: dict[int, Rewrite] = {
    3: _nested(_DETAILS),
    6: _nested({2: _masked_text, 3: _masked_path}),  # the process: address, executable
}


def _folders(source: bytes) -> Iterator[bytes]:
    """Folders of a source's text files, and of the files in its cubin's line table."""
    for number, _, content in fields(source):
        if not isinstance(content, bytes):
            continue
        if number == 8:
            for _, _, file in fields(content):
                if isinstance(file, bytes):
                    yield from (
                        folder
                        for part, _, name in fields(file)
                        if part == 1
                        for folder in _private(as_text(name))
                    )
        elif number == 4:
            for name in _line_table_files(content):
                yield from _private(name)


def _private(path: str) -> Iterator[bytes]:
    folder = str(PurePosixPath(path).parent)
    if folder.startswith("/") and len(folder) > 2 and not path.startswith(_PUBLIC_ROOTS):
        yield folder.encode()


def _line_table_files(cubin: bytes) -> Iterator[str]:
    from warpwright.cubin.lines import source_files

    try:
        yield from source_files(cubin)
    except BadInput:
        return  # a source of another kind (PTX, an old architecture) has no line table
