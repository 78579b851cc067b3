"""memory.reuse: the same bytes are fetched again and again from L2 or L1."""

from __future__ import annotations

from warpwright.advice.draft import Draft, evidence, speedup
from warpwright.advice.facts import Facts
from warpwright.advice.pipes import GLOBAL_LOADS, data_pipe_part, pipes_left
from warpwright.advice.stalls import GLOBAL

_SECTOR = 32  # bytes
_IDEAL = "memory_l2_theoretical_sectors_global_ideal"
_LOAD = 2  # code of the source metric memory_access_type
_OFTEN = 4.0  # times that a byte is asked for before it is worth a tile
_VISIBLE = 1.05


def reuse(facts: Facts) -> Draft | None:
    """Global loads ask for far more bytes than there are.

    R = bytes that the loads of the code ask for (ideal sectors, without gathers) / bytes that came
    from device memory, which holds each distinct byte once if caches were flushed before. With a
    tile in shared memory or registers each byte is loaded R' = R / t times less often, and the
    waiting for global data, and the loads' part of L2, data pipe and issue slots divides by t.
    expected: t = 4, low: t = 2, high: t = R (each byte once); no t is larger than R.
    """
    stalls = facts.stalls
    dram = facts.launch.number("dram__bytes_read.sum")
    if stalls is None or not dram:
        return None
    asked = _asked(facts)
    total = sum(asked.values()) * _SECTOR
    ratio = total / dram
    if ratio < _OFTEN:
        return None
    waits = _waits(facts, asked)
    gains = [_gain(facts, asked, waits, min(tile, ratio)) for tile in (2.0, 4.0, ratio)]
    if gains[1] < _VISIBLE:
        return None
    where = facts.places(dict(asked))
    at = f"{facts.quote(where[0])}: " if where else ""
    l2 = facts.launch.number("lts__t_sectors_srcunit_tex_op_read.sum")
    return Draft(
        id="memory.reuse",
        title=f"each byte is loaded {ratio:.0f} times",
        speedup=speedup(*gains),
        evidence=(
            evidence(_IDEAL, total, "byte", "asked for by global loads"),
            evidence(
                "lts__t_sectors_srcunit_tex_op_read.sum",
                None if l2 is None else l2 * _SECTOR,
                "byte",
                "of them from L2",
            ),
            evidence("dram__bytes_read.sum", dram, "byte", "from device memory: there are no more"),
            evidence(
                "smsp__pcsamp_sample_count",
                100 * waits,
                "%",
                "of the warps' time waiting for them or in their queue",
            ),
        ),
        where=where,
        actions=(
            f"{at}load a tile once into shared memory for the whole block, or let each thread "
            "compute 4 or more results from what it holds in registers (a tile of 2 x 2, a strip)",
        ),
        confidence="medium",
    )


def _asked(facts: Facts) -> dict[int, float]:
    """Ideal sectors of global loads by PC offset, without gathers."""
    access = facts.launch.per_pc("memory_access_type")
    machine = facts.code.machine
    return {
        pc: sectors
        for pc, sectors in facts.launch.per_pc(_IDEAL).items()
        if sectors
        and access.get(pc) == _LOAD
        and not (machine is not None and machine.loaded_address(pc))
    }


def _waits(facts: Facts, asked: dict[int, float]) -> float:
    """Part (0..1) of the warps' time behind these loads, in their queue, and at themselves."""
    stalls = facts.stalls
    assert stalls is not None
    ideal = facts.launch.per_pc(_IDEAL)
    part = sum(asked.values()) / (sum(ideal.values()) or 1.0)
    behind = sum(stalls.data_waits[GLOBAL].values()) * part
    at = sum(stalls.at_work.get(pc, 0.0) for pc in asked)
    return min(1.0, (behind + at) / stalls.total)


def _gain(facts: Facts, asked: dict[int, float], waits: float, tile: float) -> float:
    gone = 1 - 1 / tile
    executed = facts.launch.per_pc("inst_executed")
    loads = sum(executed.get(pc, 0.0) for pc in asked) / (sum(executed.values()) or 1.0)
    of_pipe = data_pipe_part(facts, GLOBAL_LOADS)
    of_pipe = 1.0 if of_pipe is None else of_pipe
    left = {
        "L1 data pipe": 1 - of_pipe * gone,
        "L2": 1 - gone,
        "SM pipes": pipes_left(facts, loads * gone, {"LSU": gone * of_pipe}),
    }
    return facts.after(waits * gone, left=left)
