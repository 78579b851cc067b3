"""Every error that Warpwright raises on purpose.

    WarpwrightError            exit  what went wrong
    ├── BadInput               2     a task, candidate, report, address or option is wrong
    │   ├── UsageError         2     the command line itself
    │   ├── BadReport          2     a report that cannot be read
    │   ├── BadTask            2     a task.toml or its reference that cannot be used
    │   └── BadCandidate       2     a candidate that cannot be found or understood
    │       └── BuildFailed    2     the compiler refused it
    └── EnvironmentFault       3     this machine lacks something
        ├── ToolMissing        3     ncu, nvcc, torch ... is not here
        ├── NoGpu              3     no CUDA device
        ├── ProfilerFault      3     Nsight Compute could not profile
        └── EvaluatorFault     3     the evaluator itself failed (infrastructure-error)

Exit code 1 is no error: it is a negative answer (a candidate that is not correct, say).
"""

from __future__ import annotations


class WarpwrightError(Exception):
    """Base of all; `str(error)` is one line, `hint` says what to do next (or None)."""

    exit_code = 3

    def __init__(self, message: str, *, hint: str | None = None) -> None:
        super().__init__(message)
        self.hint = hint


class BadInput(WarpwrightError):
    """What was given is wrong."""

    exit_code = 2


class UsageError(BadInput):
    """A command line that cannot be understood."""


class BadReport(BadInput):
    """A report that is empty, truncated, of another kind, or has no launches."""


class BadTask(BadInput):
    """A task.toml, or the reference it names, that cannot be used."""


class BadCandidate(BadInput):
    """A candidate that cannot be found or understood."""


class BuildFailed(BadCandidate):
    """The compiler's own first error, with file and line; `log` holds all it said."""

    def __init__(self, message: str, *, hint: str | None = None, log: str = "") -> None:
        super().__init__(message, hint=hint)
        self.log = log


class EnvironmentFault(WarpwrightError):
    """This machine lacks something."""


class ToolMissing(EnvironmentFault):
    """A program or package is not on this machine."""


class NoGpu(EnvironmentFault):
    """No CUDA device can be used."""


class ProfilerFault(EnvironmentFault):
    """Nsight Compute ran and could not profile; `log` holds what it said."""

    def __init__(self, message: str, *, hint: str | None = None, log: str = "") -> None:
        super().__init__(message, hint=hint)
        self.log = log


class EvaluatorFault(EnvironmentFault):
    """The evaluator, not the candidate, failed."""
