"""A child process of the evaluator: started, asked, and killed with all it started."""

from __future__ import annotations

import contextlib
import os
import secrets
import select
import signal
import socket
import subprocess
from collections.abc import Mapping
from time import monotonic
from typing import Any, Literal

from warpwright.evaluation.killing import children, kill_descendants, kill_group
from warpwright.evaluation.texts import one_line
from warpwright.execution.channel import Frames, Message, ProtocolError, pack
from warpwright.isolated import execution_command

_TAIL_BYTES = 4096
_POLL_S = 0.25
_LEAVE_S = 10.0


class ChildLostError(Exception):
    """The process crashed, left, hung (and was killed) or broke the protocol."""

    def __init__(self, kind: Literal["crash", "hang", "protocol"], text: str) -> None:
        super().__init__(text)
        self.kind = kind


class ChildError(Exception):
    """The process answered that a request failed. `kind`: the exception's name over there.

    All three texts are `one_line`: the process may be hostile.
    """

    def __init__(self, kind: str, text: str, hint: str | None) -> None:
        super().__init__(text)
        self.kind = kind
        self.hint = hint


class Child:
    """One process in a session of its own. Close it, or use it as a context.

    There is no sandbox: it may read and write the files of its user, and as root look into any
    process. Closing it ends all that it has started; should this process be killed first, the
    kernel ends the child, but not what that has started.
    """

    def __init__(self, module: str, memory: int, size: int, environment: Mapping[str, str]) -> None:
        """Start `module` with the shared memory and these environment variables, no others."""
        mine, theirs = socket.socketpair()
        output, writer = os.pipe()
        self._elders = children()
        numbers = (theirs.fileno(), memory, size, os.getpid())
        command = [*execution_command(module), *map(str, numbers)]
        self._process = subprocess.Popen(
            command,
            stdin=subprocess.DEVNULL,
            stdout=writer,
            stderr=writer,
            pass_fds=(theirs.fileno(), memory),
            start_new_session=True,
            env=dict(environment),
        )
        theirs.close()
        os.close(writer)
        os.set_blocking(output, False)
        self._socket, self._output = mine, output
        self._frames = Frames()
        self._tail = b""
        self._listening = True

    def __enter__(self) -> Child:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def request(self, op: str, timeout_s: float, **arguments: Any) -> Message:
        """Ask for one operation and wait for its result.

        Raises:
            ChildError: it answered that the operation failed.
            ChildLostError: it is not there any more.
        """
        request = secrets.token_hex(8)
        with contextlib.suppress(OSError):  # a dead process is told from its exit below
            self._socket.sendall(pack({"id": request, "op": op, "arguments": arguments}))
        return self._result(request, timeout_s)

    def greeting(self, timeout_s: float) -> Message:
        """What it says of its own accord once it has started."""
        return self._result("hello", timeout_s)

    def close(self) -> None:
        """Kill it and everything it started, and reap it. Safe to call twice.

        What this process has started or adopted since counts as started by it.
        """
        if self._output < 0:
            return
        kill_group(self._process.pid)
        self._process.wait()
        kill_descendants(self._elders)
        self._socket.close()
        os.close(self._output)
        self._output = -1

    def _result(self, request: str, timeout_s: float) -> Message:
        answer = self._answer(monotonic() + timeout_s, timeout_s)
        if answer.get("id") != request:
            raise self._broken("answered what it was not asked")
        error, result = answer.get("error"), answer.get("result")
        if isinstance(error, dict):
            hint = error.get("hint")
            raise ChildError(
                one_line(error.get("kind")),
                one_line(error.get("text")),
                None if hint is None else one_line(hint),
            )
        if not isinstance(result, dict):
            raise self._broken("answered neither a result nor an error")
        return result

    def _answer(self, deadline: float, timeout_s: float) -> Message:
        while True:
            try:
                message = self._frames.next()
            except ProtocolError as error:
                raise self._broken(f"sent {error} on the result channel") from None
            if message is not None:
                return message
            left = deadline - monotonic()
            if left <= 0:
                raise ChildLostError(
                    "hang", f"did not answer within {timeout_s:.3g} s and was killed"
                )
            self._read(min(left, _POLL_S))

    def _read(self, wait_s: float) -> None:
        gone = self._process.poll() is not None
        watched: list[socket.socket | int] = [
            self._socket,
            *([self._output] if self._listening else []),
        ]
        ready, _, _ = select.select(watched, [], [], 0 if gone else wait_s)
        if self._output in ready:
            self._drain()
        if self._socket in ready:
            with contextlib.suppress(ConnectionError):
                if data := self._socket.recv(1 << 16):
                    self._frames.feed(data)
                    return
            gone = self._is_going()
        if gone:
            raise ChildLostError("crash", self._epitaph())

    def _is_going(self) -> bool:
        """It closed the channel: give it a moment to leave."""
        try:
            self._process.wait(_LEAVE_S)
        except subprocess.TimeoutExpired:
            raise self._broken("closed the result channel and stayed") from None
        return True

    def _drain(self) -> None:
        with contextlib.suppress(BlockingIOError):
            data = os.read(self._output, 1 << 16)
            self._listening = bool(data)
            self._tail = (self._tail + data)[-_TAIL_BYTES:]

    def _epitaph(self) -> str:
        """How it ended and the last line it printed."""
        code = self._process.returncode
        if self._listening:
            self._drain()
        if code < 0:
            try:
                text = f"was killed by {signal.Signals(-code).name}"
            except ValueError:
                text = f"was killed by signal {-code}"
        else:
            text = f"left with exit code {code} before it had answered"
        lines = [one_line(line, 160) for line in self._tail.decode(errors="replace").splitlines()]
        last = next(filter(None, reversed(lines)), "")
        return f"{text}; it printed: {last}" if last else text

    def _broken(self, text: str) -> ChildLostError:
        return ChildLostError("protocol", text)
