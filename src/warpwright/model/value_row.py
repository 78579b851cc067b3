"""A metric with its value, as views list it."""

from __future__ import annotations

from warpwright.model.base import Model


class ValueRow(Model):
    """A metric's value. None: the launch has none; "nan": it could not be read."""

    metric: str
    address: str
    label: str
    value: float | int | str | None
    unit: str | None
