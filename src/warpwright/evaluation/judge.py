"""When an output is right. Pure: numbers from the reference process in, checks out."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from warpwright.model.task import Task, Tolerance
from warpwright.model.verdict import Check, Status

_FACTOR = {"fp32": 2.0, "tf32": 2.0, "bf16": 3.0, "fp16": 3.0, "fp8": 3.0}
GRAVITY = (
    "build", "crash", "hang", "raised", "form", "error", "timed call", "element",
    "protocol", "claim", "two clocks",
)  # fmt: skip
"""Names of checks, the worst failure first."""

_DOUBTS = {"protocol", "claim", "two clocks"}
_NOTHING = "no output was compared with float64"

_EXACT = ("int64", "int32", "int8", "bool")


@dataclass(frozen=True, slots=True)
class OutputError:
    """How far one output is from the float64 oracle, as the reference process measured it.

    `rel_rmse`, `rel_rmse_reference` (the reference in its own precision) and `rel_worst` (one
    element) are divided by the oracle's root mean square. `wrong_finiteness`: elements that are
    NaN or infinite where the oracle is not, or the reverse. `mismatches`: unequal integers.
    `unwritten`: elements that still hold the bits that were there before the call.
    """

    name: str
    elements: int
    wrong_finiteness: int
    mismatches: int
    rel_rmse: float
    rel_rmse_reference: float
    rel_worst: float
    worst_at: Sequence[int]
    unwritten: int


@dataclass(frozen=True, slots=True)
class Draw:
    """One set of inputs: a shape, a distribution and a secret seed."""

    shape: str
    distribution: str
    seed: int


def judge_output(task: Task, draw: Draw, error: OutputError, *, timed: bool = False) -> Check:
    """Whether one output of one call is right; `detail` says why not."""
    exact = any(spec.name == error.name and spec.dtype in _EXACT for spec in task.outputs)
    limit = rmse_limit(task.tolerance, error.rel_rmse_reference)
    measured: float = error.rel_rmse
    name = "timed call" if timed else "error"
    problem = None
    if exact:
        measured, limit = float(error.mismatches), 0.0
        if error.mismatches:
            problem = f"{error.mismatches} of {error.elements} elements differ"
    elif error.wrong_finiteness:
        problem = (
            f"{error.wrong_finiteness} of {error.elements} elements are NaN or infinite "
            "where float64 is not, or the reverse"
        )
    elif error.rel_rmse > limit:
        problem = f"relative error {error.rel_rmse:.2g} is above {limit:.2g}"
    elif error.rel_worst > task.tolerance.element_cap:
        name, measured, limit = "element", error.rel_worst, task.tolerance.element_cap
        problem = f"element {list(error.worst_at)} is off by {measured:.2g}, above {limit:.2g}"
    if problem and error.unwritten > max(1, error.elements // 100):
        problem += f" ({error.unwritten} elements were never written)"
    return Check(
        name=name,
        passed=problem is None,
        detail=f"{error.name}: {problem or 'within tolerance'}",
        shape=draw.shape,
        distribution=draw.distribution,
        measured=measured,
        limit=limit,
    )


def rmse_limit(tolerance: Tolerance, reference_error: float) -> float:
    """max(m * RMSE(reference in its own precision), rmse_rel), m = 2 for fp32 and tf32, else 3."""
    return max(_FACTOR[tolerance.precision] * reference_error, tolerance.rmse_rel)


def status_of(checks: Sequence[Check]) -> Status:
    """correct; untrusted, where only what the worker said is in doubt; else incorrect.

    Nothing is correct by default: without an output that was compared and passed, it is untrusted.
    """
    failed = {check.name for check in checks if not check.passed}
    if failed - _DOUBTS:
        return "incorrect"
    return "untrusted" if failed or not _compared(checks) else "correct"


def reasons(checks: Sequence[Check]) -> tuple[str, ...]:
    """What failed, a line for every shape, the worst first; or that nothing was compared."""
    failed: dict[tuple[str, str | None], list[Check]] = {}
    for check in checks:
        if not check.passed:
            failed.setdefault((check.name, check.shape), []).append(check)
    groups = sorted(failed.values(), key=lambda group: _gravity(group[0]))
    if not groups and not _compared(checks):
        return (_NOTHING,)
    return tuple(_line(group) for group in groups)


def _compared(checks: Sequence[Check]) -> bool:
    return any(check.name == "error" and check.passed for check in checks)


def _gravity(check: Check) -> tuple[int, float]:
    excess = (check.measured or 0.0) / check.limit if check.limit else float("inf")
    return GRAVITY.index(check.name) if check.name in GRAVITY else len(GRAVITY), -excess


def _line(group: Sequence[Check]) -> str:
    worst = min(group, key=_gravity)
    where = f"shape {worst.shape}: " if worst.shape else ""
    tail = ""
    if worst.distribution:
        times = f", {len(group)} times" if len(group) > 1 else ""
        tail = f" (inputs '{worst.distribution}'{times})"
    timed = "in a timed call, " if worst.name == "timed call" else ""
    return f"{timed}{where}{worst.detail}{tail}"
