"""From a finding to the ledger: whole processes, on the CPU, which the report calls its device."""

from __future__ import annotations

import getpass
import os
import socket
from pathlib import Path

import pytest

from tests.report.forge import field, report, session
from warpwright.build.candidates import load_candidate
from warpwright.model.verdict import Evaluation
from warpwright.operations.record import recorded_command, recording
from warpwright.operations.runs import start_run
from warpwright.runs.ledger import read_ledger

from .conftest import run_cli, write_candidate, write_task

pytestmark = pytest.mark.torch

SLOW = "for _ in range(40):\n    y = scale * x + 1.5\nreturn y"


def evaluate(folder: Path, *words: object) -> Evaluation:
    done = run_cli(
        "evaluate", folder / "affine", *words, "--quick", "--json", cache=folder / "cache"
    )
    assert done.stderr == ""
    return Evaluation.model_validate_json(done.stdout)


def test_a_prediction_is_scored(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    ledger = Path(os.environ["WARPWRIGHT_LEDGER"])
    task = write_task(tmp_path / "affine")
    slow = write_candidate(tmp_path, "slow", SLOW)
    fast = write_candidate(tmp_path, "fast", "return scale * x + 1.5")
    wrong = write_candidate(tmp_path, "wrong", "return x")
    start_run("first", tmp_path)
    (before,) = evaluate(tmp_path, slow).verdicts
    assert before.environment is not None
    device = before.environment.device
    made = tmp_path / "deep" / "slow.ncu-rep"
    made.parent.mkdir()
    made.write_bytes(report(details=session() + field(6, field(1, 0) + field(2, device))))
    because = f"{made}#L0/finding/launch.small_grid"
    evaluate(tmp_path, fast, "--because", because)
    assert not ledger.exists(), "the run knows no candidate that the report is of"
    with recording(("ncu", "profile", str(task), str(slow))):
        command = recorded_command()
        assert command is not None
        command.profiled(made, load_candidate(slow))

    after, _ = evaluate(tmp_path, fast, wrong, "--because", because).verdicts
    paid, incorrect = read_ledger(ledger).entries
    assert (paid.task, paid.from_candidate, paid.candidate) == ("affine", "slow", "fast")
    assert (paid.status, paid.finding, paid.run) == ("correct", "launch.small_grid", "first")
    assert (paid.device, paid.compute_capability) == (device, "9.0")
    assert paid.because == "slow.ncu-rep#L0/finding/launch.small_grid"
    assert after.prediction is not None
    assert paid.measured == after.prediction.measured
    assert paid.measured is not None and paid.measured > 1.5
    assert paid.measured_low is not None and paid.measured_low <= paid.measured
    assert paid.measured_high is not None and paid.measured <= paid.measured_high
    assert (incorrect.status, incorrect.candidate) == ("incorrect", "wrong")
    assert incorrect.measured is None

    text = ledger.read_text().replace(device, "").replace("warpwright.ledger-entry/1", "")
    assert "/" not in text.replace("#L0/finding/launch.small_grid", "")
    assert f'"{socket.gethostname()}"' not in text
    assert f'"{getpass.getuser()}"' not in text
    shown = run_cli("ncu", "digest", made, cache=tmp_path / "cache").stdout
    assert "paid 1 of 1 time on this device" in " ".join(shown.split())
    told = run_cli("advice", "ledger", cache=tmp_path / "cache").stdout
    assert "affine: slow -> fast" in told
