"""What a source view lacks, and how to get it."""

from __future__ import annotations

from warpwright.cubin.sass import Disassembly, find_disassembler
from warpwright.model.report import Launch
from warpwright.operations.disassembly import launch_code
from warpwright.operations.source_rows import Rows

_FEW_SAMPLES = 200  # a share of a tenth is then known to about a fifth of itself


def cautions_of(launch: Launch, rows: Rows) -> tuple[str, ...]:
    """Why the numbers say less than they could."""
    found = []
    if rows.ranked_by is None:
        found.append(
            "nothing was measured by instruction: profile with --section SourceCounters "
            "(or --set full)"
        )
    elif rows.ranked_by == "inst_executed":
        found.append(
            "warps were not sampled: ranked by executed instructions, which say what is done "
            "often, not what is waited for"
        )
    elif (rows.total.samples or 0) < _FEW_SAMPLES:
        found.append(f"only {rows.total.samples} samples: shares are rough")
    if launch.number("smsp__pcsamp_dropped_bytes"):
        found.append("the sample buffer was full: samples were dropped")
    if not launch.code.parts and not launch.code.sass:
        what = "no SASS" if launch.code.lines else "no lines, no SASS"
        found.append(f"the report holds no machine code of this launch: {what}")
    elif launch.code.damage:
        found.append(f"no lines: {launch.code.damage}")
    elif launch.code.sass and not launch.code.lines:
        found.append("this page names no source lines: export it with --print-source cuda,sass")
    elif not launch.code.lines:
        found.append("the code has no line table: build it with -lineinfo (nvcc) to get lines")
    return tuple(found)


def disassembly_of(launch: Launch) -> tuple[Disassembly | None, tuple[str, ...]]:
    """The launch's instructions, or a caution that says why they are not there."""
    code = launch_code(launch)
    if code is not None or not launch.code.parts:
        return code, ()
    if any(find_disassembler(tool) for tool in ("nvdisasm", "cuobjdump")):
        return None, ("no SASS text: the disassemblers here cannot read this machine code",)
    return None, (
        "no SASS text: neither nvdisasm nor cuobjdump is here; pip install 'warpwright[sass]'",
    )
