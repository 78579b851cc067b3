"""Opcodes of two launches, compared."""

from __future__ import annotations

from warpwright.model.difference import Move, OpcodeChange
from warpwright.model.report import Launch

# With modifiers first: a load that becomes wide keeps its opcode.
_OPCODES = ("sass__inst_executed_per_opcode_with_modifier_all", "sass__inst_executed_per_opcode")


def opcode_changes(before: Launch, after: Launch) -> list[OpcodeChange] | None:
    """Opcodes by the difference of executed warp instructions; None if not counted in both."""
    name = next((n for n in _OPCODES if _counted(before, n) and _counted(after, n)), None)
    if name is None:
        return None
    ones, others = (_instances(launch, name) for launch in (before, after))
    changes = [
        OpcodeChange(
            move=move_of(opcode in ones, opcode in others),
            opcode=opcode,
            before=ones.get(opcode),
            after=others.get(opcode),
        )
        for opcode in ones | others
        if ones.get(opcode) != others.get(opcode)
    ]
    return sorted(changes, key=lambda c: (-abs((c.after or 0.0) - (c.before or 0.0)), c.opcode))


def _counted(launch: Launch, name: str) -> bool:
    return name in launch.metrics and bool(launch.metrics[name].instances)


def _instances(launch: Launch, name: str) -> dict[str, float]:
    return {
        str(opcode): float(count)
        for opcode, count in launch.metrics[name].instances.items()
        if not isinstance(count, str)
    }


def move_of(before: bool, after: bool) -> Move:
    """What happened to a thing that is there before, after, or both."""
    if before and after:
        return "moved"
    return "vanished" if before else "appeared"
