"""Where to go on from a difference."""

from __future__ import annotations

from collections.abc import Sequence

from warpwright.model.address import Address
from warpwright.model.deeper import Deeper
from warpwright.model.difference import LaunchPair
from warpwright.operations.deeper import deeper
from warpwright.operations.diff_options import DiffOptions


def deeper_than(pairs: Sequence[LaunchPair], options: DiffOptions) -> tuple[Deeper, ...]:
    """The next pair; of the first one its costliest cause, all its metrics, its hot lines."""
    first = pairs[0]
    here, again = (first.before.address, first.after.address), options.again
    steps = []
    if len(pairs) > 1 and not options.numbers_only:
        second = pairs[1]
        steps.append(
            deeper("the next pair", "diff", second.before.address, second.after.address, *again)
        )
    causes = first.causes.rows if first.causes else ()
    costliest = max(causes, key=lambda cause: cause.after_expected or 0.0, default=None)
    if costliest is not None and costliest.after_address:
        steps.append(deeper("what costs most now", "show", costliest.after_address))
    if not options.numbers_only:
        steps.append(deeper("every metric that moved", "diff", *here, "--raw", *again))
    if first.lines is not None:
        steps.append(deeper("where time goes now", "source", here[1]))
    return tuple(steps or [deeper("causes, lines and opcodes", "diff", *here, *again)])


def by_address(before: Address, after: Address, options: DiffOptions) -> Deeper:
    """How to compare launches that nothing matches."""
    places = (Address(place.report, place.launch or 0) for place in (before, after))
    what = "two launches that do the same under other names"
    return deeper(what, "diff", *map(str, places), *options.again)
