from pathlib import Path
from xml.etree import ElementTree

import pytest

from tests.calibration.test_store import made
from warpwright.calibration.store import keep_calibration
from warpwright.cli.app import run
from warpwright.errors import BadInput
from warpwright.operations.digest import digest_file
from warpwright.operations.roofline import roofline
from warpwright.render.roofline import roofline_text
from warpwright.render.roofline_svg import roofline_svg


@pytest.fixture
def suite(root: Path) -> Path:
    return root / "suites" / "diagnosis" / "reports"


@pytest.fixture
def reports(root: Path) -> Path:
    return root / "tests" / "reports"


@pytest.fixture
def calibrated(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    path = tmp_path / "calibration.json"
    monkeypatch.setenv("WARPWRIGHT_CALIBRATION", str(path))
    keep_calibration(path, made())
    return path


def test_a_copy_like_kernel_is_at_the_memory_roof(suite: Path) -> None:
    found = roofline(str(suite / "roofline.memory.axpy.ncu-rep.xz"))
    assert found.side == "memory"
    assert found.headroom == pytest.approx(4.8e12 / 4.29e12, rel=0.01)
    dram = found.traffic[0]
    assert (dram.level, dram.ceiling and dram.ceiling.source) == ("dram", "data sheet")
    assert dram.at_clock is not None
    assert dram.at_clock.value == pytest.approx(4.81e12, rel=0.01)
    # y = a * x + y in FP32: two operations on 12 bytes, and the counters say about so
    assert found.work[0].intensity["dram"] == pytest.approx(2 / 12, rel=0.1)
    assert "fewer bytes" in found.meaning


def test_a_calibration_comes_first_and_changes_no_digest(suite: Path, calibrated: Path) -> None:
    path = suite / "roofline.memory.axpy.ncu-rep.xz"
    found = roofline(str(path))
    dram, fp32 = found.traffic[0].ceiling, found.work[0].ceiling
    assert dram is not None
    assert (dram.value, dram.source) == (4.26e12, "calibrated")
    assert fp32 is not None
    assert fp32.source == "data sheet"  # its measurement failed
    with_it = digest_file(path)
    calibrated.unlink()
    assert digest_file(path) == with_it


def test_fp64_decides_where_it_is_nearest(suite: Path) -> None:
    found = roofline(str(suite / "compute.fp64.nbody.ncu-rep.xz"))
    assert (found.side, found.work[0].rate) == ("compute", "fp64")
    assert found.headroom is not None
    assert 2 < found.headroom < 4


def test_the_longest_launch_is_taken(reports: Path) -> None:
    path = reports / "spill.ncu-rep.xz"
    assert roofline(str(path)).address == f"{path}#L0"
    assert roofline(f"{path}#L1").address == f"{path}#L1"


def test_what_is_missing_is_named_and_no_number(reports: Path) -> None:
    found = roofline(str(reports / "source_counters.ncu-rep.xz"))
    assert (found.side, found.headroom, found.traffic) == (None, None, ())
    assert any("MemoryWorkloadAnalysis:" in text for text in found.missing)
    assert "not measured" in found.meaning
    text = roofline_text(found)
    assert "Not collected:" in text
    assert "nan" not in text.lower()


def test_no_duration_is_one_error(reports: Path) -> None:
    with pytest.raises(BadInput, match="no duration") as error:
        roofline(str(reports / "samples.ncu-rep.xz"))
    assert "--section SpeedOfLight" in str(error.value.hint)


def test_an_unknown_device_says_what_was_assumed(shared_reports: Path) -> None:
    found = roofline(str(shared_reports / "scan.rtx3070.2020.3.ncu-rep"))
    dram = found.traffic[0].ceiling
    assert dram is not None
    assert dram.source == "report"
    assert any("neither calibrated nor in the table" in note for note in found.notes)


def test_a_slow_clock_is_told(shared_reports: Path) -> None:
    """4096 cubed in FP32, at 1.09 GHz: 2 * 4096^3 operations."""
    found = roofline(str(shared_reports / "matmul.h100.2023.2.ncu-rep"))
    assert found.work[0].flop == pytest.approx(2 * 4096**3, rel=1e-3)
    assert any("at this launch's clock" in note for note in found.notes)


@pytest.mark.parametrize(
    "name",
    ["tests/reports/triton.ncu-rep.xz#L1", "tests/reports/cutlass.ncu-rep.xz",
     "tests/reports/range_full.ncu-rep.xz", "tests/reports/two_metrics.ncu-rep.xz",
     "examples/kda/runs/h200/before.ncu-rep",
     "suites/diagnosis/reports/trap.short.gate.ncu-rep.xz",
     "suites/diagnosis/reports/compute.integer_math.permute.ncu-rep.xz"],
)  # fmt: skip
def test_text_and_picture_of_any_report(root: Path, name: str) -> None:
    found = roofline(str(root / name))
    short = found.model_copy(update={"address": "r.ncu-rep#L0", "deeper": ()})
    lines = roofline_text(short).splitlines()
    assert max(map(len, lines)) <= 80
    picture = ElementTree.fromstring(roofline_svg(found))
    assert picture.tag.endswith("svg")
    _, _, width, height = map(float, picture.attrib["viewBox"].split())
    for text in picture.iter("{http://www.w3.org/2000/svg}text"):
        assert 0 <= float(text.attrib["x"]) <= width
        assert 0 < float(text.attrib["y"]) < height
    assert all(row.letter in "".join(lines) for row in _marks(found))


def _marks(found):
    from warpwright.render.roofline_scale import picture_of

    picture = picture_of(found)
    return () if picture is None else picture.marks


def test_the_point_stands_in_its_place(suite: Path) -> None:
    found = roofline(str(suite / "roofline.memory.axpy.ncu-rep.xz"))
    lines = roofline_text(found).splitlines()
    start = lines.index(" FLOP/s")
    rows = range(start + 1, start + 17)
    (row,) = [i for i in rows if "A" in lines[i].replace("DRAM", "")]
    tera = next(i for i, line in enumerate(lines) if line.strip().startswith("1T +"))
    assert row == tera  # 0.75 TFLOP/s, on rows a third of a decade apart
    assert len(lines[start:]) > 19


def test_the_picture_is_written_whole_and_nothing_is_replaced(
    suite: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    report, target = str(suite / "roofline.memory.axpy.ncu-rep.xz"), tmp_path / "a.svg"
    assert run(["ncu", "roofline", report, "--svg", str(target), "--json"]) == 0
    assert '"schema": "warpwright.roofline/1"' in capsys.readouterr().out
    first = target.read_text()
    assert first.startswith("<svg")
    assert "prefers-color-scheme" in first
    assert run(["ncu", "roofline", report, "--svg", str(target)]) == 2
    assert run(["ncu", "roofline", report, "--svg", str(target), "--force"]) == 0
    assert run(["ncu", "roofline", report, "--svg", "/proc/none/a.svg"]) == 3
    assert target.read_text() == first


@pytest.mark.parametrize("place", ["#L7", "#L0/metric/x", "#L0/finding/memory.local"])
def test_other_places_are_refused(
    suite: Path, place: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(["ncu", "roofline", f"{suite / 'roofline.memory.axpy.ncu-rep.xz'}{place}"]) == 2
    assert "hint:" in capsys.readouterr().err
