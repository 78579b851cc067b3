"""A metric's meaning, composed from the words of its name."""

from __future__ import annotations

from functools import cache

from warpwright.glossary.words import (
    CAPITALS,
    KINDS,
    NAMES,
    PHRASES,
    PLAIN,
    ROLLUPS,
    STAGES,
    SUBMETRICS,
    UNITS,
)

# Words that tell nothing of what is counted.
_SILENT = frozenset({"", "attribute", "average", "sass"})
_LONGEST = max(phrase.count("_") + 1 for phrase in PHRASES)
_FIRST = frozenset(phrase.partition("_")[0] for phrase in PHRASES)


@cache
def counter_meaning(counter: str) -> str:
    """`lts__t_sectors_op_read` -> `L2, tag stage: sectors (32 bytes), reads`.

    "" for a counter without a name.
    """
    above, _, rest = counter.rpartition("__")
    prefix = above.rpartition("__")[2]
    words = [word for word in rest.split("_") if word not in _SILENT]
    if words[:1] == ["l1tex"]:  # sm__sass_l1tex_t_sectors: of L1/TEX, told apart by instruction
        prefix = words.pop(0)
    where = UNITS[prefix][0] if prefix in UNITS else prefix
    if len(words) > 1 and words[0] in STAGES.get(prefix, {}):
        where = f"{where}, {STAGES[prefix][words.pop(0)]}"
    what = " ".join(words) if prefix in PLAIN else _said(words)
    return f"{where}: {what}" if where else what


@cache
def submetric_meaning(prefix: str, rollup: str, submetric: str) -> str:
    """`("sm", "avg", "per_second")` -> `average of the SMs, per second`; "" of a bare counter."""
    over = UNITS[prefix][1] if prefix in UNITS else "units"
    said = (ROLLUPS[rollup].format(over) if rollup and over else "", _made(submetric))
    return ", ".join(part for part in said if part)


def _made(submetric: str) -> str:
    return SUBMETRICS.get(submetric, submetric.replace("_", " ").replace(".", ", "))


def _said(words: list[str]) -> str:
    """The phrases of some words: parts that follow `per` join, others are set off by commas."""
    said: list[str] = []
    plain: list[str] = []
    at = 0
    while at < len(words):
        phrase, taken = _phrase(words, at)
        if phrase:
            said += [" ".join(plain), phrase] if plain else [phrase]
            plain = []
        else:
            plain.append(_plain(words[at]))
        at += taken or 1
    if plain:
        said.append(" ".join(plain))
    return ", ".join(said).replace(", per,", " per").replace(" per,", " per")


def _phrase(words: list[str], at: int) -> tuple[str, int]:
    """The phrase that begins at a word, and how many words it takes; 0 where none does."""
    for length in range(min(_LONGEST, len(words) - at), 0, -1) if words[at] in _FIRST else ():
        phrase = PHRASES.get("_".join(words[at : at + length]))
        if phrase is not None:
            return phrase, length
    if words[at] in KINDS and at + 1 < len(words):
        named, taken = _phrase(words, at + 1)
        return KINDS[words[at]].format(named or _plain(words[at + 1])), 1 + (taken or 1)
    return (NAMES[words[at]], 1) if words[at] in NAMES else ("", 0)


def _plain(word: str) -> str:
    return word.upper() if word in CAPITALS else word
