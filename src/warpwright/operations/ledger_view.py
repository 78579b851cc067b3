"""The verb `advice ledger`: the whole ledger, summed up by finding."""

from __future__ import annotations

import shlex
from collections.abc import Iterable, Sequence

from warpwright.config import ledger_path
from warpwright.errors import BadInput
from warpwright.model.deeper import Deeper
from warpwright.model.ledger import LedgerEntry, LedgerView
from warpwright.operations.nearest import nearest
from warpwright.operations.scores import finding_scores
from warpwright.runs.ledger import Ledger, read_ledger


def show_ledger(device: str | None, finding: str | None, limit: int) -> LedgerView:
    """Sum up the ledger and list its latest entries.

    Args:
        device: which device `here` means, by its name or a part of it, and whose entries are
            listed; None: the latest entry's, and entries of all devices.
        finding: only this finding's.
        limit: entries to list, at least 1.

    Raises:
        BadInput: the ledger knows no such device, or several.
        OSError: the ledger is there and cannot be read.
    """
    ledger = read_ledger(ledger_path())
    devices = tuple(dict.fromkeys(entry.device for entry in reversed(ledger.entries)))
    here = _device(devices, device)
    asked = [entry for entry in ledger.entries if finding in (None, entry.finding)]
    listed = [entry for entry in reversed(asked) if device is None or entry.device == here]
    options = [
        *(("--device", device) if device else ()),
        *(("--finding", finding) if finding else ()),
    ]
    return LedgerView(
        device=here,
        devices=devices,
        total=len(listed),
        findings=finding_scores(asked, here),
        entries=tuple(listed[:limit]),
        caution=_caution(ledger),
        deeper=tuple(_deeper(listed, limit, options)),
    )


def _device(known: Sequence[str], asked: str | None) -> str | None:
    if asked is None or not known:
        return known[0] if known else asked
    folded = asked.casefold()
    alike = [name for name in known if name.casefold() == folded]
    alike = alike or [name for name in known if folded in name.casefold()]
    if len(alike) == 1:
        return alike[0]
    names = ", ".join(alike or known)
    if alike:
        raise BadInput(f"'{asked}' may be several devices", hint=f"say which: {names}")
    hint = nearest(asked, known, f"it knows {names}")
    raise BadInput(f"the ledger has no entry of a device '{asked}'", hint=hint)


def _caution(ledger: Ledger) -> str | None:
    if not ledger.damaged:
        return None
    first, rest = ledger.damaged[0], len(ledger.damaged) - 1
    more = f" and {rest} more" if rest else ""
    return f"line {first}{more} of {ledger_path().name} cannot be understood and was passed over"


def _deeper(listed: Sequence[LedgerEntry], limit: int, asked: Sequence[str]) -> Iterable[Deeper]:
    if not listed:
        return
    if len(listed) > limit:
        yield _this("every entry", *asked, "--limit", str(len(listed)))
    if "--finding" not in asked:
        yield _this("one finding", *asked, "--finding", listed[0].finding)
    if listed[0].run:
        story = f"warpwright run show {shlex.quote(listed[0].run)}"
        yield Deeper(what="the latest entry's story, in its project", command=story)


def _this(what: str, *words: str) -> Deeper:
    return Deeper(what=what, command=shlex.join(("warpwright", "advice", "ledger", *words)))
