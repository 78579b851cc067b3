"""A compiler ends with us, children and all."""

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from warpwright.build.process import run_compiler
from warpwright.errors import BuildFailed, ToolMissing

# Minutes of work for any C++ compiler.
SLOW = """\
constexpr long spin(long n) { long s = 0; for (long i = 0; i < n; ++i) s += i % 7; return s; }
template <int N> struct Many {
  static constexpr long value = spin(200000 + N) + Many<N - 1>::value;
};
template <> struct Many<0> { static constexpr long value = 0; };
extern "C" long f() { return Many<800>::value; }
"""
BUILD = """\
import sys
from pathlib import Path
from warpwright.build.candidates import load_candidate
from warpwright.build.compile import build_candidate
build_candidate(load_candidate(Path(sys.argv[1])))
"""


def test_output_and_status_come_back(tmp_path):
    done = run_compiler(
        ["sh", "-c", "cat; echo $TMPDIR >&2; exit 3"], folder=tmp_path, timeout_s=20, request="hi\n"
    )
    assert (done.status, done.log) == (3, f"hi\n{tmp_path}\n")


def test_a_program_that_is_not_there(tmp_path):
    with pytest.raises(ToolMissing, match="cannot be started"):
        run_compiler([str(tmp_path / "nvcc")], folder=tmp_path, timeout_s=20)


def test_over_the_limit_children_end_too(tmp_path):
    command = ["sh", "-c", "sleep 60 & echo $!; wait"]
    with pytest.raises(BuildFailed, match=r"more than 0\.5 s") as stopped:
        run_compiler(command, folder=tmp_path, timeout_s=0.5)
    assert _is_gone(int(stopped.value.log))


def test_an_interrupt_leaves_nothing_half_made(tmp_path):
    source = tmp_path / "slow.cpp"
    source.write_text(SLOW)
    cache = tmp_path / "cache"
    environment = {**os.environ, "WARPWRIGHT_CACHE": str(cache)}
    process = subprocess.Popen(
        [sys.executable, "-c", BUILD, source],
        env=environment,
        stderr=subprocess.PIPE,
        text=True,
    )
    compilers = _wait_for(lambda: _working_in(cache))
    process.send_signal(signal.SIGINT)
    _, said = process.communicate(timeout=20)
    assert "KeyboardInterrupt" in said
    assert list((cache / "builds").iterdir()) == []
    assert all(_is_gone(one) for one in compilers)


def _working_in(cache):
    """Processes whose temporary folder is in the cache: the compiler and what it started."""
    found = []
    for one in Path("/proc").glob("[0-9]*"):
        try:
            if f"TMPDIR={cache}/builds/".encode() in (one / "environ").read_bytes():
                found.append(int(one.name))
        except OSError:
            continue
    return found if len(found) > 1 else []


def _wait_for(look, limit_s=20):
    until = time.monotonic() + limit_s
    while time.monotonic() < until:
        if found := look():
            return found
        time.sleep(0.05)
    raise AssertionError("it never began")


def _is_gone(pid):
    until = time.monotonic() + 5
    while time.monotonic() < until:
        try:
            if Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] == "Z":
                return True
        except OSError:
            return True
        time.sleep(0.05)
    return False
