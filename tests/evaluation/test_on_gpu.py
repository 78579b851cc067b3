"""The whole evaluation on a real GPU: a good candidate between bad ones."""

import json
import os
import subprocess
import sys
import textwrap
from pathlib import Path

import pytest

from .conftest import run_cli, write_candidate

pytestmark = [pytest.mark.gpu, pytest.mark.torch, pytest.mark.nvcc, pytest.mark.timeout(300)]

BROKEN = """
#include <cstdint>
#include <cuda_runtime.h>
__global__ void broken(float* o) {{ {body} }}
extern "C" int kda(const float*, const float*, const float*, const float*, const float*, float* o,
                   int64_t, int64_t, int64_t, int64_t, void* stream) {{
    broken<<<1, 1, 0, static_cast<cudaStream_t>(stream)>>>(o);
    return cudaGetLastError();
}}
"""
BODIES = {
    "crash": "*reinterpret_cast<volatile float*>(16) = 1.0f;",
    "hang": "while (true) *reinterpret_cast<volatile float*>(o) = 1.0f;",
    "wrong": "o[0] = 1.0f;",
}


def test_bad_candidates_do_not_harm_the_good_one(root: Path, tmp_path: Path):
    for name, body in BODIES.items():
        (tmp_path / f"{name}.cu").write_text(BROKEN.format(body=body))
    good = root / "examples" / "kda" / "candidates" / "split2.cu"
    candidates = [*(str(tmp_path / f"{name}.cu") for name in BODIES), str(good)]
    command = [sys.executable, "-m", "warpwright", "evaluate", str(root / "examples" / "kda")]
    command += [*candidates, "--quick", "--time-limit", "12", "--call-timeout", "10", "--json"]
    ran = subprocess.run(command, capture_output=True, text=True, check=False, env=dict(os.environ))
    assert ran.returncode == 1, ran.stderr
    verdicts = {v["candidate"]: v for v in json.loads(ran.stdout)["verdicts"]}
    assert {name: v["status"] for name, v in verdicts.items()} == {
        "crash": "incorrect",
        "hang": "incorrect",
        "wrong": "incorrect",
        "split2": "correct",
    }, ran.stdout
    judged = verdicts["split2"]
    assert {t["mode"] for t in judged["timings"] if t["subject"] == "candidate"} == {
        "launch",
        "graph",
    }
    assert judged["rel_error"] < 1e-5
    assert judged["floor"]["percent"] < 100
    faster = [s for s in judged["speedups"] if s["mode"] == "graph"]
    assert {s["baseline"] for s in faster} == {"eager", "compile"}
    assert all(s["low"] > 1 for s in faster)


WORK = "z = big @ big\ny = scale * x + 1.5 + 0 * z[0, 0]\n"  # some 20 ms


def test_work_on_a_side_stream_is_found_out(task: Path, tmp_path: Path):
    head = "import torch\nbig = torch.ones(8192, 8192, device='cuda')\nside = torch.cuda.Stream()"
    aside = f"with torch.cuda.stream(side):\n{textwrap.indent(WORK, '    ')}return y"
    honest = write_candidate(tmp_path, "honest", f"{WORK}return y", head)
    hidden = write_candidate(tmp_path, "hidden", aside, head)
    options = ("--device", "cuda", "--quick", "--json")
    done = run_cli("evaluate", task, honest, hidden, *options, cache=tmp_path / "cache")
    good, bad = json.loads(done.stdout)["verdicts"]
    assert good["status"] == "correct", good["reasons"]
    assert bad["status"] == "untrusted", bad["reasons"]
    assert "the controller's clock" in bad["reasons"][0]
