"""Hot spots by line, instruction and stall reason: small launches, and a recorded one."""

import math
from pathlib import Path

import pytest

from warpwright.cubin.lines import call_chains
from warpwright.cubin.sass import Disassembly, Instruction
from warpwright.model.report import Launch, Metric, NoCode, SourceLine
from warpwright.operations.locate import locate_report
from warpwright.query.hotspots import by_instruction, by_line, launch_cost, ranking, stall_reasons
from warpwright.report.reader import read_report

BASE = 1 << 40
KERNEL, CALLER, CALLEE = (SourceLine("/p/kda.cu", n) for n in (3, 9, 5))
HEADER = SourceLine("/cuda/include/math.hpp", 70)
CHAINS = {
    0: (KERNEL,),
    16: (CALLEE, CALLER),
    32: (HEADER, CALLEE, CALLER),
    48: (CALLER,),
}
OWN = {0: KERNEL, 16: CALLEE, 32: CALLEE, 48: CALLER}
STALL = "smsp__pcsamp_warps_issue_stalled_"


def launch(**per_pc):
    """A launch of four instructions with these source metrics by PC offset."""
    metrics = {
        name: Metric(name, sum(values.values()), {BASE + pc: v for pc, v in values.items()})
        for name, values in per_pc.items()
    }
    code = NoCode(base=BASE, lines=OWN, chains=CHAINS)
    return Launch(0, "k", "k", "k", (1, 1, 1), (32, 1, 1), (9, 0), metrics, code)


def sampled(**more):
    return launch(
        smsp__pcsamp_sample_count={0: 10, 16: 60, 32: 20},
        inst_executed={0: 4, 16: 8, 32: 8, 48: 2},
        **more,
    )


def test_own_costs_add_up_and_inlined_ones_stand_beside_them():
    lines = {cost.line: cost for cost in by_line(sampled())}
    assert [cost.line for cost in by_line(sampled())][:3] == [CALLEE, KERNEL, CALLER]
    assert lines[CALLEE].own.samples == 80
    assert (lines[CALLER].own.samples, lines[CALLER].inlined.samples) == (0, 80)
    assert (lines[CALLER].own.inst_executed, lines[CALLER].inlined.inst_executed) == (2, 16)
    assert lines[KERNEL].inlined is None
    assert (lines[HEADER].own, lines[HEADER].header.samples) == (None, 20)
    assert sum(cost.own.samples for cost in lines.values() if cost.own) == 90


def test_a_recursive_inlining_counts_once():
    code = NoCode(base=0, lines={0: CALLEE}, chains={0: (CALLEE, CALLER, CALLEE, CALLER)})
    metrics = {"inst_executed": Metric("inst_executed", 7, {0: 7})}
    one = Launch(0, "k", "k", "k", (1, 1, 1), (32, 1, 1), None, metrics, code)
    callee, caller = by_line(one)
    assert (callee.line, callee.own.inst_executed, callee.inlined) == (CALLEE, 7, None)
    assert (caller.line, caller.inlined.inst_executed) == (CALLER, 7)


def test_no_sample_is_zero_and_no_access_is_none():
    last = by_instruction(sampled(memory_l2_theoretical_sectors_global={16: 64}), None)[-1]
    assert (last.offset, last.cost.samples) == (48, 0)
    assert last.cost.l2_global_sectors is None
    bare = by_instruction(launch(inst_executed={0: 4}), None)[0].cost
    assert (bare.samples, bare.stalls, bare.thread_inst_executed) == (None, None, None)


def test_traffic_lanes_and_local_memory_are_joined_by_pc():
    cost = launch_cost(
        sampled(
            thread_inst_executed={0: 128, 16: 128, 32: 256, 48: 64},
            memory_l2_theoretical_sectors_global={0: 64},
            memory_l2_theoretical_sectors_global_ideal={0: 16},
            memory_l1_wavefronts_shared={32: 24},
            memory_l1_wavefronts_shared_ideal={32: 8},
            memory_type={0: 4, 16: 8, 32: 16},
            memory_l2_theoretical_sectors_local={16: 32},
        )
    )
    assert cost.active_lanes == pytest.approx(576 / 22)
    assert (cost.l2_global_sectors, cost.l2_global_sectors_ideal) == (64, 16)
    assert (cost.shared_wavefronts, cost.shared_wavefronts_ideal) == (24, 8)
    assert (cost.local_inst_executed, cost.l2_local_sectors) == (8, 32)


@pytest.mark.parametrize("prefix", [STALL, "smsp__pcsamp_warp_stall_"])
def test_stalls_of_every_vintage_and_what_was_not_issued(prefix):
    one = sampled(
        **{
            f"{prefix}wait": {16: 10, 32: 5},
            f"{prefix}wait_not_issued": {16: 4},
            f"{prefix}not_selected": {0: 2},
            f"{prefix}barrier": {0: 0},
        }
    )
    wait, other = stall_reasons(one)
    assert (wait.reason, wait.samples, wait.not_issued) == ("wait", 15, 4)
    assert wait.lines == ((CALLEE, 15),)
    assert (other.reason, other.samples, other.not_issued) == ("not_selected", 2, None)
    assert by_line(one)[0].own.stalls == {"wait": 15}


def test_before_2021_the_reasons_are_the_samples():
    one = launch(**{f"{STALL}wait": {0: 3}, f"{STALL}selected": {0: 1, 16: 2}})
    assert launch_cost(one).samples == 6
    assert ranking(one) == "samples"


def test_without_samples_executed_instructions_rank():
    one = launch(inst_executed={0: 4, 16: 9}, smsp__pcsamp_sample_count={0: 0})
    assert ranking(one) == "inst_executed"
    assert by_line(one)[0].line == CALLEE
    assert ranking(launch()) is None
    assert by_instruction(launch(), None) == ()
    assert stall_reasons(launch()) == ()


def test_what_could_not_be_read_is_left_out():
    one = launch(inst_executed={0: math.nan, 16: 2})
    assert launch_cost(one).inst_executed == 2


def test_instructions_carry_their_text_and_pcs_outside_the_function_stay():
    code = Disassembly("nvdisasm", {"k": (Instruction(16, "FADD", "R1, R2, R3", "@P0"),)})
    one = launch(inst_executed={0: 1, 16: 5, 4096: 9})
    foreign, known, first = by_instruction(one, code)
    assert (foreign.offset, foreign.line, foreign.chain) == (4096, None, ())
    assert (known.instruction.text, known.chain) == ("@P0 FADD R1, R2, R3", CHAINS[16])
    assert first.instruction is None


def test_a_recorded_launch_adds_up(root):
    path = locate_report(root / "examples" / "kda" / "runs" / "h200" / "tiled.ncu-rep")
    (one,) = read_report(path).launches
    samples = one.number("smsp__pcsamp_sample_count")
    assert sum(cost.own.samples for cost in by_line(one) if cost.own) == samples
    assert sum(cost.cost.samples for cost in by_instruction(one, None)) == samples
    assert sum(reason.samples for reason in stall_reasons(one)) == samples
    assert launch_cost(one).inst_executed == one.number("inst_executed")


def test_lines_of_a_real_cubin_with_inlined_functions(root):
    cubin = (Path(root) / "tests" / "cubin" / "tiny.cubin").read_bytes()
    chains = call_chains(cubin, "tiny")
    code = NoCode(0, {pc: chain[0] for pc, chain in chains.items()}, chains, cubin)
    metrics = {"inst_executed": Metric("inst_executed", None, dict.fromkeys(chains, 1))}
    one = Launch(0, "tiny", "tiny", "tiny", (1, 1, 1), (32, 1, 1), None, metrics, code)
    by_number = {cost.line.line: cost for cost in by_line(one)}
    squared, call = by_number[4], by_number[16]
    inside = sum(1 for chain in chains.values() if chain[0].line != 16 and chain[-1].line == 16)
    assert squared.own.inst_executed == sum(1 for c in chains.values() if c[0].line == 4)
    assert call.inlined.inst_executed == inside > squared.own.inst_executed > 0
