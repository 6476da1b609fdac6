"""The client in a program with asyncio: a cancelled or closed call leaves nothing half done."""

import asyncio
import socket
import threading

import pytest

from city_unit import host
from city_unit.host.ports import TcpPort
from tests.city_unit.served import PATIENCE_S, Served, played


def at_a_unit(talk, **options):
    """Return what a talk returns that has a served unit and a client of it."""

    async def play():
        async with Served() as served, host.open_async(served.port, **options) as unit:
            return await talk(served, unit)

    return played(play)


def kinds(news):
    return [each.kind for each in news if isinstance(each, host.Event)]


def test_a_talk_over_tcp_takes_no_thread_and_survives_the_loss_of_its_line():
    async def talk(served, unit):
        threads = threading.active_count()
        assert await unit.start_auction(5000) == ""
        with pytest.raises(host.Refused, match="auction"):
            await unit.start_auction()
        assert (await unit.describe()).program == "city"
        served.advance(6000)
        assert (await unit.wait_for("auction-ended", timeout=PATIENCE_S)).ms == 5000
        assert threading.active_count() == threads
        with pytest.raises(TimeoutError, match="no hour-ended within 0"):
            await unit.wait_for("hour-ended", timeout=0)
        served.drop()
        await unit.wait_for(host.Disconnected)
        await unit.wait_for(host.Connected)
        await unit.tap("auction")
        served.advance(100)
        await unit.wait_for("auction-started")
        return served.lines

    assert at_a_unit(talk) == 2


def test_a_call_that_is_cancelled_leaves_the_news_and_the_line_to_the_others():
    async def talk(served, unit):
        await unit.wait_for(host.Connected)
        reader = asyncio.ensure_future(unit.__anext__())
        command = asyncio.ensure_future(unit.start_auction(1000))
        await asyncio.sleep(0)
        reader.cancel()
        command.cancel()
        answers = await asyncio.gather(*(unit.send("counters") for _ in range(20)))
        assert len(answers) == 20 and all(answer.startswith("received=") for answer in answers)
        with pytest.raises(asyncio.CancelledError):
            await reader
        return (await unit.__anext__()).kind

    assert at_a_unit(talk) == "auction-started"


def test_closing_ends_the_reading_and_what_waits():
    async def talk(served, unit):
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

    assert at_a_unit(talk) == [host.Connected]


def test_callbacks_are_called_by_the_loop_and_may_be_coroutines():
    calls, failed = [], []

    def note(_, context):
        if "City Unit" in context["message"]:  # the server of the test has its own, as it ends
            failed.append(str(context["exception"]))

    async def talk(served, unit):
        asyncio.get_running_loop().set_exception_handler(note)

        async def answer(event):
            calls.append(event.kind)
            await unit.stop_auction()

        async def break_later(_):
            raise ValueError("later")

        unit.on("auction-started", lambda _: 1 / 0)
        unit.on("auction-started", answer)
        unit.on("auction-cancelled", break_later)
        unit.on("auction-started", calls.append)
        unit.off("auction-started", calls.append)
        await unit.start_auction()
        event = await unit.wait_for("auction-cancelled")
        await asyncio.sleep(0)
        return event.kind

    assert at_a_unit(talk) == "auction-cancelled"
    assert (calls, failed) == (["auction-started"], ["division by zero", "later"])


def test_callbacks_alone_fill_no_queue():
    async def talk(served, unit):
        called, sizes = [], set()
        unit.on(host.Event, called.append)
        for _ in range(30):
            request = unit.ask("start 1")
            while not request.finished:
                await asyncio.sleep(0)
            served.advance(1)
            sizes.add(len(unit.client.readers))
        await unit.send("state")
        return len(called), sizes

    assert at_a_unit(talk) == (60, {0})


def test_each_task_iterator_and_callback_receives_each_event():
    async def talk(served, unit):
        called, iterated = [], []

        async def iterate():
            async for news in unit:
                iterated.append(news)

        unit.on(host.Event, called.append)
        tasks = [
            asyncio.ensure_future(unit.wait_for(kind, timeout=PATIENCE_S))
            for kind in ("auction-cancelled", "auction-started", "auction-ended")
        ]
        reader = asyncio.ensure_future(iterate())
        await unit.start_auction(1000)
        await unit.stop_auction()
        await unit.start_auction(1000)
        served.advance(1000)
        waited = [event.number for event in await asyncio.gather(*tasks)]
        here = [await unit.wait_for(host.Event) for _ in range(4)]
        reader.cancel()
        return waited, kinds(called), kinds(iterated), kinds(here)

    happened = ["auction-started", "auction-cancelled", "auction-started", "auction-ended"]
    assert at_a_unit(talk) == ([2, 1, 4], happened, happened, happened)


def test_a_loop_and_a_wait_inside_it_both_receive_each_event():
    async def talk(served, unit):
        await unit.start_auction(1000)
        await unit.stop_auction()
        iterated = []
        async for news in unit:
            iterated.append(news)
            if kinds(iterated) == ["auction-started"]:
                await unit.wait_for("auction-cancelled")
            if kinds(iterated)[1:]:
                break
        await unit.start_auction(1000)  # the loop has passed over the one before
        return (await unit.wait_for("auction-started")).number

    assert at_a_unit(talk) == 3


def test_a_task_that_only_sends_takes_no_news_from_the_first_that_reads():
    async def talk(served, unit):
        await asyncio.wait_for(asyncio.ensure_future(unit.start_auction()), PATIENCE_S)
        while not len(unit.client.readers) > 1:
            await asyncio.sleep(0)
        return (await unit.wait_for("auction-started", timeout=PATIENCE_S)).number

    assert at_a_unit(talk) == 1


def test_a_unit_that_is_not_there_is_told_in_one_line():
    async def play():
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            port = f"socket://127.0.0.1:{free.getsockname()[1]}"
        with pytest.raises(host.NoUnit, match="nobody listens"):
            async with host.open_async(port):
                pass

    played(play)


def test_a_loop_that_cannot_watch_a_line_looks_at_it_now_and_then():
    async def play():
        def refuse(*_):
            raise NotImplementedError

        async with Served() as served:
            asyncio.get_running_loop().add_reader = refuse
            unit = host.AsyncClient(host.Client(served.port, lambda: TcpPort(served.port)))
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
            unit = host.AsyncClient(host.begin(served.port.replace("127.0.0.1", "table")))
            for _ in range(100):
                await asyncio.sleep(0)
            assert not unit.online
            answer.set()
            await unit.wait_online(PATIENCE_S)
            await unit.close()

    played(play)
