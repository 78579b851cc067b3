"""Measurements kept on disk per device: slow baselines, and the copy bandwidth."""

from __future__ import annotations

import contextlib
import hashlib
import json
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True, slots=True)
class StoredMeasurements:
    """A folder of JSON files of numbers, one for every key.

    `identity`: device, its uuid, driver and torch: what makes old numbers comparable.
    """

    folder: Path
    identity: tuple[str | None, ...]

    def get(self, *key: str) -> list[float] | None:
        """The numbers of a key; None where there are none or the file is damaged."""
        try:
            held = json.loads(self._file(key).read_text(encoding="utf-8"))
        except (OSError, ValueError):
            return None
        values = held.get("values") if isinstance(held, dict) else None
        if not values or not all(isinstance(v, int | float) and v > 0 for v in values):
            return None
        return [float(value) for value in values]

    def put(self, values: Sequence[float], *key: str) -> None:
        """Keep numbers; a full or read-only disk is no reason to fail."""
        file = self._file(key)
        content = {"identity": self.identity, "key": key, "values": list(values)}
        with contextlib.suppress(OSError):
            self.folder.mkdir(parents=True, exist_ok=True)
            with tempfile.NamedTemporaryFile(
                "w", dir=self.folder, suffix=".tmp", delete=False, encoding="utf-8"
            ) as partial:
                json.dump(content, partial)
            Path(partial.name).replace(file)

    def _file(self, key: Sequence[str]) -> Path:
        text = json.dumps([self.identity, list(key)])
        return self.folder / f"{hashlib.sha256(text.encode()).hexdigest()[:32]}.json"
