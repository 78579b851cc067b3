"""A calibration of the GPU that is here: complete, repeatable, and below what is published."""

import json
from pathlib import Path

import pytest

from warpwright.cli.app import run
from warpwright.datasheet.clock import flop_per_clock
from warpwright.datasheet.table import data_sheet_of
from warpwright.model.calibration import Calibration

pytestmark = [pytest.mark.gpu, pytest.mark.timeout(120)]


def test_calibration_is_plausible(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("WARPWRIGHT_CALIBRATION", str(tmp_path / "calibration.json"))
    assert run(["device", "calibrate", "--json"]) == 0
    made = Calibration.model_validate_json(capsys.readouterr().out)
    capability = tuple(map(int, made.compute_capability.split(".")))
    assert len(capability) == 2
    sheet = data_sheet_of(made.device, made.compute_capability, made.sm_count)
    for rate, measured in made.rates.items():
        if measured.value is None:
            assert measured.why_not
            continue
        assert measured.low is not None
        assert measured.high is not None
        assert measured.low <= measured.value <= measured.high
        published = sheet.rates.get(rate) if sheet else None
        if published is not None:
            assert 0.6 < measured.value / published < 1.15, rate
        each = flop_per_clock(rate, (capability[0], capability[1]))
        if each is not None:
            assert 0.3e9 < measured.value / (each * made.sm_count) < 3.5e9, rate
    for rate in ("dram", "l2", "fp32", "fp64"):
        assert made.rates[rate].value is not None, made.rates[rate].why_not
    dram, l2 = made.rates["dram"].value, made.rates["l2"].value
    assert dram is not None
    assert l2 is not None
    assert l2 > dram / 2  # reads alone, beside reads and writes
    if (7, 5) <= capability < (10, 0):
        tensor, single = made.rates["tensor.fp16"].value, made.rates["fp32"].value
        assert tensor is not None, made.rates["tensor.fp16"].why_not
        assert single is not None
        assert tensor > 2 * single
    assert made.launch_interval.value is not None
    assert 200 < made.launch_interval.value < 20_000
    assert run(["device", "show", made.device, "--json"]) == 0
    (shown,) = json.loads(capsys.readouterr().out)["devices"]
    assert Calibration.model_validate(shown["calibration"]) == made
