"""`warpwright build` on the real candidates of the KDA example."""

import json

import pytest

from warpwright.cli.app import run


@pytest.mark.nvcc
def test_before_shows_that_its_state_is_not_in_registers(root, capsys):
    kda = root / "examples" / "kda"
    before = kda / "candidates" / "before.cu"
    assert run(["build", str(kda), str(before), "--target", "sm_90a"]) == 0
    out = capsys.readouterr().out
    assert "stack 512 B, no spills" in out
    assert "An array lives in local memory" in out
    assert max(map(len, out.splitlines()[1:])) <= 80
    assert run(["build", str(kda), str(before), "--target", "sm_90a", "--json"]) == 0
    report = json.loads(capsys.readouterr().out)
    assert (report["schema"], report["cached"]) == ("warpwright.build/1", True)
    (kernel,) = report["kernels"]
    if kernel["instructions"] is not None:
        text = before.read_text().splitlines()
        lines = {a["line"] for a in kernel["accesses"] if a["space"] == "local"}
        assert lines and all("[c]" in text[line - 1] for line in lines)


@pytest.mark.nvcc
def test_after_has_no_stack(root, capsys):
    kda = root / "examples" / "kda"
    assert run(["build", str(kda), str(kda / "candidates" / "after.cu"), "--json"]) == 0
    (kernel,) = json.loads(capsys.readouterr().out)["kernels"]
    assert (kernel["stack_bytes"], kernel["spill_store_bytes"]) == (0, 0)
    assert kernel["registers"] > 128
    assert not [a for a in kernel["accesses"] if a["space"] == "local"]


@pytest.mark.parametrize(
    ("arguments", "code", "said"),
    [
        (["{kda}", "{tmp}/none.cu"], 2, "error: {tmp}/none.cu: no such candidate\n"),
        (["{tmp}", "{tmp}/bad.cpp"], 2, "task.toml"),
        (["{kda}", "{tmp}/bad.cpp"], 2, "error: {tmp}/bad.cpp:2:10: error: "),
        (["{kda}", "{tmp}/bad.cu", "--target", "h200"], 2, "error: 'h200' is no target\nhint: "),
    ],
)
def test_what_cannot_be_built(root, tmp_path, capsys, monkeypatch, arguments, code, said):
    for name in ("bad.cpp", "bad.cu"):
        (tmp_path / name).write_text("int f() {\n  return nothing;\n}\n")
    places = {"kda": root / "examples" / "kda", "tmp": tmp_path}
    assert run(["build", *(one.format(**places) for one in arguments)]) == code
    captured = capsys.readouterr()
    assert captured.out == ""
    assert said.format(**places) in captured.err


def test_without_nvcc_the_exit_code_says_environment(root, capsys, monkeypatch):
    monkeypatch.setenv("WARPWRIGHT_NVCC", "/nowhere")
    kda = root / "examples" / "kda"
    assert run(["build", str(kda), str(kda / "candidates" / "before.cu")]) == 3
    assert "hint: install the CUDA toolkit" in capsys.readouterr().err
