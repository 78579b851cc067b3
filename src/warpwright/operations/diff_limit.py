"""What holds the launch after a change back."""

from __future__ import annotations

from warpwright.model.difference import NextLimit
from warpwright.model.digest import DigestLaunch
from warpwright.model.report import Launch
from warpwright.operations.times import resource_shares


def next_limit(digest: DigestLaunch, launch: Launch) -> NextLimit | None:
    """Its first finding and its busiest resource; None where neither is known."""
    busy = resource_shares(launch)
    busiest = max(busy, key=lambda name: busy[name], default=None)
    first = next(iter(digest.findings), None)
    if first is None and busiest is None:
        return None
    return NextLimit(
        finding=first.address if first else None,
        title=first.title if first else None,
        expected=first.speedup.expected if first else None,
        resource=busiest,
        busy_share=busy[busiest] if busiest else None,
    )
