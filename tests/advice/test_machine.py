"""Where values come from, in the machine code of kernels whose source is known."""

from pathlib import Path

import pytest

from warpwright.advice.findings.integer import division
from warpwright.advice.machine import Machine, machine_of
from warpwright.cubin.decode import Decoded
from warpwright.report.reader import read_report

SUITE = Path(__file__).resolve().parents[2] / "suites" / "diagnosis" / "reports"


def launch(name: str):
    return read_report(SUITE / f"{name}.ncu-rep.xz").launches[0]


def loads(name: str) -> tuple[Machine, list[int]]:
    one = launch(name)
    machine = machine_of(one)
    assert machine is not None
    counted = one.per_pc("memory_l2_theoretical_sectors_global")
    return machine, [pc for pc, sectors in counted.items() if sectors]


def test_a_gather_is_told_from_a_stride():
    machine, pcs = loads("trap.gather.resample")
    assert any(machine.loaded_address(pc) for pc in pcs)
    machine, pcs = loads("memory.uncoalesced.columns")
    assert pcs and not any(machine.loaded_address(pc) for pc in pcs)


@pytest.mark.parametrize(
    ("name", "there"),
    [
        ("compute.integer_math.permute", True),
        ("mixture.checksums", True),
        ("trap.high_occupancy.keystream", False),
        ("memory.local.median", False),
        ("compute.special_functions.fourier", False),
    ],
)
def test_divisions_are_seen_where_they_are(name: str, there: bool):
    machine = machine_of(launch(name))
    assert machine is not None
    assert bool(division(machine)) is there


def code(*steps: tuple[str, tuple[int, ...], tuple[int, ...]], back: dict[int, int] | None = None):
    return Machine(
        [
            Decoded(
                16 * index, name, writes, reads, target=16 * back[index] if index in back else None
            )
            for back in (back or {},)
            for index, (name, writes, reads) in enumerate(steps)
        ]
    )


def test_a_definition_is_the_nearest_before():
    machine = code(("LDG", (4,), (2,)), ("MOV", (4,), ()), ("FADD", (6,), (4, 5)))
    assert machine.definitions(2, 4) == {1}


def test_a_value_goes_around_a_loop():
    machine = code(
        ("MOV", (4,), ()),
        ("FADD", (6,), (4, 5)),
        ("LDG", (4,), (2,)),
        ("BRA", (), ()),
        back={3: 1},
    )
    assert machine.loops == ((1, 3),)
    assert machine.definitions(1, 4) == {0, 2}


def test_origins_pass_through_what_they_may():
    machine = code(("LDS", (4,), (2,)), ("HADD2", (5,), (4,)), ("FFMA", (6,), (5, 5, 6)))
    ends = machine.origins(2, (5,), lambda one: one.name == "HADD2")
    assert [one.name for one in ends] == ["LDS"]


def test_loops_weigh_ten_times():
    machine = code(("MOV", (4,), ()), ("FADD", (6,), (4, 5)), ("BRA", (), ()), back={2: 1})
    assert machine.weights == {0: 1.0, 16: 10.0, 32: 10.0}
