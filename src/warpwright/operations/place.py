"""What an address names, where a file's own name may hold a `#`."""

from __future__ import annotations

from pathlib import Path

from warpwright.errors import BadInput
from warpwright.model.address import Address, parse_address


def place_of(address: str) -> Address:
    """The address; all of it is the report where a file has that name.

    Raises:
        BadInput: it is empty, or no address.
    """
    if not address:
        raise BadInput("an empty address", hint="name a report: warpwright ncu show REPORT")
    if "#" in address and Path(address).is_file():
        return Address(address)
    return parse_address(address)
