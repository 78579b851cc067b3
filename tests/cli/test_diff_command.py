"""`warpwright ncu diff` as a user types it."""

from __future__ import annotations

import json
import shlex
from pathlib import Path

import pytest

from warpwright.cli.app import run


@pytest.fixture
def places(root: Path) -> list[str]:
    folder = root / "examples" / "kda" / "runs" / "h200"
    return [str(folder / f"{name}.ncu-rep") for name in ("before", "after")]


def test_the_headline_comes_first_and_every_printed_command_works(
    places: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(["ncu", "diff", *places]) == 0
    text = capsys.readouterr().out
    assert "5.85 ms -> 2.93 ms, 2.00x faster" in text
    order = [
        text.index(part) for part in ("\ncauses", "\nmetrics", "\nsource", "\nopcodes", "\nnext")
    ]
    assert order == sorted(order)
    commands = [line for line in text.splitlines() if line.strip().startswith("warpwright ncu")]
    assert len(commands) == 3
    for line in commands:
        assert run(shlex.split(line, comments=True)[1:]) == 0, line


def test_json_is_one_document(places: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["ncu", "diff", *places, "--json", "--limit", "1"]) == 0
    document = json.loads(capsys.readouterr().out)
    assert next(iter(document.items())) == ("schema", "warpwright.difference/1")
    [pair] = document["pairs"]["rows"]
    assert len(pair["opcodes"]["rows"]) == 1 < pair["opcodes"]["count"]


def test_raw_prints_numbers_alone(places: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["ncu", "diff", *places, "--raw", "--limit", "2"]) == 0
    text = capsys.readouterr().out
    assert "gpu__time_duration.sum  5854880 -> 2927552 ns  0.5x\n" in text
    assert "causes (" not in text


def test_different_gpus_exit_with_2(
    shared_reports: Path, places: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    other = str(shared_reports / "matmul.h100.2023.2.ncu-rep")
    assert run(["ncu", "diff", other, places[1]]) == 2
    printed = capsys.readouterr()
    assert printed.out == ""
    error, hint = printed.err.splitlines()
    assert error.startswith(f"error: {other} and {places[1]} are of different GPUs: ")
    assert hint.startswith("hint: --any-device ")
    assert run(["ncu", "diff", other, places[1], "--any-device"]) == 0
    assert "caution: different GPUs" in capsys.readouterr().out
