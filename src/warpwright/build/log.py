"""What compilers say: the first error, warnings, and ptxas's facts of each kernel."""

from __future__ import annotations

import re
from dataclasses import dataclass

_ERROR = re.compile(r"\berror\b\s*(#[\w-]+\s*)?:|\bfatal( error)?\b\s*:|\berror\s+:", re.IGNORECASE)
_WARNING = re.compile(r"\bwarning\b\s*(#[\w-]+\s*)?:|\bwarning\s+:", re.IGNORECASE)
_PROPERTIES = re.compile(
    r"Function properties for (\S+)\n\s*(\d+) bytes stack frame, "
    r"(\d+) bytes spill stores, (\d+) bytes spill loads"
)


@dataclass(frozen=True, slots=True)
class PtxasFacts:
    """Of one function. Spill bytes are a static count of what its code stores and loads."""

    stack_bytes: int
    spill_store_bytes: int
    spill_load_bytes: int


def ptxas_facts(log: str) -> dict[str, PtxasFacts]:
    """Facts by mangled name, from `ptxas -v`."""
    plain = re.sub(r"^ptxas info\s+: ", "", log, flags=re.MULTILINE)
    return {name: PtxasFacts(*map(int, rest)) for name, *rest in _PROPERTIES.findall(plain)}


def first_error(log: str) -> str:
    """The first line that reports an error; else the last line that says anything."""
    lines = [line.strip() for line in log.splitlines() if line.strip()]
    named = next((line for line in lines if _ERROR.search(line)), None)
    return named or (lines[-1] if lines else "the compiler failed and said nothing")


def warnings(log: str) -> tuple[str, ...]:
    """Lines that report a warning, each once."""
    return tuple(dict.fromkeys(li.strip() for li in log.splitlines() if _WARNING.search(li)))
