"""Requests of a program to the client: to wait, to go on where it was, to name a fault."""

import itertools
import logging
import threading

import pytest
import serial

from city_unit import host
from city_unit.host.client import Commands
from city_unit.host.core import Core
from city_unit.host.lines import discovery
from city_unit.wire import seal

WELCOME = "welcome a1b2c3 4711.1 1 0.1.0 test unit"
STATE = "state 4711.1 1000 ready city 3600000 3599000 0 0 0 2 3"


def greeted(after=None, welcome=WELCOME, state=STATE) -> Core:
    core = Core("a1b2c3", after=after)
    core.opened(0)
    core.receive(0, seal(welcome) + seal(state))
    return core


def test_waiting_takes_the_first_and_leaves_what_follows():
    memory = host.Memory(seed=7)
    unit = memory.client
    unit.start_auction(5000)
    memory.link.step(5000, 4)
    memory.link.step(5001, 4)
    assert unit.wait_for("auction-started", timeout=0).number == 1
    assert unit.wait_for("auction-ended", host.Disconnected, timeout=0).ms == 5000
    with pytest.raises(host.NoNews, match="no auction-ended, Edge within 0 s"):
        unit.wait_for("auction-ended", host.Edge, timeout=0)


def test_each_helper_says_its_command():
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


def test_a_second_thread_is_refused_while_one_is_inside():
    memory = host.Memory(seed=7)
    inside, leave = threading.Event(), threading.Event()

    def stay(_):
        inside.set()
        leave.wait(30)

    memory.client.on("switched-on", stay)
    thread = threading.Thread(target=memory.client.poll)
    thread.start()
    assert inside.wait(30)
    for use in (memory.client.poll, memory.client.close, lambda: memory.client.send("stop")):
        with pytest.raises(RuntimeError, match="another thread"):
            use()
    leave.set()
    thread.join()
    assert memory.client.send("start") == ""  # taking turns is no harm


def test_a_client_goes_on_behind_the_last_event_it_has_had():
    core = greeted(after=(4711, 1))
    assert b"since 4711.1 2*" in core.unsent
    core.receive(1, seal("event 4711.1 2 900 hour-ended"))
    event = core.news[-1]
    assert isinstance(event, host.Event) and event.position == (4711, 2)
    assert [type(news) for news in core.news] == [host.Connected, host.Event]


def test_a_unit_that_was_started_anew_since_is_told_from_its_beginning():
    core = greeted(after=(4700, 17))
    assert b"do 4711.1 1 journal 4700 18*" in core.unsent
    core.receive(2, seal("refused 4711.1 1 unknown"))  # as a board says
    assert b"since 4711.1 0*" in core.unsent
    assert [type(news) for news in core.news] == [host.Restarted, host.Connected]


def test_a_position_beyond_all_events_waits_for_the_next():
    core = greeted(after=(4711, 99))
    assert b"since 4711.1 3*" in core.unsent


def test_a_hundred_restarts_tell_nothing_twice_and_miss_nothing():
    memory = host.Memory(seed=7)
    numbers, position = [], None
    for restart in range(100):
        client = host.Client(
            "memory",
            memory.open_line,
            clock=lambda: memory.ms,
            after=position,
            history=True,
        )
        while not client.online:
            client.turn(0.0)
        for _ in range(restart % 4):
            client.send("start")
            client.send("stop")
        news = client.poll()
        assert not any(isinstance(each, host.Missed | host.Restarted) for each in news)
        events = [each for each in news if isinstance(each, host.Event)]
        numbers += [event.number for event in events]
        position = events[-1].position if events else position
        client.close()
    assert numbers == list(range(memory.unit.events.count))


@pytest.mark.parametrize(
    ("welcome", "state", "why"),
    [
        ("welcome a1b2c3 4711.1 1 0.1.0 test", STATE, "its `welcome` has no NAME"),
        ("welcome a1b2c3 4711 1 0.1.0 test unit", STATE, "not of the form BOOT.SESSION: '4711'"),
        ("welcome a1b2c3 4711.1 x 0.1.0 test unit", STATE, "1 of its `welcome` is no number"),
        (WELCOME, STATE[:-2], "its `state` has no COUNT"),
        (
            WELCOME,
            STATE.replace("1000", "1073741824"),
            "NOW of its `state` is no number below 2^30",
        ),
        (WELCOME, STATE.replace("3599000", "-1"), "LEFT of its `state` is no number"),
    ],
)
def test_a_greeting_that_cannot_be_read_says_which_word_is_wrong(welcome, state, why):
    core = greeted(welcome=welcome, state=state)
    assert not core.online and why in core.unreadable


def test_each_frame_is_logged(caplog):
    with caplog.at_level(logging.DEBUG, "city_unit.host"):
        greeted().receive(1, b"noise\n")
    assert caplog.messages == [
        "a1b2c3 > hello 1 a1b2c3",
        "a1b2c3 < " + WELCOME,
        "a1b2c3 < " + STATE,
        "a1b2c3 > since 4711.1 3",
        *("a1b2c3 > ping 4711.1 1",),
        "a1b2c3 < no frame: b'noise'",
    ]


@pytest.mark.parametrize(("dtr", "rts"), [(True, True), (False, False), (True, False)])
def test_the_two_lines_of_a_serial_port_stand_as_asked_before_it_is_open(monkeypatch, dtr, rts):
    """An ESP32 behind a USB adapter is reset by them: they may not change once it is open."""
    opened = []

    class Serial:
        is_open = False

        def __init__(self, port, *_, **__):
            assert port is None  # else it is opened at once

        def open(self):
            opened.append((self.port, self.dtr, self.rts))
            raise serial.SerialException("enough is seen")

    monkeypatch.setattr(serial, "Serial", Serial)
    client = host.begin("/dev/ttyX", dtr=dtr, rts=rts)
    client.poll()
    assert opened == [("/dev/ttyX", dtr, rts)]


def test_auto_takes_the_port_that_answers(monkeypatch):
    found = [discovery.Found(f"/dev/tty{letter}", "", "ch340") for letter in "ABC"]
    monkeypatch.setattr(discovery, "find", lambda: list(found))

    def greet(port):
        if port != "/dev/ttyB":
            raise host.NoUnit("nothing")

    assert discovery.choose("", greet) == "/dev/ttyB"

    def nobody(port):
        raise host.NoUnit("nothing")

    with pytest.raises(
        host.NoUnit, match=r"do not answer as a unit: /dev/ttyA \(serial adapter CH340"
    ):
        discovery.choose("", nobody)

    def busy(port):
        raise host.Busy("taken")

    with pytest.raises(host.NoUnit, match="there are 3 units"):
        discovery.choose("", busy)


# News by callbacks: each is called from within `poll`, in order, for its kinds of news.


def test_events_by_their_kind_and_news_by_their_class():
    memory = host.Memory(seed=7)
    calls = []
    memory.client.on("auction-ended", lambda event: calls.append(("ended", event.ms)))
    memory.client.on("auction-started", lambda event: calls.append(("started", event.ms)))
    memory.client.on(host.Connected, lambda news: calls.append(("connected", news.about.name)))
    memory.client.on(host.Event, lambda event: calls.append((event.kind, event.number)))
    memory.client.ask("start 5000")
    polled = memory.advance(6000)
    assert calls == [
        ("connected", "unit"),
        ("switched-on", 0),
        ("started", 0),
        ("auction-started", 1),
        ("ended", 5000),
        ("auction-ended", 2),
    ]
    assert [news.kind for news in polled if isinstance(news, host.Event)][-1] == "auction-ended"
    memory.client.on("switched-on", calls.append)
    memory.client.off("switched-on", calls.append)  # taken back
    with pytest.raises(ValueError):
        memory.client.off("switched-on", calls.append)


def test_a_callback_that_fails_loses_no_news_and_no_other_call():
    memory = host.Memory()
    calls = []
    memory.client.on(host.Event, lambda event: calls.append(event.kind))
    memory.client.on(host.Event, lambda event: 1 / 0)
    memory.client.on(host.Event, lambda event: calls.append(event.number))
    memory.client.ask("start")
    for _ in range(2):
        with pytest.raises(ZeroDivisionError):
            memory.client.poll()
    polled = memory.client.poll()
    assert [news.number for news in polled if isinstance(news, host.Event)] == [0, 1]
    assert isinstance(polled[0], host.Connected)
    assert calls == ["switched-on", 0, "auction-started", 1]
    assert memory.client.poll() == []


def test_what_a_failed_callback_has_left_is_told_without_waiting(monkeypatch):
    client = host.Memory().client
    ticks = itertools.count()
    monkeypatch.setattr(client, "host_ms", lambda: next(ticks))
    client.on("switched-on", lambda event: 1 / 0)
    with pytest.raises(ZeroDivisionError):
        client.poll()
    assert [type(news) for news in client.poll(timeout=1)] == [host.Connected, host.Event]
    assert next(ticks) < 100


def test_a_callback_may_talk_to_the_unit():
    memory = host.Memory()
    memory.client.on("switched-on", lambda _: memory.client.send("start 1000"))
    memory.client.on("auction-ended", lambda _: memory.client.close())
    kinds = [news.kind for news in memory.advance(2000) if isinstance(news, host.Event)]
    assert kinds == ["switched-on", "auction-started", "auction-ended"]
    assert memory.client.closed


# A client that is stopped stays stopped.


def test_a_closed_client_does_not_open_its_port_again():
    memory = host.Memory()
    client = memory.client
    client.poll()
    client.close()
    assert not client.online
    memory.ms += 10_000
    assert client.poll() == [host.Disconnected("goodbye")]
    assert client.poll() == []
    assert not client.online
    assert client.next_due() is None
    assert list(client) == []
    client.close()  # a second time does nothing


def test_what_was_asked_of_a_client_that_is_closed_is_given_up():
    memory = host.Memory()
    memory.cut()
    asked = [memory.client.ask("start"), memory.client.ask("stop")]
    memory.client.close()
    for request in asked:
        assert isinstance(request.error, host.NoAnswer)
        with pytest.raises(host.NoAnswer, match="closed"):
            request.result()
    with pytest.raises(host.NoAnswer, match="closed"):
        memory.client.send("start")


def test_a_request_tells_its_result():
    memory = host.Memory()
    request = memory.client.ask("counters")
    with pytest.raises(LookupError, match="'counters' is not answered yet"):
        request.result()
    memory.advance(10)
    assert request.result().startswith("received=")
