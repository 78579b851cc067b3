"""Which line of one version of a source file is which line of another."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from difflib import SequenceMatcher
from pathlib import PurePath


def match_files(before: Collection[str], after: Collection[str]) -> Mapping[str, str]:
    """File of the one version -> file of the other: by path, by base name, or the only one left."""
    pairs = {path: path for path in before if path in after}
    for one in sorted(set(before) - pairs.keys()):
        same = [p for p in _left(after, pairs) if PurePath(p).name == PurePath(one).name]
        if len(same) == 1:
            pairs[one] = same[0]
    left, right = set(before) - pairs.keys(), _left(after, pairs)
    if len(left) == len(right) == 1:
        pairs[left.pop()] = right.pop()
    return pairs


def _left(after: Collection[str], pairs: Mapping[str, str]) -> set[str]:
    return set(after) - set(pairs.values())


def match_lines(before: Sequence[str], after: Sequence[str]) -> Mapping[int, int]:
    """Line number (from 1) of the one text -> that of the same line in the other.

    Indentation and empty lines do not count. What keeps its order is matched first, then a line
    that stands elsewhere, if either text has it once among those that are left.
    """
    ones, others = _lines(before), _lines(after)
    matcher = SequenceMatcher(None, [t for _, t in ones], [t for _, t in others])
    pairs = {
        ones[block.a + at][0]: others[block.b + at][0]
        for block in matcher.get_matching_blocks()
        for at in range(block.size)
    }
    taken = set(pairs.values())
    left = _once([(number, text) for number, text in ones if number not in pairs])
    right = _once([(number, text) for number, text in others if number not in taken])
    return pairs | {left[text]: right[text] for text in left.keys() & right.keys()}


def _lines(text: Sequence[str]) -> list[tuple[int, str]]:
    folded = ((number, " ".join(line.split())) for number, line in enumerate(text, 1))
    return [(number, line) for number, line in folded if line]


def _once(lines: Sequence[tuple[int, str]]) -> dict[str, int]:
    count = Counter(text for _, text in lines)
    return {text: number for number, text in lines if count[text] == 1}
