"""A kernel's machine code as a graph: which instruction made the value that another one reads.

Definitions are looked for backward in the order of the code, and around the back edge of the loops
an instruction lies in. Where paths join, the nearest is taken: good for "is this address loaded?",
not for a compiler.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Iterable, Sequence
from functools import cached_property, lru_cache

from warpwright.cubin.decode import ZERO, Decoded, decode
from warpwright.errors import BadInput
from warpwright.model.report import Launch

LOADED = frozenset(("LD", "LDG", "LDS", "ATOM", "ATOMG", "ATOMS"))
# What leaves a value what it is, but for its type or its place in a register.
CONVERTS = frozenset(("MOV", "HADD2", "PRMT", "I2F", "I2FP", "F2F", "F2FP", "SHF", "SGXT"))
_GLOBAL = ("LDG", "STG")
_WIDEST = 16  # bytes that a lane can move at once
_DEEPEST = 4
_MOST = 256  # instructions looked at for one question


class Machine:
    """The instructions of one kernel."""

    def __init__(self, code: Sequence[Decoded]) -> None:
        self.code = code
        self.at = {one.offset: index for index, one in enumerate(code)}

    @cached_property
    def _writers(self) -> dict[int, list[int]]:
        writers: dict[int, list[int]] = {}
        for index, one in enumerate(self.code):
            for register in one.writes:
                writers.setdefault(register, []).append(index)
        return writers

    @cached_property
    def loops(self) -> tuple[tuple[int, int], ...]:
        """First and last index of each loop (a branch back and its target), short ones first."""
        found = [
            (self.at[one.target], index)
            for index, one in enumerate(self.code)
            if one.name == "BRA" and one.target in self.at and self.at[one.target] < index
        ]
        return tuple(sorted(found, key=lambda loop: loop[1] - loop[0]))

    def in_loop(self, offset: int) -> bool:
        """The instruction at an offset lies in a loop."""
        index = self.at.get(offset, -1)
        return any(first <= index <= last for first, last in self.loops)

    @cached_property
    def weights(self) -> dict[int, float]:
        """A guess of how often each instruction runs, by offset: ten turns of every loop."""
        depth = [0] * len(self.code)
        for first, last in self.loops:
            for index in range(first, last + 1):
                depth[index] += 1
        return {
            one.offset: 10.0 ** min(turns, _DEEPEST) if one.name else 0.0
            for one, turns in zip(self.code, depth, strict=True)
        }

    def definitions(self, index: int, register: int) -> set[int]:
        """Indices of the instructions that may have written what `index` reads in a register."""
        writers = self._writers.get(register, [])
        found = self._before(writers, index, 0)
        nearest = min(found, default=-1)
        for first, last in self.loops:
            if first <= index <= last and nearest < first:
                found |= self._before(writers, last + 1, index)
        return found

    def _before(self, writers: list[int], stop: int, least: int) -> set[int]:
        """The writers before `stop`, the nearest first, through guarded ones."""
        found: set[int] = set()
        for index in reversed(writers[: bisect_left(writers, stop)]):
            if index < least:
                break
            found.add(index)
            if not self.code[index].guarded:
                break
        return found

    def origins(
        self, index: int, registers: Iterable[int], passes: Callable[[Decoded], bool]
    ) -> list[Decoded]:
        """Where values come from: the first instructions back that `passes` does not let through.

        A value that was there before the code (or that is too far to find) has no origin.
        """
        ends: list[Decoded] = []
        seen: set[int] = set()
        left = [d for r in registers if r != ZERO for d in self.definitions(index, r)]
        while left and len(seen) < _MOST:
            one = left.pop()
            if one in seen:
                continue
            seen.add(one)
            decoded = self.code[one]
            if passes(decoded):
                left += [d for r in decoded.reads if r != ZERO for d in self.definitions(one, r)]
            else:
                ends.append(decoded)
        return ends

    def loaded_address(self, offset: int) -> bool:
        """The access at an offset goes wherever loaded data says, anew each time.

        Not so where only the start was loaded, before the loop that the access is in, and it goes
        on from there (a row of a sparse matrix).
        """
        index = self.at.get(offset)
        if index is None:
            return False
        ends = self.origins(index, self.code[index].address, lambda one: one.name not in LOADED)
        inner = next((loop for loop in self.loops if loop[0] <= index <= loop[1]), None)
        first, last = inner or (0, len(self.code))
        return any(first <= self.at[end.offset] <= last for end in ends)

    @cached_property
    def runs(self) -> dict[int, int]:
        """Bytes side by side that a thread moves with several accesses, by the offset of each.

        Accesses from the same base whose displacements follow each other: one wide access could do.
        """
        groups: dict[object, dict[int, Decoded]] = {}
        for index, one in enumerate(self.code):
            if one.name in _GLOBAL and 0 < one.size_bytes < _WIDEST:
                made = frozenset().union(*(self.definitions(index, r) for r in one.address))
                key = (one.name, one.address, made, one.size_bytes)
                groups.setdefault(key, {})[one.displacement] = one
        found: dict[int, int] = {}
        for group in groups.values():
            for chain in _chains(sorted(group.items())):
                for one in chain:
                    found[one.offset] = len(chain) * one.size_bytes
        return found


def _chains(accesses: Sequence[tuple[int, Decoded]]) -> list[list[Decoded]]:
    """Accesses in order of displacement, cut where they do not touch."""
    chains: list[list[Decoded]] = []
    end = None
    for start, one in accesses:
        if start != end:
            chains.append([])
        chains[-1].append(one)
        end = start + one.size_bytes
    return chains


def machine_of(launch: Launch) -> Machine | None:
    """A kernel's machine code; None where the report does not hold it, or that of several."""
    parts = launch.code.parts
    if len(parts) != 1 or parts[0].start:
        return None
    return _machine(parts[0].cubin, parts[0].mangled)


@lru_cache(maxsize=4)  # a report has many launches of few kernels
def _machine(cubin: bytes, mangled: str) -> Machine | None:
    try:
        code = decode(cubin, mangled)
    except BadInput:
        return None
    return Machine(code) if code else None
