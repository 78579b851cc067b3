"""The NVTX ranges that were open when a launch was issued.

NvtxState: 1 domains (1 id, 2 name), 2 threads (1 id, 2 push/pop domains: 1 id, 3 stack of
ranges: 1 name), 3 start/end domains (1 id, 3 ranges: 2 name, 5 thread).
"""

from __future__ import annotations

from collections.abc import Iterator

from warpwright.model.annotations import NvtxRange
from warpwright.report.wire import as_bytes, as_text, fields

_DEFAULT = "<default domain>"


def nvtx_ranges(message: bytes) -> Iterator[NvtxRange]:
    """The open ranges: pushed ones thread by thread, outermost first, then started ones.

    Raises:
        WireError: the message is damaged.
    """
    domains = {}
    for part in _parts(message, 1):
        domains[_number(part, 1)] = next(
            (as_text(v) for n, _, v in fields(part) if n == 2), _DEFAULT
        )
    for thread in _parts(message, 2):
        for domain in _parts(thread, 2):
            name = domains.get(_number(domain, 1), _DEFAULT)
            for pushed in _parts(domain, 3):
                yield NvtxRange(_name(pushed, 1), name, "push_pop", _number(thread, 1))
    for domain in _parts(message, 3):
        name = domains.get(_number(domain, 1), _DEFAULT)
        for started in _parts(domain, 3):
            yield NvtxRange(_name(started, 2), name, "start_end", _number(started, 5))


def _parts(message: bytes, number: int) -> Iterator[bytes]:
    return (as_bytes(content) for n, _, content in fields(message) if n == number)


def _number(message: bytes, number: int) -> int | None:
    found = (v for n, _, v in fields(message) if n == number and isinstance(v, int))
    return next(found, None)


def _name(message: bytes, number: int) -> str:
    return next((as_text(v) for n, _, v in fields(message) if n == number), "")
