"""The clients, synchronous and asyncio: over a scripted port, with a unit in memory or served."""

import asyncio
import itertools
import logging
import socket
import threading
import time
from typing import get_args

import pytest

from city_unit import host
from city_unit.desktop import catalogue
from city_unit.facts import BUTTONS
from city_unit.host import EventKind, Fields
from city_unit.host.core import Core
from city_unit.host.news import MOST, Reader, Readers
from city_unit.host.offset import Offset
from city_unit.host.ports import HUNG_UP, PortBusy, TcpPort
from city_unit.host.requests import Button, Commands
from city_unit.trace import EVENTS
from city_unit.wire import seal, unseal
from tests.city_unit.served import Served, in_a_loop
from tests.helpers.patience import PATIENCE_S
from tests.helpers.times import LENGTH_MS


class Scripted:
    """A port that delivers its pieces one at a time, then disconnects."""

    def __init__(self, *pieces: bytes) -> None:
        self._pieces = list(pieces)

    def read(self, timeout: float) -> bytes:
        if not self._pieces:
            raise OSError(HUNG_UP)
        return self._pieces.pop(0)

    def write(self, data: bytes) -> int:
        return len(data)

    def close(self) -> None:
        pass


def connect(open_line) -> host.Client:
    """Return a client whose clock stands still, so that nothing times out."""
    return host.Client("the-port", open_line, clock=lambda: 0.0)


def kinds(news):
    return [item.kind if isinstance(item, host.Event) else type(item).__name__ for item in news]


# Opening.


def test_a_busy_unit_is_reported_at_once():
    def refuse(error):
        raise error

    for open_line in (
        lambda: Scripted(b"busy: another program has this unit\n"),
        lambda: Scripted(b"bus", b"y: it plays\r", b"\n"),
        lambda: Scripted(b"AT\r\nbusy: x\nnoise\n", b""),
        lambda: refuse(PortBusy("taken")),
    ):
        with pytest.raises(host.Busy, match="another program has the unit at the-port; if"):
            connect(open_line).wait_online(5.0)
    with pytest.raises(host.NoUnit, match="no unit at the-port: no such port") as none:
        connect(lambda: refuse(OSError("no such port\n"))).wait_online(5.0)
    assert type(none.value) is host.NoUnit and "\n" not in str(none.value)


def test_another_protocol_version_is_reported_at_once():
    class Line(Scripted):
        def write(self, data: bytes) -> int:
            client = unseal(data.splitlines()[0]).split(" ")[2]
            self._pieces = [seal(f"welcome {client} 7.1 2 3.0 board red"), b""]
            return len(data)

    with pytest.raises(host.NoUnit, match="version 2 of the protocol, this program version 1"):
        connect(Line).wait_online(5.0)


WELCOME = "welcome a1b2c3 4711.1 1 0.1.0 test unit"
STATE = "state 4711.1 1000 ready city 3600000 3599000 0 0 0 2 3"


def greeted(welcome=WELCOME, state=STATE) -> Core:
    core = Core("a1b2c3")
    core.opened(0)
    core.receive(0, seal(welcome) + seal(state))
    return core


def test_the_error_of_an_invalid_greeting_names_the_word():
    for right, wrong, why in (
        (" unit", "", "its `welcome` has no NAME"),
        ("4711.1 1", "4711 1", "not of the form BOOT.SESSION: '4711'"),
        (".1 1 0", ".1 x 0", "1 of its `welcome` is not a number"),
    ):
        core = greeted(welcome=WELCOME.replace(right, wrong, 1))
        assert not core.online and why in core.unreadable
    for right, wrong, why in (
        (" 2 3", " 2", "its `state` has no COUNT"),
        ("1000", "1073741824", "NOW of its `state` is not a number below 2^30"),
        ("3599000", "-1", "LEFT of its `state` is not a number"),
    ):
        core = greeted(state=STATE.replace(right, wrong, 1))
        assert not core.online and why in core.unreadable


def test_each_frame_is_logged(caplog):
    with caplog.at_level(logging.DEBUG, "city_unit.host"):
        greeted().receive(1, b"noise\n")
    assert caplog.messages[:2] == ["a1b2c3 > hello 1 a1b2c3", "a1b2c3 < " + WELCOME]
    assert caplog.messages[-1] == "a1b2c3 < no frame: b'noise'"


def test_a_flood_of_input_does_not_block():
    class Flood(Scripted):
        pieces = 0

        def read(self, timeout: float) -> bytes:
            self.pieces += 1
            return b"AT\r\n" * 1000

    line = Flood()
    client = connect(lambda: line)
    for polls in range(1, 4):
        assert client.poll() == []
        assert line.pieces <= 16 * polls


def test_a_client_that_was_connected_waits_while_another_program_has_the_unit(monkeypatch):
    memory = host.Memory()
    ticks = itertools.count(memory.ms, 100)
    tries = []

    def open_line():
        if not memory.is_cut:
            return memory.open_line()
        tries.append(1)
        raise PortBusy("another program has this port open")

    client = host.Client("memory", open_line, clock=lambda: next(ticks))
    monkeypatch.setattr(time, "sleep", lambda _: None)
    client.wait_online(5.0)
    memory.cut()
    client.poll()
    assert not client.online
    with pytest.raises(host.Busy):
        client.wait_online(5.0)
    assert len(tries) > 2


def test_errors_are_translated():
    catalogue.speak("fr")
    said = "l’unité a refusé 'tap lamp'\u202f: bad-word (un mot ou un nombre est incorrect)"
    with pytest.raises(host.Refused) as refused:
        host.Memory().client.send("tap lamp")
    assert (str(refused.value), refused.value.why) == (said, "bad-word")
    with pytest.raises(host.NoUnit, match="n’a pas la forme socket://HÔTE:PORT"):
        host.connect("socket://nowhere")
    with pytest.raises(host.NoUnit, match=r"auto:nobody.: aucune unité trouvée"):
        host.begin("auto:nobody")


# Commands.


def test_each_method_sends_its_command():
    class Saying(Commands[str]):
        def send(self, text: str, timeout: float = 2.0) -> str:
            return text

    said = Saying()
    assert [
        *(said.tap("auction"), said.hold("build", 90), said.press("build"), said.release("build")),
        *(said.start_auction(), said.start_auction(5), said.stop_auction(), said.switch("off")),
        *(said.take_program("world"), said.take_program("timed", 60000), said.restart()),
        *(said.set_volume(3), said.identify(), said.watch(), said.watch(False)),
    ] == [
        *("tap auction", "hold build 90", "press build", "release build"),
        *("start", "start 5", "stop", "switch off"),
        *("program world", "program timed 60000", "restart"),
        *("volume 3", "identify", "watch on", "watch off"),
    ]


def test_the_literal_types_agree_with_the_unit():
    assert get_args(EventKind) == tuple(EVENTS)
    assert get_args(Button) == tuple(BUTTONS)
    assert set(Fields.__annotations__) == {name for names in EVENTS.values() for name in names}


def test_a_request_has_a_result_or_an_error():
    memory = host.Memory(program="world")
    request = memory.client.ask("counters")
    with pytest.raises(LookupError, match="'counters' is not answered yet"):
        request.result()
    memory.advance(10)
    assert request.result().startswith("received=")
    with pytest.raises(host.Refused, match="ready") as refused:
        memory.client.send("stop")
    assert refused.value.why == "ready"
    with pytest.raises(ValueError, match="printable ASCII"):
        memory.client.ask("tap\nauction")


def test_a_second_thread_is_rejected_while_one_is_inside():
    memory = host.Memory(seed=7)
    inside, leave = threading.Event(), threading.Event()

    def stay(_):
        inside.set()
        leave.wait(PATIENCE_S)

    memory.client.on("switched-on", stay)
    thread = threading.Thread(target=memory.client.poll)
    thread.start()
    assert inside.wait(PATIENCE_S)
    for use in (memory.client.poll, memory.client.close, lambda: memory.client.send("stop")):
        with pytest.raises(RuntimeError, match="another thread"):
            use()
    leave.set()
    thread.join()
    assert memory.client.send("start") == ""  # taking turns is allowed


def test_a_closed_client_stays_closed_and_its_requests_fail():
    memory = host.Memory()
    client = memory.client
    client.poll()
    client.close()
    assert not client.online
    memory.ms += 10_000
    assert client.poll() == [host.Disconnected("goodbye")]
    assert (client.poll(), list(client), client.next_due()) == ([], [], None)
    client.close()  # a second call does nothing
    memory = host.Memory()
    memory.cut()
    asked = [memory.client.ask("start"), memory.client.ask("stop")]
    memory.client.close()
    for result in (*(request.result for request in asked), lambda: memory.client.send("start")):
        with pytest.raises(host.NoAnswer, match="closed"):
            result()


# A unit in memory, in virtual time.


def test_an_auction_in_virtual_time():
    memory, start_ms = host.Memory(seed=7), (1 << 30) - 20000
    assert kinds(memory.client.poll()) == ["Connected", "switched-on"]
    memory.advance(start_ms)  # the unit's clock wraps during the auction
    memory.client.send("restart")
    assert memory.client.send("start") == ""
    started = memory.client.now()
    assert kinds(memory.advance_to_news(100)) == ["switched-on", "auction-started"]
    assert (kinds(memory.advance_to_news(100)), memory.ms - start_ms) == ([], 100)
    news = memory.advance(59900)
    assert kinds(news) == ["auction-warning", "auction-ended"]
    assert news[1].ms - started == LENGTH_MS and memory.ms - start_ms == 60000


def test_waiting_lets_virtual_time_pass():
    memory = host.Memory()
    client = memory.client
    client.send("start 5000")
    assert client.wait_for("auction-started", timeout=0).number == 1
    with pytest.raises(host.NoNews, match="no auction-ended, Edge within 2 s"):
        client.wait_for("auction-ended", host.Edge, timeout=2)
    assert memory.ms == 2000
    assert client.wait_for("auction-ended", host.Disconnected, timeout=5).ms == 5000
    memory.cut()
    with pytest.raises(host.NoAnswer, match="may have run it"):
        client.send("start", timeout=3)
    with pytest.raises(host.NoUnit):
        client.wait_online(1)
    assert memory.ms == 9000
    memory.mend()
    client.wait_online(1)
    assert kinds(client.poll()) == ["Disconnected", "Connected"]
    assert memory.unit.state == "ready"  # a command that timed out is never run


def test_an_unplugged_cable_loses_no_event_and_the_unit_may_restart():
    memory = host.Memory()
    memory.client.send("start 5000")
    memory.advance(1000)
    memory.cut()
    assert kinds(memory.advance(6000)) == ["Disconnected"]
    memory.mend()
    assert kinds(memory.advance(1000)) == ["Connected", "auction-ended"]
    anew = ["Disconnected", "Restarted", "Connected", "switched-on"]
    memory.restart_unit()
    with pytest.raises(host.NoAnswer):
        memory.client.send("start")
    assert kinds(memory.advance(1000)) == anew
    memory.restart_unit()  # an idle client notices it too
    assert kinds(memory.advance(10)) == anew


def test_a_client_that_subscribes_again_receives_each_edge():
    memory = host.Memory()
    for _ in range(2):
        memory.client.send("watch on")
        memory.client.send("start 5000")
        edges = []
        for _ in range(60):
            memory.link.note_shown(memory.unit_now * 1000)
            edges += [fresh for fresh in memory.advance(100) if isinstance(fresh, host.Edge)]
        assert [edge.value for edge in edges if edge.what == "auction"] == [1, 0] * 5


# Readers and callbacks: each one receives all news.


def test_callbacks_are_called_in_order_for_their_kinds():
    memory = host.Memory(seed=7)
    calls = []
    memory.client.on("auction-ended", lambda event: calls.append(("ended", event.ms)))
    memory.client.on(host.Connected, lambda news: calls.append(("connected", news.about.name)))
    memory.client.on(host.Event, lambda event: calls.append((event.kind, event.number)))
    memory.client.on("auction-started", lambda _: memory.client.send("state"))  # may send
    memory.client.on("auction-ended", lambda _: memory.client.close())
    memory.client.ask("start 5000")
    polled = memory.advance(6000)
    assert calls == [
        ("connected", "unit"),
        ("switched-on", 0),
        ("auction-started", 1),
        ("ended", 5000),
        ("auction-ended", 2),
    ]
    assert "auction-ended" in kinds(polled) and memory.client.closed
    memory.client.on("switched-on", calls.append)
    memory.client.off("switched-on", calls.append)
    with pytest.raises(ValueError):
        memory.client.off("switched-on", calls.append)


def test_a_failing_callback_loses_no_news_and_no_other_call(monkeypatch):
    memory = host.Memory()
    calls = []
    memory.client.on(host.Event, lambda event: calls.append(event.kind))
    memory.client.on(host.Event, lambda event: 1 / 0)
    memory.client.on(host.Event, lambda event: calls.append(event.number))
    memory.client.ask("start")
    for _ in range(2):
        with pytest.raises(ZeroDivisionError):
            memory.client.poll()
    ticks = itertools.count()
    monkeypatch.setattr(memory.client, "host_ms", lambda: next(ticks))
    assert kinds(memory.client.poll(1)) == ["Connected", "switched-on", "auction-started"]
    assert next(ticks) < 100  # the remaining events are delivered without waiting
    assert calls == ["switched-on", 0, "auction-started", 1]
    assert memory.client.poll() == []


def test_threads_do_not_take_news_from_each_other():
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


def test_an_iterator_receives_news_that_a_wait_inside_it_skipped():
    client = host.Memory().client
    client.start_auction()
    client.stop_auction()
    news = iter(client)
    assert kinds(itertools.islice(news, 2)) == ["Connected", "switched-on"]
    client.wait_for("auction-cancelled", timeout=1)
    assert kinds(itertools.islice(news, 2)) == ["auction-started", "auction-cancelled"]


def test_a_full_queue_drops_news_and_reports_how_much(monkeypatch):
    monkeypatch.setattr("city_unit.host.client.MOST", 10)
    memory = host.Memory()
    for _ in range(100):
        memory.client.start_auction()
        memory.client.stop_auction()
    dropped, *rest = memory.client.poll()
    assert isinstance(dropped, host.Dropped) and dropped.count + len(rest) == 202
    assert len(rest) == 10
    queues, slow, quick = Readers(), Reader(), Reader()
    queues.enter(slow)
    for index in range(MOST + 3):
        queues.put(host.Restarted(index))
        queues.enter(quick)
        while queues.take(quick) is not None:
            pass
    assert queues.take(slow) == host.Dropped(3)
    assert [queues.take(slow).boot for _ in range(MOST)] == list(range(3, MOST + 3))
    assert queues.take(slow) is None and len(queues) == 0


def test_a_deleted_reader_keeps_no_news():
    queues, gone = Readers(), Reader()
    queues.enter(gone)
    queues.put(host.Restarted(0))
    assert len(queues) == 1
    del gone
    queues.put(host.Restarted(1))
    assert len(queues) == 0


def test_intervals_from_before_a_clock_was_set_are_ignored():
    offset = Offset()
    offset.learn(0, 10, 105)
    offset.learn(1000, 1002, 6001)  # 5 s later for the unit, 1 s for the desktop
    assert offset.bounds(1002) == (4999, 5003)


# The asyncio client: a cancelled or closed call leaves nothing half done.


def at_a_unit(talk):
    """Turn a coroutine into a test, with a served unit and a client of it."""

    @in_a_loop
    async def test():
        async with Served() as served, host.open_async(served.port) as unit:
            await talk(served, unit)

    return test


@at_a_unit
async def test_a_session_over_tcp_needs_no_thread_and_survives_a_disconnect(served, unit):
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
    assert served.lines == 2


@at_a_unit
async def test_a_cancelled_call_affects_no_other(served, unit):
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
    assert (await unit.__anext__()).kind == "auction-started"


@at_a_unit
async def test_closing_ends_iterations_and_waits(served, unit):
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
    assert await reader == [host.Connected]


@at_a_unit
async def test_callbacks_are_called_by_the_loop_and_may_be_coroutines(served, unit):
    calls, failed = [], []

    def note(_, context):
        if "City Unit" in context["message"]:  # ignore those of the test server at its end
            failed.append(str(context["exception"]))

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
    assert event.kind == "auction-cancelled"
    assert (calls, failed) == (["auction-started"], ["division by zero", "later"])


@at_a_unit
async def test_each_task_iterator_and_callback_receives_each_event(served, unit):
    happened = ["auction-started", "auction-cancelled", "auction-started", "auction-ended"]
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
    assert waited == [2, 1, 4]
    for each in (called, iterated, here):
        assert [news.kind for news in each if isinstance(news, host.Event)] == happened


@at_a_unit
async def test_a_task_that_only_sends_takes_no_news_from_the_first_reader(served, unit):
    await asyncio.wait_for(asyncio.ensure_future(unit.start_auction()), PATIENCE_S)
    while not len(unit.client.readers) > 1:
        await asyncio.sleep(0)
    assert (await unit.wait_for("auction-started", timeout=PATIENCE_S)).number == 1


@in_a_loop
async def test_a_loop_that_cannot_watch_a_port_polls_it():
    def refuse(*_):
        raise NotImplementedError

    async with Served() as served:
        asyncio.get_running_loop().add_reader = refuse
        unit = host.AsyncClient(host.Client(served.port, lambda: TcpPort(served.port)))
        await unit.wait_online(PATIENCE_S)
        assert await unit.start_auction() == ""
        await unit.close()


@in_a_loop
async def test_a_slow_name_lookup_does_not_block_the_loop(monkeypatch):
    answer, look_up = threading.Event(), socket.getaddrinfo

    def slowly(_, port, *words, **more):
        assert answer.wait(PATIENCE_S)
        return look_up("127.0.0.1", port, *words, **more)

    async with Served() as served:
        monkeypatch.setattr(socket, "getaddrinfo", slowly)
        unit = host.AsyncClient(host.begin(served.port.replace("127.0.0.1", "table")))
        for _ in range(100):
            await asyncio.sleep(0)
        assert not unit.online
        answer.set()
        await unit.wait_online(PATIENCE_S)
        await unit.close()
