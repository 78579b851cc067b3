"""The metrics of a launch, decoded when asked for.

A metric message: 1 name (index into the string table), 2 value, 3 instances (1 correlation id,
2 value). A value: 1 string, 2 float, 3 double, 4 and 5 unsigned integers.
"""

from __future__ import annotations

import struct
from collections.abc import Iterator, Mapping, Sequence

from warpwright.errors import BadReport
from warpwright.model.report import Metric, Value
from warpwright.report.wire import (
    BYTES,
    FIXED32,
    FIXED64,
    VARINT,
    Span,
    WireError,
    double_at,
    float_at,
    places,
    varint,
)

# Tags (field number << 3 | wire type) of what ncu writes; anything else goes the long way.
_NAME, _VALUE, _INSTANCE = 0x08, 0x12, 0x1A
_ID, _HELD = 0x0A, 0x12
_DOUBLE, _UINT32, _UINT64 = 0x19, 0x20, 0x28

_SHORT = 256  # bytes of a metric that may be the same in many launches
_MOST_KEPT = 1 << 18  # instances of a launch that stay decoded
_MOST_BYTES = 6 << 20  # of a metric; the largest known has 0.3 MB
_DOUBLE_AT = struct.Struct("<d").unpack_from


Repeated = dict[str, tuple[bytes, Metric]]


class LazyMetrics(Mapping[str, Metric]):
    """All metrics of a launch by name; each is decoded at its first use.

    Args:
        data: the report.
        spans: where each metric's message lies, by name.
        repeated: short metrics as another launch had them: most stay the same, and need no
            decoding then.
        owner: what errors call the launch.
    """

    def __init__(
        self, data: bytes, spans: Mapping[str, Span], repeated: Repeated, owner: str
    ) -> None:
        self._data = data
        self._spans = spans
        self._repeated = repeated
        self._owner = owner
        self._decoded: dict[str, Metric] = {}
        self._kept = 0
        self._ids: dict[bytes, Value | None] = {}

    def __getitem__(self, name: str) -> Metric:
        """A metric.

        Raises:
            KeyError: the launch has no such metric.
            BadReport: its bytes are damaged.
        """
        metric = self._decoded.get(name)
        if metric is None:
            start, end = self._spans[name]
            packed = self._data[start:end] if end - start < _SHORT else None
            before = self._repeated.get(name)
            if before is not None and before[0] == packed:
                metric = before[1]
            else:
                metric = self._decode(name, start, end)
                if packed is not None:
                    self._repeated[name] = packed, metric
            self._decoded[name] = metric
        return metric

    def _decode(self, name: str, start: int, end: int) -> Metric:
        try:
            metric = decode_metric(name, self._data, start, end, self._ids)
        except WireError as error:
            raise BadReport(
                f"{self._owner}: metric {name!r} is damaged at byte {error.at}: {error}",
                hint="copy the file again, or profile that kernel again",
            ) from None
        if metric.instances:
            self._make_room(len(metric.instances))
        return metric

    def _make_room(self, instances: int) -> None:
        """Let what was decoded go if it has become too much."""
        self._kept += instances
        if self._kept > _MOST_KEPT:
            self._decoded.clear()
            self._ids.clear()
            self._kept = instances

    def __contains__(self, name: object) -> bool:
        return name in self._spans

    def __iter__(self) -> Iterator[str]:
        return iter(self._spans)

    def __len__(self) -> int:
        return len(self._spans)


def decode_value(message: bytes) -> Value | None:
    """One value message; None if it holds nothing. Raises WireError."""
    return _value(message, 0, len(message))


def metric_spans(
    data: bytes, position: int, end: int, strings: Sequence[str], into: dict[str, Span]
) -> int:
    """Find the metrics that stand one behind the other, in fields of one number.

    Args:
        data: the report.
        position: the first of these fields.
        end: where their message ends.
        strings: the report's string table.
        into: by name, where each metric's message lies; the last of a name counts.

    Returns:
        Where another field begins, or the message ends.

    Raises:
        WireError: one runs past the end, or has no name in the string table.
    """
    tag = data[position]
    try:
        while position < end and data[position] == tag:
            size, first = data[position + 1], position + 2
            if size > 127:
                size, first = varint(data, position + 1, end)
            if first + size > end:
                raise WireError("a metric is longer than its launch", position)
            position = first + size
            name, first = data[first + 1], first + 2
            if name > 127 or data[first - 2] != _NAME:
                name, first = _name_id(data, first - 2, position)
            into[strings[name]] = (first, position)
    except IndexError:
        raise WireError("a metric without a name in the string table", position) from None
    return position


def _name_id(data: bytes, start: int, end: int) -> tuple[int, int]:
    """The number of a metric's name, and where the rest of its message begins."""
    if data[start] == _NAME:
        return varint(data, start + 1, end)
    found = (n for field, wire, n, _ in places(data, start, end) if field == 1 and wire == VARINT)
    return next(found, 0), start


def decode_metric(
    name: str, data: bytes, start: int, end: int, ids: dict[bytes, Value | None]
) -> Metric:
    """The metric in data[start:end]. A value that is absent becomes None, never zero.

    `ids` holds correlation ids that were decoded before, by their bytes: metrics share them.

    Raises:
        WireError: the message is damaged.
    """
    value: Value | None = None
    instances: dict[Value, Value] = {}
    has_ids, position = True, 0
    if end - start > _MOST_BYTES:
        raise WireError("a metric longer than any is", start)
    known = ids.get
    while start < end:
        tag = data[start]
        if tag not in (_VALUE, _INSTANCE):
            start = next(places(data, start, end))[3]
            continue
        size, first = data[start + 1], start + 2
        if size > 127:
            size, first = varint(data, start + 1, end)
        start = first + size
        if start > end:
            raise WireError("a value is longer than its metric", first)
        if tag == _VALUE:
            value = _value(data, first, start)
            continue
        id_end, held = _pair(data, first, start)
        packed = data[first + 2 : id_end]
        key = known(packed)
        if key is None and packed:
            key = ids[packed] = _value(data, first + 2, id_end)
        if key is None:
            has_ids, key = False, position
            position += 1
        content: Value | None
        if start - held == 9 and data[held] == _DOUBLE:
            content = _DOUBLE_AT(data, held + 1)[0]
        else:
            content = _value(data, held, start)
        if content is not None:
            instances[key] = content
    return Metric(name, value, instances, has_ids)


def _pair(data: bytes, first: int, end: int) -> tuple[int, int]:
    """Of an instance: where its id ends (which begins two bytes in), where its value begins.

    Raises:
        WireError: it is no short id and a value, in this order; either may be missing.
    """
    id_end = first + 2
    try:
        if data[first] == _ID:
            id_end = first = id_end + data[first + 1]
        if first == end:
            return id_end, end
        if data[first] == _HELD:
            size = data[first + 1]
            held = first + 2
            if size > 127:
                size, held = varint(data, first + 1, end)
            if held + size == end:
                return id_end, held
    except IndexError:
        pass
    raise WireError("an instance is no pair of an id and a value", first)


def _value(data: bytes, start: int, end: int) -> Value | None:
    """One value message; None if it holds nothing."""
    if start < end:
        tag = data[start]
        if tag == _UINT64 and end - start == 2 and data[start + 1] < 128:
            return data[start + 1]
        if tag == _DOUBLE and end - start == 9:
            return _DOUBLE_AT(data, start + 1)[0]  # type: ignore[no-any-return]
        if tag in (_UINT64, _UINT32):
            number, last = varint(data, start + 1, end)
            if last == end:
                return number
    for number, wire, first, last in places(data, start, end):
        if number == 1 and wire == BYTES:
            return data[first:last].decode("utf-8", "replace")
        if wire == FIXED32:
            return float_at(data, first)
        if wire == FIXED64:
            return double_at(data, first)
        if wire == VARINT:
            return first
    return None
