import pytest

from warpwright.build.log import PtxasFacts, first_error, ptxas_facts, warnings

NVCC = """\
k.cu(3): warning #177-D: variable "x" was declared but never referenced
ptxas info    : 0 bytes gmem
ptxas info    : Compiling entry function '_Z1kPf' for 'sm_90a'
ptxas info    : Function properties for _Z1kPf
    104 bytes stack frame, 168 bytes spill stores, 120 bytes spill loads
ptxas info    : Used 255 registers, used 1 barriers
ptxas info    : Function properties for helper
    0 bytes stack frame, 0 bytes spill stores, 0 bytes spill loads
k.cu(3): warning #177-D: variable "x" was declared but never referenced
"""


def test_facts_of_each_function():
    assert ptxas_facts(NVCC) == {
        "_Z1kPf": PtxasFacts(104, 168, 120),
        "helper": PtxasFacts(0, 0, 0),
    }


def test_a_warning_is_told_once():
    assert warnings(NVCC) == (
        'k.cu(3): warning #177-D: variable "x" was declared but never referenced',
    )


@pytest.mark.parametrize(
    ("log", "error"),
    [
        ("k.cu: In function 'f':\nk.cu:2:10: error: 'u' was not declared\nk.cu:9: error: b", 1),
        ('a\nk.cu(2): error: identifier "u" is undefined\n1 error detected', 1),
        ("k.cu:2:10: fatal error: x.h: No such file\ncompilation terminated.", 0),
        ("x\nptxas error   : Entry function 'k' uses too much shared data", 1),
        ("nvcc fatal   : Unsupported gpu architecture 'compute_37'", 0),
        ("Killed\nthe last words", 1),
    ],
)
def test_the_first_error_is_found(log, error):
    assert first_error(log) == log.splitlines()[error]


def test_silence_is_told_as_such():
    assert first_error("\n \n") == "the compiler failed and said nothing"
