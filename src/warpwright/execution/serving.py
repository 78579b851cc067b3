"""The life of a child process: answer the controller's requests until it is gone."""

from __future__ import annotations

import ctypes
import os
import signal
import sys
from collections.abc import Callable, Mapping
from typing import Any

from warpwright.errors import WarpwrightError
from warpwright.execution.channel import Channel, Message

Handler = Callable[..., Message]

_PR_SET_PDEATHSIG = 1


def die_with(controller: int) -> None:
    """Ask the kernel to kill this process when process `controller`, its parent, dies (Linux)."""
    ctypes.CDLL(None).prctl(_PR_SET_PDEATHSIG, signal.SIGKILL)
    if os.getppid() != controller:  # it died before the kernel was asked
        sys.exit(1)


def serve(
    channel: Channel, greeting: Callable[[], Message], handlers: Mapping[str, Handler]
) -> None:
    """Greet, then answer `{"id", "op", "arguments"}` with `{"id", "result" or "error"}`."""
    channel.send(_answer("hello", greeting, {}))
    while (request := channel.receive()) is not None:
        handler = handlers[request["op"]]
        channel.send(_answer(request["id"], handler, request["arguments"]))


def _answer(request: str, handler: Handler, arguments: Mapping[str, Any]) -> Message:
    try:
        return {"id": request, "result": handler(**arguments)}
    except WarpwrightError as error:
        kind, text, hint = type(error).__name__, str(error), error.hint
    except SystemExit as error:
        kind, text, hint = "SystemExit", f"called sys.exit({error.code!r})", None
    except Exception as error:  # noqa: BLE001  # process boundary: told as one line
        words = " ".join(str(error).split())
        kind, hint = type(error).__name__, None
        text = f"{kind}: {words}" if words else kind
    return {"id": request, "error": {"kind": kind, "text": text[:2000], "hint": hint}}
