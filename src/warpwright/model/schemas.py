"""The contracts: every model that leaves the program, by its schema's name."""

from __future__ import annotations

import json
from typing import Any

from pydantic import BaseModel, TypeAdapter

from warpwright.model.build import BuildReport
from warpwright.model.digest import Digest
from warpwright.model.event import EVENT
from warpwright.model.profile import Profile
from warpwright.model.run import Replay, RunList, RunNotice, RunStory
from warpwright.model.task import Task
from warpwright.model.task_summary import TaskSummary
from warpwright.model.verdict import Evaluation, Verdict

CONTRACTS: dict[str, type[BaseModel] | TypeAdapter[Any]] = {
    "build": BuildReport,
    "digest": Digest,
    "evaluation": Evaluation,
    "event": EVENT,
    "profile": Profile,
    "replay": Replay,
    "run": RunStory,
    "run-notice": RunNotice,
    "runs": RunList,
    "task": Task,
    "task-summary": TaskSummary,
    "verdict": Verdict,
}


def schema_text(name: str) -> str:
    """The JSON schema of one contract, as it stands in schemas/NAME.json."""
    model = CONTRACTS[name]
    schema = (
        model.json_schema(mode="serialization")
        if isinstance(model, TypeAdapter)
        else model.model_json_schema(mode="serialization" if name != "task" else "validation")
    )
    return json.dumps(schema, indent=2, sort_keys=True) + "\n"
