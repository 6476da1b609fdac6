"""Waiting for what other processes do, however busy the machine is."""

import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import TypeVar

from city_unit import host

# No measure of anything: only so that what never happens fails at last, and does not hang.
PATIENCE_S = 120

Value = TypeVar("Value")


def until(
    condition: Callable[[], Value], report: Callable[[], object] = lambda: "", times: int = 1
) -> Value:
    """Wait for a condition to be true; return its value, or fail with a message.

    times  how many times PATIENCE_S to wait: a busy machine lets some things happen only seldom
    """
    end = time.monotonic() + times * PATIENCE_S
    while True:
        began = time.monotonic()
        if value := condition():
            return value
        now = time.monotonic()
        assert now < end, f"it did not happen: {report()}"
        # At most half of the time goes into asking: a look at a screen starts programs.
        time.sleep(min(max(0.02, now - began), 0.2))


def meanwhile(client: host.Client, run: Callable[[], Value]) -> Value:
    """Return what `run` returns; poll `client` meanwhile, or its unit would take it for gone."""
    with ThreadPoolExecutor(1) as other:
        running = other.submit(run)
        while not running.done():
            client.poll(0.05)
        return running.result()
