"""What was probably meant by a name that does not exist."""

from __future__ import annotations

from collections.abc import Iterable
from difflib import get_close_matches


def nearest(name: str, known: Iterable[str], otherwise: str) -> str:
    """A hint that lists the names closest to `name`; `otherwise` where none is close."""
    by_folded: dict[str, str] = {}
    for text in known:  # a metric may be meant by its counter, which stands before the first dot
        by_folded.setdefault(text.casefold(), text)
        by_folded.setdefault(text.casefold().partition(".")[0], text)
    folded = name.casefold()
    close = get_close_matches(folded, by_folded, n=3, cutoff=0.6)
    close += sorted((key for key in by_folded if folded in key), key=len)
    meant = list(dict.fromkeys(by_folded[key] for key in close))
    return f"did you mean {', '.join(meant[:3])}?" if meant else otherwise
