import pytest

from warpwright.build.flags import candidate_flags
from warpwright.build.target import choose_target, compute_capability, gencode
from warpwright.errors import BadCandidate, BadInput


def test_a_source_without_the_comment_sets_none():
    assert candidate_flags("// flags = none\nint x;", "cuda", "a.cu") == ()


def test_known_flags_are_taken():
    source = (
        '// K\n// warpwright: flags = "-maxrregcount=128 --use_fast_math -DN=4 -Xptxas=-dlcm=ca"'
    )
    assert candidate_flags(source, "cuda", "a.cu") == (
        "-maxrregcount=128",
        "--use_fast_math",
        "-DN=4",
        "-Xptxas=-dlcm=ca",
    )
    assert candidate_flags('// warpwright: flags = "-fopenmp -mavx2"', "cpp", "a.cpp") == (
        "-fopenmp",
        "-mavx2",
    )


@pytest.mark.parametrize(
    "flag",
    ["-o", "x", "-ccbin=/bin/sh", "-fplugin=x.so", "-odir=/", "@file", "-Xcompiler=-B.", "-E"],
)
@pytest.mark.parametrize("language", ["cuda", "cpp"])
def test_a_flag_that_could_write_or_run_something_is_refused(language, flag):
    with pytest.raises(BadCandidate, match=r"a\.cu:2: a candidate may not set"):
        candidate_flags(f'\n// warpwright: flags = "-O2 {flag}"\n', language, "a.cu")


def test_quotes_that_do_not_match_are_refused():
    with pytest.raises(BadCandidate, match="cannot be split"):
        candidate_flags('// warpwright: flags = "-DX=\'"', "cuda", "a.cu")


def test_targets():
    assert compute_capability("sm_90a") == (9, 0)
    assert compute_capability("sm_120") == (12, 0)
    assert gencode("sm_90a") == "-gencode=arch=compute_90a,code=sm_90a"
    for bad in ("90", "sm_", "sm_90b", "sm_9", "sm_90a -o x"):
        with pytest.raises(BadInput, match="is no target"):
            choose_target(bad)


def test_without_a_gpu_the_target_is_hopper(monkeypatch):
    monkeypatch.setenv("WARPWRIGHT_NVIDIA_SMI", "/nowhere")
    assert choose_target(None) == "sm_90a"


def test_the_gpu_here_is_the_target(monkeypatch, tmp_path):
    tool = tmp_path / "nvidia-smi"
    tool.write_text("#!/bin/sh\necho 8.6\necho 9.0\n")
    tool.chmod(0o755)
    monkeypatch.setenv("WARPWRIGHT_NVIDIA_SMI", str(tool))
    assert choose_target(None) == "sm_86"
