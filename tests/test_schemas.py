"""The generated schemas are those of the models."""

import json
from pathlib import Path

import pytest

from warpwright.model.schemas import CONTRACTS, schema_text


@pytest.mark.parametrize("name", CONTRACTS)
def test_schema_is_current(root: Path, name: str):
    written = (root / "schemas" / f"{name}.json").read_text()
    assert written == schema_text(name), "run: python tools/write_schemas.py"
    json.loads(written)


def test_no_schema_without_a_model(root: Path):
    assert {path.stem for path in (root / "schemas").glob("*.json")} == set(CONTRACTS)
