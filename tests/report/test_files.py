"""What is no report says what it is instead, in one line, with a hint."""

from __future__ import annotations

import gzip
import lzma
import os
import re
import subprocess
import sys
import threading
import zipfile
from io import BytesIO
from pathlib import Path

import pytest

from tests.report import forge
from warpwright.errors import BadReport
from warpwright.report.files import load_bytes
from warpwright.report.reader import read_report
from warpwright.report.unpack import unpacked

if sys.version_info >= (3, 14):
    from compression import zstd
else:
    from backports import zstd

WHOLE = forge.report()


def zipped(data: bytes) -> bytes:
    out = BytesIO()
    with zipfile.ZipFile(out, "w") as archive:
        archive.writestr("a.ncu-rep", data)
    return out.getvalue()


LFS = b"version https://git-lfs.github.com/spec/v1\noid sha256:4d7a\nsize 12345\n"
NO_REPORTS = {
    "empty": (b"", "it is empty"),
    "stub": (b"NV", "truncated"),
    "text": (b"hello\nworld\n" * 9, "it is text"),
    "lfs": (LFS, r"Git LFS pointer \(run `git lfs pull`\)"),
    "gzip": (gzip.compress(WHOLE), "gzip-compressed .*gunzip"),
    "zip": (zipped(WHOLE), "zip archive .*unzip"),
    "sqlite": (b"SQLite format 3\0" + bytes(99), "a database"),
    "binary": (b"\x7fELF\x02\x01\x01\xff\xfe", "begins with other bytes than NVR"),
    "zeros": (bytes(4096), "begins with other bytes than NVR"),
    "csv": (b'"ID","Process ID","Kernel Name","Metric Name"\n', "follows the header on line 1"),
    "xz, damaged": (lzma.compress(WHOLE)[:40] + bytes(9), "damaged or truncated xz"),
    "xz, with a tail": (lzma.compress(WHOLE) + b"tail", "4 bytes follow the end of its xz data"),
    "zstd, damaged": (zstd.compress(WHOLE)[:40] + bytes(9), "damaged or truncated zstd"),
    "zstd of text": (zstd.compress(b"hello\n"), "it is text"),
}


@pytest.mark.parametrize(("pack", "kind"), [(lzma.compress, "xz"), (zstd.compress, "zstd")])
@pytest.mark.parametrize("kept", [0.7, 0.99])
def test_a_cut_file_is_read_as_far_as_it_unpacks(tmp_path: Path, pack, kind: str, kept: float):
    packed = pack(WHOLE)
    path = tmp_path / "x.ncu-rep"
    path.write_bytes(packed[: int(len(packed) * kept)])
    try:
        report = read_report(path)
    except BadReport as error:  # before the first launch
        assert "truncated" in str(error)
        return
    assert kind in report.cautions[0]
    with pytest.raises(BadReport, match=f"damaged or truncated {kind}"):
        load_bytes(path)


def refused(path: Path, said: str) -> None:
    with pytest.raises(BadReport, match=said) as caught:
        read_report(path)
    assert "\n" not in str(caught.value)
    assert str(path) in str(caught.value) or "\0" in str(path)
    assert caught.value.hint


@pytest.mark.parametrize("case", NO_REPORTS)
def test_what_is_no_report_says_what_it_is(tmp_path: Path, case: str):
    content, said = NO_REPORTS[case]
    path = tmp_path / "x.ncu-rep"
    path.write_bytes(content)
    refused(path, said)


def test_an_export_named_like_a_report_is_read(tmp_path: Path):
    path = tmp_path / "x.ncu-rep"
    path.write_text(
        '"ID","Process ID","Process Name","Host Name","Kernel Name","Context","Stream",'
        '"Block Size","Grid Size","Device","CC","Section Name","Metric Name","Metric Unit",'
        '"Metric Value"\n"0","1","app","host","tiny","1","7","(64, 1, 1)","(2, 1, 1)","0","9.0",'
        '"Command line profiler metrics","gpu__time_duration.sum","ns","250"\n'
    )
    assert read_report(path).launches[0].number("gpu__time_duration.sum") == 250


def test_no_file_of_that_name(tmp_path: Path):
    refused(tmp_path / "no.ncu-rep", "does not exist")
    refused(tmp_path, "is a directory")
    refused(tmp_path / "a\0b.ncu-rep", "no file's name")
    refused(tmp_path / ("a" * 300), "cannot be read: file name too long")
    refused(Path("/dev/zero"), "is a device")


@pytest.mark.skipif(os.geteuid() == 0, reason="root may read every file")
def test_a_file_that_may_not_be_read(tmp_path: Path):
    path = tmp_path / "x.ncu-rep"
    path.write_bytes(WHOLE)
    path.chmod(0)
    refused(path, "permission denied")


def test_a_pipe_is_read_and_one_without_a_writer_is_empty(tmp_path: Path):
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    refused(pipe, "it is empty")
    writer = threading.Thread(target=pipe.write_bytes, args=(WHOLE,))
    writer.start()
    while writer.is_alive():  # a look before the writer has come finds the pipe empty
        if data := load_bytes(pipe):
            break
    writer.join()
    assert data == WHOLE


@pytest.mark.parametrize("pack", [lzma.compress, zstd.compress], ids=["xz", "zstd"])
def test_packed_reports_are_read_like_plain_ones(tmp_path: Path, pack):
    path = tmp_path / "x.ncu-repz"
    path.write_bytes(pack(WHOLE))
    assert load_bytes(path) == WHOLE
    assert len(read_report(path).launches) == 3
    half = len(WHOLE) // 2  # two streams, one behind the other
    path.write_bytes(pack(WHOLE[:half]) + pack(WHOLE[half:]))
    assert load_bytes(path) == WHOLE


@pytest.mark.parametrize(
    "pack",
    [lambda data: lzma.compress(data, preset=0), zstd.compress],
    ids=["xz", "zstd"],
)
def test_a_bomb_does_not_go_off(tmp_path: Path, root: Path, pack):
    path = tmp_path / "bomb.ncu-repz"
    path.write_bytes(pack(bytes(400 << 20)))
    assert path.stat().st_size < 100_000
    script = (
        "import re, sys; from pathlib import Path; from warpwright.errors import BadReport\n"
        "from warpwright.report.reader import read_report\n"
        "try: read_report(Path(sys.argv[1]))\n"
        "except BadReport as error: print(error)\n"
        "print(re.search(r'VmHWM:\\s+(\\d+)', Path('/proc/self/status').read_text())[1])\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", script, str(path)],
        cwd=root,
        capture_output=True,
        text=True,
        check=True,
    )
    said, peak_kib = done.stdout.splitlines()
    assert re.search(r"unpacks to more than \d+ MiB from \d+ bytes", said)
    assert int(peak_kib) < 100 << 10


def test_what_unpacks_little_is_no_bomb():
    data = os.urandom(1 << 16) + bytes(20 << 20)
    assert unpacked(lzma.compress(data, preset=0), "x") == data
