"""The `warpwright` command."""

from __future__ import annotations

import gc
import os
import signal
import sys

_OBJECTS = 100_000  # between two looks for circles of garbage: commands are short, reports large


def main() -> None:
    """Run the command line and exit with its code."""
    gc.set_threshold(_OBJECTS, 20, 20)
    os.environ.setdefault("PYDANTIC_DISABLE_PLUGINS", "__all__")  # looking for some takes 20 ms
    signal.signal(signal.SIGTERM, _end)
    try:
        from warpwright.cli.app import run

        sys.exit(run(sys.argv[1:]))
    except KeyboardInterrupt:  # before `run` could take care of it
        sys.stderr.write("error: interrupted\n")
        sys.exit(130)


def _end(number: int, _: object) -> None:
    """Leave by way of everything that tidies up."""
    sys.exit(128 + number)


if __name__ == "__main__":
    main()
