"""The clock that a game lives by: it goes on while the computer sleeps, on every system."""

import sys
import time
from collections.abc import Callable
from typing import Any


def clock(platform: str = sys.platform, source: Any = time) -> Callable[[], float]:
    """Return a clock in seconds that nobody sets and that no sleep of the computer stops.

    Python's own `monotonic` stands still in a sleep on Linux and macOS, and goes on under
    Windows; so each system is asked for the clock that goes on.
    """
    name = {"linux": "CLOCK_BOOTTIME", "darwin": "CLOCK_MONOTONIC"}.get(platform, "")
    number = getattr(source, name, None) if name else None
    if number is None:
        return source.monotonic
    return lambda: source.clock_gettime(number)
