"""The machine code and source text that a report carries, read when asked for.

A Source message: 1 its id, 4 the cubin, 8 imported source files (1 name, 2 text), 9 functions
(1 mangled name, 2 the PC that correlation ids count from).
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property

from warpwright.cubin.elf import read_cubin
from warpwright.cubin.lines import call_chains
from warpwright.model.report import Code, Metric, SourceLine
from warpwright.report.wire import as_bytes, as_text, fields


class CodeSource:
    """One source of a report: a cubin and, if they were imported, its text files."""

    def __init__(self, message: bytes) -> None:
        self.id = 0
        self.cubin = b""
        self.texts: dict[str, str] = {}
        self._bases: dict[str, int] = {}
        for number, _, content in fields(message):
            if number == 1 and isinstance(content, int):
                self.id = content
            elif number == 4:
                self.cubin = as_bytes(content)
            elif number == 8:
                self._read_texts(as_bytes(content))
            elif number == 9:
                self._read_bases(as_bytes(content))

    def _read_texts(self, message: bytes) -> None:
        for _, _, file in fields(message):
            parts = {n: as_text(v) for n, _, v in fields(as_bytes(file)) if n in (1, 2)}
            if 1 in parts:
                self.texts[parts[1]] = parts.get(2, "")

    def _read_bases(self, message: bytes) -> None:
        for _, _, function in fields(message):
            name, base = "", 0
            for number, _, value in fields(as_bytes(function)):
                if number == 1:
                    name = as_text(value)
                elif number == 2 and isinstance(value, int):
                    base = value
            self._bases[name] = base

    def __call__(self, mangled: str, metrics: Mapping[str, Metric]) -> Code:
        """The code of one function of this source."""
        base = self._bases.get(mangled)
        if base is None:  # reports before 2022 have no table: the lowest PC is the start
            pcs = metrics.get("inst_executed")
            base = min((k for k in pcs.instances if isinstance(k, int)), default=0) if pcs else 0
        return LazyCode(base, self.cubin, mangled)


class LazyCode:
    """The code of one function; lines and frame are decoded from the cubin at the first look."""

    def __init__(self, base: int, cubin: bytes, mangled: str) -> None:
        self.base = base
        self._cubin = cubin
        self._mangled = mangled

    @cached_property
    def lines(self) -> Mapping[int, SourceLine]:
        """PC offset -> source line; empty if built without -lineinfo.

        The innermost line outside the toolkit's headers: an intrinsic counts for its caller.
        """
        chains = call_chains(self._cubin, self._mangled) if self._cubin else {}
        return {offset: _own(chain) for offset, chain in chains.items()}

    @cached_property
    def frame_bytes(self) -> int | None:
        """The function's stack frame per thread."""
        kernels = read_cubin(self._cubin).kernels if self._cubin else ()
        return next((k.frame_bytes for k in kernels if k.name == self._mangled), None)


def _own(chain: tuple[SourceLine, ...]) -> SourceLine:
    return next((line for line in chain if "/include/" not in line.file), chain[0])
