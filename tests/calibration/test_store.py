import json
from pathlib import Path

import pytest

from warpwright.calibration.store import find_calibration, keep_calibration, read_calibrations
from warpwright.cli.app import run
from warpwright.errors import BadInput, EnvironmentFault
from warpwright.model.calibration import Calibration, Measured


def made(device: str = "NVIDIA H200", sm_count: int = 132, dram: float = 4.26e12) -> Calibration:
    return Calibration(
        at="2026-01-02T03:04:05+00:00",
        version="0",
        device=device,
        compute_capability="9.0",
        sm_count=sm_count,
        driver="13.0",
        rates={
            "dram": Measured(value=dram, unit="byte/s", low=4e12, high=5e12, runs=9, how="a copy"),
            "fp32": Measured(value=None, unit="FLOP/s", why_not="no reason"),
        },
        launch_interval=Measured(value=1100.0, unit="ns", how="empty kernels"),
    )


def test_one_of_each_kind_of_device_is_kept(tmp_path: Path) -> None:
    path = tmp_path / "a" / "calibration.json"
    assert read_calibrations(path) == ()
    for one in (made(), made("NVIDIA H100 PCIe", 114), made(sm_count=66), made(dram=4.3e12)):
        keep_calibration(path, one)
    kept = read_calibrations(path)
    assert len(kept) == 3
    assert find_calibration(kept, "NVIDIA H200", "9.0", 132) == made(dram=4.3e12)
    assert find_calibration(kept, "NVIDIA H200", "9.0", 131) is None
    assert [one.name for one in path.parent.iterdir()] == ["calibration.json"]


@pytest.mark.parametrize("text", ["", "{", "[]", '{"schema": "other/1"}', '{"calibrations": [1]}'])
def test_a_damaged_file_is_one_error_and_stays(
    text: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "calibration.json"
    path.write_text(text)
    with pytest.raises(BadInput, match="no calibration file"):
        keep_calibration(path, made())
    assert path.read_text() == text
    monkeypatch.setenv("WARPWRIGHT_CALIBRATION", str(path))
    assert run(["device", "show"]) == 2
    said = capsys.readouterr()
    assert (said.out, [line.split(":")[0] for line in said.err.splitlines()]) == (
        "",
        ["error", "hint"],
    )


def test_nan_and_zero_are_no_rates(tmp_path: Path) -> None:
    path = tmp_path / "calibration.json"
    keep_calibration(path, made())
    document = json.loads(path.read_text())
    for wrong in ("NaN", "0.0", "-1.0", "Infinity"):
        text = json.dumps(document).replace("4260000000000.0", wrong)
        assert wrong in text
        path.write_text(text)
        with pytest.raises(BadInput):
            read_calibrations(path)


def test_a_folder_in_its_place_is_told(tmp_path: Path) -> None:
    with pytest.raises(EnvironmentFault, match="cannot be read"):
        read_calibrations(tmp_path)


def test_show_lists_calibrated_devices_first(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "calibration.json"
    keep_calibration(path, made())
    monkeypatch.setenv("WARPWRIGHT_CALIBRATION", str(path))
    assert run(["device", "show"]) == 0
    out = capsys.readouterr().out
    rows = out.splitlines()
    assert rows[1].split() == ["H200", "9.0", "132", "4.26", "34", "67", "989.5", "measured"]
    assert sum(row.startswith("H200 ") for row in rows) == 1
    assert max(map(len, rows)) <= 80
    assert run(["device", "show", "h200", "--json"]) == 0
    document = json.loads(capsys.readouterr().out)
    assert document["schema"] == "warpwright.devices/1"
    (device,) = document["devices"]
    assert device["calibration"]["rates"]["dram"]["value"] == 4.26e12
    assert device["data_sheet"]["rates"]["dram"] == 4.8e12
    assert run(["device", "show", "H200"]) == 0
    assert "FP32 FMA: not measured: no reason" in capsys.readouterr().out
    assert run(["device", "show", "H2000"]) == 2


def test_no_such_gpu_is_exit_3(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["device", "calibrate", "--device", "99"]) == 3
    said = capsys.readouterr()
    assert said.out == ""
    assert [line.split(":")[0] for line in said.err.splitlines()] == ["error", "hint"]
