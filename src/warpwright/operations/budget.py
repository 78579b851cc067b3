"""The token budget of a digest: a token is ceil(UTF-8 bytes / 4)."""

from __future__ import annotations

from collections.abc import Sequence

from warpwright.errors import UsageError
from warpwright.model.digest import DigestLaunch
from warpwright.model.ledger import DigestWithLedger

BUDGET = 800  # of one launch
_MOST_LAUNCHES = 4  # more launches share the budget of four


def tokens(text: str) -> int:
    """How many tokens a text takes."""
    return -(-len(text.encode()) // 4)


def allowed_tokens(budget: int, launches: int) -> int:
    """What a digest of so many launches may take: the budget for each, of at most four."""
    return budget * min(max(launches, 1), _MOST_LAUNCHES)


def within_budget(digest: DigestWithLedger, budget: int) -> DigestWithLedger:
    """The digest with as much of it as its JSON document may hold.

    Launches are kept by their share of time, each with its first finding, then second findings, and
    so on. A launch that lost findings is `truncated`; `launches_left_out` counts those that are
    gone.

    Raises:
        UsageError: the budget does not even hold what is not of a launch.
    """
    most = allowed_tokens(budget, len(digest.launches))
    order = _order(digest.launches)
    least = _size(_kept(digest, ()))
    if least > most:
        raise UsageError(
            f"--budget {budget} is less than this digest's head takes: {least} tokens",
            hint=f"for example --budget {budget + least}",
        )
    fewest, enough = 0, len(order)
    while fewest < enough:
        middle = (fewest + enough + 1) // 2
        if _size(_kept(digest, order[:middle])) <= most:
            fewest = middle
        else:
            enough = middle - 1
    return _kept(digest, order[:fewest])


def _order(launches: tuple[DigestLaunch, ...]) -> list[tuple[int, int]]:
    """(position of a launch, findings of it), in the order in which they are kept."""
    ranked = sorted(range(len(launches)), key=lambda at: -(launches[at].share_of_time or 0.0))
    depth = max((len(launch.findings) for launch in launches), default=0)
    order = [
        (at, count) for at in ranked for count in (0, 1) if count <= len(launches[at].findings)
    ]
    for count in range(2, depth + 1):
        order += [(at, count) for at in ranked if count <= len(launches[at].findings)]
    return order


def _size(digest: DigestWithLedger) -> int:
    return tokens(digest.model_dump_json(indent=2, by_alias=True))


def _kept(digest: DigestWithLedger, units: Sequence[tuple[int, int]]) -> DigestWithLedger:
    counts: dict[int, int] = {}
    for at, count in units:
        counts[at] = max(count, counts.get(at, 0))
    launches = tuple(
        launch
        if counts[at] == len(launch.findings)
        else launch.model_copy(
            update={"findings": launch.findings[: counts[at]], "truncated": True}
        )
        for at, launch in enumerate(digest.launches)
        if at in counts
    )
    ids = {finding.id for launch in launches for finding in launch.findings}
    return digest.model_copy(
        update={
            "launches": launches,
            "ledger": tuple(score for score in digest.ledger if score.finding in ids),
            "launches_left_out": len(digest.launches) - len(launches),
        }
    )
