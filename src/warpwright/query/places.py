"""Which ids of a metric's instances are PCs, and where in the function these lie."""

from __future__ import annotations

from warpwright.model.report import Launch, Value

_MOST_BYTES = 1 << 24  # of one function's code: an id further from its start is no PC of it
_LEAST_BASE = 1 << 16  # below it an id that is larger than the base may be a size or a count


def pc_offset(launch: Launch, metric: str, identity: Value) -> int | None:
    """The offset in bytes from the function's start, if the id of an instance is a PC of it.

    A report does not say what ids are. An id is a PC if `inst_executed`, which has an instance
    for every instruction, knows it; or, where that was not collected, if it lies close behind the
    function's start.
    """
    if not isinstance(identity, int) or metric.startswith("launch__"):
        return None
    base = launch.code.base
    executed = launch.metrics.get("inst_executed")
    if executed is not None and identity in executed.instances:
        return identity - base
    near = base >= _LEAST_BASE and 0 <= identity - base < _MOST_BYTES
    return identity - base if near else None
