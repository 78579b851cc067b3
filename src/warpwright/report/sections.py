"""One section: its header's metrics, and those of its body in the order of its tables.

ProfilerSection: 1 id, 2 name, 3 order, 4 header (2 metrics), 5 bodies (1 items), 6 metrics,
7 description, 9 what it extends, 13 source metrics.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache

from warpwright.model.annotations import Section, SectionMetric
from warpwright.report.wire import WireError, as_bytes, as_int, as_text, fields

# Items of a body that hold metrics, by field number: where their metrics lie in them.
_TABLE, _BAR, _HISTOGRAM, _LINE, _CONTAINER = 1, 2, 3, 4, 5
_DEEPEST = 8  # containers in containers
_METRICS_OF = {_TABLE: 5, _BAR: 5, _HISTOGRAM: 4, _LINE: 4, 7: 3, 113: 3, 150: 3}


@lru_cache(maxsize=64)  # the launches of a report repeat the same few
def section(message: bytes) -> Section:
    """Decode one section. Raises WireError."""
    texts: dict[int, str] = {}
    order = 0
    header: list[SectionMetric] = []
    body: list[SectionMetric] = []
    for number, _, content in fields(message):
        if number in (1, 2, 7, 9):
            texts[number] = as_text(content)
        elif number == 3:
            order = as_int(content)
        elif number == 4:
            header += _metrics(as_bytes(content), 2)
        elif number == 5:
            for part, _, item in fields(as_bytes(content)):
                if part == 1:
                    body += _item(as_bytes(item))
    return Section(
        id=texts.get(1, ""),
        name=texts.get(2, ""),
        order=order,
        description=texts.get(7) or None,
        parent=texts.get(9) or None,
        header=tuple(header),
        body=tuple(dict.fromkeys(body)),
    )


def _item(message: bytes, depth: int = 0) -> Iterator[SectionMetric]:
    if depth > _DEEPEST:
        raise WireError("containers are nested without end", 0)
    for number, _, content in fields(message):
        if number in _METRICS_OF:
            yield from _metrics(as_bytes(content), _METRICS_OF[number])
        elif number == _CONTAINER:
            for part, _, item in fields(as_bytes(content)):
                if part == 1:
                    yield from _item(as_bytes(item), depth + 1)


def _metrics(message: bytes, number: int) -> Iterator[SectionMetric]:
    """The ProfilerSectionMetric messages (1 name, 2 label, 5 unit) of one field."""
    for field, _, content in fields(message):
        if field == number:
            texts = {n: as_text(v) for n, _, v in fields(as_bytes(content)) if n in (1, 2, 5)}
            if 1 in texts:
                yield SectionMetric(texts[1], texts.get(2) or None, texts.get(5) or None)
