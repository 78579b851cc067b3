"""Whether changes took effect: of the finding that is claimed, or of those that vanished."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from warpwright.errors import BadInput
from warpwright.model.address import Address
from warpwright.model.difference import Effect
from warpwright.model.digest import DigestLaunch, Finding
from warpwright.model.report import Launch
from warpwright.operations.disassembly import launch_code
from warpwright.operations.nearest import nearest
from warpwright.operations.place import place_of
from warpwright.query.effects import judge_effect
from warpwright.query.machine_facts import MachineFacts
from warpwright.query.sight_table import SIGHTS

_WORTH = 1.1  # a promise that somebody may have acted on


def claimed_id(claim: str) -> str:
    """The finding's id, of an id or of a finding's address.

    Raises:
        BadInput: it names no finding that this version knows how to check.
    """
    place = place_of(claim) if "#" in claim else Address(claim)
    name = place.name if place.kind == "finding" else claim
    if name is None or name not in SIGHTS:
        raise BadInput(
            f"'{claim}' names no finding",
            hint=nearest(name or claim, SIGHTS, f"one of {', '.join(SIGHTS)}"),
        )
    return name


def effects_of(
    digests: tuple[DigestLaunch, DigestLaunch],
    launches: tuple[Launch, Launch],
    claims: Sequence[str],
) -> tuple[Effect, ...]:
    """One for each claim; without claims, one for each finding of BEFORE that lost its promise.

    That is: which promised something, and promises less than half of it (as factors go) in AFTER.
    """
    ones: Mapping[str, Finding] = {found.id: found for found in digests[0].findings}
    others = {found.id: found.speedup.expected for found in digests[1].findings}
    lost = [
        name
        for name, found in ones.items()
        if found.speedup.expected >= _WORTH and others.get(name, 1.0) < found.speedup.expected**0.5
    ]
    asked = list(dict.fromkeys(map(claimed_id, claims))) or lost
    facts = MachineFacts(launches[0], launch_code), MachineFacts(launches[1], launch_code)
    return tuple(
        _effect(name, ones.get(name), digests[0].address, bool(claims), facts) for name in asked
    )


def _effect(
    name: str,
    found: Finding | None,
    launch: str,
    claimed: bool,
    facts: tuple[MachineFacts, MachineFacts],
) -> Effect:
    judged = judge_effect(name, *facts)
    return Effect(
        id=name,
        title=found.title if found else None,
        before_address=f"{launch}/finding/{name}",
        claimed=claimed,
        verdict=judged.verdict,
        why=judged.why,
        sightings=judged.sightings,
    )
