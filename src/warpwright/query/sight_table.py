"""What must be seen in a launch when a cause was removed: one table for every finding id."""

from __future__ import annotations

from warpwright.query.sights import (
    Sight,
    Sights,
    access_width,
    atomic_lanes,
    constant_replays,
    excess,
    executed,
    executed_code,
    imbalance,
    metric,
    waiting,
    waits_per_issue,
)

_LAUNCH, _CODE = "LaunchStats", "InstructionStats"
_BLOCKS = metric("blocks in the grid", "launch__grid_size", "block", "other", _LAUNCH)
_THREADS = metric("threads in a block", "launch__block_size", "thread", "other", _LAUNCH)
_REGISTERS = metric(
    "registers of a thread", "launch__registers_per_thread", "register", "fewer", _LAUNCH
)
_SHARED = metric(
    "shared memory of a block",
    "launch__shared_mem_per_block_allocated",
    "byte",
    "fewer",
    _LAUNCH,
)
_TENSOR = r"[HIDQBO]G?MMA|UTC\w*MMA|\w*[QH]MMA_SP"
_TENSOR_NOW = r"[HIQB]GMMA|UTC\w*MMA"
_INTEGER = r"IMAD|IADD3?|VIADD|ISETP|VIMNMX|IMNMX|IABS|ISCADD|IDP\w*|LEA|SHF|LOP3|I2FP?|F2IP?"
_ASYNC = "LDGSTS|UTMALDG|UBLKCP|UBLKPF|UTMAPF"
_COPIES = executed("asynchronous copies (LDGSTS, TMA)", _ASYNC, "some")
_L2 = metric(
    "sectors between L1 and L2",
    "lts__t_sectors_srcunit_tex.sum",
    "sector",
    "fewer",
    "MemoryWorkloadAnalysis_Tables",
)
_DRAM = "MemoryWorkloadAnalysis"


def _limit(resource: str) -> Sight:
    return metric(
        "blocks it lets an SM hold",
        f"launch__occupancy_limit_{resource}",
        "block",
        "more",
        "Occupancy",
    )


def _dram(op: str) -> Sight:
    return metric(f"bytes DRAM {op}", f"dram__bytes_{op}.sum", "byte", "fewer", _DRAM)


SIGHTS: dict[str, Sights] = {
    "launch.small_grid": Sights((_BLOCKS,)),
    "launch.tail": Sights((_BLOCKS, _THREADS)),
    "launch.block_size": Sights((_THREADS,)),
    "launch.overhead": Sights(
        blind="it is about how many launches there are: `warpwright ncu launches` counts them, and "
        "`ncu diff` of two whole reports compares the time of all"
    ),
    "occupancy.registers": Sights((_REGISTERS, _limit("registers"))),
    "occupancy.shared_memory": Sights((_SHARED, _limit("shared_mem"))),
    "memory.local": Sights((executed("local accesses (LDL, STL)", "LDL|STL", "gone"),)),
    "memory.narrow": Sights(
        (access_width(), executed("global accesses (LDG, STG)", "LDG|STG|LDGSTS", "fewer", False))
    ),
    "memory.uncoalesced": Sights(
        (excess("sectors above the ideal", "memory_l2_theoretical_sectors_global", "sector"),)
    ),
    "memory.bank_conflicts": Sights(
        (excess("wavefronts above the ideal", "memory_l1_wavefronts_shared", "wavefront"),)
    ),
    "memory.constant_divergence": Sights(
        (executed("constant loads (LDC)", "LDC", "fewer"), constant_replays())
    ),
    "memory.atomics": Sights(
        (atomic_lanes(), executed("atomics to shared memory (ATOMS)", "ATOMS", "some", False))
    ),
    "memory.reuse": Sights(
        (
            _L2,
            metric("bytes read of DRAM", "dram__bytes_read.sum", "byte", "fewer", _DRAM, False),
            executed("loads of shared memory (LDS, LDSM)", "LDS|LDSM", "some", False),
        )
    ),
    "compute.fp64": Sights(
        (executed("double precision (DFMA, DADD, ...)", r"D(FMA|MUL|ADD|SETP|MNMX)", "gone"),)
    ),
    "compute.tensor_cores_unused": Sights(
        (
            executed("matrix instructions (HMMA, HGMMA)", _TENSOR, "some"),
            executed("multiply-adds (FFMA, HFMA2)", "FFMA2?|HFMA2", "fewer", False),
        )
    ),
    "compute.tensor_cores_legacy": Sights(
        (
            executed("own matrix instructions (HGMMA)", _TENSOR_NOW, "some"),
            executed("older ones (HMMA, IMMA)", "HMMA|IMMA|BMMA|QMMA", "gone", False),
        )
    ),
    "compute.integer_math": Sights(
        (executed("integer instructions (IMAD, SHF)", _INTEGER, "fewer"),)
    ),
    "compute.special_functions": Sights((executed("special functions (MUFU)", "MUFU", "fewer"),)),
    "latency.dependency": Sights(
        (waits_per_issue("fixed-latency wait per issue (sampled)", "wait"),)
    ),
    "latency.memory": Sights(
        (_COPIES, waiting("time waiting for data (sampled)", ("long_scoreboard",), True))
    ),
    "latency.no_overlap": Sights(
        (_COPIES, waiting("time waiting for data (sampled)", ("long_scoreboard",), True))
    ),
    "latency.instruction_cache": Sights(
        (
            executed_code(),
            waiting("time without instructions (sampled)", ("no_instructions",)),
        )
    ),
    "sync.barrier": Sights(
        (
            executed("barriers (BAR)", "BAR", "fewer"),
            waiting("time waiting at barriers (sampled)", ("barrier",), True),
        )
    ),
    "control.divergence": Sights(
        (
            metric(
                "lanes active in an instruction",
                "smsp__thread_inst_executed_per_inst_executed.ratio",
                "thread",
                "more",
                "WarpStateStats",
            ),
        )
    ),
    "balance.blocks": Sights((imbalance(),)),
    "roofline.memory": Sights((_dram("read"), _dram("write"))),
    "roofline.compute": Sights(
        (metric("instructions of warps", "smsp__inst_executed.sum", "inst", "fewer", _CODE),)
    ),
}
