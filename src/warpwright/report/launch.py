"""One launch out of a ProfileResult message, its metrics decoded when asked for.

ProfileResult's fields: 5 mangled, 6 function, 7 demangled name, 10 grid, 11 block, 13 metrics,
15 the source's id. A metric: 1 name (index into the string table), 2 value, 3 instances
(1 correlation id, 2 value). A value: 1 string, 2 float, 3 double, else an unsigned integer.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from warpwright.model.report import Launch, Metric, NoCode, Value
from warpwright.report.code import CodeSource
from warpwright.report.wire import (
    FIXED32,
    FIXED64,
    WireError,
    as_bytes,
    as_double,
    as_float,
    as_text,
    fields,
)


class LazyMetrics(Mapping[str, Metric]):
    """All metrics of a launch; each is decoded at its first use."""

    def __init__(self, raw: Mapping[str, bytes]) -> None:
        self._raw = raw
        self._decoded: dict[str, Metric] = {}

    def __getitem__(self, name: str) -> Metric:
        metric = self._decoded.get(name)
        if metric is None:
            metric = self._decoded[name] = decode_metric(name, self._raw[name])
        return metric

    def __iter__(self) -> Iterator[str]:
        return iter(self._raw)

    def __len__(self) -> int:
        return len(self._raw)


def decode_metric(name: str, message: bytes) -> Metric:
    """One metric message. A value that is absent becomes None, never zero."""
    value: Value | None = None
    instances: dict[int | str, Value] = {}
    for number, _, content in fields(message):
        if number == 2:
            value = decode_value(as_bytes(content))
        elif number == 3:
            key: Value | None = None
            held: Value | None = None
            for part, _, inner in fields(as_bytes(content)):
                if part == 1:
                    key = decode_value(as_bytes(inner))
                elif part == 2:
                    held = decode_value(as_bytes(inner))
            if held is not None:
                instances[len(instances) if key is None or isinstance(key, float) else key] = held
    return Metric(name, value, instances)


def decode_value(message: bytes) -> Value | None:
    """One value message; None if it holds nothing."""
    for number, wire, content in fields(message):
        if number == 1:
            return as_text(content)
        if wire == FIXED32 and isinstance(content, int):
            return as_float(content)
        if wire == FIXED64 and isinstance(content, int):
            return as_double(content)
        if isinstance(content, int):
            return content
    return None


def _dimensions(message: bytes) -> tuple[int, int, int]:
    found = {n: v for n, _, v in fields(message) if isinstance(v, int)}
    return (found.get(1, 1), found.get(2, 1), found.get(3, 1))


def decode_launch(
    index: int, message: bytes, strings: Sequence[str], code_of: Mapping[int, CodeSource]
) -> Launch:
    """A whole launch, metrics lazily.

    Args:
        index: its position in the report, from 0.
        message: the ProfileResult.
        strings: the report's string table.
        code_of: the report's code sources by id.

    Raises:
        WireError: the message is damaged.
    """
    names = {5: "", 6: "", 7: ""}
    sizes = {10: (1, 1, 1), 11: (1, 1, 1)}
    raw: dict[str, bytes] = {}
    source = 0
    for number, _, content in fields(message):
        if number == 13:
            metric = as_bytes(content)
            raw[_name(metric, strings)] = metric
        elif number in names:
            names[number] = as_text(content)
        elif number in sizes:
            sizes[number] = _dimensions(as_bytes(content))
        elif number == 15:
            ids = [v for n, _, v in fields(as_bytes(content)) if n == 1 and isinstance(v, int)]
            source = ids[0] if ids else 0
    metrics = LazyMetrics(raw)
    return Launch(
        index=index,
        kernel=names[6] or names[7] or names[5],
        demangled=names[7] or names[6],
        mangled=names[5],
        grid=sizes[10],
        block=sizes[11],
        compute_capability=_capability(metrics),
        metrics=metrics,
        code=code_of[source](names[5], metrics) if source in code_of else NoCode(),
    )


def _name(metric: bytes, strings: Sequence[str]) -> str:
    for number, _, content in fields(metric):
        if number == 1 and isinstance(content, int):
            if content >= len(strings):
                raise WireError("a metric's name is missing from the string table")
            return strings[content]
    return strings[0] if strings else ""


def _capability(metrics: Mapping[str, Metric]) -> tuple[int, int] | None:
    parts = []
    for part in ("major", "minor"):
        metric = metrics.get(f"device__attribute_compute_capability_{part}")
        if metric is None or metric.value is None or isinstance(metric.value, str):
            return None
        parts.append(int(metric.value))
    return (parts[0], parts[1])
