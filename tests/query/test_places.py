from dataclasses import replace

from warpwright.model.report import Launch, Metric, NoCode
from warpwright.query.places import pc_offset

LAUNCH = Launch(
    index=0,
    kernel="k",
    demangled="k()",
    mangled="k",
    grid=(1, 1, 1),
    block=(32, 1, 1),
    compute_capability=(9, 0),
    metrics={"inst_executed": Metric("inst_executed", 3, {0x7F0010: 1, 0x7F0020: 2})},
    code=NoCode(base=0x7F0000),
)


def test_what_the_executed_instructions_know_is_a_pc() -> None:
    assert pc_offset(LAUNCH, "smsp__pcsamp_sample_count", 0x7F0020) == 0x20
    assert pc_offset(replace(LAUNCH, code=NoCode()), "inst_executed", 0x7F0020) == 0x7F0020


def test_without_them_what_lies_close_behind_the_start_is_one() -> None:
    bare = replace(LAUNCH, metrics={})
    assert pc_offset(bare, "smsp__pcsamp_sample_count", 0x7F0030) == 0x30
    assert pc_offset(bare, "smsp__pcsamp_sample_count", 0x7F0000 + (1 << 24)) is None
    assert pc_offset(replace(bare, code=NoCode()), "sass__x", 32) is None


def test_opcodes_and_curves_are_no_pcs() -> None:
    assert pc_offset(LAUNCH, "sass__inst_executed_per_opcode", "FFMA") is None
    assert pc_offset(LAUNCH, "launch__occupancy_per_block_size", 0x7F0010) is None
