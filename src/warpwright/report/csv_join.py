"""Bring together what several pages say of the same launches."""

from __future__ import annotations

from collections import defaultdict, deque
from collections.abc import Iterable
from dataclasses import dataclass, field

from warpwright.model.report import Workload
from warpwright.report.csv_part import Part, function_name
from warpwright.report.csv_text import Page

Pages = dict[Page, Part]

WORKLOADS: dict[str, Workload] = {"range": "range", "graph": "graph"}


@dataclass(slots=True)
class Joined:
    """The pages of each launch, and the source pages that belong to none of them."""

    launches: list[Pages] = field(default_factory=list)
    left: list[Part] = field(default_factory=list)


def joined(parts: Iterable[Part]) -> Joined:
    """Join the parts of each launch, in the order in which launches first come.

    A part joins the first launch with its process, ID and kernel that lacks its page. A source
    page has no IDs and joins the first of its kernel that lacks one. It begins no launch if it
    holds no numbers, or if ranges were measured: kernels within a range are not told apart.
    """
    found = Joined()
    by_key: defaultdict[tuple[str, str, str], list[Pages]] = defaultdict(list)
    waiting: defaultdict[tuple[bool, str], deque[Pages]] = defaultdict(deque)  # for the other page
    ranges = False
    for part in parts:
        source, function = part.page == "source", function_name(part.kernel)
        lacking = [] if source else [p for p in by_key[part.key] if part.page not in p]
        others = waiting[not source, function]
        ranges = ranges or part.kernel in WORKLOADS
        if lacking:
            lacking[0][part.page] = part
        elif others:
            pages = others.popleft()
            pages[part.page] = part
            by_key[part.key].append(pages)
        elif source and (ranges or not part.metrics or _is_known(part, found)):
            found.left.append(part)
        else:
            pages = {part.page: part}
            found.launches.append(pages)
            waiting[source, function].append(pages)
            by_key[part.key].append(pages)
    return found


def _is_known(part: Part, found: Joined) -> bool:
    """Whether a listing holds no numbers, and the code that it shows is there already."""
    return len(part.metrics) == 1 and any(
        function_name(other.kernel) == function_name(part.kernel)
        for pages in found.launches
        for other in pages.values()
    )
