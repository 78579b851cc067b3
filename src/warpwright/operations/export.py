"""The verb `export`: a portable copy of a run, redacted where asked for."""

from __future__ import annotations

import json
import os
import shutil
import tempfile
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

from warpwright.errors import BadInput, BadReport, EnvironmentFault
from warpwright.model.event import Blob, CommandEnded, CommandStarted, Event
from warpwright.model.run import RunNotice, RunStory
from warpwright.operations.chapters import Chapter
from warpwright.operations.private import Private, private_facts
from warpwright.operations.public import public_json, public_source, public_text, public_word
from warpwright.operations.runs import find_run
from warpwright.operations.story import tell
from warpwright.report.redact import redact_report
from warpwright.runs.journal import FILE
from warpwright.runs.project import FOLDER, project_folder, replace_file
from warpwright.runs.store import RunStore

Page = Callable[[RunStory, list[Chapter]], str]


def export_folder(run: str | None, start: Path, target: Path, redacted: bool) -> RunNotice:
    """Copy a run; `redacted`: without the paths, users and hosts of the machine it is from.

    A redacted copy leaves out lines that this version does not understand.

    Raises:
        BadInput: no such run, a damaged one, or a target that is there already.
        EnvironmentFault: the target cannot be written.
    """
    store = find_run(run, start)
    if target.exists() and (not target.is_dir() or any(target.iterdir())):
        raise BadInput(f"{target} is there already", hint="name a folder that does not exist yet")
    try:
        target.parent.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory(dir=target.parent, prefix=".export-") as temporary:
            made = Path(temporary) / "run"
            if redacted:
                _redact(store, RunStore(made), start)
            else:
                shutil.copytree(store.folder, made, ignore=shutil.ignore_patterns(".tmp-*"))
            os.replace(made, target)  # noqa: PTH105  # an empty folder may be there
    except OSError as error:
        raise EnvironmentFault(f"{target} cannot be written: {error}") from None
    return RunNotice(run=store.name, did="exported", path=str(target))


def export_page(run: str | None, start: Path, target: Path, page: Page) -> RunNotice:
    """Write a run as the page that `page` makes of it, whole or not at all.

    Raises:
        BadInput: no such run, or a damaged one.
        EnvironmentFault: the target cannot be written.
    """
    story, told = tell(find_run(run, start), grouped=True)
    text = page(story, told)
    try:
        replace_file(target, text.encode())
    except OSError as error:
        raise EnvironmentFault(f"{target} cannot be written: {error}") from None
    return RunNotice(run=story.name, did="exported", path=str(target))


def _redact(store: RunStore, out: RunStore, start: Path) -> None:
    events = store.read().events
    words = [w for e in events if isinstance(e, CommandStarted | CommandEnded) for w in e.argv]
    redaction = _Redaction(store, out, private_facts(_project_of(store, start), words))
    for event in events:  # first what other content names by its hash
        redaction.blobs(event, ("candidate", "report"))
    lines = [redaction.event(event).model_dump_json() + "\n" for event in events]
    replace_file(out.folder / FILE, "".join(lines).encode())


def _project_of(store: RunStore, start: Path) -> Path:
    """The project that a run lies in; of a copied run, the one around `start`."""
    folder = store.folder.resolve()
    return folder.parents[2] if folder.parts[-3:-2] == (FOLDER,) else project_folder(start)


@dataclass
class _Redaction:
    store: RunStore
    out: RunStore
    private: Private
    made: dict[str, Blob] = field(default_factory=dict)

    def event(self, event: Event) -> Event:
        update: dict[str, object] = dict(
            self.blobs(event, ("candidate", "report", "digest", "build_report", "verdict"))
        )
        if isinstance(event, CommandStarted | CommandEnded):
            update["argv"] = tuple(public_word(self.private, word) for word in event.argv)
        if isinstance(event, CommandEnded) and event.error:
            update["error"] = public_text(self.private, event.error)
        because = getattr(event, "because", None)
        if because:
            update["because"] = public_word(self.private, because)
        return event.model_copy(update=update)

    def blobs(self, event: Event, names: tuple[str, ...]) -> dict[str, Blob]:
        named = {name: getattr(event, name, None) for name in names}
        return {
            name: self._blob(blob, name) for name, blob in named.items() if isinstance(blob, Blob)
        }

    def _blob(self, blob: Blob, name: str) -> Blob:
        if blob.sha256 not in self.made:
            self.made[blob.sha256] = self.out.put(self._public(blob, name), "")
        return self.made[blob.sha256].model_copy(
            update={"name": public_word(self.private, blob.name)}
        )

    def _public(self, blob: Blob, name: str) -> bytes:
        data = self.store.get(blob)
        if name == "candidate":
            text = data.decode(errors="surrogateescape")
            public = public_source(self.private, text, python=blob.name.endswith(".py"))
            return public.encode(errors="surrogateescape")
        if name == "report":
            try:
                return redact_report(data, also=self.private.texts)
            except BadReport as error:
                raise BadInput(f"{blob.name} cannot be redacted: {error}") from None
        hashes = {old: new.sha256 for old, new in self.made.items()}
        value = public_json(self.private, json.loads(data), hashes)
        return json.dumps(value, ensure_ascii=False, separators=(",", ":")).encode()
