"""Each thread, task, iterator and callback of a client receives all news; none is without bound."""

import asyncio
import itertools
import threading

from city_unit import host
from city_unit.host.readers import Reader, Readers
from tests.city_unit.served import PATIENCE_S, Served, played


def kinds(news):
    return [each.kind for each in news if isinstance(each, host.Event)]


def test_each_task_iterator_and_callback_receives_each_event():
    async def play():
        called, iterated = [], []

        async def iterate(unit):
            async for news in unit:
                iterated.append(news)

        async with Served() as served, host.open_async(served.port) as unit:
            unit.on(host.Event, called.append)
            tasks = [
                asyncio.ensure_future(unit.wait_for(kind, timeout=PATIENCE_S))
                for kind in ("auction-cancelled", "auction-started", "auction-ended")
            ]
            reader = asyncio.ensure_future(iterate(unit))
            await unit.start_auction(1000)
            await unit.stop_auction()
            await unit.start_auction(1000)
            served.advance(1000)
            waited = [event.number for event in await asyncio.gather(*tasks)]
            here = [await unit.wait_for(host.Event) for _ in range(4)]
            reader.cancel()
            return waited, kinds(called), kinds(iterated), kinds(here)

    happened = ["auction-started", "auction-cancelled", "auction-started", "auction-ended"]
    assert played(play) == ([2, 1, 4], happened, happened, happened)


def test_a_loop_and_a_wait_inside_it_both_receive_each_event():
    async def play():
        async with Served() as served, host.open_async(served.port) as unit:
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

    assert played(play) == 3


def test_a_task_that_only_sends_takes_no_news_from_the_first_that_reads():
    async def play():
        async with Served() as served, host.open_async(served.port) as unit:
            await asyncio.wait_for(asyncio.ensure_future(unit.start_auction()), PATIENCE_S)
            while not len(unit.client.readers) > 1:
                await asyncio.sleep(0)
            return (await unit.wait_for("auction-started", timeout=PATIENCE_S)).number

    assert played(play) == 1


def test_a_thread_waits_for_what_another_has_taken():
    client = host.Memory().client
    client.poll()
    waited = []
    entered, is_over = threading.Event(), threading.Event()

    def wait():
        client.poll()
        entered.set()
        assert is_over.wait(PATIENCE_S)
        waited.append(client.wait_for("auction-started", timeout=1))

    thread = threading.Thread(target=wait)
    thread.start()
    assert entered.wait(PATIENCE_S)
    client.start_auction()
    assert kinds(client.poll()) == ["auction-started"]
    is_over.set()
    thread.join(PATIENCE_S)
    assert kinds(waited) == ["auction-started"]


def test_an_iterator_receives_what_a_wait_inside_it_has_taken():
    client = host.Memory().client
    client.start_auction()
    client.stop_auction()
    news = iter(client)
    assert kinds(itertools.islice(news, 2)) == ["switched-on"]
    client.wait_for("auction-cancelled", timeout=1)
    assert kinds(itertools.islice(news, 2)) == ["auction-started", "auction-cancelled"]


def test_callbacks_alone_fill_no_queue():
    async def play():
        called = []
        async with Served() as served, host.open_async(served.port) as unit:
            unit.on(host.Event, called.append)
            sizes = set()
            for _ in range(300):
                request = unit.ask("start 1")
                while not request.finished:
                    await asyncio.sleep(0)
                served.advance(1)
                sizes.add(len(unit.client.readers))
            await unit.send("state")
            return len(called), sizes

    assert played(play) == (600, {0})


def test_a_program_that_sends_and_never_reads_has_a_bound(monkeypatch):
    monkeypatch.setattr("city_unit.host.client.MOST", 10)
    memory = host.Memory()
    for _ in range(100):
        memory.client.start_auction()
        memory.client.stop_auction()
    dropped, *rest = memory.client.poll()
    assert isinstance(dropped, host.Dropped) and dropped.count + len(rest) == 202
    assert len(rest) == 10


def test_a_slow_reader_learns_how_much_was_dropped():
    queues, slow, quick = Readers(most=5), Reader(), Reader()
    queues.enter(slow)
    for index in range(8):
        queues.put(host.Restarted(index))
        queues.enter(quick)
        while queues.take(quick) is not None:
            pass
    assert queues.take(slow) == host.Dropped(3)
    assert [queues.take(slow).boot for _ in range(5)] == [3, 4, 5, 6, 7]
    assert queues.take(slow) is None and len(queues) == 0


def test_a_reader_that_is_gone_holds_nothing():
    queues, gone = Readers(), Reader()
    queues.enter(gone)
    queues.put(host.Restarted(0))
    assert len(queues) == 1
    del gone
    queues.put(host.Restarted(1))
    assert len(queues) == 0
