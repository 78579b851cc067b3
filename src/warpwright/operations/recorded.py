"""One command in a run: what operations hand over becomes blobs and an event at once."""

from __future__ import annotations

import hashlib
import lzma
import os
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path, PurePath

from warpwright.errors import BadInput, WarpwrightError
from warpwright.model.base import Model
from warpwright.model.build import BuildReport
from warpwright.model.candidate import Candidate
from warpwright.model.digest import Digest
from warpwright.model.event import (
    Blob,
    Built,
    CommandEnded,
    CommandFinished,
    CommandStarted,
    Digested,
    Evaluated,
    Profiled,
)
from warpwright.model.verdict import Timing, Verdict
from warpwright.operations.earlier import report_bytes, time_of_profiled
from warpwright.runs.store import RunStore

_EXIT_CODES = {"correct": 0, "incorrect": 1, "untrusted": 1, "infrastructure-error": 3}


@dataclass
class RecordedCommand:
    """The command being recorded. Its methods never raise: a caution says what was lost."""

    store: RunStore
    argv: tuple[str, ...]
    command_id: int
    started: float = field(default_factory=time.monotonic)
    last_exit_code: int | None = None
    cautioned: bool = False

    @classmethod
    def begin(cls, run: Path, argv: tuple[str, ...]) -> RecordedCommand:
        """Record that a command began.

        Raises:
            OSError: the run cannot be written.
        """
        store = RunStore(run)
        argv = tuple(os.fsencode(word).decode(errors="backslashreplace") for word in argv)
        return cls(store, argv, store.append(CommandStarted, argv=argv).id)

    def end(self, exit_code: int, error: str | None) -> None:
        """Record how it ended, unless its last event has said so already."""
        if error is None and exit_code == self.last_exit_code:
            return
        self._attempt(lambda: self._append(CommandFinished, exit_code, error=error))

    def keep(self, candidate: Candidate) -> None:
        """Store a candidate's source now: it may be edited before its verdict is there."""
        self._attempt(lambda: self._source(candidate))

    def built(self, candidate: Candidate, report: BuildReport) -> None:
        """Record a build."""
        self._attempt(
            lambda: self._append(
                Built,
                0,
                candidate=self._source(candidate),
                build_report=self._model(report, f"{candidate.name}.build.json"),
            )
        )

    def profiled(self, report_path: Path, candidate: Candidate | None) -> None:
        """Record a report that Nsight Compute wrote."""
        self._attempt(
            lambda: self._append(
                Profiled,
                0,
                candidate=self._source(candidate) if candidate else None,
                report=self.store.put(report_bytes(report_path), str(report_path)),
            )
        )

    def digested(self, report_path: Path, digest: Digest) -> None:
        """Record a digest, and with it its predictions; the report is called as the digest says."""
        name = digest.report.path
        self._attempt(
            lambda: self._append(
                Digested,
                0,
                report=self.store.put(report_bytes(report_path), name),
                digest=self._model(digest, f"{PurePath(name).name}.digest.json"),
            )
        )

    def evaluated(
        self,
        candidate: Candidate,
        build_report: BuildReport | None,
        verdict: Verdict,
        because: str | None,
    ) -> None:
        """Record a verdict; `because`: the address of the finding acted on."""
        self._attempt(
            lambda: self._append(
                Evaluated,
                _EXIT_CODES[verdict.status],
                candidate=self._source(candidate),
                build_report=self._model(build_report, f"{candidate.name}.build.json")
                if build_report
                else None,
                verdict=self._model(verdict, f"{candidate.name}.verdict.json"),
                because=because,
            )
        )

    def time_before(
        self, report_path: Path, shape: str, mode: str, *, like: Verdict | None = None
    ) -> tuple[str, Timing] | None:
        """Name and time of the candidate that a report was profiled from.

        The time is that of its latest correct verdict in this run, on the task and the device of
        `like` where that is given; None where there is none.
        """
        try:
            sha256 = hashlib.sha256(report_bytes(report_path)).hexdigest()
            return time_of_profiled(self.store, sha256, shape, mode, like)
        except (OSError, lzma.LZMAError, WarpwrightError, ValueError):
            return None

    def _append(self, kind: type[CommandEnded], exit_code: int, **fields: object) -> None:
        self.store.append(
            kind,
            command_id=self.command_id,
            argv=self.argv,
            exit_code=exit_code,
            seconds=round(time.monotonic() - self.started, 3),
            **fields,
        )
        self.last_exit_code = exit_code

    def _source(self, candidate: Candidate) -> Blob:
        path = Path(candidate.path)
        data = path.read_bytes() if path.is_file() else b""
        if hashlib.sha256(data).hexdigest() == candidate.sha256:
            return self.store.put(data, candidate.path)
        kept = Blob(sha256=candidate.sha256, name=candidate.path, bytes=0)
        if not self.store.has(candidate.sha256):
            raise BadInput(f"{candidate.path} was changed or removed while the command ran")
        return kept.model_copy(update={"bytes": len(self.store.get(kept))})

    def _model(self, model: Model, name: str) -> Blob:
        return self.store.put(model.model_dump_json().encode(), name)

    def _attempt(self, action: Callable[[], object]) -> None:
        try:
            action()
        except (OSError, ValueError, lzma.LZMAError, WarpwrightError) as error:
            if not self.cautioned:
                sys.stderr.write(f"caution: not recorded in run {self.store.name}: {error}\n")
            self.cautioned = True
