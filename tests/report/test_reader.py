"""The reader on real reports, and on everything that is none."""

import lzma
import re
from pathlib import Path

import pytest

from warpwright.errors import BadReport
from warpwright.report.files import load_bytes
from warpwright.report.reader import read_report


@pytest.fixture
def before(shared_reports: Path) -> bytes:
    return load_bytes(shared_reports / "kda_before.h200.ncu-rep.xz")


def test_facts_of_a_report(shared_reports: Path):
    report = read_report(shared_reports / "kda_before.h200.ncu-rep.xz")
    assert (report.device, report.compute_capability, report.sm_count) == (
        "NVIDIA H200",
        (9, 0),
        132,
    )
    assert report.tool_version == "2025.3.1.0"
    assert report.clocks_unlocked
    (launch,) = report.launches
    assert (launch.kernel, launch.grid, launch.block) == ("kda_row_before", (64, 1, 1), (128, 1, 1))
    assert launch.number("gpu__time_duration.sum") == 6078336
    assert launch.metrics["sass__inst_executed_per_opcode"].instances["LDL"] == 50331648
    assert launch.code.frame_bytes == 512


def test_absent_is_not_zero(shared_reports: Path):
    launch = read_report(shared_reports / "kda_before.h200.ncu-rep.xz").launches[0]
    spilled = launch.metrics["sass__inst_executed_register_spilling_mem_local"]
    assert spilled.value is None
    assert launch.number("sass__inst_executed_register_spilling_mem_local") is None
    assert launch.number("no_such_metric") is None


def test_instances_are_by_pc_and_add_up(shared_reports: Path):
    launch = read_report(shared_reports / "kda_before.h200.ncu-rep.xz").launches[0]
    executed = launch.per_pc("inst_executed")
    assert min(executed) == 0
    assert sum(executed.values()) == launch.number("smsp__inst_executed.sum")
    assert set(executed) <= set(launch.code.lines)


@pytest.mark.parametrize(
    ("name", "launches", "device"),
    [
        ("hyperspec.rtx2060.2024.3.ncu-rep", 8, "NVIDIA GeForce RTX 2060 with Max-Q Design"),
        ("extrap_s10.a100.2020.3.ncu-rep", 6, "A100-PCIE-40GB"),
        ("mojo.gtx1660ti.2022.4.ncu-rep", 4, "NVIDIA GeForce GTX 1660 Ti"),
    ],
)
def test_several_launches_and_old_versions(shared_reports: Path, name, launches, device):
    report = read_report(shared_reports / name)
    assert len(report.launches) == launches
    assert report.device == device
    assert [launch.index for launch in report.launches] == list(range(launches))
    assert all(launch.number("gpu__time_duration.sum") for launch in report.launches)


@pytest.mark.parametrize("part", [0.001, 0.2, 0.5, 0.9])
def test_truncated_within_the_only_launch(before: bytes, tmp_path: Path, part: float):
    path = tmp_path / "cut.ncu-rep"
    path.write_bytes(before[: int(len(before) * part)])
    with pytest.raises(BadReport, match=r"truncated|no profiled launches"):
        read_report(path)


def test_truncated_behind_a_whole_launch(before: bytes, tmp_path: Path):
    path = tmp_path / "cut.ncu-rep"
    path.write_bytes(before[:-9])
    report = read_report(path)
    assert report.launches[0].number("gpu__time_duration.sum") == 6078336
    (caution,) = report.cautions
    assert re.search(r"truncated: it ends at byte \d+.*1 whole launch", caution)


def test_two_files_in_one(before: bytes, tmp_path: Path):
    path = tmp_path / "two.ncu-rep"
    path.write_bytes(before + before)
    with pytest.raises(BadReport, match="second report"):
        read_report(path)


def test_damage_never_ends_in_a_traceback(before: bytes, tmp_path: Path):
    """Every 97th KiB of the report overwritten in turn: read, or a BadReport of one line."""
    path = tmp_path / "damaged.ncu-rep"
    for at in range(0, len(before), 97 * 1024):
        path.write_bytes(before[:at] + b"\xff" * 64 + before[at + 64 :])
        try:
            launch = read_report(path).launches[0]
            launch.number("gpu__time_duration.sum")
        except BadReport as error:
            assert "\n" not in str(error)


def test_xz_is_read_like_the_plain_file(before: bytes, tmp_path: Path):
    plain, packed = tmp_path / "a.ncu-rep", tmp_path / "b.ncu-rep.xz"
    plain.write_bytes(before)
    packed.write_bytes(lzma.compress(before, preset=0))
    one, other = (read_report(path).launches[0] for path in (plain, packed))
    assert list(one.metrics) == list(other.metrics)
