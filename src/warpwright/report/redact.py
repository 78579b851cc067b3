"""Take private facts out of a report, byte for byte in place.

Host names, addresses, user paths and the environment are overwritten with as many other bytes, so
that every length in the file, every metric and every line table stays what it was and NVIDIA's own
tools still open the result. Names that are asked for besides (a user may be called `gpu`) are
taken out only of what can hold a name: the command line, paths, and comments in sources.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from functools import partial

from warpwright.errors import BadInput
from warpwright.report.container import parse_frames
from warpwright.report.masks import (
    PUBLIC_ROOTS,
    Rewrite,
    command_line,
    commented_names,
    masked,
    replaced,
    without_folder,
    without_folders,
    without_homes,
    without_names,
)
from warpwright.report.wire import BYTES, FIXED64, VARINT, fields


def redact_report(data: bytes, *, also: tuple[str, ...] = ()) -> bytes:
    """The same report without host, addresses, users, folders and process.

    Args:
        data: the bytes of an uncompressed report.
        also: further private texts: folders (they begin with `/`), and names of users and hosts.
            Names are overwritten, as whole words, in the command line, in paths of sources and
            in their comments; never in names of metrics and functions, nor in code.

    Raises:
        BadReport: not a whole report.
    """
    names = tuple(text for text in also if len(text) >= 3 and not text.startswith("/"))
    frames = tuple(parse_frames(data, "the report"))
    sources = [data[at.start : at.stop] for frame in frames for at in frame.sources]
    paths = {path for source in sources for path in _paths(source)}
    folders = {text.encode() for text in also if text.startswith("/")}
    folders |= {path.rpartition(b"/")[0] for path in paths if _is_private(path)}
    files = {path.rpartition(b"/")[2] for path in paths if not path.startswith(PUBLIC_ROOTS)}
    renamed = {name: new for name in files if (new := without_names(name, names)) != name}
    out = bytearray(data)
    for frame in frames:
        header = data[frame.header.start : frame.header.stop]
        out[frame.header.start : frame.header.stop] = _rewritten(header, _header(names))
        for at in frame.sources:
            source = _rewritten(data[at.start : at.stop], {8: partial(_texts, names=names)})
            out[at.start : at.stop] = without_folders(source, folders)
    # Rules in the results name files too. A folder such as `/sm` may be the end of a unit.
    suffixed = {name: new for name, new in renamed.items() if b"." in name}
    deep = {folder for folder in folders if folder.count(b"/") > 1}
    return without_homes(without_folders(replaced(bytes(out), suffixed), deep))


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


def _keep(text: bytes) -> bytes:
    return text


def _nested(plan: Mapping[int, Rewrite]) -> Rewrite:
    return lambda message: _rewritten(message, plan)


# A machine: 1 system, 3 processor, 4 architecture may stay; its name, kernel and addresses not.
_MACHINE = _nested({1: _keep, 3: _keep, 4: _keep, 7: _nested({1: masked}), 0: masked})


def _header(names: Iterable[str]) -> dict[int, Rewrite]:
    """What to do with a block's header; its table of strings (4) stays."""
    details: dict[int, Rewrite] = {
        3: _MACHINE,
        4: _MACHINE,
        6: _keep,  # devices
        8: _keep,  # versions
        11: partial(command_line, names=names),
        0: masked,
    }
    process: dict[int, Rewrite] = {  # its address and executable
        2: masked,
        3: lambda path: without_names(without_folder(path), names),
    }
    return {3: _nested(details), 6: _nested(process)}


def _texts(message: bytes, names: Iterable[str]) -> bytes:
    """Imported source files (1 name, 2 text): names in paths and in comments are masked."""

    def file(entry: bytes) -> bytes:
        python = any(number == 1 and _ends_py(value) for number, _, value in fields(entry))
        text = partial(commented_names, names=names, python=python)
        return _rewritten(entry, {1: partial(_renamed, names=names), 2: text})

    return _rewritten(message, {0: file})


def _ends_py(path: int | bytes) -> bool:
    return isinstance(path, bytes) and path.endswith(b".py")


def _is_private(path: bytes) -> bool:
    return path.count(b"/") > 1 and path.startswith(b"/") and not path.startswith(PUBLIC_ROOTS)


def _renamed(path: bytes, names: Iterable[str]) -> bytes:
    """A path without names; an absolute folder is masked whole, elsewhere."""
    if path.startswith(PUBLIC_ROOTS):
        return path
    folder, slash, name = path.rpartition(b"/")
    if not path.startswith(b"/"):
        folder = without_names(folder, names)
    return folder + slash + without_names(name, names)


def _paths(source: bytes) -> Iterator[bytes]:
    """Paths of a source's text files, and of the files in its cubin's line table."""
    for number, _, content in fields(source):
        if not isinstance(content, bytes):
            continue
        if number == 8:
            for _, _, file in fields(content):
                if isinstance(file, bytes):
                    parts = fields(file)
                    yield from (n for part, _, n in parts if part == 1 and isinstance(n, bytes))
        elif number == 4:
            yield from (path.encode() for path in _line_table_files(content))


def _line_table_files(cubin: bytes) -> Iterator[str]:
    from warpwright.cubin.lines import source_files

    try:
        yield from source_files(cubin)
    except BadInput:
        return  # a source of another kind (PTX, an old architecture) has no line table
