from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from tests.recorded_sample import ledger_entry
from warpwright.runs.ledger import Ledger, append_entry, read_ledger

WRITER = """
import sys
from pathlib import Path
from tests.recorded_sample import ledger_entry
from warpwright.runs.ledger import append_entry
for number in range(int(sys.argv[2])):
    append_entry(Path(sys.argv[1]), ledger_entry(task=sys.argv[3], candidate=f"c{number}" * 200))
"""


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "data" / "ledger.jsonl"


def writer(path: Path, count: int, name: str, root: Path) -> subprocess.Popen[bytes]:
    words = [sys.executable, "-c", WRITER, str(path), str(count), name]
    return subprocess.Popen(words, cwd=root)


def test_what_is_appended_is_read(path: Path) -> None:
    assert read_ledger(path) == Ledger()
    entries = (ledger_entry(), ledger_entry(finding="launch.tail", status="incorrect"))
    for entry in entries:
        append_entry(path, entry)
    assert read_ledger(path) == Ledger(entries)
    assert path.read_bytes().count(b"\n") == 2


def test_a_torn_last_line_is_passed_over_and_ended(path: Path) -> None:
    first, second, third = (ledger_entry(candidate=name) for name in "abc")
    append_entry(path, first)
    start = path.stat().st_size
    append_entry(path, second)
    whole = path.read_bytes()
    for end in range(start, len(whole)):
        path.write_bytes(whole[:end])
        complete = end == len(whole) - 1  # all but its newline
        kept = (first, second) if complete else (first,)
        damaged = () if complete or end == start else (2,)
        assert read_ledger(path) == Ledger(kept, damaged)
        append_entry(path, third)
        assert read_ledger(path) == Ledger((*kept, third), damaged)


def test_what_is_no_entry_is_passed_over(path: Path) -> None:
    good = ledger_entry()
    append_entry(path, good)
    line = good.model_dump_json().encode()
    lines = [
        b"\xff\x00 no json",
        b"[]",
        line.replace(b"ledger-entry/1", b"ledger-entry/9"),
        line.replace(b'"expected":2.0', b'"expected":0.0'),
        line.replace(b'"expected":2.0', b'"expected":NaN'),
        line.replace(b'"measured":1.9', b'"measured":-1.9'),
    ]
    assert len({*lines, line}) == 7
    with path.open("ab") as file:
        file.write(b"\n".join(lines) + b"\n\n")
    append_entry(path, good)
    assert read_ledger(path) == Ledger((good, good), (2, 3, 4, 5, 6, 7))


def test_two_processes_append(path: Path, root: Path) -> None:
    writers = [writer(path, 60, name, root) for name in ("a", "b")]
    assert [process.wait() for process in writers] == [0, 0]
    ledger = read_ledger(path)
    assert not ledger.damaged
    for name in ("a", "b"):
        mine = [entry.candidate for entry in ledger.entries if entry.task == name]
        assert mine == [f"c{number}" * 200 for number in range(60)]


def test_a_ledger_survives_kill(path: Path, root: Path) -> None:
    for _ in range(4):
        size = path.stat().st_size if path.exists() else 0
        process = writer(path, 10**6, "x", root)
        while not path.exists() or path.stat().st_size < size + 5000:
            assert process.poll() is None
            time.sleep(0.005)
        os.kill(process.pid, signal.SIGKILL)
        process.wait()
    last = ledger_entry()
    append_entry(path, last)
    ledger = read_ledger(path)
    assert ledger.entries[-1] == last
    assert len(ledger.damaged) <= 4
    assert len(ledger.entries) + len(ledger.damaged) == path.read_bytes().count(b"\n")


def test_a_full_disk_leaves_the_file_as_it_was(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    append_entry(path, ledger_entry())
    before = path.read_bytes()
    write = os.write
    monkeypatch.setattr(os, "write", lambda fd, data: write(fd, data[:10]))  # what a full disk does
    with pytest.raises(OSError, match="no space"):
        append_entry(path, ledger_entry())
    assert path.read_bytes() == before
