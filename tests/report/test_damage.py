"""Damaged reports: a precise error, or what is sound of them; never a crash, a hang or a flood."""

from __future__ import annotations

import lzma
import re
import struct
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.report import forge
from tests.report.make_damaged import CASES, FOLDER
from tests.report.walk import walk
from warpwright.report.container import parse_frames
from warpwright.report.wire import places

WHOLE = forge.report()
MIB = 1 << 20
many = settings(
    max_examples=200,
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture],
)


@pytest.fixture(scope="module")
def file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("damage") / "damaged.ncu-rep"


def walked(file: Path, data: bytes):
    file.write_bytes(data)
    return walk(file)


def test_the_small_report_is_sound(file: Path):
    report, errors = walked(file, WHOLE)
    assert not errors
    assert not report.cautions
    assert [launch.workload for launch in report.launches] == ["kernel", "kernel", "range"]
    first = report.launches[0]
    assert (first.kernel, first.code.frame_bytes, len(first.code.lines)) == ("tiny", 128, 104)
    assert (len(first.annotations.sections), len(first.annotations.rules)) == (1, 1)
    assert len(first.per_pc("inst_executed")) == 64


# --- the corpus -----------------------------------------------------------------------------


def test_the_corpus_is_what_the_script_writes():
    assert {path.name for path in FOLDER.iterdir()} == {f"{name}.ncu-rep.xz" for name in CASES}
    for name, case in CASES.items():
        assert lzma.decompress((FOLDER / f"{name}.ncu-rep.xz").read_bytes()) == case.data, name


@pytest.mark.parametrize("name", CASES)
def test_the_corpus_is_read_or_refused(name: str):
    _, outcome, said = CASES[name]
    began = time.process_time()
    report, errors = walk(FOLDER / f"{name}.ncu-rep.xz")
    assert time.process_time() - began < 2
    if outcome == "refused":
        assert report is None
        assert name in str(errors[0])
    else:
        assert report is not None
    heard = [str(error) for error in errors]
    if outcome == "caution":
        assert not errors
        heard = list(report.cautions)
    if outcome == "launch":
        assert not errors
        heard = [launch.damage or "" for launch in report.launches]
        assert report.compute_capability and not all(heard)
    if outcome == "read":
        assert not errors
        heard = [launch.code.damage or "" for launch in report.launches]
    assert any(re.search(said, text) for text in heard), heard


def test_damage_of_code_leaves_metrics_and_digest(file: Path):
    report, errors = walked(file, CASES["lines_of_version_9"].data)
    assert not errors
    code = report.launches[0].code
    assert (code.lines, code.frame_bytes) == ({}, 128)
    assert report.launches[0].number("launch__registers_per_thread") == 18


# --- cuts, flips, tails ---------------------------------------------------------------------


def boundaries() -> Iterator[int]:
    """Where headers, entries and fields begin, and every block ends."""
    yield from (4, 8)
    for frame in parse_frames(WHOLE, "whole"):
        for start, end in (frame.header, *frame.sources, *(one.span for one in frame.results)):
            yield from (start - 4, start, end)
            for _, wire, first, last in places(WHOLE, start, end):
                yield from ((first, last) if wire == 2 else (last,))


def test_a_cut_at_any_boundary(file: Path):
    """All is refused before the first launch is whole; then the launches before are read."""
    ends = [e.span[1] for frame in parse_frames(WHOLE, "whole") for e in frame.results]
    block_end = ends[0]
    for boundary in sorted(set(boundaries())):
        for at in (boundary - 1, boundary, boundary + 1):
            if at >= len(WHOLE):
                continue
            report, errors = walked(file, WHOLE[:at])
            if at < block_end:
                assert report is None, at
                assert re.search(r"truncated|no profiled launches", str(errors[0])), at
            else:
                assert len(report.launches) == 1
                assert not errors
                assert bool(report.cautions) == (at > block_end), at


@many
@given(at=st.integers(0, len(WHOLE) - 1))
def test_a_cut_anywhere(file: Path, at: int):
    report, errors = walked(file, WHOLE[:at])
    assert (report is None) == bool(errors)


flip = st.tuples(st.integers(0, len(WHOLE) - 1), st.integers(0, 7))


@many
@given(flips=st.lists(flip, min_size=1, max_size=8))
def test_flipped_bits(file: Path, flips: list[tuple[int, int]]):
    data = bytearray(WHOLE)
    for at, bit in flips:
        data[at] ^= 1 << bit
    walked(file, bytes(data))


@many
@given(at=st.integers(0, len(WHOLE) - 1), new=st.binary(min_size=1, max_size=12))
def test_overwritten_bytes(file: Path, at: int, new: bytes):
    walked(file, WHOLE[:at] + new + WHOLE[at + len(new) :])


CUBIN = WHOLE.index(b"\x7fELF")


@many
@given(st.lists(st.tuples(st.integers(0, len(forge.TINY) - 1), st.integers(0, 255)), min_size=1))
def test_damaged_code_never_costs_a_metric(file: Path, changes: list[tuple[int, int]]):
    data = bytearray(WHOLE)
    for at, byte in changes:
        data[CUBIN + at] = byte
    report, errors = walked(file, bytes(data))
    assert not errors
    assert report.launches[0].number("smsp__inst_executed.sum") == 9000


@many
@given(tail=st.binary(min_size=1, max_size=64))
def test_trailing_bytes(file: Path, tail: bytes):
    report, errors = walked(file, WHOLE + tail)
    if report is None:
        assert "second report" in str(errors[0])
    else:
        assert not errors
        assert len(report.launches) >= 3
        assert report.cautions


@many
@given(
    numbers=st.lists(
        st.tuples(
            st.sampled_from(range(len(forge.METRICS))),
            st.one_of(st.floats(), st.integers(0, (1 << 64) - 1), st.text(max_size=4)),
        ),
        min_size=1,
        max_size=25,
    ),
    shape=st.tuples(*[st.sampled_from([0, 1, 3, 1024, (1 << 31) - 1])] * 3),
)
def test_absurd_numbers(file: Path, numbers, shape: tuple[int, int, int]):
    """Whatever was measured, the report is read and digested."""
    told = forge.metrics() + [forge.metric(name, total, {}) for name, total in numbers]
    extra = forge.field(10, forge.size(*shape)), forge.field(11, forge.size(*shape[::-1]))
    report, errors = walked(file, forge.report(forge.launch(told, *extra)))
    assert report is not None
    assert not errors


# --- floods: time and memory ----------------------------------------------------------------


def _blocks(size: int) -> bytes:
    one = struct.pack("<I", 2) + forge.field(1, 0)
    return forge.head() + one * (size // len(one))


def _block_of(content: bytes, header: bytes) -> bytes:
    header += forge.field(5, len(content))
    return forge.head() + struct.pack("<I", len(header)) + header + content


def _entries(size: int, kind: int) -> bytes:
    one = struct.pack("<I", 1) + b"\x08"
    count = size // len(one)
    return _block_of(one * count, forge.field(kind, count))


def _strings(size: int) -> bytes:
    header = forge.field(4, forge.field(1, b"x") * (size // 3))
    return forge.head() + struct.pack("<I", len(header)) + header


def _launch_of(more: bytes) -> bytes:
    return forge.head() + forge.block(
        (), (forge.launch(None, more),), table=forge.strings(), details=forge.session()
    )


def _instances(size: int) -> bytes:
    """One metric of a million ids."""
    table = bytearray()
    for at in range(1 << 20):
        table += b"\x1a\x0f\x0a\x08\x28" + forge.varint(1 << 42 | at) + b"\x12\x03\x28\x80\x7f"
    return _launch_of(forge.field(13, forge.field(1, 0) + bytes(table) * (size // len(table))))


FLOODS: dict[str, Callable[[int], bytes]] = {
    "zeros": lambda size: forge.head() + bytes(size),
    "zeros without a head": bytes,
    "blocks": _blocks,
    "sources": lambda size: _entries(size, 1),
    "launches": lambda size: _entries(size, 2),
    "unknown entries": lambda size: _entries(size, 90),
    "strings": _strings,
    "instances": _instances,
    "section": lambda size: _launch_of(forge.field(17, b"\x2a\x00" * (size // 2))),
    "rule": lambda size: _launch_of(forge.field(19, b"\x2a\x00" * (size // 2))),
    "fields": lambda size: _launch_of(forge.field(90, 1) * (size // 3)),
}
MEASURED = """
import pathlib, re, sys, time
from tests.report.walk import walk
walk(pathlib.Path(sys.argv[1]))
peak = re.search(r"VmHWM:\\s+(\\d+) kB", pathlib.Path("/proc/self/status").read_text())
print(time.process_time(), peak[1])
"""


def measured(path: Path, root: Path) -> tuple[float, int]:
    """Seconds and bytes (at most at once) that a process needs to walk a report."""
    done = subprocess.run(
        [sys.executable, "-c", MEASURED, str(path)],
        cwd=root,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    seconds, peak = done.stdout.split()
    return float(seconds), int(peak) * 1024


@pytest.mark.parametrize("flood", FLOODS)
def test_a_flood_takes_little_memory(flood: str, tmp_path: Path, root: Path):
    path = tmp_path / "flood.ncu-rep"
    path.write_bytes(FLOODS[flood](60 * MIB))
    size = path.stat().st_size
    seconds, used = measured(path, root)
    path.unlink()
    assert size > 50 * MIB
    assert used < 2 * size + 100 * MIB, f"{used >> 20} MiB"
    assert seconds < 20


# --- the command line -----------------------------------------------------------------------

REFUSED = [name for name, case in CASES.items() if case.outcome == "refused"][:8]
COMMANDS = [["digest"], ["launches"], ["show"], ["session"], ["metrics", "*"], ["rules"]]


@pytest.mark.parametrize("name", REFUSED)
def test_the_command_line_says_what_is_wrong(name: str):
    path = str(FOLDER / f"{name}.ncu-rep.xz")
    command, *rest = COMMANDS[REFUSED.index(name) % len(COMMANDS)]
    done = subprocess.run(
        [sys.executable, "-m", "warpwright", "ncu", command, path, *rest],
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 2, done
    assert not done.stdout
    assert re.match(r"error: .*\nhint: ", done.stderr), done.stderr
    assert "Traceback" not in done.stderr
