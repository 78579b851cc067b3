"""Real builds with the compilers that are here."""

import ctypes
import shutil
import threading

import pytest

from warpwright.build.candidates import load_candidate
from warpwright.build.compile import build_candidate
from warpwright.config import cache_dir
from warpwright.errors import BadInput, BuildFailed, EnvironmentFault, ToolMissing
from warpwright.model.build import Access

KERNEL = """\
extern "C" __global__ void __launch_bounds__(128) state(float* x, int n) {
  float row[128];
  for (int i = 0; i < 128; ++i) row[i] = 0.f;
  for (int t = 0; t < n; ++t) {
#pragma unroll 16
    for (int i = 0; i < 128; ++i)
      row[i] += x[t * 128 + i];
  }
  float sum = 0.f;
#pragma unroll 16
  for (int i = 0; i < 128; ++i) sum += row[i] * row[(i + n) & 127];
  x[threadIdx.x] = sum;
}
extern "C" int entry(float* x, int n) {
  state<<<1, 128>>>(x, n);
  return 0;
}
"""
TWICE = 'extern "C" int twice(int x) { return 2 * x; }\n'


def candidate(folder, name, text):
    path = folder / name
    path.write_text(text)
    return load_candidate(path)


@pytest.mark.nvcc
def test_an_array_in_local_memory_shows(tmp_path):
    build = build_candidate(candidate(tmp_path, "state.cu", KERNEL), target="sm_90a")
    report = build.report
    assert (report.language, report.target, report.cached) == ("cuda", "sm_90a", False)
    assert report.command[0] == "nvcc"
    (kernel,) = report.kernels
    assert (kernel.name, kernel.stack_bytes, kernel.max_threads) == ("state", 512, 128)
    assert (kernel.spill_store_bytes, kernel.spill_load_bytes) == (0, 0)
    (fits,) = kernel.occupancy
    assert fits.block_threads == 128
    if any("no disassembler" in caution for caution in report.cautions):
        return
    assert sum(kernel.opcodes.values()) == kernel.instructions
    local = {(a.op, a.line) for a in kernel.accesses if a.space == "local"}
    assert {("store", 3), ("load", 7), ("store", 7), ("load", 11)} <= local
    assert (
        Access(space="global", op="store", width_bits=32, count=1, file="state.cu", line=12)
        in kernel.accesses
    )
    assert hasattr(ctypes.CDLL(str(build.artifact)), "entry")


@pytest.mark.nvcc
def test_without_a_disassembler_the_facts_remain(tmp_path, monkeypatch):
    monkeypatch.setenv("WARPWRIGHT_NVDISASM", "/nowhere")
    monkeypatch.setenv("WARPWRIGHT_CUOBJDUMP", "/nowhere")
    monkeypatch.setenv("WARPWRIGHT_CACHE", str(tmp_path / "cache"))
    report = build_candidate(candidate(tmp_path, "state.cu", KERNEL)).report
    assert [kernel.stack_bytes for kernel in report.kernels] == [512]
    assert report.kernels[0].instructions is None
    assert ["no disassembler" in caution for caution in report.cautions] == [True]


@pytest.mark.nvcc
def test_the_targets_and_flags_make_other_builds(tmp_path):
    plain = KERNEL.replace("__launch_bounds__(128) ", "")  # bounds would overrule the flag
    flagged = '// warpwright: flags = "-maxrregcount=24"\n' + plain
    a = build_candidate(candidate(tmp_path, "a.cu", plain), target="sm_80")
    b = build_candidate(candidate(tmp_path, "b.cu", flagged), target="sm_80")
    assert a.artifact != b.artifact
    assert b.report.kernels[0].registers <= 24 < a.report.kernels[0].registers


@pytest.mark.nvcc
def test_the_compilers_first_error_is_told(tmp_path):
    broken = candidate(tmp_path, "broken.cu", KERNEL.replace("float sum", "float") + "int;\n")
    with pytest.raises(BuildFailed) as failed:
        build_candidate(broken)
    assert str(failed.value).startswith(f"{broken.path}(9): error: expected an identifier")
    assert "nvcc -shared" in failed.value.hint
    assert "error" in failed.value.log.partition(str(failed.value))[2]


@pytest.mark.nvcc
def test_an_error_of_ptxas_names_the_candidate(tmp_path):
    text = "__global__ void k(int* p) { __shared__ int a[99999]; a[*p] = 1; p[1] = a[p[2]]; }\n"
    with pytest.raises(BuildFailed, match=r"big\.cu: ptxas error.*too much shared data"):
        build_candidate(candidate(tmp_path, "big.cu", text))


def test_without_nvcc_a_cuda_candidate_cannot_be_built(tmp_path, monkeypatch):
    monkeypatch.setenv("WARPWRIGHT_NVCC", "/nowhere")
    with pytest.raises(ToolMissing, match="nvcc was not found"):
        build_candidate(candidate(tmp_path, "state.cu", KERNEL))


def test_a_cpp_candidate_is_built_once_and_can_be_called(tmp_path):
    first = build_candidate(candidate(tmp_path, "one.cpp", "// once\n" + TWICE))
    assert ctypes.CDLL(str(first.artifact)).twice(21) == 42
    assert not first.report.cached
    second = build_candidate(candidate(tmp_path, "two.cpp", "// once\n" + TWICE))
    assert second.artifact == first.artifact
    assert second.report.cached
    assert second.report.candidate == str(tmp_path / "two.cpp")


def test_a_build_whose_library_is_gone_is_made_again(tmp_path):
    made = candidate(tmp_path, "gone.cpp", "// gone\n" + TWICE)
    build_candidate(made).artifact.unlink()
    again = build_candidate(made)
    assert ctypes.CDLL(str(again.artifact)).twice(21) == 42
    assert not again.report.cached


def test_a_cache_that_cannot_be_written(tmp_path, monkeypatch):
    (tmp_path / "file").write_text("")
    monkeypatch.setenv("WARPWRIGHT_CACHE", str(tmp_path / "file" / "cache"))
    with pytest.raises(EnvironmentFault, match="file/cache cannot be written: ") as caught:
        build_candidate(candidate(tmp_path, "a.cpp", TWICE))
    assert "WARPWRIGHT_CACHE" in caught.value.hint


def test_an_included_file_is_part_of_the_build(tmp_path):
    (tmp_path / "factor.h").write_text("#define FACTOR 2\n")
    text = '#include "factor.h"\nextern "C" int scaled(int x) { return FACTOR * x; }\n'
    scaled = candidate(tmp_path, "scaled.cpp", text)
    assert ctypes.CDLL(str(build_candidate(scaled).artifact)).scaled(5) == 10
    (tmp_path / "factor.h").write_text("#define FACTOR 3\n")
    assert ctypes.CDLL(str(build_candidate(scaled).artifact)).scaled(5) == 15


def test_an_error_of_gcc_is_told_and_nothing_is_kept(tmp_path, monkeypatch):
    monkeypatch.setenv("WARPWRIGHT_CACHE", str(tmp_path / "cache"))
    broken = candidate(tmp_path, "broken.cpp", "int f() {\n  return nothing;\n}\n")
    with pytest.raises(BuildFailed, match=r"broken\.cpp:2:10: error: .*nothing"):
        build_candidate(broken)
    assert list((cache_dir() / "builds").iterdir()) == []


def test_builders_at_the_same_time_agree(tmp_path):
    same = candidate(tmp_path, "same.cpp", "// at the same time\n" + TWICE)
    builds = []
    threads = [
        threading.Thread(target=lambda: builds.append(build_candidate(same))) for _ in range(4)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len({build.artifact for build in builds}) == 1 and len(builds) == 4
    assert not list((cache_dir() / "builds").glob(".making-*"))


def test_a_damaged_build_is_made_again(tmp_path):
    one = candidate(tmp_path, "one.cpp", "// damaged later\n" + TWICE)
    folder = build_candidate(one).artifact.parent
    (folder / "report.json").write_text("{")
    again = build_candidate(one)
    assert not again.report.cached
    assert ctypes.CDLL(str(again.artifact)).twice(4) == 8


def test_a_python_candidate_is_its_own_artifact(tmp_path):
    build = build_candidate(candidate(tmp_path, "a.py", "def f(x):\n    return x\n"))
    assert build.artifact == tmp_path / "a.py"
    assert build.report.kernels == () and len(build.report.cautions) == 1


def test_torch_needs_a_task(tmp_path):
    if shutil.which("g++") is None:
        pytest.skip("g++ is not here")
    with pytest.raises(BadInput, match="needs a task"):
        build_candidate(candidate(tmp_path, "one.cpp", TWICE), via="torch")
