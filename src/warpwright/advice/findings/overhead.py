"""launch.overhead: many short launches, whose gaps and starts cost more than their work."""

from __future__ import annotations

from collections.abc import Sequence

from warpwright.advice.draft import Draft, evidence, speedup
from warpwright.advice.facts import LAUNCH_NS, Facts, headroom

SHORT_NS = 10_000
# Between kernels that wait for each other, and from one launch to the next as a host can: on an
# H200 rows of 32 and 258 launches took 3.4 to 3.7 us each, of empty kernels 4.6 to 5.
GAP_NS, INTERVAL_NS = 1_000, 3_400
BARRIER_NS = 1_000  # over a whole grid, by cooperative groups: assumed
_MANY = 8
_VISIBLE = 1.05


def overhead(facts: Facts) -> Draft | None:
    """At least eight launches in a row of less than 10 us each.

    A launch of d takes d and the gap before it, and no less than a host needs for the next one. N
    of them in one (a fused or persistent kernel, batched over what they differ in) take the fixed
    part once: T' / T = (LAUNCH_NS + N * w) / sum(max(d + gap, interval)). The work w that remains
    of each is what its busiest resource needs (expected), as soon as the pieces overlap; a barrier
    over the whole grid, if they depend on each other (low); or a quarter of it, where what stays on
    the chip from piece to piece is not fetched again (high). A graph saves the host's part only.
    """
    durations = [one for one in facts.fellows if one is not None]
    own = facts.duration_ns
    if own is None or own > SHORT_NS or len(durations) < _MANY:
        return None
    count = len(durations)
    before = sum(max(one + GAP_NS, INTERVAL_NS) for one in durations)
    busiest = headroom(facts, spread=True) * sum(durations)
    expected = before / (LAUNCH_NS + busiest)
    low = before / (LAUNCH_NS + max(busiest, count * BARRIER_NS))
    high = before / (LAUNCH_NS + busiest / 4)
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
                float(INTERVAL_NS),
                "ns",
                "or more from one launch to the next, whatever they do (H200)",
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
