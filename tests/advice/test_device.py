from dataclasses import replace
from pathlib import Path

import pytest

from warpwright.advice.device import device_of
from warpwright.errors import BadInput
from warpwright.hardware import sm_limits
from warpwright.model.report import Launch
from warpwright.report.reader import read_report


@pytest.fixture
def launch(root: Path) -> Launch:
    path = root / "tests" / "reports" / "triton.ncu-rep.xz"
    return read_report(path, path.name).launches[0]


def test_an_unknown_device_is_what_the_report_tells(launch: Launch) -> None:
    unknown = device_of(replace(launch, compute_capability=(9, 9)), 132)
    assert unknown.limits.max_warps == 64
    assert unknown.limits.shared_bytes == 228 * 1024
    [text] = unknown.assumptions
    assert "9.9 is not known" in text
    future = device_of(replace(launch, compute_capability=(14, 0)), 132)
    assert (future.limits.max_warps, future.limits.max_blocks) == (64, 32)  # 12.1 has 48 and 24
    assert "those of 12.1" in future.assumptions[0]


def test_without_attributes_all_is_assumed_and_said(launch: Launch) -> None:
    bare = replace(launch, compute_capability=(14, 0), metrics={})
    unknown = device_of(bare, 10)
    assert unknown.limits == sm_limits((12, 1))
    assert "all limits and allocation units are those of 12.1" in unknown.assumptions[0]


def test_no_device_at_all(launch: Launch) -> None:
    with pytest.raises(BadInput, match="which device"):
        device_of(replace(launch, compute_capability=None), 132)
    with pytest.raises(BadInput, match="which device"):
        device_of(launch, None)
