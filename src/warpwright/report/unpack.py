"""Unpack xz and zstd, within bounds: a few bytes may claim to hold terabytes."""

from __future__ import annotations

import lzma
from collections.abc import Callable
from io import BytesIO
from itertools import count
from typing import Any

from warpwright.errors import BadReport
from warpwright.report.zstd import zstd

_XZ, _ZSTD = b"\xfd7zXZ\0", b"\x28\xb5\x2f\xfd"
_REPORT = b"NVR\0"
_CHUNK = 1 << 20
_MOST_STREAMS = 64  # each is copied from what is left
_FREE_BYTES, _MOST_RATIO = 32 << 20, 64  # what packed bytes may unpack to: the two together
_MOST_WINDOW = 26  # log2 of the bytes that a decompressor may hold on to


def unpacked(data: bytes, name: str, cautions: list[str] | None = None) -> bytes:
    """The bytes, unpacked if they are xz or zstd.

    Args:
        data: the bytes.
        name: what errors call them.
        cautions: where it is told if they are damaged after the beginning of a report, and what
            could be unpacked is returned; without it that is an error too.

    Raises:
        BadReport: damaged or cut short before a report began, or more than 32 MiB and 64 times
            the packed size.
    """
    if data.startswith(_XZ):
        return _inflate(data, name, "xz", lambda: lzma.LZMADecompressor(memlimit=1 << 27), cautions)
    if data.startswith(_ZSTD):
        return _inflate(data, name, "zstd", _zstd_decompressor, cautions)
    return data


def _zstd_decompressor() -> Any:
    module = zstd()
    limit = module.DecompressionParameter.window_log_max
    return module.ZstdDecompressor(options={limit: _MOST_WINDOW})


def _inflate(
    data: bytes, name: str, kind: str, fresh: Callable[[], Any], cautions: list[str] | None
) -> bytes:
    """All streams of `data`, one after the other. `fresh` makes a decompressor."""
    damage: tuple[type[Exception], ...] = (lzma.LZMAError, EOFError)
    if kind == "zstd":
        damage = (zstd().ZstdError, EOFError)
    most = _FREE_BYTES + _MOST_RATIO * len(data)
    magic, out, rest = data[:4], BytesIO(), data
    try:
        for streams in count():
            if not rest:
                break
            if streams == _MOST_STREAMS:
                raise BadReport(
                    f"{name} is of more than {streams} {kind} pieces",
                    hint=f"unpack it first: {kind} -d",
                )
            stream = fresh()
            while not stream.eof:
                if stream.needs_input and not rest:
                    raise EOFError
                out.write(stream.decompress(rest if stream.needs_input else b"", _CHUNK))
                rest = b""
                if out.tell() > most:
                    raise BadReport(
                        f"{name} unpacks to more than {most >> 20} MiB from {len(data)} bytes",
                        hint=f"if it is meant to, unpack it first: {kind} -d",
                    )
            rest = stream.unused_data
            if rest and not rest.startswith(magic):
                raise BadReport(
                    f"{name}: {len(rest)} bytes follow the end of its {kind} data, "
                    f"from byte {len(data) - len(rest)}",
                    hint="copy it again",
                )
    except damage:
        said = f"a damaged or truncated {kind} file: {out.tell()} bytes could be unpacked"
        if cautions is not None and out.getvalue().startswith(_REPORT):
            cautions.append(f"the report comes from {said}")
            return out.getvalue()
        raise BadReport(
            f"{name} is {said}",
            hint="copy it again, or profile again",
        ) from None
    return out.getvalue()
