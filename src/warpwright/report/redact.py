"""Take private facts out of a report, byte for byte in place.

Host names, addresses, user paths and the environment are overwritten with as many other bytes, so
that every length in the file, every metric and every line table stays what it was and NVIDIA's own
tools still open the result. Names that are asked for besides (a user may be called `gpu`) are
taken out only of what can hold a name: the command line, paths, and comments in sources.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from warpwright.model.redaction import PrivateKind
from warpwright.report import masks
from warpwright.report.container import damaged
from warpwright.report.masker import Masker
from warpwright.report.private_texts import PrivateTexts, private_texts
from warpwright.report.redact_plan import Leaf, report_leaves
from warpwright.report.wire import WireError

_NAME = "the report"


@dataclass(frozen=True, slots=True)
class Redacted:
    """A report without private facts: how many places were masked, and how many still hold one."""

    data: bytes
    found: Mapping[PrivateKind, int]
    left: Mapping[PrivateKind, int]


def redact_report(data: bytes, *, also: Iterable[str] = ()) -> bytes:
    """The bytes of `redact`, for what needs no summary.

    Raises:
        BadReport: not a whole report.
    """
    return redact(data, also=also).data


def redact(
    data: bytes, *, also: Iterable[str] = (), everywhere: Iterable[str] = (), name: str = _NAME
) -> Redacted:
    """The same report without host, addresses, users, folders, process and environment.

    Args:
        data: the bytes of an uncompressed report.
        also: further private texts: folders (they begin with `/`), and names of users and hosts.
            Names are overwritten, as whole words, in the command line, in paths of sources and
            in their comments; never in names of metrics and functions, nor in code.
        everywhere: texts to overwrite, as whole words, wherever they stand but in metrics,
            sections, facts of devices, and machine code.
        name: what errors call the report.

    Raises:
        BadReport: not a whole report.
    """
    try:
        leaves = report_leaves(data, name)
        private = private_texts(data, leaves, also, everywhere)
        masker = Masker(private)
        out = _masked(data, leaves, masker)
        again = Masker(private)
        _masked(out, report_leaves(out, name), again)
    except WireError as error:
        raise damaged(name, error, len(data)) from None
    return Redacted(out, +masker.counts, +(again.counts + _standing(out, leaves, private)))


def _masked(data: bytes, leaves: Iterable[Leaf], masker: Masker) -> bytes:
    out = bytearray(data)
    for style, first, last in leaves:
        out[first:last] = masker(style, data[first:last])
    return bytes(out)


def _standing(data: bytes, leaves: list[Leaf], private: PrivateTexts) -> Counter[PrivateKind]:
    """Private texts that stand anywhere in the file.

    Names of users and hosts may be words of a metric: they count only in the texts besides.
    """
    whole: dict[PrivateKind, set[bytes]] = {
        "also": set(private.everywhere),
        "path": {folder for folder in private.folders if folder.count(b"/") > 1},
        "address": private.addresses,
        "environment": private.values,
    }
    left: Counter[PrivateKind] = Counter()
    for kind, texts in whole.items():
        left[kind] = _count(data, texts)
    for kind, texts in (("host", private.hosts), ("user", private.users)):
        if texts:
            left[kind] = sum(_count(data[first:last], texts) for _, first, last in leaves)
    return left


def _count(data: bytes, texts: Iterable[bytes]) -> int:
    words = masks.whole_words(text for text in texts if masks.masked(text) != text)
    return sum(1 for _ in words.finditer(data)) if words else 0
