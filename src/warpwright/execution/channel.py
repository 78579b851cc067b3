"""Messages between the controller and its processes: length-prefixed JSON on a private socket.

Standard library only: the host uses it too. Never pickle: one side may be hostile.
"""

from __future__ import annotations

import json
import os
import socket
import struct
from typing import Any

Message = dict[str, Any]

MAX_BYTES = 4 << 20
_HEADER = struct.Struct("!I")


class ProtocolError(Exception):
    """The other side sent something that is no message."""


def pack(message: Message) -> bytes:
    """One message as bytes. NaN and infinity are refused (ValueError): JSON has none."""
    body = json.dumps(message, allow_nan=False).encode()
    return _HEADER.pack(len(body)) + body


class Frames:
    """Collects received bytes and gives back whole messages."""

    def __init__(self) -> None:
        self._buffer = bytearray()

    def feed(self, data: bytes) -> None:
        """Add received bytes."""
        self._buffer += data

    def next(self) -> Message | None:
        """The next whole message, or None until more bytes come.

        Raises:
            ProtocolError: too long, no JSON, or no object.
        """
        if len(self._buffer) < _HEADER.size:
            return None
        (length,) = _HEADER.unpack_from(self._buffer)
        if length > MAX_BYTES:
            raise ProtocolError(f"a message of {length} bytes")
        end = _HEADER.size + length
        if len(self._buffer) < end:
            return None
        body = bytes(self._buffer[_HEADER.size : end])
        del self._buffer[:end]
        try:
            message = json.loads(body)
        except (ValueError, RecursionError) as error:
            raise ProtocolError("a message that is no JSON") from error
        if not isinstance(message, dict):
            raise ProtocolError("a message that is no object")
        return message


class Channel:
    """The end of a child process: blocking."""

    def __init__(self, descriptor: int) -> None:
        os.set_inheritable(descriptor, False)
        self._socket = socket.socket(fileno=descriptor)
        self._frames = Frames()

    def send(self, message: Message) -> None:
        """Send one message."""
        self._socket.sendall(pack(message))

    def receive(self) -> Message | None:
        """Wait for one message; None when the controller is gone."""
        while (message := self._frames.next()) is None:
            data = self._socket.recv(1 << 16)
            if not data:
                return None
            self._frames.feed(data)
        return message
