"""The verdict on a candidate (schema warpwright.verdict/1)."""

from __future__ import annotations

from typing import Literal

from pydantic import Field

from warpwright.model.base import Model

Status = Literal["correct", "incorrect", "untrusted", "infrastructure-error"]
Mode = Literal["launch", "graph", "cpu"]


class Check(Model):
    """One thing that was checked. `measured` and `limit` are None where no number applies."""

    name: str
    passed: bool
    detail: str
    shape: str | None = None
    distribution: str | None = None
    measured: float | None = None
    limit: float | None = None


class Timing(Model):
    """How long one side took at one shape. launch: from call to completion, L2 flushed;
    graph: replayed as one CUDA graph, L2 flushed; cpu: on the CPU's clock."""  # noqa: D209

    subject: str = Field(description="'candidate' or a baseline's name.")
    shape: str
    mode: Mode
    median_ns: float
    p20_ns: float
    p80_ns: float
    samples: int
    cached: bool = False


class SpeedupMeasured(Model):
    """Baseline time over candidate time: exp(median of log ratios), 99 % bootstrap interval."""

    baseline: str
    shape: str
    mode: Mode
    ratio: float
    low: float
    high: float
    pairs: int
    paired: bool = Field(description="False: against a cached baseline, not interleaved.")


class FloorUse(Model):
    """How near the candidate is to the task's floor, at the rates measured on this device."""

    shape: str
    bytes: float
    flops: float
    floor_ns: float
    percent: float = Field(description="100 * floor / candidate's median.")
    memory_bytes_per_s: float
    flops_per_s: float | None


class Noise(Model):
    """The candidate against itself, interleaved: what a ratio of 1 looks like here."""

    mode: Mode
    ratio: float
    low: float
    high: float
    noisy: bool


class Prediction(Model):
    """The finding acted on, what it promised, and what came of it."""

    because: str
    finding: str
    low: float
    expected: float
    high: float
    from_candidate: str | None
    measured: float | None = Field(description="Old time over new time; None: no old time known.")
    measured_low: float | None = Field(
        default=None,
        description="Old 20th over new 80th percentile: the two were not timed in turns.",
    )
    measured_high: float | None = Field(default=None, description="Old 80th over new 20th.")
    within: bool | None


class Environment(Model):
    """Where the verdict was reached."""

    device_kind: Literal["cuda", "cpu"]
    device: str
    driver: str | None
    torch: str
    cuda: str | None
    tf32: bool | None
    sandbox: Literal["bubblewrap", "process"]
    sm_clock_mhz: int | None = None


class Verdict(Model):
    """Correct or not, and how fast. Only `correct` carries speedups."""

    schema_name: Literal["warpwright.verdict/1"] = Field(
        default="warpwright.verdict/1", alias="schema"
    )
    task: str
    task_sha256: str
    candidate: str
    candidate_sha256: str
    status: Status
    reasons: tuple[str, ...] = ()
    rel_error: float | None = Field(description="Worst relative RMSE against float64.")
    checks: tuple[Check, ...] = ()
    timings: tuple[Timing, ...] = ()
    speedups: tuple[SpeedupMeasured, ...] = ()
    floor: FloorUse | None = None
    noise: tuple[Noise, ...] = ()
    prediction: Prediction | None = None
    environment: Environment | None = None
    seconds: dict[str, float] = Field(
        default_factory=dict, description="Wall-clock by phase: build, check, time, total."
    )


class Evaluation(Model):
    """What `evaluate` prints: one verdict a candidate, in the order they were given."""

    schema_name: Literal["warpwright.evaluation/1"] = Field(
        default="warpwright.evaluation/1", alias="schema"
    )
    verdicts: tuple[Verdict, ...]
