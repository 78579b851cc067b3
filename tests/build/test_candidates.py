import pytest

from warpwright.build.candidates import check_unchanged, load_candidate
from warpwright.errors import BadCandidate


@pytest.mark.parametrize(
    ("name", "text", "language"),
    [
        ("a.cu", "int x;", "cuda"),
        ("a.cpp", "int x;", "cpp"),
        ("a.cc", "int x;", "cpp"),
        ("a.py", "import torch\n", "python"),
        ("a.py", '"""Not import triton."""\n# import triton\n', "python"),
        ("a.py", "import torch\nimport triton\n", "triton"),
        ("a.py", "from triton import language as tl\n", "triton"),
        ("a.py", "try:\n    import triton.language\nexcept ImportError:\n    pass\n", "triton"),
    ],
)
def test_the_language_is_seen(tmp_path, name, text, language):
    path = tmp_path / name
    path.write_text(text)
    candidate = load_candidate(path)
    assert (candidate.language, candidate.name, candidate.path) == (language, "a", str(path))


@pytest.mark.parametrize(
    ("name", "content", "said"),
    [
        ("empty.cu", b"", "the file is empty"),
        ("blank.cu", b" \n\t\n", "the file is empty"),
        ("binary.cu", b"int x;\n\xff\xfe", "not UTF-8 text (byte 7)"),
        ("notes.txt", b"hello", "a candidate's name ends in one of .cu, .cpp, .cc, .py"),
    ],
)
def test_what_is_no_candidate_is_refused(tmp_path, name, content, said):
    path = tmp_path / name
    path.write_bytes(content)
    with pytest.raises(BadCandidate) as refused:
        load_candidate(path)
    assert str(refused.value) == f"{path}: {said}"


def test_a_missing_file_and_a_directory_are_refused(tmp_path):
    with pytest.raises(BadCandidate, match="no such candidate"):
        load_candidate(tmp_path / "a.cu")
    with pytest.raises(BadCandidate, match="a directory"):
        load_candidate(tmp_path)


def test_a_changed_file_is_noticed(tmp_path):
    path = tmp_path / "a.cu"
    path.write_text("int x;")
    candidate = load_candidate(path)
    assert check_unchanged(candidate) == b"int x;"
    path.write_text("int y;")
    with pytest.raises(BadCandidate, match="changed while"):
        check_unchanged(candidate)
