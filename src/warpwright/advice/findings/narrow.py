"""memory.narrow: many small global accesses where wide ones would do."""

from __future__ import annotations

from warpwright.advice.draft import Draft, evidence, speedup
from warpwright.advice.facts import Facts

_WIDE, _REGISTER, _SECTOR = 16.0, 4.0, 32  # bytes
_WORD = 32  # of memory_access_size_type: 32, 64, 128 are bits, smaller codes are parts of a word
_IDEAL = "memory_l2_theoretical_sectors_global_ideal"
_REQUESTS = "memory_l1_tag_requests_global"


def narrow(facts: Facts) -> Draft | None:
    """Lanes move less than a register at a time, so that few bytes are in flight.

    Narrow are accesses of less than 32 bits by their opcode; the bytes b that a lane moves are
    those of the ideal sectors over the lanes of the requests. Up to 16 / b as many bytes are in
    flight with wide accesses, and the waiting for global data (long scoreboard behind global
    loads, lg throttle) becomes b / 16 of what it is: T' = T * (1 - waits * (1 - b / 16)), not
    below the busiest resource. low: 4 bytes a lane instead of 16; high: all waiting vanishes.
    """
    stalls = facts.stalls
    if stalls is None:
        return None
    sectors, requests = facts.launch.per_pc(_IDEAL), facts.launch.per_pc(_REQUESTS)
    sizes = facts.launch.per_pc("memory_access_size_type")
    small = {
        pc: min(width, _REGISTER)
        for pc, count in requests.items()
        if count
        and 0 < sizes.get(pc, 0.0) < _WORD
        and (width := sectors.get(pc, 0.0) * _SECTOR / (count * 32))
    }
    part = sum(requests[pc] for pc in small) / sum(requests.values()) if small else 0.0
    if part < 0.5:
        return None
    width = sum(small[pc] * requests[pc] for pc in small) / sum(requests[pc] for pc in small)
    waits = stalls.global_waits
    left = {"SM pipes": width / _WIDE, "L1 data pipe": width / _WIDE}

    def gain(width_then: float) -> float:
        return facts.after(waits * part * (1 - width / width_then), left=left)

    if gain(_WIDE) < 1.03:
        return None
    where = facts.places({pc: requests[pc] for pc in small})
    at = f"{facts.quote(where[0])}: " if where else ""
    return Draft(
        id="memory.narrow",
        title=f"lanes move {width:.1f} bytes at a time",
        speedup=speedup(gain(_REGISTER), gain(_WIDE), facts.after(waits, left=left)),
        evidence=(
            evidence(_REQUESTS, sum(requests[pc] for pc in small), "request", "of narrow accesses"),
            evidence(_IDEAL, sum(sectors[pc] for pc in small), "sector", "that they move"),
            evidence(
                "smsp__pcsamp_warps_issue_stalled_long_scoreboard",
                100 * waits,
                "%",
                "of the warps' time waiting for global data or its queue",
            ),
        ),
        where=where,
        actions=(
            f"{at}let each lane move 16 bytes at once (uint4, float4; in Triton, more contiguous "
            "elements a thread): as many requests carry that much more",
        ),
        confidence="medium",
    )
