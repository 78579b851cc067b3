"""Words and numbers of a run that its table, its page and its replay say alike."""

from __future__ import annotations

import shlex

from warpwright.model.digest import Speedup
from warpwright.model.run import Change, FindingBrief, Step
from warpwright.model.verdict import Prediction


def factor(value: float) -> str:
    """A speedup: 2.10x."""
    return f"{value:.2f}x" if value < 99.995 else f"{value:.0f}x"


def promise(speedup: Speedup | Prediction) -> str:
    """A predicted speedup with its range: 2.10x [1.50..3.00]."""
    return f"{factor(speedup.expected)} [{speedup.low:.2f}..{speedup.high:.2f}]"


def finding_text(finding: FindingBrief) -> str:
    """A finding with what it promises."""
    return f"{finding.id} {promise(finding.speedup)}"


def outcome(prediction: Prediction) -> str:
    """What was predicted of the finding acted on, and what came of it."""
    text = f"predicted {promise(prediction)}"
    if prediction.measured is None:
        return f"{text}, gain not measured (no time of the candidate before)"
    if prediction.within is None:
        word = ""
    elif prediction.within:
        word = " (within)"
    else:
        word = " (below)" if prediction.measured < prediction.low else " (above)"
    against = f" over {prediction.from_candidate}" if prediction.from_candidate else ""
    return f"{text}, measured {factor(prediction.measured)}{against}{word}"


def change_text(change: Change | None) -> str:
    """Lines added and removed; `new N` for the first candidate."""
    if change is None:
        return ""
    if change.against is None:
        return f"new {change.added}"
    return f"+{change.added} -{change.removed}" if change.added or change.removed else "same"


def state(step: Step) -> str:
    """The verdict; where none was reached, how far the step came."""
    if step.status is not None:
        return step.status
    if step.interrupted:
        return "interrupted"
    if step.exit_code:
        return f"exit code {step.exit_code}"
    return {"build": "built", "profile": "profiled", "digest": "digested"}.get(step.kind, "done")


def typed(argv: tuple[str, ...]) -> str:
    """A command line as it was typed, quoted where a shell needs it."""
    return shlex.join(("warpwright", *argv))


def moment(at: str | None) -> str:
    """An ISO time as date, time and zone, to the minute."""
    return f"{at[:10]} {at[11:16]} UTC" if at else "unknown"
