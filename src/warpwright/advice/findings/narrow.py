"""memory.narrow: many small global accesses where wide ones would do."""

from __future__ import annotations

from collections.abc import Mapping

from warpwright.advice.draft import Draft, evidence, speedup
from warpwright.advice.facts import Facts
from warpwright.hardware import WARP

_WIDE, _REGISTER, _SECTOR = 16.0, 4.0, 32  # bytes
_WORD = 32  # of memory_access_size_type: 32, 64, 128 are bits, smaller codes are parts of a word
_VISIBLE = 1.03
_IDEAL = "memory_l2_theoretical_sectors_global_ideal"
_REQUESTS = "memory_l1_tag_requests_global"


def narrow(facts: Facts) -> Draft | None:
    """Lanes move few bytes at a time where wide accesses would do: few bytes are in flight.

    Narrow are accesses of less than 32 bits by their opcode (the bytes b that a lane moves are
    those of the ideal sectors over the lanes of the requests, and 16 would fit), and accesses of b
    bytes side by side that one of 8 or 16 could do (`Facts.mergeable`). With wide ones the
    requests, and the waiting for global data (long scoreboard behind global loads, lg throttle),
    become b / wide of what they are: T' = T * (1 - waits * part * (1 - b / wide)), not below the
    busiest resource. low: half of that, in factors; high: all waiting vanishes.
    """
    stalls = facts.stalls
    if stalls is None:
        return None
    requests = facts.launch.per_pc(_REQUESTS)
    small = _narrow(facts, requests)
    theirs = sum(requests[pc] for pc in small)
    part = theirs / sum(requests.values()) if theirs else 0.0
    if part < 0.5:
        return None
    width = sum(b * requests[pc] for pc, (b, _) in small.items()) / theirs
    kept = sum(b / wide * requests[pc] for pc, (b, wide) in small.items()) / theirs
    waits = stalls.global_waits
    left = {"SM pipes": 1 - part * (1 - kept), "L1 data pipe": 1 - part * (1 - kept)}
    expected = facts.after(waits * part * (1 - kept), left=left)
    if expected < _VISIBLE:
        return None
    where = facts.places({pc: requests[pc] for pc in small})
    at = f"{facts.quote(where[0])}: " if where else ""
    wide = min(_WIDE, width / kept)
    sectors = facts.launch.per_pc(_IDEAL)
    return Draft(
        id="memory.narrow",
        title=f"lanes move {width:.1f} bytes at a time",
        speedup=speedup(expected**0.5, expected, facts.after(waits, left=left)),
        evidence=(
            evidence(_REQUESTS, theirs, "request", "of narrow accesses"),
            evidence(_IDEAL, sum(sectors.get(pc, 0.0) for pc in small), "sector", "that they move"),
            evidence(
                "smsp__pcsamp_warps_issue_stalled_long_scoreboard",
                100 * waits,
                "%",
                "of the warps' time waiting for global data or its queue",
            ),
        ),
        where=where,
        actions=(
            f"{at}let each lane move {wide:.0f} bytes at once (uint4, float4; in Triton, more "
            f"contiguous elements a thread): {wide / width:.0f} times fewer requests carry as much",
        ),
        confidence="medium",
    )


def _narrow(facts: Facts, requests: Mapping[int, float]) -> dict[int, tuple[float, float]]:
    """Bytes of a lane now, and with a wide access, by PC offset."""
    sectors = facts.launch.per_pc(_IDEAL)
    sizes = facts.launch.per_pc("memory_access_size_type")
    found: dict[int, tuple[float, float]] = {}
    for pc, count in requests.items():
        width = sectors.get(pc, 0.0) * _SECTOR / (count * WARP) if count else 0.0
        run = facts.code.mergeable.get(pc)
        if width and 0 < sizes.get(pc, 0.0) < _WORD:
            found[pc] = (min(width, _REGISTER), _WIDE)
        elif width and run:
            found[pc] = (min(width, float(run)), float(run))
    return found
