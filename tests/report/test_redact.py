"""Redaction: nothing private stays, nothing measured changes."""

import contextlib
import re
from pathlib import Path

import pytest

from warpwright.report.container import load_bytes, parse_frames
from warpwright.report.reader import read_report
from warpwright.report.redact import redact_report
from warpwright.report.wire import WireError, fields

REPORTS = [
    "scan.rtx3070.2020.3.ncu-rep",
    "mojo.gtx1660ti.2022.4.ncu-rep",
    "esmm_nan_last_launch.a10g.2023.1.ncu-rep",
    "kda_before.h200.ncu-rep.xz",
]
HOMES = re.compile(rb"/(?:home/[a-z]+|r[o]ot)/")


def private_texts(data: bytes) -> set[bytes]:
    """Host name, kernel, addresses and the program's folder, as the report's headers say them."""
    found = set()
    for frame in parse_frames(data, "report"):
        header = {n: v for n, _, v in fields(data[frame.header.start : frame.header.stop])}
        for machine in dict_of(header.get(3, b"")), dict_of(header.get(6, b"")):
            for part in (3, 4):
                if isinstance(machine.get(part), bytes):
                    facts = dict_of(machine[part])
                    found |= {facts[n] for n in (2, 5) if n in facts}
        process = dict_of(header.get(6, b""))
        found |= {process.get(2, b""), process.get(3, b"").rpartition(b"/")[0]}
    public = (b"/usr", b"/opt")
    return {text for text in found if len(text) > 4 and not text.startswith(public)}


def dict_of(message: bytes) -> dict[int, bytes]:
    with contextlib.suppress(WireError):
        return {n: v for n, _, v in fields(message) if isinstance(v, bytes)}
    return {}


@pytest.mark.parametrize("name", REPORTS)
def test_nothing_private_stays_and_no_metric_changes(shared_reports: Path, tmp_path: Path, name):
    data = load_bytes(shared_reports / name)
    private = private_texts(data)
    assert private, "the report has nothing that is to vanish"
    redacted = redact_report(data)
    assert len(redacted) == len(data)
    assert not [text for text in private if text in redacted]
    assert not HOMES.search(redacted)
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
