"""Sections, rule results and NVTX ranges of a launch, decoded when asked for.

Field numbers are of NVIDIA's published ProfilerSection.proto, RuleResults.proto, Nvtx.proto.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import cached_property
from typing import TypeVar

from warpwright.errors import BadReport
from warpwright.model.annotations import NvtxRange, RuleResult, Section
from warpwright.report.nvtx import nvtx_ranges
from warpwright.report.rules import rule_results
from warpwright.report.sections import section
from warpwright.report.wire import Span, WireError

T = TypeVar("T")

_MOST_BYTES = 4 << 20  # of all sections of a launch, or all its rules; the most known is 0.7 MB


class LazyAnnotations:
    """Annotations of one launch, of which each part is decoded at the first look.

    Args:
        data: the report.
        sections, rules, nvtx: where these messages lie.
        owner: what errors call the launch.
    """

    def __init__(
        self,
        data: bytes,
        sections: tuple[Span, ...],
        rules: tuple[Span, ...],
        nvtx: tuple[Span, ...],
        *,
        owner: str,
    ) -> None:
        self._data = data
        self._spans = {"section": sections, "rule result": rules, "NVTX state": nvtx}
        self._owner = owner

    @cached_property
    def sections(self) -> tuple[Section, ...]:
        """In the tool's order: by `order`, then by id."""
        found = self._each("section", lambda message: iter((section(message),)))
        return tuple(sorted(found, key=lambda one: (one.order, one.id)))

    @cached_property
    def rules(self) -> tuple[RuleResult, ...]:
        """Every message of every rule, in file order."""
        return tuple(self._each("rule result", rule_results))

    @cached_property
    def nvtx(self) -> tuple[NvtxRange, ...]:
        """The NVTX ranges that were open in the launching thread, and those of the process."""
        return tuple(self._each("NVTX state", nvtx_ranges))

    def _each(self, what: str, decode: Callable[[bytes], Iterator[T]]) -> Iterator[T]:
        left = _MOST_BYTES
        for start, end in self._spans[what]:
            left -= end - start
            try:
                if left < 0:
                    raise WireError("there is more of it than any launch has", 0)
                yield from decode(self._data[start:end])
            except WireError as error:
                raise BadReport(
                    f"{self._owner}: a {what} is damaged at byte {start + error.at}: {error}",
                    hint="copy the file again, or profile that kernel again",
                ) from None
