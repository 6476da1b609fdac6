"""The client in a program with asyncio: what is cancelled or closed leaves nothing half done."""

import asyncio
import threading

import pytest

from city_unit import host


class Slow(host.Client):
    """A client whose polls last until the test opens the gate, and tell their number."""

    def __init__(self) -> None:
        self.gate = threading.Event()
        self.waiting = threading.Event()
        self.polls = 0
        self.at_once = 0
        self.is_closed = False

    def poll(self, timeout: float = 0.0) -> list[host.News]:
        if self.is_closed:
            return []
        self.at_once += 1
        assert self.at_once == 1, "two threads drive one client"
        self.waiting.set()
        self.gate.wait(10)
        self.at_once -= 1
        self.polls += 1
        return [host.Disconnected(str(self.polls))]

    @property
    def closed(self) -> bool:
        return self.is_closed

    def close(self) -> None:
        assert self.at_once == 0, "closed in the middle of a poll"
        self.is_closed = True


def test_news_that_came_while_its_reader_was_cancelled_is_told_to_the_next():
    async def play() -> list[host.News]:
        client = Slow()
        unit = host.AsyncClient(client)
        reader = asyncio.ensure_future(unit.__anext__())
        await asyncio.to_thread(client.waiting.wait)
        reader.cancel()
        next_reader = asyncio.ensure_future(unit.__anext__())
        await asyncio.sleep(0)
        client.gate.set()
        with pytest.raises(asyncio.CancelledError):
            await reader
        return [await next_reader]

    assert asyncio.run(play()) == [host.Disconnected("1")]


def test_closing_waits_for_who_is_at_work_and_ends_the_reading():
    async def play() -> list[host.News]:
        client = Slow()
        unit = host.AsyncClient(client)

        async def read() -> list[host.News]:
            return [news async for news in unit]

        reader = asyncio.ensure_future(read())
        await asyncio.to_thread(client.waiting.wait)
        closing = asyncio.ensure_future(unit.close())
        await asyncio.sleep(0)
        client.gate.set()
        await closing
        return await reader

    assert asyncio.run(play()) == [host.Disconnected("1")]


def test_commands_in_virtual_time():
    async def play() -> list[host.News]:
        unit = host.AsyncClient(host.Memory(seed=7).client)
        assert isinstance(await unit.__anext__(), host.Connected)
        assert await unit.send("start 5000") == ""
        with pytest.raises(host.Refused, match="auction"):
            await unit.send("start")
        await unit.close()
        with pytest.raises(host.NoAnswer, match="closed"):
            await unit.send("stop")
        return [news async for news in unit]

    told = asyncio.run(play())  # what was told together with the greeting
    assert told == [host.Event(0, 0, "switched-on", {"program": "city"})]
