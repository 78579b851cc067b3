"""The markup of rules' messages.

@section:ID:Label@, @url:Label:ADDRESS@, @source:PC:Label@ or, in newer reports,
@source:FILE:LINE:Label@, whose lines count from 0.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Literal

MentionKind = Literal["section", "url", "line", "pc"]

_SECTION = r"section:(?P<section>[^:@]+):(?P<section_label>[^@]*)"
_URL = r"url:(?P<url_label>[^:@]*):(?P<url>[^@]+)"
_LINE = r"source:(?P<line>[^@]+?):(?P<number>\d+):(?P<line_label>[^@]*)"
_PC = r"source:(?P<pc>[^:@]+):(?P<pc_label>[^@]*)"
_MENTION = re.compile(f"@(?:{_SECTION}|{_URL}|{_LINE}|{_PC})@")
_KINDS: tuple[MentionKind, ...] = ("section", "url", "line", "pc")


@dataclass(frozen=True, slots=True)
class RawMention:
    """What a message points at: a section's id, a URL, FILE:LINE from 1, or a PC in hexadecimal."""

    kind: MentionKind
    label: str
    target: str


def plain_text(message: str) -> tuple[str, tuple[RawMention, ...]]:
    """The message with its mentions replaced by their labels, and the mentions in its order.

    The label of a section is followed by its id, which an address needs.
    """
    mentions: list[RawMention] = []

    def replace(found: re.Match[str]) -> str:
        kind = next(kind for kind in _KINDS if found[kind] is not None)
        target = f"{found['line']}:{int(found['number']) + 1}" if kind == "line" else found[kind]
        mention = RawMention(kind, found[f"{kind}_label"], target)
        if mention not in mentions:
            mentions.append(mention)
        if kind == "section" and mention.label != mention.target:
            return f"{mention.label} ({mention.target})"
        return mention.label

    return _MENTION.sub(replace, message), tuple(mentions)
