"""Commands that go on from a place of a report."""

from __future__ import annotations

import shlex

from warpwright.model.deeper import Deeper


def deeper(what: str, verb: str, *words: str) -> Deeper:
    """`warpwright ncu VERB WORDS...`, quoted so that a shell takes it as it is."""
    return Deeper(what=what, command=shlex.join(("warpwright", "ncu", verb, *map(named, words))))


def named(word: str) -> str:
    """An address as a later command can give it: what was read from stdin is called REPORT."""
    return f"REPORT{word[1:]}" if word == "-" or word.startswith("-#") else word
