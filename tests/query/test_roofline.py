import math
from dataclasses import replace
from pathlib import Path

import pytest

from warpwright.model.report import Launch, Metric
from warpwright.model.roofline import Ceiling
from warpwright.query.achieved import Achieved, Counted, achieved
from warpwright.query.ceilings import report_ceiling
from warpwright.query.roofline import nearest_roof, traffic_rows, work_rows
from warpwright.query.tensor_shapes import is_tensor, tensor_work
from warpwright.report.reader import read_report

_OPCODES = "sass__inst_executed_per_opcode_with_modifier_all"


@pytest.mark.parametrize(
    ("opcode", "rate", "flop"),
    [
        ("HMMA.16816.F32", "tensor.fp16", 4096),
        ("HMMA.16816.F32.BF16", "tensor.bf16", 4096),
        ("HMMA.1688.F32.TF32", "tensor.tf32", 2048),
        ("HGMMA.64x128x16.F32.BF16", "tensor.bf16", 2 * 64 * 128 * 16 / 4),
        ("IMMA.16832.S8.S8", "tensor.int8", 8192),
        ("QGMMA.64x64x32.F32.E4M3.E4M3", "tensor.fp8", 2 * 64 * 64 * 32 / 4),
        ("DMMA.884", "tensor.fp64", 512),
    ],
)
def test_an_opcode_tells_its_operations(opcode: str, rate: str, flop: float) -> None:
    assert tensor_work(opcode) == (rate, flop)


@pytest.mark.parametrize(
    "opcode", ["HMMA.SP.16832.F32", "HMMA.884.F32.F32.STEP0", "IMMA.8832.S4.S4", "UTCHMMA.2CTA"]
)
def test_what_an_opcode_does_not_tell_is_not_counted(opcode: str) -> None:
    assert is_tensor(opcode)
    assert tensor_work(opcode) is None


def test_hfma2_is_no_matrix_product() -> None:
    assert not is_tensor("HFMA2.MMA")


@pytest.mark.parametrize(("name", "index"), [("triton", 1), ("cutlass", 0)])
def test_instructions_and_the_tools_own_counters_agree(root: Path, name: str, index: int) -> None:
    """`sm__ops_path_tensor_*` against opcodes and shapes, in the same launch."""
    launch = read_report(root / "tests" / "reports" / f"{name}.ncu-rep.xz").launches[index]
    counted = achieved(launch, 1000.0).work["tensor.fp16"]
    metrics = {key: m for key, m in launch.metrics.items() if "ops_path" not in key}
    by_opcode = achieved(replace(launch, metrics=metrics), 1000.0).work["tensor.fp16"]
    assert (counted.metric, by_opcode.metric) == ("sm__ops_path_tensor_src_*", _OPCODES)
    assert by_opcode.amount == counted.amount > 1e9


@pytest.mark.parametrize("name", ["compute.fp64.nbody", "roofline.memory.axpy"])
def test_rates_and_counts_by_opcode_agree(root: Path, name: str) -> None:
    path = root / "suites" / "diagnosis" / "reports" / f"{name}.ncu-rep.xz"
    launch = read_report(path).launches[0]
    duration = launch.number("gpu__time_duration.sum")
    assert duration is not None
    by_rate = achieved(launch, duration).work
    metrics = {key: m for key, m in launch.metrics.items() if "pred_on" not in key}
    by_opcode = achieved(replace(launch, metrics=metrics), duration).work
    for rate in ("fp32", "fp64"):
        if rate in by_rate or rate in by_opcode:
            assert by_rate[rate].metric != by_opcode[rate].metric
            assert by_rate[rate].amount == pytest.approx(by_opcode[rate].amount, rel=0.02)


def test_nan_is_not_measured() -> None:
    nan = {f"{name}.sum": Metric(f"{name}.sum", math.nan) for name in ("dram__bytes", "x")}
    found = achieved(_launch(nan), 1000.0)
    assert (found.moved, found.work, found.scalars_known, found.tensors_known) == (
        {},
        {},
        False,
        False,
    )


def test_half_of_the_bytes_is_not_all() -> None:
    read = Metric("dram__bytes_read.sum", 100.0)
    assert "dram" not in achieved(_launch({read.name: read}), 1000.0).moved
    written = Metric("dram__bytes_write.sum", 20.0)
    both = achieved(_launch({read.name: read, written.name: written}), 1000.0)
    assert both.moved["dram"].amount == 120


def test_a_device_without_peaks_is_derived_from_its_attributes() -> None:
    facts = {"clock_rate": 2_000_000, "memory_clock_rate": 7_000_000}
    facts["global_memory_bus_width"] = 352
    metrics = {
        f"device__attribute_{key}": Metric(f"device__attribute_{key}", value)
        for key, value in facts.items()
    }
    launch = replace(_launch(metrics), compute_capability=(7, 5))
    dram, fp32 = (report_ceiling(launch, rate, 68) for rate in ("dram", "fp32"))
    assert dram is not None
    assert (dram.value, dram.source) == (616e9, "derived")
    assert "assumed" in dram.detail
    assert fp32 is not None
    assert (fp32.value, fp32.source) == (68 * 128 * 2e9, "derived")
    assert report_ceiling(launch, "tensor.fp16", 68) is None
    assert report_ceiling(launch, "fp32", None) is None


def _launch(metrics: dict[str, Metric]) -> Launch:
    from warpwright.model.report import NoCode

    return Launch(0, "k", "k", "k", (1, 1, 1), (32, 1, 1), None, metrics, NoCode())


def _ceiling(value: float) -> tuple[Ceiling, None]:
    return Ceiling(value=value, source="report", detail=""), None


@pytest.mark.parametrize(
    ("flop", "moved", "side", "headroom"),
    [(10.0, 50.0, "memory", 2.0), (500.0, 50.0, "compute", 2.0), (10.0, 0.0, "compute", 100.0)],
)
def test_position(flop: float, moved: float, side: str, headroom: float) -> None:
    """Under 1000 operations and 100 bytes a second: the ridge is 10."""
    found = Achieved(
        moved={"dram": Counted(moved, "bytes")},
        work={"fp32": Counted(flop, "flop")},
        scalars_known=True,
        tensors_known=True,
    )
    ceilings = {"dram": _ceiling(100.0), "fp32": _ceiling(1000.0)}
    work = work_rows(found, ceilings, 1.0)
    assert nearest_roof(found, traffic_rows(found, ceilings, 1.0), work) == (side, headroom)
    assert work[0].ridge == 10
    assert (work[0].intensity.get("dram") or 0.0) == (flop / moved if moved else 0.0)


def test_operations_that_were_not_counted_give_no_side() -> None:
    ceilings = {"dram": _ceiling(100.0)}
    for known, expected in ((True, ("memory", 2.0)), (False, (None, None))):
        found = Achieved({"dram": Counted(50.0, "b")}, {}, scalars_known=True, tensors_known=known)
        assert nearest_roof(found, traffic_rows(found, ceilings, 1.0), ()) == expected


def test_the_nearest_ceiling_decides() -> None:
    work = {"fp32": Counted(100.0, "f"), "fp64": Counted(90.0, "d")}
    found = Achieved({"dram": Counted(1.0, "b")}, work, scalars_known=True, tensors_known=True)
    ceilings = {"dram": _ceiling(100.0), "fp32": _ceiling(1000.0), "fp64": _ceiling(100.0)}
    rows = work_rows(found, ceilings, 1.0)
    assert [row.rate for row in rows] == ["fp64", "fp32"]
