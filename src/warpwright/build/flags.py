"""Compiler flags: ours, and the few that a candidate may add in its own source."""

from __future__ import annotations

import re
import shlex

from warpwright.errors import BadCandidate

NVCC_FLAGS = (
    "-O3",
    "-std=c++17",
    "-lineinfo",
    "-Xptxas",
    "-v",
    "--no-compress",
)
CPP_FLAGS = ("-O3", "-std=c++17", "-march=native", "-fPIC", "-shared")

_HEADER = re.compile(r'^[ \t]*//[ \t]*warpwright:[ \t]*flags[ \t]*=[ \t]*"([^"\n]*)"', re.MULTILINE)
_NUMBER_FORMATS = "use_fast_math|ftz|prec-div|prec-sqrt|fmad"
# Nothing here names a file to write or a program to run: a compiler never runs candidate code.
_ALLOWED = {
    "cuda": re.compile(
        r"-O[0-3]|-D\w+(=[\w.]*)?|-std=c\+\+\d\d|-{1,2}maxrregcount=\d+|-l(cuda|cublas|cublasLt|cudnn)"
        rf"|-{{1,2}}({_NUMBER_FORMATS})(=(true|false))?|-{{1,2}}(expt-relaxed-constexpr"
        r"|expt-extended-lambda|extended-lambda|extra-device-vectorization|restrict)"
        r"|-Xptxas=(-O[0-3]|-{1,2}(dlcm|dscm)=\w+|-{1,2}(allow-expensive-optimizations)=\w+"
        r"|--?warn-spills|--?warn-lmem-usage|--?register-usage-level=\d+)"
    ),
    "cpp": re.compile(
        r"-O([0-3]|fast)|-D\w+(=[\w.]*)?|-std=(c|gnu)\+\+\d\d|-m[\w.=-]+|-l(m|gomp)"
        r"|-f(openmp|openmp-simd|fast-math|no-math-errno|no-trapping-math|unroll-loops"
        r"|associative-math|no-signed-zeros|finite-math-only|strict-aliasing|no-strict-aliasing)"
    ),
}


def candidate_flags(source: str, language: str, path: str) -> tuple[str, ...]:
    """Flags of the comment `// warpwright: flags = "..."` in a CUDA or C++ candidate.

    Raises:
        BadCandidate: a flag that a candidate may not set.
    """
    found = _HEADER.search(source)
    if found is None:
        return ()
    line = source.count("\n", 0, found.start()) + 1
    try:
        flags = shlex.split(found[1])
    except ValueError as error:
        raise BadCandidate(f"{path}:{line}: flags cannot be split ({error})") from None
    for flag in flags:
        if not _ALLOWED[language].fullmatch(flag):
            raise BadCandidate(
                f"{path}:{line}: a candidate may not set the compiler flag {flag!r}",
                hint="write a value with '=' (-maxrregcount=128, -Xptxas=-dlcm=ca); allowed are"
                " flags for optimization, number formats, macros and known libraries",
            )
    return tuple(flags)
