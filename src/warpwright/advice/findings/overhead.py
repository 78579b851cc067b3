"""launch.overhead: many short launches, whose gaps and starts cost more than their work."""

from __future__ import annotations

from collections.abc import Sequence

from warpwright.advice.draft import Draft, evidence, speedup
from warpwright.advice.facts import LAUNCH_NS, Facts, headroom

SHORT_NS = 10_000
GAP_NS = 1_000  # between kernels of a stream that wait for each other (H200, from a stream)
_MANY = 8
_VISIBLE = 1.05


def overhead(facts: Facts) -> Draft | None:
    """At least eight launches in a row of less than 10 us each.

    A launch of d takes d and the gap before it; of d, `LAUNCH_NS` is started, one trip to memory,
    ended. N of them in one (a fused or persistent kernel, batched over what they differ in) take
    that once: T' / T = (LAUNCH_NS + N * w) / (N * (d + gap)). The work w that remains of each is d
    less LAUNCH_NS (low), or what its busiest resource needs (high), as soon as the pieces overlap;
    expected is the geometric mean. A graph saves the host's time and part of the gap only.
    """
    durations = [one for one in facts.fellows if one is not None]
    own = facts.duration_ns
    if own is None or own > SHORT_NS or len(durations) < _MANY:
        return None
    count = len(durations)
    before = sum(durations) + count * GAP_NS
    waited = sum(max(0.0, one - LAUNCH_NS) for one in durations)
    busiest = headroom(facts, spread=True) * sum(durations)
    low = before / (LAUNCH_NS + max(waited, busiest))
    high = before / (LAUNCH_NS + busiest)
    expected = (low * high) ** 0.5
    if expected < _VISIBLE:
        return None
    mean = sum(durations) / count
    return Draft(
        id="launch.overhead",
        title=f"{count} launches in a row take {mean / 1000:.1f} us each",
        speedup=speedup(low, expected, high),
        evidence=(
            evidence("gpu__time_duration.sum", mean, "ns", f"of each of {count}, in the mean"),
            evidence(
                "gpu__time_duration.sum",
                float(LAUNCH_NS + GAP_NS),
                "ns",
                "of it a launch takes that does nothing, with the gap before (H200)",
            ),
        ),
        actions=(
            f"do the {count} launches' work in one: a block finds its part by blockIdx (one grid "
            "over all tensors), a loop over the steps inside of the kernel (grid-wide barrier, "
            "cooperative launch), or fused operations; a CUDA graph saves only the host's part",
        ),
        confidence="high" if mean < 2 * LAUNCH_NS else "medium",
    )


def short_run(durations: Sequence[float | None], index: int) -> tuple[float | None, ...]:
    """The durations (ns) of the short launches in a row around one, at most 64 to either side."""
    first, last = index, index
    while first > max(0, index - 64) and _short(durations[first - 1]):
        first -= 1
    while last + 1 < min(len(durations), index + 65) and _short(durations[last + 1]):
        last += 1
    return tuple(durations[first : last + 1])


def _short(duration_ns: float | None) -> bool:
    return duration_ns is not None and duration_ns <= SHORT_NS
