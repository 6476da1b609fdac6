"""The doors of an emulated unit, with real sockets, in one program: no thread, no process."""

import contextlib
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
from city_unit.host.core import Core
from city_unit.host.lines.ports import TcpPort, open_port
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

CLOSED = "closed at the other end"
RESTARTS = 100


@pytest.fixture(autouse=True)
def runtime(tmp_path, monkeypatch):
    monkeypatch.setenv("CITY_UNIT_RUNTIME", str(tmp_path))
    return tmp_path


class TwoDoors:
    """A unit with two doors, whose clock stands where it is put."""

    def __init__(self) -> None:
        self.seconds = 0.0
        self.door = TcpDoor("127.0.0.1", 0, lambda: self.seconds)
        self.link = make_link(Unit(Settings(), Draws(7).below), "house")
        self.back = TcpDoor("127.0.0.1", 0, lambda: self.seconds)
        self.server = LinkServer(self.link, [self.door, self.back], "house")

    def serve(self) -> None:
        self.server.wait(0)
        self.server.receive(int(self.seconds * 1000))
        self.server.send()

    def heard_by(self, said: bytes, size: int = CHUNK) -> bytes:
        """Say this at the door in pieces; return the first answer."""
        line = TcpPort(self.door.address)
        pieces = [said[place : place + size] for place in range(0, len(said), size)]
        for _ in range(1000):
            if pieces and line.write(pieces[0]):
                pieces.pop(0)
            self.serve()
            if answer := line.read(0.001):
                return answer
        raise AssertionError("no answer")

    def lines(self, count: int) -> list[TcpPort]:
        """Return `count` lines to the door, all of them up."""
        lines = [TcpPort(self.door.address) for _ in range(count)]
        for line in lines:
            line.read(PATIENCE_S)  # which is when it comes up
        return lines

    def told(self, lines: list[TcpPort]) -> list[bytes]:
        """Return what each line reads first, while the unit lives for less than a second."""
        said = [b""] * len(lines)
        for _ in range(90):
            self.seconds += 0.01
            self.serve()
            said = [each or line.read(0) for each, line in zip(said, lines, strict=True)]
            if all(said):
                return said
        raise AssertionError(f"{said.count(b'')} of {len(said)} had no answer in a second")

    def enter(self, door: TcpDoor | None = None) -> "Visitor":
        """Return a desktop that has come to a door and has an answer."""
        visitor = Visitor(self, door or self.door)
        visitor.talk()
        return visitor


class Visitor:
    """A desktop at one of the doors."""

    def __init__(self, house: TwoDoors, door: TcpDoor) -> None:
        self._house = house
        self.line = TcpPort(door.address)
        self.core = Core("visitor")
        self.core.opened(0)

    def talk(self) -> None:
        """Send all that waits, until an answer comes."""
        for _ in range(1000):
            self.core.sent(self.line.write(self.core.unsent) if self.core.unsent else 0)
            self._house.serve()
            if data := self.line.read(0.01):
                self.core.receive(0, data)
                return
        raise AssertionError("no answer")


@pytest.fixture
def house():
    made = TwoDoors()
    yield made
    made.server.close()


def test_a_second_client_is_turned_away_at_each_door_until_the_first_says_goodbye(house):
    first, second = house.enter(), house.enter()
    assert second.core.taken and not second.core.online
    with pytest.raises(OSError, match=CLOSED):
        second.line.read(PATIENCE_S)
    first.talk()
    assert first.core.online and not first.core.taken
    third = house.enter(house.back)
    assert third.core.taken
    first.core.say_goodbye()
    first.talk()
    third.core.step(1000)
    third.talk()
    assert third.core.online


def test_a_program_that_was_killed_and_started_anew_finds_the_unit_free(house):
    """Its last words are longer than the unit's one read, and the next one waits."""
    first = house.enter()
    assert first.line.write(b"x" * (3 * CHUNK)) == 3 * CHUNK
    first.line.close()
    assert house.enter().core.online


def test_a_client_without_a_sealed_line_for_five_seconds_gives_way(house):
    first = house.enter()
    house.seconds = 4.999
    assert house.enter().core.taken
    first.line.write(b"noise\n" * 20)
    house.seconds = 5.0
    assert house.enter().core.online
    with pytest.raises(OSError, match=CLOSED):
        first.line.read(PATIENCE_S)


def test_a_unit_that_cannot_be_announced_lives_all_the_same(runtime, capsys):
    (runtime / "city-unit").write_text("in the way")
    house = TwoDoors()
    assert capsys.readouterr().err.count("will not find the unit by themselves") == 2
    assert house.enter().core.online
    house.server.close()


def test_a_web_page_presses_nothing_and_a_typed_command_is_refused(house):
    """Any page of any origin can send this to any port of this computer, sealed lines too."""
    for request in (b"POST / HTTP/1.1", b"GET /?%0Atap%20auction HTTP/1.1", b"OPTIONS * HTTP/1.1"):
        whole = request + b"\r\nHost: x\r\n\r\ntap auction\n" + seal("hello 1 page")
        for size in (CHUNK, 1):
            with pytest.raises(OSError, match=CLOSED):
                house.heard_by(whole, size)
    assert house.link.unit.events.count == 0
    assert house.heard_by(b"volume 0\n") == seal("refused - 0 unsealed")
    assert house.link.unit.settings.volume == 2


def test_lines_that_say_nothing_keep_nobody_out(house):
    """One byte each 4 s is no talk; whoever is silent is hung up on when others wait."""
    drips = house.lines(20)
    for _ in range(3):
        for drip in drips:
            with contextlib.suppress(OSError):
                drip.write(b"x")
        house.serve()
        house.seconds += 4
    visitor = house.enter()
    house.seconds += 0.1
    visitor.talk()
    assert visitor.core.online
    idle = house.lines(3)
    house.serve()
    house.seconds += 6
    house.serve()
    for line in idle[1:]:
        with pytest.raises(OSError, match=CLOSED):
            line.read(PATIENCE_S)


@pytest.mark.parametrize("reads", [True, False], ids=["reads", "never reads"])
@pytest.mark.parametrize("said", [b"x" * 99, seal("ping 1.1 1")], ids=["noise", "sealed"])
def test_a_flood_leaves_nobody_without_an_answer(house, said, reads):
    """A client that never stops talking holds up the door for less than a second."""
    first = house.enter()
    house.serve()
    plain = house.serve

    def flooded():
        with contextlib.suppress(OSError):
            first.line.write(said * 100)
            if reads:
                first.line.read(0)
        plain()

    house.serve = flooded
    assert all(line.startswith(b"busy:") for line in house.told(house.lines(5)))


def test_hundreds_at_once_can_each_read_why(house):
    """None has to wait for the system to try its connection again, as behind a short queue."""
    first = house.enter()
    for _ in range(3):
        others = house.lines(60)
        assert all(line.startswith(b"busy:") for line in house.told(others))
        for other in others:
            other.close()
    first.talk()
    assert first.core.online
    assert len(house.door.files()) < 100


def test_a_desktop_that_never_reads_holds_up_no_pty(runtime):
    """The unit's loop goes on when nothing more can be written: no lamp and no beep is shifted."""
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
    desktop.close()
    server.close()


class House:
    """A unit with one door, and the clients of the library at it; a turn is a millisecond."""

    def __init__(self, lock: Lock | None = None, journal: Path | None = None) -> None:
        self.clients: list[host.Client] = []
        self._openers: dict[host.Client, Opener] = {}
        self.now = 0
        self._kept = journal
        self._begin(4711, 0, {"lock": lock} if lock else {})

    def _begin(self, boot: int, port: int, how: dict[str, Any]) -> None:
        self.link = Link(Unit(Settings(), Draws(7).below), boot, "0.1.0 test unit")
        self.door = TcpDoor("127.0.0.1", port, lambda: self.now / 1000, **how)
        self.journal = UnitJournal(self.link, self._kept) if self._kept else None
        self.server = LinkServer(self.link, [self.door], "test", self.journal)

    def restart_unit(self) -> None:
        """End the unit's program and start it anew, at the same port."""
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
        """End a client without a word, as a kill does."""
        self.clients.remove(client)
        self._openers[client].drop()

    def written(self, client: host.Client) -> bytes:
        """Return all that a client has written since its line was opened."""
        line = self._openers[client].line
        assert line is not None
        return line.written

    def turn(self) -> None:
        self.now += 1
        self.link.step(self.now, SWITCH)
        self.server.receive(self.now)
        self.server.note_shown(self.now * 1000)
        self.server.send()
        for client in self.clients:
            client.turn(0.5 if self.now % 50 == 0 and not client.online else 0.0)

    def until(self, met: Callable[[], object]) -> None:
        for _ in range(2000):
            if met():
                return
            self.turn()
        raise AssertionError("it never came to that")

    def close(self) -> None:
        self.server.close()
        for client in self.clients:
            client.close()


@pytest.fixture
def tcp():
    """Return a function that makes a unit of one door, whose clients are those of the library."""
    made = []

    def make(**how):
        made.append(House(**how))
        return made[-1]

    yield make
    for each in made:
        each.close()


def test_many_watch_what_one_does_and_none_of_them_acts(tcp):
    here = tcp()
    watchers = [here.client(watch=True, history=True) for _ in range(5)]
    hand = here.client(history=True)
    here.until(lambda: all(client.online for client in here.clients))
    tags = [here.written(client).rpartition(b"ping ")[2].split()[0] for client in here.clients]
    assert len(set(tags)) == 6 and all(tag.startswith(b"4711.") for tag in tags)  # one talk each
    asked = [client.ask("watch on") for client in (watchers[0], hand)]
    here.until(lambda: all(request.finished for request in asked))
    hand.ask("start 500")
    news = {client: [] for client in here.clients}

    def has_ended():
        for client in here.clients:
            news[client] += client.poll()
        return here.link.unit.state == "ready" and here.now > 1500

    here.until(has_ended)
    events, edges = {}, {}
    for client, had in news.items():
        events[client] = [each.kind for each in had if isinstance(each, host.Event)]
        edges[client] = [each for each in had if isinstance(each, host.Edge)]
    assert all(
        told == ["switched-on", "auction-started", "auction-ended"] for told in events.values()
    )
    seen, seen_by_hand = edges[watchers[0]], edges[hand]
    told = [(edge.what, edge.value, edge.due_ms, edge.late_us) for edge in seen]
    assert told == [(edge.what, edge.value, edge.due_ms, edge.late_us) for edge in seen_by_hand]
    assert [what for what, *_ in told].count("auction") == 2
    assert {what for what, *_ in told} == {"auction", "tone"}
    first = seen[0].number  # of all edges that the unit has told anybody
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
                here.until(lambda client=wrong: client.trouble(False) or client.online)
                assert wrong.online == (watch and may_watch and end == "")
                assert wrong.online or "wants its secret" in str(wrong.trouble(False))
                wrong.close()
        assert here.link.unit.events.count == 1
        port = TcpPort(open_address)
        with pytest.raises(OSError, match=CLOSED):  # a line without an end is no way around it
            for _ in range(100):
                here.turn()
                port.write(b"x" * 100)
                port.read(0.0)


def opened_to_others(monkeypatch, **options):
    """Open a door as if its address were one that other computers can reach; return the server."""
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
    assert capsys.readouterr().out.count("\n") == 1  # no code where nobody sees it
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
        assert shown.out.count("\n") > 15  # the code
        secrets.add(secret)
    assert len(secrets) == 3


@pytest.mark.parametrize("may_watch", [False, True])
def test_anyone_may_watch_only_where_that_was_asked_for(monkeypatch, may_watch):
    server = opened_to_others(monkeypatch, anyone_may_watch=may_watch)
    (address,) = server.addresses
    with host.Client(address, Opener(address.rpartition("/")[0]), watch=True) as watcher:

        def is_answered():
            server.receive(1)
            server.send()
            watcher.turn(10.0)
            return watcher.online or watcher.trouble(False) is not None

        until(is_answered)
        assert watcher.online is may_watch
    server.close()


@pytest.mark.parametrize("watch", [False, True], ids=["hand", "watcher"])
def test_a_hundred_restarts_tell_nothing_twice_and_miss_nothing(tcp, runtime, watch):
    """A program remembers the position of the last event that it had, and nothing else."""
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
    house.until(lambda: live(client))  # from here on it knows where it is
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


def test_a_client_that_stays_is_told_what_it_missed_of_a_unit_that_died(tcp, runtime):
    house = tcp(journal=runtime / "events.log")
    client, of_the_moment = house.client(history=True), house.client(watch=True)
    house.until(lambda: client.online and of_the_moment.online)
    house.turn()
    client.poll()
    arrived = []
    house.link.unit.command(house.now, "start auction")
    house.journal.note()  # the unit dies before a client hears of it
    house.restart_unit()

    def is_back():
        arrived.extend(client.poll())
        return any(isinstance(news, host.Event) and news.boot == 4712 for news in arrived)

    house.until(is_back)
    said = [getattr(news, "kind", type(news).__name__) for news in arrived]
    assert said == ["Disconnected", "auction-started", "Restarted", "Connected", "switched-on"]
    house.until(lambda: of_the_moment.about.boot == 4712 and of_the_moment.online)
    assert b"do " not in house.written(of_the_moment)  # it asks for nothing of before


def test_a_journal_that_cannot_be_kept_is_said_in_a_line(tcp, runtime):
    house = tcp(journal=runtime / "events.log")
    (runtime / "diary").write_text("dear diary\n")
    for place in (runtime / "diary", runtime / "events.log", runtime):
        with pytest.raises(UserError, match=r"cannot keep the unit's events in .*; name another"):
            UnitJournal(house.link, place)
