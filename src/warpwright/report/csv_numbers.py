"""Numbers as a locale writes them, and units as `--print-units auto` scales them.

Whether a comma ends the whole part or groups its digits is decided once for a file, from the
numbers that can mean only one thing: `3.310.223`, `6,97`, `1,234.50`.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache

from warpwright.model.report import Value

_SPACES = " \u00a0\u202f\u2009'\u2019"  # group digits in some locales, and mean nothing else
_NUMBER = re.compile(rf"[-+]?(\d+([.,{_SPACES}]\d+)*|[.,]\d+)([eE][-+]?\d+)?")
_SPACED = re.compile(rf"\d[{_SPACES}]\d")
_ABSENT = ("", "n/a", "na", "-", "--", "none", "no data")
_MOST_SIGNS = 400  # of a number
_NANS = ("nan", "-nan", "-nan(ind)", "nan(ind)")


@dataclass(frozen=True, slots=True)
class NumberStyle:
    """How a file writes numbers: its decimal sign, and what could not be decided."""

    decimal: str = "."
    cautions: tuple[str, ...] = ()

    def read(self, text: str) -> Value | None:
        """A cell's value: an int, a float, NaN, or the text; None for `n/a` and the like.

        A number that does not fit the style is None too: it would be wrong by powers of ten.
        """
        text = text.strip().removeprefix("(!)").strip()
        if text.isdecimal() and len(text) < _MOST_SIGNS:
            return int(text)
        found = _pattern(self.decimal).fullmatch(text) if len(text) < _MOST_SIGNS else None
        if found is None:
            low = text.lower()
            if low in _NANS:
                return float("nan")
            misfit = len(text) < _MOST_SIGNS and re.search("[.,]", text) and _NUMBER.fullmatch(text)
            return None if low in _ABSENT or misfit else text
        sign, whole, part, exponent = found.groups()
        number = sign + (re.sub(r"\D", "", whole) or "0")
        if part is None and exponent is None:
            return int(number)
        return float(f"{number}.{part or 0}{exponent or ''}")


@cache
def _pattern(decimal: str) -> re.Pattern[str]:
    """A number: its sign, whole part, fraction, exponent."""
    group = "," if decimal == "." else "."
    whole = rf"\d{{1,3}}(?:[{group}{_SPACES}]\d{{3}})+|\d+|(?=[{decimal}]\d)"
    return re.compile(rf"([-+]?)({whole})(?:[{decimal}](\d*))?([eE][-+]?\d+)?")


def number_style(texts: Iterable[str]) -> NumberStyle:
    """The style that the numbers among these texts agree on; C's where nothing tells."""
    distinct = {text.strip() for text in texts}
    numbers = sorted(text for text in distinct if _NUMBER.fullmatch(text))
    spaced = any(_SPACED.search(text) for text in numbers)
    numbers = [text for text in numbers if "." in text or "," in text]
    votes = Counter(_decimal_sign(text, spaced) for text in numbers)
    if numbers and votes[None] == len(numbers):
        caution = (
            f"{len(numbers)} numbers such as {numbers[0]} may be read in two ways, and no other "
            "tells which: a dot was taken as the decimal sign, a comma as grouping digits"
        )
        return NumberStyle(".", (caution,))
    style = NumberStyle("," if votes[","] > votes["."] else ".")
    misfits = [text for text in numbers if style.read(text) is None]
    if not misfits:
        return style
    caution = (
        f"{len(misfits)} numbers such as {misfits[0]} do not fit the decimal sign "
        f"'{style.decimal}' of the others and were left out"
    )
    return NumberStyle(style.decimal, (caution,))


def _decimal_sign(number: str, spaced: bool) -> str | None:
    """The decimal sign that a number proves its file to have; None if it proves none.

    `spaced`: elsewhere in the file a space or apostrophe groups digits, so no sign does.
    """
    digits, _, exponent = number.lstrip("+-").lower().partition("e")
    signs = [sign for sign in digits if sign in ".,"]
    last = signs[-1]
    if len(set(signs)) == 2:
        return last if signs.count(last) == 1 else None
    if len(signs) > 1:
        return "," if last == "." else "."
    whole, _, part = digits.rpartition(last)
    sure = len(part) != 3 or len(whole) > 3 or whole in ("", "0") or exponent or spaced
    return last if sure else None


_TIMES_NS = {"": 1e9, "m": 1e6, "u": 1e3, "n": 1.0, "p": 1e-3}
_TIME = re.compile(r"([munp]?)(s|second)")
_SCALES = {"k": 1e3, "K": 1e3, "M": 1e6, "G": 1e9, "T": 1e12, "P": 1e15}
_SCALED = re.compile(r"([KMGTP]|k(?=byte|sector|inst|request|cycle|warp|thread))([a-z].*)")


def to_base(value: Value | None, unit: str) -> tuple[Value | None, str]:
    """A printed value in the unit that reports hold it in (ns, byte, byte/s, hz ...).

    Base units: times in ns, rates per second, everything else without a prefix. An unknown unit
    is left as it is.
    """
    above, slash, below = unit.strip().partition("/")
    scale, name = _scale(above)
    divisor, below = _scale(below)
    if below == "ns":
        scale, divisor, below = scale * (1e9 / divisor), 1.0, "s"
    scale *= divisor  # ncu shortens 2485 %/byte to 2.485 %/Kbyte
    base = "hz" if (name, below) == ("cycle", "s") else name + slash + below
    if scale == 1 or value is None or isinstance(value, str):
        return value, base
    scaled = value * scale
    return round(scaled, 6) if scale > 1 else scaled, base


def _scale(word: str) -> tuple[float, str]:
    if time := _TIME.fullmatch(word):
        return _TIMES_NS[time[1]], "ns"
    if found := _SCALED.fullmatch(word):
        return _SCALES[found[1]], found[2]
    return 1.0, word
