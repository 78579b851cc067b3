"""Find a section of a launch by the name that a user gives it."""

from __future__ import annotations

from warpwright.errors import BadInput
from warpwright.model.annotations import Section
from warpwright.model.report import Launch
from warpwright.operations.nearest import nearest


def find_section(launch: Launch, report: str, name: str) -> Section:
    """The section of that id, or else of that display name; case does not matter.

    Raises:
        BadInput: the launch has no such section.
    """
    sections = launch.annotations.sections
    folded = name.casefold()
    for key in ("id", "name"):
        for section in sections:
            if str(getattr(section, key)).casefold() == folded:
                return section
    ids = [section.id for section in sections]
    raise BadInput(
        f"{report}#L{launch.index} has no section {name}",
        hint=nearest(name, ids, f"its sections: {', '.join(ids) or 'none'}"),
    )


def metrics_of(section: Section) -> tuple[str, ...]:
    """The names of a section's metrics, each once: those of its header first."""
    return tuple(dict.fromkeys(row.name for row in (*section.header, *section.body)))
