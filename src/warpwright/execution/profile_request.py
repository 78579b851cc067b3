"""What `profile_target` is asked and what it answers. No torch here: the host reads this too."""

from __future__ import annotations

from warpwright.model.base import Model
from warpwright.model.candidate import Language


class Request(Model):
    """One call of one candidate. `artifact` is what the build made of it (model/task.py, Entry)."""

    task: str
    language: Language
    artifact: str
    dims: dict[str, int]
    distribution: str


class Outcome(Model):
    """How the call went. `finite` None: it did not come to that; `kind` names an error class."""

    finite: bool | None
    error: str | None = None
    kind: str | None = None
    hint: str | None = None
