"""What more resident warps give: a closed queueing network of one resource and its waiting."""

from __future__ import annotations

_MOST_WARPS = 64  # of a scheduler; devices hold 16, damaged reports claim any number


def residency_gain(busy: float, warps: float, factor: float) -> float:
    """Throughput after over before when `factor` times as many warps share an SM's resources.

    Each warp in turn uses the busiest resource and then waits elsewhere. Mean value analysis of
    that closed network (Reiser and Lavenberg, 1980) gives the resource's utilization for a
    number of warps; the waiting time is chosen so that today's warps give today's `busy`.
    The answer lies between 1 and min(factor, 1 / busy); for fewer warps between factor and 1. Fewer
    warps than schedulers leave some of those without work, in proportion.

    Args:
        busy: share (0..1) of the busiest resource on a working SM.
        warps: resident warps per scheduler today (rounded, at least 1).
        factor: how many times as many there would be.
    """
    population = max(1, round(min(warps, _MOST_WARPS)))
    busy = min(max(busy, 1e-3), 0.999)
    low, high = 0.0, 1.0  # waiting time in units of the service time: bracket, then bisect
    while _utilization(population, high) > busy:
        high *= 2
    for _ in range(40):
        middle = (low + high) / 2
        if _utilization(population, middle) > busy:
            low = middle
        else:
            high = middle
    others = min(population * factor, _MOST_WARPS)
    gain = _utilization(max(1, round(others)), high) / busy
    if factor < 1:
        return min(1.0, max(factor, gain * min(1.0, others)))
    return max(1.0, min(factor, gain))


def _utilization(warps: int, waiting: float) -> float:
    queue = rate = 0.0
    for count in range(1, warps + 1):
        response = 1 + queue
        rate = count / (response + waiting)
        queue = rate * response
    return rate
