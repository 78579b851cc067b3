"""The life of a child process: answer the controller's requests until it is gone."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from warpwright.errors import WarpwrightError
from warpwright.execution.channel import Channel, Message, pack

Handler = Callable[..., Message]


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
        answer = {"id": request, "result": handler(**arguments)}
        pack(answer)  # what is no JSON (an infinity, say) fails here, as the request's fault
        return answer
    except WarpwrightError as error:
        kind, text, hint = type(error).__name__, str(error), error.hint
    except SystemExit as error:
        kind, text, hint = "SystemExit", f"called sys.exit({error.code!r})", None
    except Exception as error:  # noqa: BLE001  # process boundary: told as one line
        words = " ".join(str(error).split())
        kind, hint = type(error).__name__, None
        text = f"{kind}: {words}" if words else kind
    return {"id": request, "error": {"kind": kind, "text": text[:2000], "hint": hint}}
