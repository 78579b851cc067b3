"""Short names of files, and the lines that they lead to."""

import pytest

from warpwright.errors import BadInput
from warpwright.model.report import Launch, NoCode, SourceLine
from warpwright.query.line_names import find_line, is_suffix, parts_of, short_names

FILES = ("/p/src/a/util.cuh", "/p/src/b/util.cuh", "/p/src/kda.cu")


def launch(*files):
    chains = {16 * i: (SourceLine(file, 4),) for i, file in enumerate(files)}
    code = NoCode(chains=chains)
    return Launch(2, "k", "k", "k", (1, 1, 1), (32, 1, 1), None, {}, code)


def test_the_shortest_name_that_tells_files_apart():
    assert short_names(FILES) == {
        "/p/src/a/util.cuh": "a/util.cuh",
        "/p/src/b/util.cuh": "b/util.cuh",
        "/p/src/kda.cu": "kda.cu",
    }
    assert short_names(["/p/a/k.cu", "k.cu"]) == {"/p/a/k.cu": "a/k.cu", "k.cu": "k.cu"}
    assert find_line(launch("/p/a/k.cu", "k.cu"), "k.cu:7") == SourceLine("k.cu", 7)


def test_names_lead_back():
    for file, name in short_names(FILES).items():
        assert find_line(launch(*FILES), f"{name}:7") == SourceLine(file, 7)
        assert find_line(launch(*FILES), f"{file}:7") == SourceLine(file, 7)


def test_paths_of_both_systems_and_ends_of_whole_names_only():
    assert parts_of("C:\\src\\..\\k.cu") == ("C:", "k.cu")
    assert is_suffix("a/util.cuh", "/p/a/util.cuh")
    assert not is_suffix("til.cuh", "/p/a/util.cuh")
    assert not is_suffix("", "/p/a/util.cuh")


@pytest.mark.parametrize(
    ("text", "said", "hint"),
    [
        ("kda.cu", "is no source line", "FILE:LINE"),
        ("kda.cu:0", "is no source line", "FILE:LINE"),
        ("kda.cu:x", "is no source line", "FILE:LINE"),
        ("util.cuh:3", "the end of 2 files' paths", "a/util.cuh, b/util.cuh"),
        ("none.cu:3", "no instruction of L2 (k) comes from a file none.cu", "kda.cu"),
    ],
)
def test_what_names_no_line(text, said, hint):
    with pytest.raises(BadInput) as caught:
        find_line(launch(*FILES), text)
    assert said in str(caught.value)
    assert hint in caught.value.hint


def test_without_a_line_table_the_hint_is_to_build_with_one():
    with pytest.raises(BadInput) as caught:
        find_line(launch(), "kda.cu:3")
    assert "-lineinfo" in caught.value.hint
