"""The story of a run as text: a table readable in 80 columns and without colour."""

from __future__ import annotations

import textwrap

from warpwright.model.run import RunList, RunNotice, RunStory, Step
from warpwright.render.numbers import time_text
from warpwright.render.run_words import (
    change_text,
    factor,
    finding_text,
    moment,
    outcome,
    state,
    typed,
)

WIDTH = 80
_SHORT = {"infrastructure-error": "infra. error"}
_INDENT = "    "


def story_text(story: RunStory) -> str:
    """The table, each row followed by what was found and what came of it."""
    times = time_columns(story)
    head = f"{'#':>3} {'step':<{_what_width(times)}} {'lines':<10} {'verdict':<12}"
    head += "".join(f" {name:>9}" for name, _ in times) + f" {'speedup':>8}"
    lines = [*headline_lines(story), ""]
    if not story.steps:
        lines.append("nothing was recorded yet")
    else:
        lines += [head.rstrip(), "-" * min(len(head), WIDTH)]
        for step in story.steps:
            lines += [_row(step, story.grouped, times), *_details(step)]
        lines += _legend(story)
    lines += [line for caution in story.cautions for line in wrapped("caution: ", caution)]
    return "\n".join(lines) + "\n"


def headline_lines(story: RunStory) -> list[str]:
    """What was run, where and when."""
    what = f"task {story.task}" if story.task else "no verdict yet"
    where = f" on {story.device}" if story.device else ""
    version = f", Warpwright {story.version}" if story.version else ""
    return [
        f"run {story.name}: {what}{where}",
        f"{moment(story.started_at)} to {moment(story.ended_at)}, "
        f"{story.commands} command{'s' * (story.commands != 1)}{version}",
    ]


def time_columns(story: RunStory) -> list[tuple[str, str]]:
    """Title and field of the ways of timing that this run used."""
    columns = [("launch", "launch_ns"), ("graph", "graph_ns"), ("cpu", "cpu_ns")]
    return [c for c in columns if any(getattr(s, c[1]) is not None for s in story.steps)]


def _what_width(times: list[tuple[str, str]]) -> int:
    return WIDTH - 37 - 10 * len(times)


def _row(step: Step, grouped: bool, times: list[tuple[str, str]]) -> str:
    width = _what_width(times)
    verdict = state(step)
    name, change = step_name(step, grouped), change_text(step.change)
    what = f"{_cut(name, width):<{width}} {change:<10}" if change else _cut(name, width + 11)
    row = f"{step.number:>3} {what:<{width + 11}} {_SHORT.get(verdict, verdict):<12}"
    row += "".join(f" {time_text(getattr(step, field)):>9}" for _, field in times)
    row += f" {factor(step.speedup.ratio) if step.speedup else '-':>8}"
    return row.rstrip(" -") if step.status is None else row


def step_name(step: Step, grouped: bool) -> str:
    """The candidate; what was done with it where that is not plain; else the command."""
    if step.candidate is None:
        return " ".join(step.commands[-1]) if step.commands else step.kind
    return step.candidate if grouped else f"{step.kind} {step.candidate}"


def _details(step: Step) -> list[str]:
    lines: list[str] = []
    if step.error:
        lines += wrapped(f"{_INDENT}error    ", step.error)
    for reason in step.reasons:
        lines += wrapped(f"{_INDENT}reason   ", reason)
    if step.because:
        lines += wrapped(f"{_INDENT}acted on ", step.because)
    if step.prediction:
        lines += wrapped(f"{_INDENT}         ", outcome(step.prediction))
    if step.findings:
        found = ", ".join(finding_text(finding) for finding in step.findings[:2])
        lines += wrapped(f"{_INDENT}found    ", found)
    if len(step.commands) == 1 and step.interrupted and step.candidate:
        lines += wrapped(f"{_INDENT}command  ", typed(step.commands[0]))
    return lines


def wrapped(label: str, text: str) -> list[str]:
    """Text behind a label, in 80 columns. Addresses and paths are never broken."""
    return textwrap.wrap(
        text,
        WIDTH,
        initial_indent=label,
        subsequent_indent=" " * len(label),
        break_long_words=False,
        break_on_hyphens=False,
    ) or [label.rstrip()]


def _legend(story: RunStory) -> list[str]:
    kinds = {(s.speedup.baseline, s.speedup.mode) for s in story.steps if s.speedup}
    shapes = {s.shape for s in story.steps if s.shape}
    ways = {"graph": "both as a CUDA graph", "launch": "launch included", "cpu": "on the CPU"}
    lines = [""]
    if shapes:
        lines.append(f"times: medians at shape {', '.join(sorted(shapes))}")
    lines += [f"speedup: over '{base}', {ways[mode]}" for base, mode in sorted(kinds)]
    if any(step.change for step in story.steps):
        lines.append("lines: against the candidate evaluated before")
    return lines if len(lines) > 1 else []


def _cut(text: str, width: int) -> str:
    return text if len(text) <= width else text[: width - 3] + "..."


def list_text(runs: RunList) -> str:
    """The runs of a project, one a line."""
    if not runs.runs:
        return "no runs here yet (warpwright run start NAME)\n"
    lines = [f"  {'run':<28} {'started':<20} {'commands':>8} {'candidates':>10} {'size':>9}"]
    for run in runs.runs:
        size = f"{run.bytes / 1e6:.2f} MB" if run.bytes >= 1e5 else f"{run.bytes / 1e3:.1f} kB"
        lines.append(
            f"{'*' if run.active else ' '} {_cut(run.name, 28):<28} {moment(run.started_at):<20} "
            f"{run.commands:>8} {run.candidates:>10} {size:>9}"
        )
    return "\n".join(lines + ["* active: commands here are recorded into it"] * _any(runs)) + "\n"


def _any(runs: RunList) -> bool:
    return any(run.active for run in runs.runs)


def notice_text(notice: RunNotice) -> str:
    """What became of a run, and what comes next."""
    name, until = notice.run, "every command here is recorded until 'warpwright run stop'"
    text = {
        "started": f"started run {name}: {until}",
        "continued": f"continuing run {name}: {until}",
        "already active": f"run {name} is active already: {until}",
        "stopped": f"stopped run {name} ('warpwright run show {name}' tells it)",
        "exported": f"exported run {name} to {notice.path}",
    }[notice.did]
    if name is None:
        text = f"removed {notice.path}, which named no run"
    return (f"stopped run {notice.stopped}\n" if notice.stopped else "") + text + "\n"
