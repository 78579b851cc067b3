"""What the ledger keeps of a verdict, what it counts, and where that is shown."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

import pytest

from tests.recorded_sample import candidate, ledger_entry, verdict
from warpwright.cli.app import run as run_command
from warpwright.errors import BadInput
from warpwright.model.digest import Digest
from warpwright.model.ledger import DigestWithLedger, LedgerEntry, Score
from warpwright.model.verdict import Prediction, Verdict
from warpwright.operations.digest import digest, digest_file
from warpwright.operations.found import find_finding
from warpwright.operations.ledger import score_prediction
from warpwright.operations.ledger_view import show_ledger
from warpwright.operations.scores import finding_scores
from warpwright.runs.ledger import append_entry, read_ledger

NONE = Score(
    tried=0, paid=0, within=0, within_1_5x=0, within_2x=0, median_ratio=None, not_correct=0
)


@pytest.fixture
def path() -> Path:
    return Path(os.environ["WARPWRIGHT_LEDGER"])


@pytest.fixture
def before(root: Path) -> str:
    return str(root / "examples" / "kda" / "runs" / "h200" / "before.ncu-rep")


def fill(path: Path, *entries: LedgerEntry) -> None:
    for entry in entries:
        append_entry(path, entry)


def tries(*measured: float, **told: object) -> list[LedgerEntry]:
    """Tries of one finding with these gains, of which 2.0x was expected."""
    return [
        ledger_entry(measured=gain, within=1.5 <= gain <= 3.0, candidate_sha256=f"{i:064}", **told)
        for i, gain in enumerate(measured)
    ]


def judged(folder: Path, because: str, status: Any = "correct", **told: object) -> Verdict:
    prediction = Prediction(
        because=because, finding="memory.local", low=1.5, expected=2.0, high=3.0,
        from_candidate="before", measured=1.9, measured_low=1.8, measured_high=2.0, within=True,
    ).model_copy(update=told)  # fmt: skip
    return verdict(candidate(folder / "after.cu", "2"), 4.0, status, prediction)


def test_an_entry_says_what_came_of_it_and_nothing_private(
    tmp_path: Path, before: str, path: Path
) -> None:
    because = f"{before}#L0/finding/memory.local"
    score_prediction(find_finding(because), judged(tmp_path, because), "h200")
    (entry,) = read_ledger(path).entries
    same = {"at", "version", "candidate_sha256", "run"}
    assert entry.model_dump(exclude=same) == ledger_entry().model_dump(exclude=same)
    assert entry.run == "h200"
    text = path.read_text()
    assert "/" not in text.replace("warpwright.ledger-entry/1", "").replace(
        "before.ncu-rep#L0/finding/memory.local", ""
    )


@pytest.mark.parametrize(
    ("status", "told", "kept"),
    [
        ("correct", {}, True),
        ("correct", {"measured": None}, False),
        ("incorrect", {"measured": None}, True),
        ("untrusted", {"measured": None}, True),
        ("infrastructure-error", {"measured": None}, False),
    ],
)
def test_what_is_kept(
    tmp_path: Path, before: str, path: Path, status: str, told: dict[str, object], kept: bool
) -> None:
    because = f"{before}#L0/finding/memory.local"
    score_prediction(find_finding(because), judged(tmp_path, because, status, **told), None)
    assert [entry.status for entry in read_ledger(path).entries] == [status] * kept


def test_a_time_on_another_device_scores_nothing(tmp_path: Path, before: str, path: Path) -> None:
    because = f"{before}#L0/finding/memory.local"
    here = judged(tmp_path, because)
    assert here.environment is not None
    away = here.environment.model_copy(update={"device": "NVIDIA A100"})
    found = find_finding(because)
    score_prediction(found, here.model_copy(update={"environment": away}), None)
    score_prediction(found, here.model_copy(update={"environment": None}), None)
    assert not path.exists()


def test_a_ledger_that_cannot_be_written_costs_a_caution(
    tmp_path: Path, before: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("WARPWRIGHT_LEDGER", "/dev/null/ledger.jsonl")
    because = f"{before}#L0/finding/memory.local"
    score_prediction(find_finding(because), judged(tmp_path, because), None)
    assert capsys.readouterr().err.startswith("caution: this gain is not in the ledger: ")
    assert digest(before).ledger == ()
    assert capsys.readouterr().err.startswith("caution: the ledger cannot be read: ")


def test_scores() -> None:
    gains = tries(1.0, 1.05, 1.4, 2.0, 2.9, 4.1)
    tail = tries(1.2, finding="launch.tail", device="NVIDIA A100")
    by_id = {score.finding: score for score in finding_scores([*gains, *tail], "NVIDIA H200")}
    assert by_id["memory.local"].here == Score(
        tried=6, paid=5, within=2, within_1_5x=3, within_2x=5, median_ratio=0.85, not_correct=0
    )
    assert by_id["memory.local"].elsewhere == NONE
    assert by_id["launch.tail"].here == NONE
    assert by_id["launch.tail"].elsewhere.tried == 1


def test_a_candidate_judged_again_is_one_try_and_a_wrong_one_is_none() -> None:
    (first, other) = tries(1.0, 1.0)
    again = first.model_copy(update={"measured": 2.0})
    wrong = ledger_entry(status="incorrect", measured=None, within=None, candidate_sha256="f" * 64)
    odd = ledger_entry(status="untrusted", measured=9.0, candidate_sha256="e" * 64)
    (score,) = finding_scores([first, other, again, wrong, odd], "NVIDIA H200")
    assert (score.here.tried, score.here.paid, score.here.not_correct) == (2, 1, 2)
    assert score.here.median_ratio == 0.75


def test_the_ledger_stands_beside_a_digest_and_changes_nothing_of_it(
    before: str, path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    pure = digest_file(Path(before))
    assert digest(before) == DigestWithLedger(**dict(pure))
    assert run_command(["ncu", "digest", before]) == 0
    without = capsys.readouterr().out
    assert "ledger" not in without

    fill(path, *tries(1.0, 1.86, 1.9, 2.0, 1.4), *tries(1.0, finding="not.of.this"))
    shown = digest(before)
    assert digest_file(Path(before)) == pure
    assert Digest(**{name: getattr(shown, name) for name in Digest.model_fields}) == pure
    assert [score.finding for score in shown.ledger] == ["memory.local"]
    assert run_command(["ncu", "digest", before]) == 0
    said = capsys.readouterr().out
    line = "     ledger: paid 4 of 5 times on this device (measured/predicted median 0.93)\n"
    assert said.replace(line, "") == without
    assert said.index("2. memory.local") < said.index(line) < said.index("3. latency")

    assert run_command(["ncu", "digest", before, "--json"]) == 0
    document = json.loads(capsys.readouterr().out)
    assert document.pop("ledger")[0]["here"]["paid"] == 4
    assert Digest.model_validate(document) == pure


def test_a_finding_is_shown_with_its_worth(
    before: str, path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    wrong = ledger_entry(status="incorrect", measured=None, candidate_sha256="f" * 64)
    fill(path, *tries(1.9), wrong, *tries(1.0, 2.0, device="NVIDIA A100"))
    assert run_command(["ncu", "show", f"{before}#L0/finding/memory.local"]) == 0
    said = " ".join(capsys.readouterr().out.split())
    assert (
        "ledger: paid 1 of 1 time on this device (measured/predicted median 0.95, few tries, "
        "1 not correct); paid 1 of 2 times on other devices (measured/predicted median 0.75, few "
        "tries)"
    ) in said
    assert run_command(["ncu", "show", f"{before}#L0/finding/launch.small_grid"]) == 0
    assert "ledger:" not in capsys.readouterr().out


def test_the_ledger_of_one_device_and_finding(path: Path) -> None:
    fill(path, *tries(1.9, 1.8), *tries(1.2, finding="launch.tail", device="NVIDIA A100"))
    view = show_ledger(None, None, 2)
    assert view.device == "NVIDIA A100"
    assert view.devices == ("NVIDIA A100", "NVIDIA H200")
    assert [entry.measured for entry in view.entries] == [1.2, 1.8]
    assert view.total == 3
    h200 = show_ledger("h200", "memory.local", 9)
    assert h200.device == "NVIDIA H200"
    assert [score.here.tried for score in h200.findings] == [2]
    assert show_ledger(None, "no.such", 9).total == 0
    with pytest.raises(BadInput, match="no entry of a device 'B300'"):
        show_ledger("B300", None, 9)
    with pytest.raises(BadInput, match="'nvidia' may be several") as caught:
        show_ledger("nvidia", None, 9)
    assert caught.value.hint == "say which: NVIDIA A100, NVIDIA H200"


def test_the_ledger_as_text(path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run_command(["advice", "ledger"]) == 0
    assert "Nothing was scored yet" in capsys.readouterr().out
    wrong = ledger_entry(status="incorrect", measured=None, candidate_sha256="f" * 64)
    names = ("occupancy.shared_memory", "memory.local")
    fill(path, *(e for name in names for e in tries(1.0, 1.9, 4.1, finding=name)), wrong)
    assert run_command(["advice", "ledger", "--finding", "no.such"]) == 0
    assert "Nothing was scored of this finding" in capsys.readouterr().out
    with path.open("ab") as file:
        file.write(b"torn")
    assert run_command(["advice", "ledger", "--limit", "2"]) == 0
    said = capsys.readouterr().out
    assert max(map(len, said.splitlines())) <= 80
    assert "caution: line 8 of " in said
    rows = [line.split() for line in said.splitlines()]
    assert ["memory.local", "3", "2", "1", "1", "2", "0.95", "1"] in rows
    assert "Fewer than 5 tries say little." in said
    assert "latest 2 of 7:" in said
    assert "predicted 2.00x [1.50..3.00], measured 4.10x [1.80..2.00]: above" in said
    assert "predicted 2.00x [1.50..3.00], incorrect" in said
    assert "warpwright advice ledger --limit 7" in said
    assert run_command(["advice", "ledger", "--json"]) == 0
    document = json.loads(capsys.readouterr().out)
    assert document["schema"] == "warpwright.ledger/1"
    assert len(document["entries"]) == 5


def test_a_ledger_that_cannot_be_read_is_one_line_and_a_hint(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("WARPWRIGHT_LEDGER", str(tmp_path))
    assert run_command(["advice", "ledger"]) == 3
    error, hint = capsys.readouterr().err.splitlines()
    assert error.startswith("error: ") and "directory" in error
    assert hint.startswith("hint: ")
