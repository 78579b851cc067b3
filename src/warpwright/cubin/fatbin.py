"""The cubins inside a shared library that nvcc built with --no-compress."""

from __future__ import annotations

import struct
from collections.abc import Iterator

from warpwright.cubin.sections import EM_CUDA

_MAGIC = b"\x7fELF\x02\x01"
_HEADER_BYTES = 64
_ET_EXEC = 2


def embedded_cubins(library: bytes) -> Iterator[bytes]:
    """Every linked cubin in the bytes of a library, in order."""
    at = library.find(_MAGIC)
    while at >= 0:
        if at + _HEADER_BYTES <= len(library):
            kind, machine = struct.unpack_from("<HH", library, at + 16)
            if machine == EM_CUDA and kind == _ET_EXEC:
                yield library[at : at + _extent(library, at)]
        at = library.find(_MAGIC, at + 1)


def _extent(data: bytes, at: int) -> int:
    """Bytes of the ELF file at `at`: the program or the section header table ends it."""
    programs, sections = struct.unpack_from("<QQ", data, at + 32)
    program_size, programs_n, section_size, sections_n = struct.unpack_from("<4H", data, at + 54)
    return int(max(programs + program_size * programs_n, sections + section_size * sections_n))
