import json
from pathlib import Path

import pytest

from warpwright.cli.app import run


@pytest.fixture
def before(root: Path) -> str:
    return str(root / "examples" / "kda" / "runs" / "h200" / "before.ncu-rep")


def test_one_document(before: str, capsys: pytest.CaptureFixture[str]) -> None:
    options = ["--block", "64", "--grid", "528", "--registers", "32", "--shared", "0"]
    assert run(["ncu", "what-if", before, *options, "--cluster", "1", "--sweep", "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert found["schema"] == "warpwright.what-if/1"
    assert found["asked"] == {
        "block": 64,
        "grid": 528,
        "registers": 32,
        "shared_bytes": 0,
        "cluster": 1,
    }
    assert (found["today"]["grid_blocks"], found["changed"]["grid_blocks"]) == (64, 528)
    assert found["curves"][0]["points"]


@pytest.mark.parametrize("option", [("--block", "0"), ("--grid", "-3"), ("--shared", "many")])
def test_bad_numbers_are_one_line_and_a_hint(
    before: str, option: tuple[str, str], capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(["ncu", "what-if", before, *option]) == 2
    said = capsys.readouterr()
    assert said.out == ""
    assert [line.split(":")[0] for line in said.err.splitlines()] == ["error", "hint"]
