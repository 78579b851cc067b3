"""One timed sample, the same code for candidates and baselines."""

from __future__ import annotations

from collections.abc import Callable
from time import perf_counter
from typing import Any

from warpwright.execution.device import Device

WARM_CALLS = 10
_WARM_SECONDS = 2.0


def timed_sample(
    device: Device, refresh: Callable[[], None], call: Callable[[], Any], mode: str
) -> tuple[float, Any]:
    """Fresh inputs in place, cold caches, one call. Returns nanoseconds and the result.

    In mode "graph" the call is enqueued behind the flush, which hides the launch: what remains
    is the GPU's own time. In the other modes the device is idle, and the launch is part of it.
    """
    refresh()
    device.flush()
    if mode != "graph":
        device.synchronize()
    return device.time_call(call)


def warm_up(device: Device, call: Callable[[], Any]) -> tuple[int, Any]:
    """Call ten times, or for two seconds where calls are slow. Returns the count, last result."""
    deadline = perf_counter() + _WARM_SECONDS
    calls = 0
    while True:
        result = call()
        device.synchronize()
        calls += 1
        if calls == WARM_CALLS or perf_counter() > deadline:
            return calls, result
