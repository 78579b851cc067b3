"""Redaction: nothing private stays, nothing measured changes."""

from pathlib import Path

import pytest

from warpwright.report.container import load_bytes
from warpwright.report.reader import read_report
from warpwright.report.redact import redact_report

PRIVATE = {
    "scan.rtx3070.2020.3.ncu-rep": [b"/nfs/ug/homes-0", b"alisolim", b"ug55"],
    "mojo.gtx1660ti.2022.4.ncu-rep": [b"/home/uuuuuuuuu", b"e44cb3187ab9"],
    "esmm_nan_last_launch.a10g.2023.1.ncu-rep": [b"/root/"],
    "kda_before.h200.ncu-rep.xz": [b"/src/kda_build", b"127.0.0.1"],
}


@pytest.mark.parametrize("name", PRIVATE)
def test_nothing_private_stays_and_no_metric_changes(shared_reports: Path, tmp_path: Path, name):
    data = load_bytes(shared_reports / name)
    assert all(text in data for text in PRIVATE[name]), "the report lacks what is to vanish"
    redacted = redact_report(data)
    assert len(redacted) == len(data)
    assert not [text for text in PRIVATE[name] if text in redacted]
    path = tmp_path / "redacted.ncu-rep"
    path.write_bytes(redacted)
    old, new = read_report(shared_reports / name), read_report(path)
    assert (old.device, old.tool_version) == (new.device, new.tool_version)
    assert old.clocks_unlocked == new.clocks_unlocked
    for one, other in zip(old.launches, new.launches, strict=True):
        assert {n: repr(m) for n, m in one.metrics.items()} == {
            n: repr(m) for n, m in other.metrics.items()
        }
        assert {at: line.line for at, line in one.code.lines.items()} == {
            at: line.line for at, line in other.code.lines.items()
        }


def test_extra_words_vanish(shared_reports: Path):
    data = load_bytes(shared_reports / "kda_before.h200.ncu-rep.xz")
    assert b"kda_seed.cu" in data
    assert b"kda_seed.cu" not in redact_report(data, also=("kda_seed.cu",))
