"""The client library: how a desktop program talks to a unit. It does not run on a board.

from city_unit import host

with host.connect("auto") as unit:
    unit.send("tap auction")
    for news in unit:
        print(news)

A program with its own loop calls `unit.poll()` once per frame instead, which never blocks, and
`unit.ask("tap auction")`, which does not wait for the answer. `unit.on` registers callbacks. An
asyncio program uses `async with host.open_async("auto") as unit`. Every error is a `LinkError`
whose message is one line for people. Only one thread may use a client at a time.
"""

from typing import TYPE_CHECKING, Any

from city_unit.facts import AUCTIONING, BUTTONS, LAMPS, OUTPUTS
from city_unit.host.client import Client, begin, connect, greet, host_ms
from city_unit.host.core import Core
from city_unit.host.memory import Memory
from city_unit.host.news import (
    About,
    Connected,
    Disconnected,
    Dropped,
    Edge,
    Event,
    EventKind,
    Fields,
    Missed,
    News,
    Restarted,
    Snapshot,
)
from city_unit.host.ports import Found, announce, find, name_pty
from city_unit.host.requests import (
    Busy,
    Describing,
    Description,
    LinkError,
    Mark,
    NoAnswer,
    NoNews,
    NoUnit,
    Refused,
    Request,
)

if TYPE_CHECKING:
    from city_unit.host.asynchronous import AsyncClient, open_async

__all__ = [
    "AUCTIONING",
    "BUTTONS",
    "LAMPS",
    "OUTPUTS",
    "About",
    "AsyncClient",
    "Busy",
    "Client",
    "Connected",
    "Core",
    "Describing",
    "Description",
    "Disconnected",
    "Dropped",
    "Edge",
    "Event",
    "EventKind",
    "Fields",
    "Found",
    "LinkError",
    "Mark",
    "Memory",
    "Missed",
    "News",
    "NoAnswer",
    "NoNews",
    "NoUnit",
    "Refused",
    "Request",
    "Restarted",
    "Snapshot",
    "announce",
    "begin",
    "connect",
    "find",
    "greet",
    "host_ms",
    "name_pty",
    "open_async",
]


def __getattr__(name: str) -> Any:
    """Import the asynchronous client on first use, since asyncio delays the start of a program."""
    if name not in ("AsyncClient", "open_async"):
        raise AttributeError(name)
    from city_unit.host import asynchronous

    return getattr(asynchronous, name)
