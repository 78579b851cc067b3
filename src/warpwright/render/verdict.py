"""A verdict as text, 80 columns, no colour."""

from __future__ import annotations

import textwrap
from collections.abc import Iterator

from warpwright.model.verdict import Evaluation, Prediction, SpeedupMeasured, Timing, Verdict

_WIDTH = 79
_MOST_REASONS = 6


def evaluation_text(evaluation: Evaluation) -> str:
    """Every verdict, in order."""
    return "\n".join(verdict_text(verdict) for verdict in evaluation.verdicts)


def verdict_text(verdict: Verdict) -> str:
    """The status and why; times and speedups; error, floor, noise; where it was measured."""
    lines = [f"{verdict.candidate}: {verdict.status} ({verdict.task})"]
    for reason in verdict.reasons[:_MOST_REASONS]:
        lines += _wrapped(reason, "  - ")
    if len(verdict.reasons) > _MOST_REASONS:
        lines.append(f"  ... and {len(verdict.reasons) - _MOST_REASONS} more reasons")
    for block in (_table(verdict), _facts(verdict), _notes(verdict), _environment(verdict)):
        lines += block
    return "\n".join(lines) + "\n"


def _table(verdict: Verdict) -> Iterator[str]:
    if not verdict.timings:
        return
    speedups = {(s.shape, s.mode, s.baseline): s for s in verdict.speedups}
    for shape in dict.fromkeys(timing.shape for timing in verdict.timings):
        yield ""
        yield f"  {shape:<14} {'mode':<7} {'median':>9}   {'p20 to p80':<18} speedup"
        for timing in verdict.timings:
            if timing.shape == shape:
                gained = _speedup(speedups.get((shape, timing.mode, timing.subject)))
                yield f"{_row(timing)} {gained}".rstrip()
    if any(t.cached for t in verdict.timings):
        names = ", ".join(f"{t.subject} ({t.mode})" for t in verdict.timings if t.cached)
        yield from _wrapped(f"measured by an earlier command, not interleaved: {names}", "  ")
    yield from _few_pairs(verdict)


def _row(timing: Timing) -> str:
    spread = f"{_time(timing.p20_ns)} to {_time(timing.p80_ns)}"
    median = _time(timing.median_ns)
    return f"  {timing.subject:<14.14} {timing.mode:<7} {median:>9}   {spread:<18}"


def _few_pairs(verdict: Verdict) -> Iterator[str]:
    few = [s for s in verdict.speedups if s.paired and s.pairs < 20]
    if few:
        text = ", ".join(f"{s.baseline} {s.mode} {s.pairs}" for s in few)
        yield from _wrapped(f"interleaved pairs, fewer than 20: {text}", "  ")


def _speedup(speedup: SpeedupMeasured | None) -> str:
    if speedup is None:
        return ""
    return f"{_factor(speedup.ratio)}x [{_factor(speedup.low)}, {_factor(speedup.high)}]"


def _factor(value: float) -> str:
    return f"{value:.0f}" if value >= 100 else f"{value:.3g}"


def _facts(verdict: Verdict) -> Iterator[str]:
    yield ""
    if verdict.rel_error is not None:
        limits = [c.limit for c in verdict.checks if c.measured == verdict.rel_error and c.limit]
        limit = f" (limit {limits[0]:.2g})" if limits else ""
        calls = sum(c.name in ("error", "timed call", "element") for c in verdict.checks)
        yield f"  error     {verdict.rel_error:.2g} relative to float64{limit}, {calls} compared"
    if verdict.floor is not None:
        rate = verdict.floor.memory_bytes_per_s * 1e-9
        cached = " (in cache)" if verdict.floor.percent > 100 else ""
        yield (
            f"  floor     {verdict.floor.percent:.3g} % of it{cached}: "
            f"{_time(verdict.floor.floor_ns)} for "
            f"{verdict.floor.bytes * 1e-6:.3g} MB at {rate:.4g} GB/s"
        )
    for noise in verdict.noise:
        warning = ", NOISY" if noise.noisy else ""
        yield (
            f"  noise     {noise.mode}: against itself {noise.ratio:.4g} "
            f"[{noise.low:.4g}, {noise.high:.4g}]{warning}"
        )
    if verdict.prediction is not None:
        yield from _wrapped(_prediction(verdict.prediction), "  ")


def _prediction(prediction: Prediction) -> str:
    text = (
        f"because   {prediction.finding}: predicted {prediction.expected:.3g}x "
        f"[{prediction.low:.3g}, {prediction.high:.3g}], "
    )
    if prediction.measured is None:
        return text + "measured: the run knows no time of the candidate before"
    verdict = "within" if prediction.within else "outside"
    old = f" over {prediction.from_candidate}" if prediction.from_candidate else ""
    return text + f"measured {prediction.measured:.3g}x{old}: {verdict}"


def _notes(verdict: Verdict) -> Iterator[str]:
    for check in verdict.checks:
        if check.name == "note":
            yield from _wrapped(f"note      {check.detail}", "  ")


def _environment(verdict: Verdict) -> Iterator[str]:
    where = verdict.environment
    if where is not None:
        parts = [
            where.device,
            f"driver {where.driver}" if where.driver else None,
            f"torch {where.torch}",
            f"SM clock {where.sm_clock_mhz} MHz" if where.sm_clock_mhz else None,
            "TF32 on" if where.tf32 else "TF32 off",
            f"sandbox: {where.sandbox}",
        ]
        yield from _wrapped("on        " + ", ".join(part for part in parts if part), "  ")
        if where.device_kind == "cpu":
            yield "  CPU timing: says nothing about a GPU"
    if verdict.seconds:
        took = ", ".join(f"{name} {value:.1f} s" for name, value in verdict.seconds.items())
        yield f"  took      {took}"


def _time(ns: float) -> str:
    for factor, unit in ((1e9, "s"), (1e6, "ms"), (1e3, "us")):
        if ns >= factor:
            return f"{ns / factor:.3g} {unit}"
    return f"{ns:.3g} ns"


def _wrapped(text: str, lead: str) -> list[str]:
    rest = " " * len(lead)
    return textwrap.wrap(text, _WIDTH, initial_indent=lead, subsequent_indent=rest) or [lead]
