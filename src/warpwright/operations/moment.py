"""Times as documents hold them."""

from __future__ import annotations

from datetime import UTC, datetime

_YEAR_10000 = 253_402_300_800


def moment(created_s: int | None) -> str | None:
    """Seconds since 1970 as ISO 8601, UTC; None of what is no such time."""
    if created_s is None or not 0 <= created_s < _YEAR_10000:
        return None
    return datetime.fromtimestamp(created_s, UTC).isoformat().replace("+00:00", "Z")
