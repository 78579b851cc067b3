"""One step of a run's page: commands, verdict, prediction, digests, build report, diff."""

from __future__ import annotations

import math
from collections.abc import Sequence
from html import escape

from warpwright.model.run import Step
from warpwright.model.verdict import Prediction, Verdict
from warpwright.operations.chapters import Chapter
from warpwright.operations.story import unified_diff
from warpwright.render.build import build_text
from warpwright.render.digest import digest_text
from warpwright.render.numbers import time_text
from warpwright.render.run import step_name
from warpwright.render.run_words import factor, finding_text, outcome, state, typed

_TONES = {"correct": "good", "incorrect": "bad", "untrusted": "bad"}


def state_tag(step: Step) -> str:
    """The verdict, or how far the step came, as a coloured word."""
    word = state(step)
    tone = _TONES.get(word, "warn" if step.interrupted or step.exit_code else "soft")
    return f'<span class="tag {tone}">{escape(word)}</span>'


def step_section(step: Step, chapter: Chapter) -> str:
    """All that was recorded of a step, the long texts folded."""
    title = escape(f"{step.number}. {step_name(step, grouped=True)}")
    parts = [f'<div class="head"><h2>{title}</h2>{state_tag(step)}</div>', _commands(step)]
    if step.error:
        parts.append(f'<p class="bad">{escape(step.error)}</p>')
    if chapter.verdict:
        parts.append(_verdict(chapter.verdict))
    if step.prediction:
        parts.append(_prediction(step.prediction))
    if step.findings:
        found = ", ".join(finding_text(finding) for finding in step.findings)
        parts.append(f"<h3>Found here</h3>\n<p>{escape(found)}</p>")
    for recorded in chapter.digests:
        parts.append(_folded("Digest, as recorded", digest_text(recorded.digest)))
    if chapter.build:
        parts.append(_folded("Build report", build_text(chapter.build)))
    parts.append(_diff(step, chapter))
    body = "\n".join(part for part in parts if part)
    return f'<section class="card" id="step{step.number}">\n{body}\n</section>'


def _commands(step: Step) -> str:
    lines = "\n".join(f"$ {typed(argv)}" for argv in step.commands)
    return f'<pre class="wrap">{escape(lines)}</pre>'


def _folded(title: str, text: str) -> str:
    return f"<details><summary>{title}</summary><pre>{escape(text)}</pre></details>"


def _verdict(verdict: Verdict) -> str:
    parts = [f'<p class="bad">{escape(reason)}</p>' for reason in verdict.reasons]
    failed = [check for check in verdict.checks if not check.passed]
    facts = [f"checks passed: {len(verdict.checks) - len(failed)} of {len(verdict.checks)}"]
    if verdict.rel_error is not None:
        facts.append(f"worst relative error {verdict.rel_error:.2e}")
    if verdict.floor is not None:
        facts.append(f"{verdict.floor.percent:.1f} % of the floor at {verdict.floor.shape}")
    parts.append(f"<p>{escape(', '.join(facts))}</p>")
    timings = [
        (t.subject, t.shape, t.mode, time_text(t.median_ns),
         f"{time_text(t.p20_ns)} .. {time_text(t.p80_ns)}")
        for t in verdict.timings
    ]  # fmt: skip
    speedups = [
        (s.baseline, s.shape, s.mode, factor(s.ratio), f"{s.low:.2f} .. {s.high:.2f}")
        for s in verdict.speedups
    ]
    parts.append(_table("Time", ("of", "shape", "mode", "median", "20 % .. 80 %"), timings))
    titles = ("over", "shape", "mode", "speedup", "99 % interval")
    parts.append(_table("Speedup", titles, speedups))
    return "\n".join(part for part in parts if part)


def _table(title: str, names: tuple[str, ...], rows: Sequence[tuple[str, ...]]) -> str:
    if not rows:
        return ""

    def line(tag: str, cells: tuple[str, ...]) -> str:
        kinds = ["", "", "", "n", "n"]
        filled = zip(kinds, cells, strict=True)
        return "".join(f'<{tag} class="{kind}">{escape(c)}</{tag}>' for kind, c in filled)

    body = "\n".join(f"<tr>{line('td', row)}</tr>" for row in rows)
    table = f"<table><tr>{line('th', names)}</tr>\n{body}\n</table>"
    return f'<h3>{title}</h3>\n<div class="scroll">{table}</div>'


def _prediction(prediction: Prediction) -> str:
    """Predicted range and measured gain on one logarithmic scale."""
    shown = [prediction.low, prediction.expected, prediction.high, prediction.measured or 1.0, 1.0]
    least, most = min(shown) * 0.9, max(shown) * 1.1

    def at(value: float) -> float:
        return 100 * math.log(max(value, least) / least) / math.log(most / least)

    left, right = at(prediction.low), at(prediction.high)
    marks = f'<i style="left:{left:.1f}%;width:{max(right - left, 1):.1f}%"></i>'
    marks += f'<b class="e" style="left:{at(prediction.expected):.1f}%"></b>'
    if prediction.measured is not None:
        marks += f'<b style="left:{at(prediction.measured):.1f}%"></b>'
    return (
        f"<h3>Acted on {escape(prediction.finding)}</h3>\n"
        f"<p>{escape(outcome(prediction))}</p>\n"
        f'<div class="scale" role="img" aria-label="{escape(outcome(prediction))}">{marks}</div>\n'
        '<p class="soft">band: predicted range; blue mark: expected; other mark: measured</p>\n'
        f"<p><code>{escape(prediction.because)}</code></p>"
    )


def _diff(step: Step, chapter: Chapter) -> str:
    if chapter.source is None or step.change is None:
        return ""
    if step.change.against is None:
        return _folded(f"Source, {step.change.added} lines", chapter.source)
    lines = unified_diff(chapter)
    if not lines:
        return f'<p class="soft">The source is that of {escape(step.change.against)}.</p>'
    kinds = {"+": "a", "-": "d", "@": "h"}
    spans = "".join(
        f'<span class="{kinds.get(line[:1], "")}">{escape(line)}</span>' for line in lines[2:]
    )
    title = f"Changed against {step.change.against}: +{step.change.added} -{step.change.removed}"
    return f'<h3>{escape(title)}</h3>\n<pre class="diff">{spans}</pre>'
