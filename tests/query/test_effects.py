from dataclasses import replace
from pathlib import Path
from types import MappingProxyType

import pytest

from warpwright.cubin.sass import Disassembly, Instruction
from warpwright.model.report import Launch, Metric
from warpwright.operations.disassembly import launch_code
from warpwright.operations.locate import locate_report
from warpwright.query.effects import judge_effect
from warpwright.query.machine_facts import MachineFacts, access_bytes, opcode_sum
from warpwright.query.sight_table import SIGHTS
from warpwright.report.reader import read_report

OPCODES = "sass__inst_executed_per_opcode"


@pytest.fixture
def pair(root: Path) -> tuple[Launch, Launch]:
    folder = root / "examples" / "kda" / "runs" / "h200"
    before, after = (
        read_report(locate_report(folder / f"{name}.ncu-rep")).launches[0]
        for name in ("before", "after")
    )
    return before, after


def facts(launch: Launch) -> MachineFacts:
    return MachineFacts(launch, launch_code)


def blind(launch: Launch, *hidden: str) -> Launch:
    """The launch as a report would hold it that did not collect these."""
    kept = {
        name: metric
        for name, metric in launch.metrics.items()
        if not any(name.startswith(prefix) for prefix in hidden)
    }
    return replace(launch, metrics=MappingProxyType(kept))


def with_counts(launch: Launch, counts: dict[str, float]) -> Launch:
    name = f"{OPCODES}_with_modifier_all"
    metric = Metric(name, sum(counts.values()), MappingProxyType(dict(counts)))
    return replace(launch, metrics=MappingProxyType({**launch.metrics, name: metric}))


def test_a_change_that_took_effect_is_seen(pair: tuple[Launch, Launch]):
    judged = judge_effect("memory.local", *map(facts, pair))
    assert judged.verdict == "took effect"
    assert judged.why.endswith("none left")
    [row] = judged.sightings
    assert (row.after, row.moved, row.counted) == (0.0, True, "executed")
    assert row.before is not None and row.before > 5e7


def test_the_same_launch_shows_no_effect(pair: tuple[Launch, Launch]):
    for name in SIGHTS:
        judged = judge_effect(name, facts(pair[0]), facts(pair[0]))
        assert judged.verdict in ("did not take effect", "cannot be seen here"), name
        assert not any(row.moved for row in judged.sightings), name


def test_a_grid_that_stayed_is_no_effect(pair: tuple[Launch, Launch]):
    judged = judge_effect("launch.small_grid", *map(facts, pair))
    assert judged.verdict == "did not take effect"
    assert (judged.sightings[0].before, judged.sightings[0].after) == (64.0, 64.0)


def test_a_part_is_a_part(pair: tuple[Launch, Launch]):
    one, other = (with_counts(pair[0], {"LDL": n, "FFMA": 1000.0}) for n in (100.0, 60.0))
    judged = judge_effect("memory.local", facts(one), facts(other))
    assert (judged.verdict, judged.why) == (
        "took effect in part",
        "local accesses (LDL, STL): 40% gone",
    )


def test_without_counts_the_machine_code_is_read(pair: tuple[Launch, Launch]):
    """As written, not as executed: and that is said."""
    code = {
        0: (Instruction(0, "LDL.128", "R0, [R1]"), Instruction(16, "FFMA", "R0, R1, R2, R3")),
        1: (Instruction(0, "FFMA", "R0, R1, R2, R3"),),
    }
    sides = [
        MachineFacts(
            blind(launch, "sass__", "inst_executed"),
            lambda shown, own=code[at]: Disassembly("a test", {shown.mangled: own}),
        )
        for at, launch in enumerate(pair)
    ]
    assert judge_effect("sync.barrier", *sides).sightings[0].before is None  # it is of loops
    judged = judge_effect("memory.local", *sides)
    [row] = judged.sightings
    assert (judged.verdict, row.counted, row.before) == ("took effect", "written in the code", 1.0)


def test_what_cannot_be_seen_says_what_to_collect(pair: tuple[Launch, Launch]):
    def nothing(_: Launch) -> None:
        return None

    dark = MachineFacts(blind(pair[1], "sass__", "inst_executed"), nothing)
    judged = judge_effect("memory.local", facts(pair[0]), dark)
    assert judged.verdict == "cannot be seen here"
    assert judged.why == (f"AFTER does not tell {OPCODES}: profile with --section InstructionStats")
    judged = judge_effect("compute.fp64", *map(facts, pair))
    assert (judged.verdict, judged.why.rpartition(": ")[2]) == (
        "cannot be seen here",
        "there is none in BEFORE",
    )
    assert judge_effect("launch.overhead", *map(facts, pair)).verdict == "cannot be seen here"


def test_opcodes_are_told_apart():
    counts = {"LDG.E.128": 2.0, "LDG.E.U8": 2.0, "STG.E": 4.0, "LDGSTS.E.BYPASS.128": 8.0}
    assert access_bytes({k: v for k, v in counts.items() if "STS" not in k}) == pytest.approx(6.25)
    assert access_bytes({"FFMA": 1.0}) is None
    assert opcode_sum(counts, "LDG|STG") == 8.0
    assert (
        opcode_sum({"HFMA2.MMA": 5.0, "HMMA.16816.F32": 3.0, "HGMMA.64x64x16": 1.0}, "HMMA") == 3.0
    )
