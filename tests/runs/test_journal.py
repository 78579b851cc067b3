from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from warpwright.errors import BadInput
from warpwright.model.event import CommandFinished, CommandStarted, RunStarted, RunStopped
from warpwright.runs.journal import FILE, append_event, read_events
from warpwright.runs.store import RunStore

ARGV = st.lists(st.text(max_size=20), max_size=4).map(tuple)

WRITER = """
import sys
from pathlib import Path
from warpwright.model.event import CommandStarted
from warpwright.runs.store import RunStore
store = RunStore(Path(sys.argv[1]))
for number in range(int(sys.argv[2])):
    text = f"{sys.argv[3]} {number} " * 40
    blob = store.put(text.encode(), "text")
    store.append(CommandStarted, argv=(sys.argv[3], blob.sha256))
"""


def writer(run: Path, count: int, name: str) -> subprocess.Popen[bytes]:
    return subprocess.Popen([sys.executable, "-c", WRITER, str(run), str(count), name])


def test_what_is_appended_is_read(store: RunStore) -> None:
    first = store.append(RunStarted, name="x", version="1")
    second = store.append(CommandStarted, argv=("build", "Zeilen\nund ümläute"))
    assert (first.id, second.id) == (1, 2)
    assert store.read().events == (first, second)
    assert store.read().cautions == ()
    assert (store.folder / FILE).read_bytes().count(b"\n") == 2


@settings(max_examples=25, deadline=None)
@given(argv=ARGV)
def test_a_torn_last_line_is_skipped(
    tmp_path_factory: pytest.TempPathFactory, argv: tuple[str, ...]
) -> None:
    run = tmp_path_factory.mktemp("run")
    first = append_event(run, RunStarted, name="x", version="1")
    start = (run / FILE).stat().st_size
    second = append_event(run, CommandStarted, argv=argv)
    whole = (run / FILE).read_bytes()
    for end in range(start, len(whole)):
        (run / FILE).write_bytes(whole[:end])
        journal = read_events(run)
        complete = end == len(whole) - 1  # all but its newline
        assert journal.events == ((first, second) if complete else (first,))
        assert len(journal.cautions) == (0 if complete or end == start else 1)


def test_a_torn_last_line_is_repaired(store: RunStore) -> None:
    store.append(RunStarted, name="x", version="1")
    path = store.folder / FILE
    start = path.stat().st_size
    store.append(CommandStarted, argv=("a",))
    whole = path.read_bytes()
    for end in range(start, len(whole)):
        path.write_bytes(whole[:end])
        torn = store.read().events
        event = store.append(RunStopped)
        assert event.id == (2 if end == start else 3), "a torn line keeps its id"
        assert store.read().events == (*torn, event)


def test_what_cannot_be_understood_is_tolerated(store: RunStore) -> None:
    store.append(RunStarted, name="x", version="1")
    with (store.folder / FILE).open("ab") as file:
        file.write(b'{"schema": "warpwright.event/1", "id": 2, "at": "", "type": "dreamt"}\n')
        file.write(b"\xff\x00 no json\n[]\n")
        file.write(b'{"schema": "warpwright.event/9", "id": 5, "at": "", "type": "run.stopped"}\n')
    last = store.append(RunStopped)
    journal = store.read()
    assert last.id == 6
    assert [event.id for event in journal.events] == [1, 6]
    assert len(journal.cautions) == 4
    assert "events.jsonl:2: event of the unknown type 'dreamt'" in journal.cautions[0]


def test_a_folder_without_events_is_no_run(store: RunStore) -> None:
    with pytest.raises(BadInput, match="is no run"):
        store.read()


def test_two_writers_share_a_run(store: RunStore) -> None:
    writers = [writer(store.folder, 40, name) for name in ("a", "b")]
    assert [process.wait() for process in writers] == [0, 0]
    events = store.read().events
    assert [event.id for event in events] == list(range(1, 81))
    for name in ("a", "b"):
        mine = [e.argv[1] for e in events if isinstance(e, CommandStarted) and e.argv[0] == name]
        assert len(mine) == len(set(mine)) == 40


def test_a_run_survives_kill(store: RunStore) -> None:
    for _ in range(4):
        size = (store.folder / FILE).stat().st_size if store.exists else 0
        process = writer(store.folder, 10**6, "x")
        while not store.exists or (store.folder / FILE).stat().st_size < size + 2000:
            assert process.poll() is None
            time.sleep(0.005)
        os.kill(process.pid, signal.SIGKILL)
        process.wait()
    store.append(RunStopped)
    events = store.read().events
    ids = [event.id for event in events]
    assert ids == sorted(set(ids))
    for event in events[:-1]:
        assert isinstance(event, CommandStarted)
        assert store.has(event.argv[1]), "a blob is there before the event that names it"


def test_a_full_disk_leaves_the_file_as_it_was(
    store: RunStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    store.append(RunStarted, name="x", version="1")
    before = (store.folder / FILE).read_bytes()
    write = os.write
    monkeypatch.setattr(os, "write", lambda fd, data: write(fd, data[:10]))  # what a full disk does
    with pytest.raises(OSError, match="no space"):
        store.append(RunStopped)
    assert (store.folder / FILE).read_bytes() == before


def test_an_event_line_is_json_with_its_schema(store: RunStore) -> None:
    store.append(CommandFinished, command_id=1, argv=("x",), exit_code=0, seconds=0.5, error=None)
    line = json.loads((store.folder / FILE).read_text())
    assert line["schema"] == "warpwright.event/1"
    assert line["type"] == "command.finished"
