"""The machine code and source text that a report carries, read when asked for.

A SourceData message: 1 its id, 4 the cubin, 8 imported source files (1 name, 2 text), 9 functions
(1 mangled name, 2 the PC that correlation ids count from).
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import cached_property
from types import MappingProxyType

from warpwright.cubin.elf import frame_bytes
from warpwright.cubin.lines import Chain, call_chains
from warpwright.errors import BadInput
from warpwright.model.report import Code, CodePart, Metric, SourceLine
from warpwright.report.wire import BYTES, VARINT, Span, WireError, as_bytes, as_text, fields, places

_TOOLKIT = re.compile(
    r"[/\\](?:cuda[^/\\]*|targets|nvidia|v\d+\.\d+)[/\\](?:.*[/\\])?include[/\\]|^/usr/include/"
)


class CodeSource:
    """One source of a report: a cubin and, if they were imported, its text files."""

    def __init__(self, data: bytes) -> None:
        self.texts: dict[str, str] = {}
        self.bases: dict[str, int] = {}
        self._data = data
        self._cubin: Span = (0, 0)

    def add(self, span: Span) -> None:
        """Read a message of this source. A later one may tell of further functions alone.

        Raises:
            WireError: the message is damaged.
        """
        data = self._data
        for number, wire, first, last in places(data, *span):
            if wire != BYTES:
                continue
            if number == 4:
                self._cubin = (first, last)
            elif number == 8:
                self._read_texts(data[first:last])
            elif number == 9:
                self._read_bases(data[first:last])

    @cached_property
    def cubin(self) -> bytes:
        """The ELF file; empty if the report has none."""
        first, last = self._cubin
        return self._data[first:last]

    def _read_texts(self, message: bytes) -> None:
        for _, wire, file in fields(message):
            if wire != BYTES:
                continue
            parts = {n: as_text(v) for n, _, v in fields(as_bytes(file)) if n in (1, 2)}
            if parts.get(1) and parts.get(2):  # a file that could not be imported has no text
                self.texts[parts[1]] = parts[2]

    def _read_bases(self, message: bytes) -> None:
        for field, _, function in fields(message):
            if field != 1:  # 2 would be objects in memory
                continue
            name, base = "", 0
            for number, _, value in fields(as_bytes(function)):
                if number == 1:
                    name = as_text(value)
                elif number == 2 and isinstance(value, int):
                    base = value
            self.bases[name] = base

    def function(self, mangled: str, metrics: Mapping[str, Metric]) -> Code:
        """The code of one function of this source."""
        return LazyCode(self, mangled, self.bases.get(mangled), metrics)


class LazyCode:
    """The code of one function; lines and frame are decoded from the cubin at the first look."""

    def __init__(
        self, source: CodeSource, mangled: str, base: int | None, metrics: Mapping[str, Metric]
    ) -> None:
        self._source = source
        self._mangled = mangled
        self._base = base
        self._metrics = metrics

    @cached_property
    def base(self) -> int:
        """The PC of the function's start: what the report says, or else the lowest PC of all.

        Reports before 2022 do not say it.
        """
        if self._base is not None:
            return self._base
        pcs = self._metrics.get("inst_executed")
        return min((k for k in pcs.instances if isinstance(k, int)), default=0) if pcs else 0

    sass: Mapping[int, str] = MappingProxyType({})

    @property
    def parts(self) -> tuple[CodePart, ...]:
        """The function, if the report holds its machine code."""
        cubin = self._source.cubin
        return (CodePart(0, self._mangled, cubin),) if cubin else ()

    @property
    def chains(self) -> Mapping[int, Chain]:
        """PC offset -> source lines, innermost first; empty if built without -lineinfo."""
        return self._decoded[0]

    @property
    def damage(self) -> str | None:
        """Why the lines of a damaged cubin are missing."""
        return self._decoded[1]

    @cached_property
    def _decoded(self) -> tuple[Mapping[int, Chain], str | None]:
        try:
            cubin = self._source.cubin
            return call_chains(cubin, self._mangled) if cubin else {}, None
        except BadInput as error:
            return {}, str(error)

    @cached_property
    def lines(self) -> Mapping[int, SourceLine]:
        """PC offset -> source line: the innermost outside the toolkit's headers, since an
        intrinsic counts for its caller."""  # noqa: D209
        return {offset: own_line(chain) for offset, chain in self.chains.items()}

    @cached_property
    def frame_bytes(self) -> int | None:
        """The function's stack frame per thread."""
        try:
            cubin = self._source.cubin
            return frame_bytes(cubin, self._mangled) if cubin else None
        except BadInput:
            return None


def own_line(chain: Chain) -> SourceLine:
    """The innermost line outside the headers of the toolkit and of the system."""
    return next((line for line in chain if not _TOOLKIT.search(line.file)), chain[0])


class SeveralFunctions:
    """The code of all functions of some sources: of a range, or of a graph. PCs are absolute."""

    base = 0
    frame_bytes: int | None = None
    sass: Mapping[int, str] = MappingProxyType({})

    def __init__(self, sources: tuple[CodeSource, ...]) -> None:
        self._sources = sources

    @cached_property
    def _functions(self) -> tuple[tuple[int, LazyCode], ...]:
        return tuple(
            (base, LazyCode(source, mangled, base, {}))
            for source in self._sources
            for mangled, base in source.bases.items()
        )

    @cached_property
    def parts(self) -> tuple[CodePart, ...]:
        """The functions, each at its PC."""
        return tuple(
            CodePart(base, part.mangled, part.cubin)
            for base, code in self._functions
            for part in code.parts
        )

    @cached_property
    def chains(self) -> Mapping[int, Chain]:
        """PC -> source lines, innermost first."""
        return {
            base + offset: chain
            for base, code in self._functions
            for offset, chain in code.chains.items()
        }

    @property
    def damage(self) -> str | None:
        """Why lines of a damaged cubin are missing."""
        return next((code.damage for _, code in self._functions if code.damage), None)

    @cached_property
    def lines(self) -> Mapping[int, SourceLine]:
        """PC -> source line, as `LazyCode.lines`."""
        return {pc: own_line(chain) for pc, chain in self.chains.items()}


def read_sources(data: bytes, spans: list[Span], cautions: list[str]) -> dict[int, CodeSource]:
    """All sources of a report by their id. What is damaged is left out, with a caution."""
    sources: dict[int, CodeSource] = {}
    for span in spans:
        try:
            ids = (first for n, wire, first, _ in places(data, *span) if n == 1 and wire == VARINT)
            sources.setdefault(next(ids, 0), CodeSource(data)).add(span)
        except WireError as error:
            cautions.append(
                f"the source code that begins at byte {span[0]} is damaged ({error}): "
                "lines of its kernels may be missing"
            )
    return sources
