"""Waiting for other processes on a busy machine."""

import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import TypeVar

from city_unit import host

# It measures nothing; it only makes a test fail instead of hanging.
PATIENCE_S = 120

Value = TypeVar("Value")


def until(
    condition: Callable[[], Value], report: Callable[[], object] = lambda: "", times: int = 1
) -> Value:
    """Wait until a condition is true; return its value, or fail with a message.

    times  how many times PATIENCE_S to wait, for things that a busy machine makes rare
    """
    end = time.monotonic() + times * PATIENCE_S
    while True:
        began = time.monotonic()
        if value := condition():
            return value
        now = time.monotonic()
        assert now < end, f"it did not happen: {report()}"
        # Spend at most half of the time on the condition, which may start programs.
        time.sleep(min(max(0.02, now - began), 0.2))


def meanwhile(client: host.Client, run: Callable[[], Value]) -> Value:
    """Return what `run` returns; poll `client` meanwhile, so that its unit does not time out."""
    with ThreadPoolExecutor(1) as other:
        running = other.submit(run)
        while not running.done():
            client.poll(0.05)
        return running.result()
