"""Redaction: nothing private stays, nothing measured changes."""

import contextlib
import re
from pathlib import Path

import pytest

from warpwright.advice.digest import make_digest
from warpwright.report.container import parse_frames
from warpwright.report.files import load_bytes
from warpwright.report.reader import read_report
from warpwright.report.redact import redact, redact_report
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
        header = {n: v for n, _, v in fields(data[slice(*frame.header)])}
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


def digest_of(path: Path):
    return make_digest(read_report(path, "r.ncu-rep"))


def test_names_that_are_words_of_ours_do_no_harm(shared_reports: Path, tmp_path: Path):
    data = load_bytes(shared_reports / "kda_before.h200.ncu-rep.xz")
    words = ("gpu", "max", "launch", "control", "kernel", "row", "src", "float")
    path = tmp_path / "redacted.ncu-rep"
    path.write_bytes(redact_report(data, also=words))
    old, new = read_report(shared_reports / "kda_before.h200.ncu-rep.xz"), read_report(path)
    for one, other in zip(old.launches, new.launches, strict=True):
        assert list(one.metrics) == list(other.metrics)
        assert list(map(repr, one.metrics.values())) == list(map(repr, other.metrics.values()))
        assert (one.kernel, one.demangled) == (other.kernel, other.demangled)
    assert digest_of(path) == digest_of(shared_reports / "kda_before.h200.ncu-rep.xz")


def test_names_vanish_from_command_line_paths_and_comments(shared_reports: Path):
    data = load_bytes(shared_reports / "kda_before.h200.ncu-rep.xz")
    for old, new in (
        (b"kda_seed.cu", b"ann_lee1.cu"),
        (b"/src/kda_build", b"/mnt/ann/build"),
        (b"// Kimi", b"// ann "),
        (b"/home/user/kernels//kda", b"ann@host --out=/ann/one"),
        (b"profile_target.py before", b"profile_target.py ann   "),
    ):
        assert old in data
        data = data.replace(old, new)
    redacted = redact_report(data, also=("ann",))
    assert len(redacted) == len(data)
    assert not re.search(rb"(?<![A-Za-z0-9])ann(?![A-Za-z0-9])", redacted)


def test_code_stays(shared_reports: Path):
    data = load_bytes(shared_reports / "kda_before.h200.ncu-rep.xz")
    redacted = redact_report(data, also=("float", "Attention"))
    assert redacted.count(b"float ") > 0.9 * data.count(b"float ") > 0
    assert b"// Kimi Delta Attention" not in redacted


def metrics_of(data: bytes) -> list[bytes]:
    """Every metric of every result, every string table, and every block's shape."""
    number = {"kernel": 13, "range": 4, "cmdlist": 4, "graph": 4}
    kept: list[bytes] = []
    for frame in parse_frames(data, "report"):
        kept += [value for n, _, value in fields(data[slice(*frame.header)]) if n == 4]
        kept.append(repr((frame.header, frame.sources, frame.results)).encode())
        for entry in frame.results:
            result = fields(data[slice(*entry.span)])
            kept += [value for n, _, value in result if n == number[entry.workload]]
    return kept


@pytest.mark.parametrize("name", REPORTS)
def test_metric_bytes_and_framing_stay_and_nothing_is_left_to_mask(shared_reports: Path, name):
    data = load_bytes(shared_reports / name)
    done = redact(data)
    assert done.found["host"] and not done.left
    assert metrics_of(done.data) == metrics_of(data)
    again = redact(done.data)
    assert again.data == done.data and not again.found


def test_a_text_goes_everywhere_but_metrics(shared_reports: Path, tmp_path: Path):
    data = load_bytes(shared_reports / "kda_before.h200.ncu-rep.xz")
    done = redact(data, everywhere=("kda_seed",))
    assert not done.left
    assert b"kda_seed" not in done.data
    assert metrics_of(done.data) == metrics_of(data)
    measured = redact(data, everywhere=("gpu",))
    assert measured.left["also"] > 100
    assert metrics_of(measured.data) == metrics_of(data)
