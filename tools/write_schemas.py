"""Write schemas/*.json from the models. `tests/test_schemas.py` holds them to it."""

from pathlib import Path

from warpwright.model.schemas import CONTRACTS, schema_text

FOLDER = Path(__file__).resolve().parent.parent / "schemas"


def main() -> None:
    """Write every schema and remove those that no model has any more."""
    FOLDER.mkdir(exist_ok=True)
    for stale in FOLDER.glob("*.json"):
        if stale.stem not in CONTRACTS:
            stale.unlink()
    for name in CONTRACTS:
        (FOLDER / f"{name}.json").write_text(schema_text(name))


if __name__ == "__main__":
    main()
