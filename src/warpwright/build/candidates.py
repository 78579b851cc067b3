"""Find a candidate and tell what it is written in."""

from __future__ import annotations

import hashlib
import re
from pathlib import Path

from warpwright.errors import BadCandidate
from warpwright.model.candidate import Candidate, Language

_BY_SUFFIX: dict[str, Language] = {
    ".cu": "cuda",
    ".cpp": "cpp",
    ".cc": "cpp",
    ".py": "python",
}
_IMPORTS_TRITON = re.compile(r"^[ \t]*(?:import|from)[ \t]+triton\b", re.MULTILINE)
_SUFFIXES = ", ".join(_BY_SUFFIX)


def load_candidate(path: Path) -> Candidate:
    """Read one source file: .cu is CUDA C++, .cpp or .cc C++, .py Triton if it imports it.

    Raises:
        BadCandidate: missing, a directory, empty, of another suffix, or not UTF-8.
    """
    data = read_source(path)
    language = _BY_SUFFIX.get(path.suffix)
    if language is None:
        raise BadCandidate(
            f"{path}: a candidate's name ends in one of {_SUFFIXES}",
            hint="the suffix says what the candidate is written in",
        )
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError as error:
        raise BadCandidate(f"{path}: not UTF-8 text (byte {error.start})") from None
    if not text.strip():
        raise BadCandidate(f"{path}: the file is empty")
    if language == "python" and _IMPORTS_TRITON.search(text):
        language = "triton"
    return Candidate(
        name=path.stem,
        path=str(path),
        language=language,
        sha256=hashlib.sha256(data).hexdigest(),
    )


def read_source(path: Path) -> bytes:
    """The bytes of a candidate's file.

    Raises:
        BadCandidate: missing, a directory, or not readable.
    """
    if path.is_dir():
        raise BadCandidate(
            f"{path}: a directory, not a candidate", hint=f"name one file in it ({_SUFFIXES})"
        )
    try:
        return path.read_bytes()
    except FileNotFoundError:
        raise BadCandidate(f"{path}: no such candidate") from None
    except OSError as error:
        raise BadCandidate(f"{path}: cannot be read ({error.strerror})") from None


def check_unchanged(candidate: Candidate) -> bytes:
    """The candidate's bytes, which must still be those that were loaded.

    Raises:
        BadCandidate: the file changed or went away since `load_candidate`.
    """
    data = read_source(Path(candidate.path))
    if hashlib.sha256(data).hexdigest() != candidate.sha256:
        raise BadCandidate(
            f"{candidate.path}: changed while it was being built", hint="run the command again"
        )
    return data
