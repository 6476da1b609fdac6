"""The doors of an emulated unit, with real sockets in one process, without threads."""

import contextlib
import os
import random
import sys
from argparse import Namespace
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import segno

from city_unit import host
from city_unit.desktop import addresses
from city_unit.desktop.errors import UserError
from city_unit.draws import Draws
from city_unit.facts import SWITCH
from city_unit.host.ports import HUNG_UP, TcpPort, open_port
from city_unit.link import Link
from city_unit.settings import Settings
from city_unit.unit import Unit
from city_unit.wire import seal
from sim.engine import link_server
from sim.engine.doors import CHUNK, Lock, PtyDoor, TcpDoor
from sim.engine.link_server import LinkServer, UnitJournal, make_link
from tests.helpers.lines import Opener
from tests.helpers.needs import needs_posix
from tests.helpers.patience import PATIENCE_S, until

CLOSED = str(HUNG_UP)
RESTARTS = 100


@pytest.fixture(autouse=True)
def runtime(tmp_path, monkeypatch):
    monkeypatch.setenv("CITY_UNIT_RUNTIME", str(tmp_path))
    return tmp_path


HELLO, WELCOME, TAKEN = seal("hello 1 visitor"), b"welcome visitor 4711.", b"busy:"
TURNS = 2000


class House:
    """A unit with two TCP doors, and clients; each turn is a millisecond of the unit."""

    def __init__(self, lock: Lock | None = None, journal: Path | None = None) -> None:
        self.clients: list[host.Client] = []
        self._openers: dict[host.Client, Opener] = {}
        self.now = 0
        self._kept = journal
        self._begin(4711, 0, {"lock": lock} if lock else {})

    def _begin(self, boot: int, port: int, how: dict[str, Any]) -> None:
        self.link = Link(Unit(Settings(), Draws(7).below), boot, "0.1.0 test unit")
        self.door, self.back = (
            TcpDoor("127.0.0.1", where, lambda: self.now / 1000, **how) for where in (port, 0)
        )
        self.journal = UnitJournal(self.link, self._kept) if self._kept else None
        self.server = LinkServer(self.link, [self.door, self.back], "test", self.journal)

    def restart_unit(self) -> None:
        """Restart the unit's program at the same port."""
        self.server.close()
        self._begin(self.link.boot + 1, int(self.door.address.rpartition(":")[2]), {})

    def client(self, address: str = "", **options: Any) -> host.Client:
        address = address or self.door.address
        opener = Opener(address)
        client = host.Client(address, opener, clock=lambda: float(self.now), **options)
        self.clients.append(client)
        self._openers[client] = opener
        return client

    def kill(self, client: host.Client) -> None:
        """End a client without a goodbye, as a kill does."""
        self.clients.remove(client)
        self._openers[client].drop()

    def written(self, client: host.Client) -> bytes:
        """Return everything that a client has written since its line was opened."""
        line = self._openers[client].line
        assert line is not None
        return line.written

    def turn(self, ms: int = 1) -> None:
        self.now += ms
        self.link.step(self.now, SWITCH)
        self.server.wait(0)
        self.server.receive(self.now)
        self.server.note_shown(self.now * 1000)
        self.server.send()
        for client in self.clients:
            client.turn(0.5 if self.now % 50 == 0 and not client.online else 0.0)

    def until(self, met: Callable[[], object]) -> None:
        for _ in range(TURNS):
            if met():
                return
            self.turn()
        raise AssertionError("it never happened")

    def close(self) -> None:
        self.server.close()
        for client in self.clients:
            client.close()

    # Lines that the test itself reads and writes.

    def talk(self, line: TcpPort, data: bytes = HELLO, size: int = CHUNK) -> bytes:
        """Send data in pieces while the clock stands still; return the first response."""
        pieces = [data[place : place + size] for place in range(0, len(data), size)]
        for _ in range(TURNS):
            if pieces and line.write(pieces[0]):
                pieces.pop(0)
            self.turn(0)
            if answer := line.read(0.001):
                return answer
        raise AssertionError("no answer")

    def enter(self, door: TcpDoor | None = None) -> tuple[TcpPort, bytes]:
        """Connect to a door and send a hello; return the line and the first response."""
        line = TcpPort((door or self.door).address)
        return line, self.talk(line)

    def lines(self, count: int) -> list[TcpPort]:
        """Return `count` connected lines to the door."""
        lines = [TcpPort(self.door.address) for _ in range(count)]
        for line in lines:
            line.read(PATIENCE_S)  # waits until it is connected
        return lines

    def responses(self, lines: list[TcpPort]) -> list[bytes]:
        """Return the first data of each line; fail if one has none within a second of the unit."""
        data = [b""] * len(lines)
        for _ in range(90):
            self.turn(10)
            data = [each or line.read(0) for each, line in zip(data, lines, strict=True)]
            if all(data):
                return data
        raise AssertionError(f"{data.count(b'')} of {len(data)} had no response in a second")


@pytest.fixture
def tcp():
    """Return a function that makes a `House`."""
    made = []

    def make(**how):
        made.append(House(**how))
        return made[-1]

    yield make
    for each in made:
        each.close()


@pytest.fixture
def house(tcp):
    return tcp()


def is_closed(line: TcpPort) -> bool:
    with pytest.raises(OSError, match=CLOSED):
        line.read(PATIENCE_S)
    return True


def test_a_second_client_is_rejected_at_each_door_until_the_first_says_goodbye(house):
    (first, welcome), (second, busy) = house.enter(), house.enter()
    assert welcome.startswith(WELCOME) and busy.startswith(TAKEN) and is_closed(second)
    assert house.talk(first, seal("ping 4711.1 1")).startswith(b"pong")
    third, busy = house.enter(house.back)
    assert busy.startswith(TAKEN)
    assert house.talk(first, seal("bye 4711.1")).startswith(b"bye")
    assert house.talk(third).startswith(WELCOME)


def test_a_program_that_was_killed_and_restarted_finds_the_unit_free(house):
    """Its last data are longer than one read of the unit, and the next client already waits."""
    first, _ = house.enter()
    assert first.write(b"x" * (3 * CHUNK)) == 3 * CHUNK
    first.close()
    assert house.enter()[1].startswith(WELCOME)


def test_a_client_without_a_sealed_line_for_five_seconds_gives_way(house):
    first, _ = house.enter()
    house.now = 4999
    assert house.enter()[1].startswith(TAKEN)
    first.write(b"noise\n" * 20)
    house.now = 5000
    assert house.enter()[1].startswith(WELCOME) and is_closed(first)


def test_a_unit_that_cannot_be_announced_works_all_the_same(runtime, tcp, capsys):
    (runtime / "city-unit").write_text("in the way")
    house = tcp()
    warning = str(link_server.NOT_ANNOUNCED).partition("{")[0]
    assert capsys.readouterr().err.count(warning) == 2
    assert house.enter()[1].startswith(WELCOME)


def test_a_web_page_presses_nothing_and_a_typed_command_is_refused(house):
    """Any web page can send this to any port of this computer, sealed lines included."""
    for request in (b"POST / HTTP/1.1", b"GET /?%0Atap%20auction HTTP/1.1", b"OPTIONS * HTTP/1.1"):
        whole = request + b"\r\nHost: x\r\n\r\ntap auction\n" + seal("hello 1 page")
        for size in (CHUNK, 1):
            with pytest.raises(OSError, match=CLOSED):
                house.talk(TcpPort(house.door.address), whole, size)
    assert house.link.unit.events.count == 1  # it was switched on
    typed = TcpPort(house.door.address)
    assert house.talk(typed, b"volume 0\n") == seal("refused - 0 unsealed")
    assert house.link.unit.settings.volume == 2


def test_silent_lines_keep_nobody_out(house):
    """One byte every 4 s counts as silence; silent lines are closed when others wait."""
    drips = house.lines(20)
    for _ in range(3):
        for drip in drips:
            with contextlib.suppress(OSError):
                drip.write(b"x")
        house.turn(0)
        house.now += 4000
    visitor = TcpPort(house.door.address)
    assert house.talk(visitor, size=5).startswith(WELCOME)
    idle = house.lines(3)
    house.turn(0)
    house.turn(6000)
    assert all(is_closed(line) for line in idle[1:])


@pytest.mark.parametrize("reads", [True, False], ids=["reads", "never reads"])
@pytest.mark.parametrize("data", [b"x" * 99, seal("ping 1.1 1")], ids=["noise", "sealed"])
def test_a_flood_leaves_nobody_without_a_response(house, data, reads):
    """A client that never stops sending holds up the door for less than a second."""
    first, _ = house.enter()
    plain = house.turn

    def flooded(ms):
        with contextlib.suppress(OSError):
            first.write(data * 100)
            if reads:
                first.read(0)
        plain(ms)

    house.turn = flooded
    assert all(line.startswith(TAKEN) for line in house.responses(house.lines(5)))


def test_hundreds_at_once_each_receive_the_reason(house):
    """No connection has to be retried by the system, as with a short backlog."""
    first, _ = house.enter()
    files = len(os.listdir("/dev/fd")) if os.name == "posix" else 0
    for _ in range(3):
        others = house.lines(60)
        assert all(line.startswith(TAKEN) for line in house.responses(others))
        for other in others:
            other.close()
    assert house.talk(first, seal("ping 4711.1 1")).startswith(b"pong")
    assert len(house.door.files()) < 100
    assert not files or len(os.listdir("/dev/fd")) < files + 100


def test_a_watcher_too_many_is_rejected(house):
    watchers = house.lines(65)
    for watcher in watchers:
        watcher.write(seal("watch 1 w"))
    assert [data.startswith(TAKEN) for data in house.responses(watchers)].count(True) == 1


def test_neither_end_of_a_pty_that_never_reads_holds_up_the_other(runtime):
    """The unit's loop continues when nothing more can be written, so its timing is unaffected."""
    needs_posix()
    link = make_link(Unit(Settings(), Draws(7).below), "deaf")
    server = LinkServer(link, [PtyDoor(str(runtime / "unit"))], "deaf")
    desktop = open_port(str(runtime / "unit"))
    desktop.write(seal("hello 1 deaf"))
    for ms in range(1, 5000):
        desktop.write(seal(f"ping {link.boot}.1 {ms}"))
        link.step(ms, SWITCH)
        server.receive(ms)
        server.send()
    assert link.unsent  # the line is full
    assert link.unit.command(5000, "start auction", 1000) == ""
    while desktop.write(b"x" * 100):  # a unit that does not read does not hold up the desktop
        pass
    desktop.close()
    server.close()


def test_many_clients_watch_what_one_does_and_cannot_act(tcp):
    here = tcp()
    watchers = [here.client(watch=True, history=True) for _ in range(5)]
    hand = here.client(history=True)
    here.until(lambda: all(client.online for client in here.clients))
    tags = [here.written(client).rpartition(b"ping ")[2].split()[0] for client in here.clients]
    assert len(set(tags)) == 6 and all(tag.startswith(b"4711.") for tag in tags)  # one session each
    requests = [client.ask("watch on") for client in (watchers[0], hand)]
    here.until(lambda: all(request.finished for request in requests))
    hand.ask("start 500")
    news = {client: [] for client in here.clients}

    def has_ended():
        for client in here.clients:
            news[client] += client.poll()
        return here.link.unit.state == "ready" and here.now > 1500

    here.until(has_ended)
    events, edges = {}, {}
    for client, received in news.items():
        events[client] = [each.kind for each in received if isinstance(each, host.Event)]
        edges[client] = [each for each in received if isinstance(each, host.Edge)]
    assert all(
        kinds == ["switched-on", "auction-started", "auction-ended"] for kinds in events.values()
    )
    seen, seen_by_hand = edges[watchers[0]], edges[hand]
    changes = [(edge.what, edge.value, edge.due_ms, edge.late_us) for edge in seen]
    assert changes == [(edge.what, edge.value, edge.due_ms, edge.late_us) for edge in seen_by_hand]
    assert [what for what, *_ in changes].count("auction") == 2
    assert "tone" in {what for what, *_ in changes}
    first = seen[0].number  # the numbers count the edges sent to anybody
    assert [edge.number - first for edge in seen] == list(range(len(seen)))
    assert edges[watchers[1]] == []
    for command in ("tap auction", "switch off", "volume 0", "counters"):
        refused = watchers[0].ask(command)
        here.until(lambda asked=refused: asked.finished)
        assert isinstance(refused.error, host.Refused)
    describing = watchers[0].ask_description()
    here.until(lambda: describing.finished)
    assert describing.result().program == "city"


def test_without_the_secret_nobody_comes_in_unless_anyone_may_watch(tcp):
    for may_watch in (False, True):
        here = tcp(lock=Lock("a-secret", lets_watch=may_watch))
        open_address, _, secret = here.door.address.rpartition("/")
        assert secret == "a-secret"
        right = here.client()
        here.until(lambda client=right: client.online)
        right.close()
        for end in ("", "/a-secret2", "/A-secret"):
            for watch in (False, True):
                wrong = here.client(open_address + end, watch=watch)
                here.until(lambda client=wrong: client.connect_error(False) or client.online)
                assert wrong.online == (watch and may_watch and end == "")
                assert wrong.online or "needs its secret" in str(wrong.connect_error(False))
                wrong.close()
        assert here.link.unit.events.count == 1
        port = TcpPort(open_address)
        with pytest.raises(OSError, match=CLOSED):  # an endless line does not bypass the check
            for _ in range(100):
                here.turn()
                port.write(b"x" * 100)
                port.read(0.0)


def opened_to_others(monkeypatch, **options):
    """Return a server with a door that passes for reachable from other computers."""
    monkeypatch.setattr(addresses, "is_loopback", lambda host: False)
    wanted = {"listen": "127.0.0.1:0", "anyone_may_watch": False, "pty": None, "journal": None}
    link = make_link(Unit(Settings(), Draws(7).below), "unit")
    server = link_server.serve(link, Namespace(name="unit", **wanted | options))
    assert server is not None
    return server


def test_beyond_this_computer_each_start_shows_a_secret_of_its_own_once(monkeypatch, capsys):
    coded = []
    make = segno.make
    monkeypatch.setattr(segno, "make", lambda text: coded.append(text) or make(text))
    opened_to_others(monkeypatch).close()
    assert capsys.readouterr().out.count("\n") == 1  # no QR code without a terminal
    monkeypatch.setattr(sys.stdout, "isatty", lambda: True, raising=False)
    secrets = set()
    for _ in range(3):
        server = opened_to_others(monkeypatch)
        (address,) = server.addresses
        secret = address.rpartition("/")[2]
        shown = capsys.readouterr()
        server.close()
        assert len(secret) >= 16  # of 64 letters each: 96 bits
        assert (shown.out.count(secret), shown.err.count(secret)) == (1, 0)
        assert "other computers can reach the unit" in shown.err
        assert coded.pop() == address
        assert shown.out.count("\n") > 15  # the QR code
        secrets.add(secret)
    assert len(secrets) == 3


@pytest.mark.parametrize("may_watch", [False, True])
def test_anyone_may_watch_only_with_the_option(monkeypatch, may_watch):
    server = opened_to_others(monkeypatch, anyone_may_watch=may_watch)
    (address,) = server.addresses
    with host.Client(address, Opener(address.rpartition("/")[0]), watch=True) as watcher:

        def is_answered():
            server.receive(1)
            server.send()
            watcher.turn(10.0)
            return watcher.online or watcher.connect_error(False) is not None

        until(is_answered)
        assert watcher.online is may_watch
    server.close()


@pytest.mark.parametrize("watch", [False, True], ids=["hand", "watcher"])
def test_a_hundred_restarts_repeat_nothing_and_miss_nothing(tcp, runtime, watch):
    """The program remembers only the position of the last event it received."""
    house = tcp(journal=runtime / "events.log")
    chance = random.Random(8)
    happened, had = [], []
    seen = (house.link.boot, 0)

    def start():
        after = had[-1] if had else None
        client = house.client(after=after, history=True, watch=watch)
        house.until(lambda: client.online)
        return client

    def live(client):
        news = client.poll()
        assert not any(isinstance(each, host.Missed) for each in news)
        had.extend(each.position for each in news if isinstance(each, host.Event))
        return had

    def note():
        boot, first = seen
        happened.extend((boot, number) for number in range(first, house.link.unit.events.count))

    client = start()
    house.until(lambda: live(client))  # now it has a position
    house.kill(client)
    for _ in range(RESTARTS):
        client = start()
        for _ in range(chance.randrange(1, 4)):
            command = chance.choice(("start auction", "stop auction", "restart"))
            house.link.unit.command(house.now, command)
            house.turn()
            if chance.random() < 0.7:
                live(client)
        if chance.random() < 0.3:
            note()
            house.restart_unit()
            seen = (house.link.boot, 0)
            house.turn()
        house.kill(client)
    note()
    client = start()
    house.until(lambda: live(client)[-1] == happened[-1])
    assert had == happened
    assert len(happened) > RESTARTS and len({boot for boot, _ in happened}) > 10


def test_a_client_receives_what_it_missed_of_a_unit_that_died(tcp, runtime):
    house = tcp(journal=runtime / "events.log")
    client, without_history = house.client(history=True), house.client(watch=True)
    house.until(lambda: client.online and without_history.online)
    house.turn()
    client.poll()
    arrived = []
    house.link.unit.command(house.now, "start auction")
    house.journal.note()  # the unit dies before a client receives the event
    house.restart_unit()

    def is_back():
        arrived.extend(client.poll())
        return any(isinstance(news, host.Event) and news.boot == 4712 for news in arrived)

    house.until(is_back)
    kinds = [getattr(news, "kind", type(news).__name__) for news in arrived]
    assert kinds == ["Disconnected", "auction-started", "Restarted", "Connected", "switched-on"]
    house.until(lambda: without_history.about.boot == 4712 and without_history.online)
    assert b"do " not in house.written(without_history)  # it requests no older events


def test_a_journal_that_cannot_be_written_is_one_line(tcp, runtime):
    house = tcp(journal=runtime / "events.log")
    for name in ("", "n" * 17):
        with pytest.raises(UserError, match="1 to 16 letters"):
            make_link(house.link.unit, name)
    assert make_link(house.link.unit, "n" * 16).about.endswith(" " + "n" * 16)
    (runtime / "diary").write_text("dear diary\n")
    for place in (runtime / "diary", runtime / "events.log", runtime):
        with pytest.raises(UserError, match=r"cannot keep the unit's events in .*; name another"):
            UnitJournal(house.link, place)
