"""memory.atomics: atomic operations that serialize on few addresses."""

from __future__ import annotations

from warpwright.advice.draft import Draft, evidence, speedup
from warpwright.advice.facts import ATTAINABLE, Facts
from warpwright.advice.pipes import ATOMIC_WAVEFRONTS, data_pipe_part
from warpwright.advice.stalls import GLOBAL, Stalls

_UNIT = "lts__d_atomic_input_cycles_active"
_ELAPSED = "pct_of_peak_sustained_elapsed"
_SHARED_LANES = 4  # lanes a cycle that an SM adds to shared memory with some conflicts: assumed
_SERIAL = 0.7  # of what a slice can do: then everything waits behind it
_QUEUES = ("lg_throttle", "long_scoreboard", "drain", "mio_throttle", "short_scoreboard", "membar")
_KINDS = ("red", "atom")
_VISIBLE = 1.05


def atomics(facts: Facts) -> Draft | None:
    """The atomic unit of one L2 slice is busy: few addresses get all of the operations.

    An address lives in one slice, whose unit takes its operations one after the other; the fullest
    slice's busy share u (.max of the metric, over what units reach) is the part of T that they
    need. Where u is above 0.7 all waiting for memory (its queues, its data, stores at exit) is
    behind that unit and goes with it, else no more than u. With a sum for each block first, kept in
    shared memory, the lanes are added there: T' = T * (1 - gone + lanes / (4 a cycle and SM)). low:
    the square root of that (half of the way, as factors go); high: the sums cost nothing. Atomics'
    sectors and wavefronts leave L2 and the data pipe.
    """
    stalls = facts.stalls
    launch = facts.launch
    most = launch.number(f"{_UNIT}.max.{_ELAPSED}")
    cycles = launch.number("sm__cycles_elapsed.avg") or launch.number("sm__cycles_elapsed.max")
    if stalls is None or not most or not cycles:
        return None
    serial = min(1.0, most / 100 / ATTAINABLE)
    waits = min(1.0, sum(map(stalls.share, _QUEUES)))
    gone = waits if serial >= _SERIAL else min(waits, serial)
    places = _atomics(stalls)
    lanes = sum(launch.per_pc("thread_inst_executed").get(pc, 0.0) for pc in places)
    sums = lanes / (_SHARED_LANES * facts.sm_count * cycles)
    left = _left(facts)
    expected = facts.after(gone - sums, left=left)
    if expected < _VISIBLE:
        return None
    where = facts.places({pc: stalls.samples.get(pc, 0.0) for pc in places})
    at = f"{facts.quote(where[0])}: " if where else ""
    mean = launch.number(f"{_UNIT}.avg.{_ELAPSED}")
    return Draft(
        id="memory.atomics",
        title="atomics wait for each other on few addresses",
        speedup=speedup(expected**0.5, expected, facts.after(gone, left=left)),
        evidence=(
            evidence(f"{_UNIT}.max.{_ELAPSED}", most, "%", "of what the fullest L2 slice can do"),
            evidence(f"{_UNIT}.avg.{_ELAPSED}", mean, "%", "of what all slices together can do"),
            evidence("thread_inst_executed", lanes, "thread", "atomic operations, lane by lane"),
            evidence(
                "smsp__pcsamp_sample_count",
                100 * waits,
                "%",
                "of the warps' time waiting for memory or its queues",
            ),
        ),
        where=where,
        actions=(
            f"{at}add up within the warp (__reduce_add_sync) or the block (shared memory) first, "
            "and let one lane of each block do the global atomic",
        ),
        confidence="high" if serial >= _SERIAL else "medium",
    )


def _atomics(stalls: Stalls) -> set[int]:
    """PC offsets of global accesses that are neither loads nor stores."""
    access = stalls.launch.per_pc("memory_access_type")
    return {pc for pc, kind in stalls.memory_type.items() if kind == GLOBAL and not access.get(pc)}


def _left(facts: Facts) -> dict[str, float]:
    """What remains of L2 and of the data pipe without atomics."""
    sectors = [facts.launch.number(f"lts__t_sectors_srcunit_tex_op_{op}.sum") for op in _KINDS]
    whole = facts.launch.number("lts__t_sectors.sum")
    part = sum(one or 0.0 for one in sectors) / whole if whole else 0.0
    pipe = data_pipe_part(facts, *ATOMIC_WAVEFRONTS) or 0.0
    return {"L2": max(0.0, 1 - part), "L1 data pipe": 1 - pipe}
