"""The client in a program with asyncio: a cancelled or closed call leaves nothing half done."""

import asyncio
import socket
import threading

import pytest

from city_unit import host
from city_unit.host.lines.ports import TcpPort
from tests.city_unit.served import PATIENCE_S, Served, played


def test_a_talk_over_tcp_takes_no_thread():
    async def play():
        async with Served() as served, host.open_async(served.port) as unit:
            threads = threading.active_count()
            assert await unit.start_auction(5000) == ""
            with pytest.raises(host.Refused, match="auction"):
                await unit.start_auction()
            assert (await unit.describe()).program == "city"
            served.advance(6000)
            ended = await unit.wait_for("auction-ended", timeout=PATIENCE_S)
            assert threading.active_count() == threads
            return ended.ms

    assert played(play) == 5000


def test_the_line_is_lost_and_found_again():
    async def play():
        async with Served() as served, host.open_async(served.port) as unit:
            await unit.wait_for(host.Connected)
            served.drop()
            await unit.wait_for(host.Disconnected)
            await unit.wait_for(host.Connected)
            await unit.tap("auction")
            served.advance(100)
            await unit.wait_for("auction-started")
            return served.lines

    assert played(play) == 2


def test_news_that_came_while_its_reader_was_cancelled_is_told_to_the_next():
    async def play():
        async with Served() as served, host.open_async(served.port) as unit:
            await unit.wait_for(host.Connected)
            reader = asyncio.ensure_future(unit.__anext__())
            await asyncio.sleep(0)
            reader.cancel()
            await unit.start_auction(1000)
            with pytest.raises(asyncio.CancelledError):
                await reader
            return (await unit.__anext__()).kind

    assert played(play) == "auction-started"


def test_a_command_that_is_cancelled_leaves_the_line_to_the_others():
    async def play():
        async with Served() as served, host.open_async(served.port) as unit:
            command = asyncio.ensure_future(unit.start_auction(1000))
            await asyncio.sleep(0)
            command.cancel()
            answers = await asyncio.gather(*(unit.send("counters") for _ in range(20)))
            assert len(answers) == 20 and all(answer.startswith("received=") for answer in answers)

    played(play)


def test_closing_ends_the_reading_and_what_waits():
    async def play():
        async with Served() as served, host.open_async(served.port) as unit:

            async def read():
                return [type(news) async for news in unit]

            reader = asyncio.ensure_future(read())
            waiting = asyncio.ensure_future(unit.wait_for("hour-ended"))
            await asyncio.sleep(0)
            await unit.close()
            with pytest.raises(host.LinkError, match="closed"):
                await waiting
            with pytest.raises(host.NoAnswer, match="closed"):
                await unit.stop_auction()
            assert unit.closed
            return await reader

    assert played(play) == [host.Connected]


def test_callbacks_are_called_by_the_loop_and_may_be_coroutines():
    async def play():
        failed = []
        loop = asyncio.get_running_loop()

        def note(_, context):
            if "City Unit" in context["message"]:  # the server of the test has its own, as it ends
                failed.append(str(context["exception"]))

        loop.set_exception_handler(note)
        calls = []

        async def answer(event):
            calls.append(event.kind)
            await unit.stop_auction()

        async def break_later(_):
            raise ValueError("later")

        async with Served() as served, host.open_async(served.port) as unit:
            unit.on("auction-started", lambda _: 1 / 0)
            unit.on("auction-started", answer)
            unit.on("auction-cancelled", break_later)
            unit.on("auction-started", calls.append)
            unit.off("auction-started", calls.append)
            await unit.start_auction()
            event = await unit.wait_for("auction-cancelled")
            await asyncio.sleep(0)
            return calls, failed, event.kind

    expected = (["auction-started"], ["division by zero", "later"], "auction-cancelled")
    assert played(play) == expected


def test_nobody_there_is_told_in_one_line():
    async def play():
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            port = f"socket://127.0.0.1:{free.getsockname()[1]}"
        with pytest.raises(host.NoUnit, match="nobody listens"):
            async with host.open_async(port):
                pass

    played(play)


def test_what_is_waited_for_in_vain_is_a_timeout():
    async def play():
        async with Served() as served, host.open_async(served.port) as unit:
            with pytest.raises(TimeoutError, match="no hour-ended within 0"):
                await unit.wait_for("hour-ended", timeout=0)

    played(play)


def test_a_loop_that_cannot_watch_a_line_looks_at_it_now_and_then():
    async def play():
        def refuse(*_):
            raise NotImplementedError

        async with Served() as served:
            loop = asyncio.get_running_loop()
            client = host.Client(served.port, lambda: TcpPort(served.port))
            loop.add_reader = refuse
            unit = host.AsyncClient(client)
            await unit.wait_online(PATIENCE_S)
            assert await unit.start_auction() == ""
            await unit.close()

    played(play)


def test_a_slow_lookup_of_a_name_holds_up_no_loop(monkeypatch):
    answer, look_up = threading.Event(), socket.getaddrinfo

    def slowly(_, port, *words, **more):
        assert answer.wait(PATIENCE_S)
        return look_up("127.0.0.1", port, *words, **more)

    async def play():
        async with Served() as served:
            monkeypatch.setattr(socket, "getaddrinfo", slowly)
            port = served.port.replace("127.0.0.1", "table")
            unit = host.AsyncClient(host.begin(port))
            for _ in range(100):
                await asyncio.sleep(0)
            assert not unit.online
            answer.set()
            await unit.wait_online(PATIENCE_S)
            assert unit.online
            await unit.close()

    played(play)
