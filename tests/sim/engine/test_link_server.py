"""The doors of an emulated unit, with real sockets, in one program: no thread, no process."""

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
    """A unit with two doors, and the programs at them; a turn is a millisecond of the unit."""

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
        raise AssertionError("it never came to that")

    def close(self) -> None:
        self.server.close()
        for client in self.clients:
            client.close()

    # Lines that the test itself reads and writes.

    def talk(self, line: TcpPort, said: bytes = HELLO, size: int = CHUNK) -> bytes:
        """Say this in pieces while the clock stands; return the first answer."""
        pieces = [said[place : place + size] for place in range(0, len(said), size)]
        for _ in range(TURNS):
            if pieces and line.write(pieces[0]):
                pieces.pop(0)
            self.turn(0)
            if answer := line.read(0.001):
                return answer
        raise AssertionError("no answer")

    def enter(self, door: TcpDoor | None = None) -> tuple[TcpPort, bytes]:
        """Come to a door as a desktop does; return its line and the first answer."""
        line = TcpPort((door or self.door).address)
        return line, self.talk(line)

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
            self.turn(10)
            said = [each or line.read(0) for each, line in zip(said, lines, strict=True)]
            if all(said):
                return said
        raise AssertionError(f"{said.count(b'')} of {len(said)} had no answer in a second")


@pytest.fixture
def tcp():
    """Return a function that makes a unit with doors, whose clients are those of the library."""
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


def test_a_second_client_is_turned_away_at_each_door_until_the_first_says_goodbye(house):
    (first, welcome), (second, busy) = house.enter(), house.enter()
    assert welcome.startswith(WELCOME) and busy.startswith(TAKEN) and is_closed(second)
    assert house.talk(first, seal("ping 4711.1 1")).startswith(b"pong")
    third, busy = house.enter(house.back)
    assert busy.startswith(TAKEN)
    assert house.talk(first, seal("bye 4711.1")).startswith(b"bye")
    assert house.talk(third).startswith(WELCOME)


def test_a_program_that_was_killed_and_started_anew_finds_the_unit_free(house):
    """Its last words are longer than the unit's one read, and the next one waits."""
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


def test_a_unit_that_cannot_be_announced_lives_all_the_same(runtime, tcp, capsys):
    (runtime / "city-unit").write_text("in the way")
    house = tcp()
    warning = str(link_server.NOT_ANNOUNCED).partition("{")[0]
    assert capsys.readouterr().err.count(warning) == 2
    assert house.enter()[1].startswith(WELCOME)


def test_a_web_page_presses_nothing_and_a_typed_command_is_refused(house):
    """Any page of any origin can send this to any port of this computer, sealed lines too."""
    for request in (b"POST / HTTP/1.1", b"GET /?%0Atap%20auction HTTP/1.1", b"OPTIONS * HTTP/1.1"):
        whole = request + b"\r\nHost: x\r\n\r\ntap auction\n" + seal("hello 1 page")
        for size in (CHUNK, 1):
            with pytest.raises(OSError, match=CLOSED):
                house.talk(TcpPort(house.door.address), whole, size)
    assert house.link.unit.events.count == 1  # it was switched on
    typed = TcpPort(house.door.address)
    assert house.talk(typed, b"volume 0\n") == seal("refused - 0 unsealed")
    assert house.link.unit.settings.volume == 2


def test_lines_that_say_nothing_keep_nobody_out(house):
    """One byte each 4 s is no talk; whoever is silent is hung up on when others wait."""
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
@pytest.mark.parametrize("said", [b"x" * 99, seal("ping 1.1 1")], ids=["noise", "sealed"])
def test_a_flood_leaves_nobody_without_an_answer(house, said, reads):
    """A client that never stops talking holds up the door for less than a second."""
    first, _ = house.enter()
    plain = house.turn

    def flooded(ms):
        with contextlib.suppress(OSError):
            first.write(said * 100)
            if reads:
                first.read(0)
        plain(ms)

    house.turn = flooded
    assert all(line.startswith(TAKEN) for line in house.told(house.lines(5)))


def test_hundreds_at_once_can_each_read_why(house):
    """None has to wait for the system to try its connection again, as behind a short queue."""
    first, _ = house.enter()
    files = len(os.listdir("/dev/fd")) if os.name == "posix" else 0
    for _ in range(3):
        others = house.lines(60)
        assert all(line.startswith(TAKEN) for line in house.told(others))
        for other in others:
            other.close()
    assert house.talk(first, seal("ping 4711.1 1")).startswith(b"pong")
    assert len(house.door.files()) < 100
    assert not files or len(os.listdir("/dev/fd")) < files + 100


def test_of_too_many_watchers_the_last_is_turned_away(house):
    watchers = house.lines(65)
    for watcher in watchers:
        watcher.write(seal("watch 1 w"))
    assert [said.startswith(TAKEN) for said in house.told(watchers)].count(True) == 1


def test_neither_end_of_a_pty_that_never_reads_holds_up_the_other(runtime):
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
    while desktop.write(b"x" * 100):  # nor does a unit that reads no more hold up the desktop
        pass
    desktop.close()
    server.close()


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
                here.until(lambda client=wrong: client.connect_error(False) or client.online)
                assert wrong.online == (watch and may_watch and end == "")
                assert wrong.online or "needs its secret" in str(wrong.connect_error(False))
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
            return watcher.online or watcher.connect_error(False) is not None

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
    for name in ("", "n" * 17):
        with pytest.raises(UserError, match="1 to 16 letters"):
            make_link(house.link.unit, name)
    assert make_link(house.link.unit, "n" * 16).about.endswith(" " + "n" * 16)
    (runtime / "diary").write_text("dear diary\n")
    for place in (runtime / "diary", runtime / "events.log", runtime):
        with pytest.raises(UserError, match=r"cannot keep the unit's events in .*; name another"):
            UnitJournal(house.link, place)
