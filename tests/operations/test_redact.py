"""The verb and the command: what is written, said, refused."""

from __future__ import annotations

import lzma
from pathlib import Path

import pytest

from warpwright.cli.app import run
from warpwright.errors import BadInput, BadReport, UsageError
from warpwright.operations.redact import check_file, redact_file
from warpwright.render.redaction import redaction_text
from warpwright.report.files import load_bytes

PRIVATE = "uuuuuuuuu"


@pytest.fixture(autouse=True)
def _somewhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A copy without a name goes to the current folder."""
    monkeypatch.chdir(tmp_path)


@pytest.fixture
def report(shared_reports: Path, tmp_path: Path) -> Path:
    path = tmp_path / "mojo.ncu-rep"
    path.write_bytes((shared_reports / "mojo.gtx1660ti.2022.4.ncu-rep").read_bytes())
    assert PRIVATE.encode() in path.read_bytes()
    return path


def test_a_copy_is_clean_and_the_report_stays(report: Path) -> None:
    before = report.read_bytes()
    assert not check_file(str(report)).clean
    done = redact_file(str(report))
    target = Path("mojo.redacted.ncu-rep")
    assert (done.path, done.clean, done.left) == (str(target), True, ())
    assert report.read_bytes() == before
    assert PRIVATE.encode() not in target.read_bytes()
    assert len(target.read_bytes()) == len(before)
    assert check_file(str(target)).clean
    assert {row.kind for row in done.found} >= {"host", "path", "system"}
    text = redaction_text(done)
    assert PRIVATE not in text.replace(str(report.parent), "")
    assert f"ncu session {target}" in text


@pytest.mark.parametrize("name", ["r.ncu-rep.xz", "r.ncu-repz", "r.nsight-cuprof-report"])
def test_the_suffix_says_how_it_is_packed(report: Path, tmp_path: Path, name: str) -> None:
    packed, plain = tmp_path / name, tmp_path / "plain.ncu-rep"
    redact_file(str(report), packed)
    redact_file(str(packed), plain)
    assert load_bytes(packed) == plain.read_bytes()
    xz = tmp_path / "in.ncu-rep.xz"
    xz.write_bytes(lzma.compress(report.read_bytes()))
    assert redact_file(str(xz)).path == "in.redacted.ncu-rep"


def test_what_is_refused(report: Path, tmp_path: Path) -> None:
    there = tmp_path / "there.ncu-rep"
    there.write_bytes(b"x")
    for target, force, error in (
        (there, False, BadInput),
        (report, True, BadInput),
        (tmp_path, False, UsageError),
        (tmp_path / "a.txt", False, UsageError),
        (tmp_path / "a.ncu-repz.xz", False, UsageError),
    ):
        with pytest.raises(error):
            redact_file(str(report), target, force=force)
    assert there.read_bytes() == b"x"
    assert redact_file(str(report), there, force=True).clean
    with pytest.raises(BadInput, match="all of it"):
        redact_file(f"{report}#L0")
    with pytest.raises(UsageError, match="at least 3"):
        redact_file(str(report), also=("ab",))
    with pytest.raises(UsageError, match="stdin"):
        redact_file("-")


def test_a_report_cut_off_is_refused_and_nothing_written(report: Path) -> None:
    report.write_bytes(report.read_bytes()[:-9])
    with pytest.raises(BadReport, match="truncated"):
        redact_file(str(report))
    assert sorted(report.parent.iterdir()) == [report]


def test_a_csv_export_has_no_session(root: Path) -> None:
    export = root / "tests" / "report" / "csv" / "kda_before.raw.csv.xz"
    with pytest.raises(BadReport, match="CSV"):
        redact_file(str(export))


def test_the_command(
    report: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(report.parent)
    assert run(["ncu", "redact", report.name, "--check"]) == 1
    assert run(["ncu", "redact", report.name, "--check", "-o", "x.ncu-rep"]) == 2
    assert run(["ncu", "redact", report.name]) == 0
    assert run(["ncu", "redact", "mojo.redacted.ncu-rep", "--check", "--json"]) == 0
    assert run(["ncu", "redact", report.name, "-o", "2.ncu-rep", "--also", "device"]) == 1
    out = capfd.readouterr().out
    assert PRIVATE not in out
    assert '"clean": true' in out
    assert "CAUTION" in out
