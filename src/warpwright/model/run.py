"""The story of a run (schema warpwright.run/1), and a run walked again (warpwright.replay/1)."""

from __future__ import annotations

from typing import Literal

from pydantic import Field

from warpwright.model.base import Model
from warpwright.model.build import KernelBuild
from warpwright.model.digest import Speedup
from warpwright.model.verdict import Prediction, SpeedupMeasured, Status

StepKind = Literal["build", "profile", "digest", "evaluate", "command"]


class Change(Model):
    """Lines of a candidate against the candidate evaluated before it (None: the first)."""

    against: str | None
    added: int
    removed: int


class FindingBrief(Model):
    """A finding as a digest of this step stated it, without its evidence."""

    id: str
    address: str
    title: str
    speedup: Speedup


class Step(Model):
    """One row of the story. Times are medians at `shape`; None: not measured."""

    number: int
    kind: StepKind
    events: tuple[int, ...] = Field(description="Ids of the events it is made of.")
    commands: tuple[tuple[str, ...], ...] = Field(description="As typed, in order.")
    at: str
    seconds: float | None = Field(description="Of all its commands; None: interrupted.")
    exit_code: int | None = Field(description="None: no ending was recorded.")
    interrupted: bool = False
    error: str | None = None
    candidate: str | None = None
    candidate_sha256: str | None = None
    change: Change | None = None
    findings: tuple[FindingBrief, ...] = Field(
        default=(), description="The most promising of its digests, best first."
    )
    because: str | None = None
    status: Status | None = None
    reasons: tuple[str, ...] = ()
    shape: str | None = None
    launch_ns: float | None = None
    graph_ns: float | None = None
    cpu_ns: float | None = None
    speedup: SpeedupMeasured | None = Field(
        default=None, description="Against the compile baseline; as a graph where measured."
    )
    floor_pct: float | None = None
    prediction: Prediction | None = None


class RunStory(Model):
    """A run as a table. `grouped`: one step per evaluated candidate, else one per event."""

    schema_name: Literal["warpwright.run/1"] = Field(default="warpwright.run/1", alias="schema")
    name: str
    version: str | None = Field(description="Of the Warpwright that started it.")
    started_at: str | None
    ended_at: str | None = Field(description="When its last event was recorded.")
    task: str | None
    device: str | None
    commands: int
    grouped: bool
    steps: tuple[Step, ...]
    cautions: tuple[str, ...] = ()


class RunBrief(Model):
    """One run of a project."""

    name: str
    active: bool
    started_at: str | None
    commands: int
    candidates: int
    bytes: int


class RunList(Model):
    """What `run list` prints."""

    schema_name: Literal["warpwright.runs/1"] = Field(default="warpwright.runs/1", alias="schema")
    runs: tuple[RunBrief, ...]


class RunNotice(Model):
    """What `run start`, `run stop` and `run export` did."""

    schema_name: Literal["warpwright.run-notice/1"] = Field(
        default="warpwright.run-notice/1", alias="schema"
    )
    run: str | None = Field(description="None: `.warpwright/run` named no run.")
    did: Literal["started", "continued", "already active", "stopped", "exported"]
    path: str
    stopped: str | None = Field(default=None, description="The run that was active before.")


class ReplayedDigest(Model):
    """A digest computed now from the recorded report, held against the recorded one."""

    report: str
    findings: tuple[FindingBrief, ...]
    same: bool
    difference: str | None = Field(description="The first place where they differ.")


class ReplayedBuild(Model):
    """The recorded build report, or what building the recorded source again told."""

    live: bool
    note: str | None = Field(description="How it differs, or why it was not built again.")
    kernels: tuple[KernelBuild, ...]


class ReplayStep(Model):
    """A step of the story with what was computed again."""

    step: Step
    diff: tuple[str, ...] = Field(description="Unified diff against the candidate before.")
    digests: tuple[ReplayedDigest, ...] = ()
    build: ReplayedBuild | None = None


class Replay(Model):
    """A recorded run, walked again."""

    schema_name: Literal["warpwright.replay/1"] = Field(
        default="warpwright.replay/1", alias="schema"
    )
    name: str
    device: str | None
    steps: tuple[ReplayStep, ...]
    digests_same: int
    digests_total: int
    cautions: tuple[str, ...] = ()
