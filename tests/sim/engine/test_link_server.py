"""The doors of an emulated unit, with real sockets, in one program: no thread, no process."""

import contextlib

import pytest

from city_unit.draws import Draws
from city_unit.facts import SWITCH
from city_unit.host.core import Core
from city_unit.host.lines.ports import TcpPort, open_port
from city_unit.settings import Settings
from city_unit.unit import Unit
from city_unit.wire import seal
from sim.engine.doors import CHUNK, PtyDoor, TcpDoor
from sim.engine.link_server import LinkServer, make_link
from tests.helpers.needs import needs_posix
from tests.helpers.patience import PATIENCE_S


class House:
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


@pytest.fixture
def house(tmp_path, monkeypatch):
    monkeypatch.setenv("CITY_UNIT_RUNTIME", str(tmp_path))
    made = House()
    yield made
    made.server.close()


class Visitor:
    """A desktop at one of the doors."""

    def __init__(self, house: House, name: str, door: TcpDoor | None = None) -> None:
        self._house = house
        self.line = TcpPort((door or house.door).address)
        self.core = Core(name)
        self.core.opened(0)

    def talk(self) -> None:
        """Send all that waits, until an answer comes."""
        for _ in range(1000):
            self.core.sent(self.line.write(self.core.unsent) if self.core.unsent else 0)
            self._house.serve()
            data = self.line.read(0.01)
            if data:
                self.core.receive(0, data)
                return
        raise AssertionError("no answer")


def test_a_second_visitor_is_turned_away_and_the_first_one_stays(house):
    first, second = Visitor(house, "first"), Visitor(house, "second")
    first.talk()
    second.talk()
    assert second.core.taken and not second.core.online
    with pytest.raises(OSError, match="closed at the other end"):
        second.line.read(PATIENCE_S)
    first.talk()
    assert first.core.online and not first.core.taken


def test_a_program_that_was_killed_and_started_anew_finds_the_unit_free(house):
    """Its last words are longer than the unit's one read, and the next one waits."""
    first = Visitor(house, "first")
    first.talk()
    assert first.line.write(b"x" * (3 * CHUNK)) == 3 * CHUNK
    first.line.close()
    again = Visitor(house, "again")
    again.talk()
    assert again.core.online


def test_a_client_that_has_gone_without_a_word_gives_way(house):
    first = Visitor(house, "first")
    first.talk()
    house.seconds = 4.999
    second = Visitor(house, "second")
    second.talk()
    assert second.core.taken
    house.seconds = 5.0
    third = Visitor(house, "third")
    third.talk()
    assert third.core.online
    with pytest.raises(OSError, match="closed at the other end"):
        first.line.read(PATIENCE_S)


def test_a_unit_that_cannot_be_announced_lives_all_the_same(tmp_path, monkeypatch, capsys):
    (tmp_path / "city-unit").write_text("in the way")
    monkeypatch.setenv("CITY_UNIT_RUNTIME", str(tmp_path))
    house = House()
    assert capsys.readouterr().err.count("will not find the unit by themselves") == 2
    visitor = Visitor(house, "first")
    visitor.talk()
    assert visitor.core.online
    house.server.close()


def test_who_comes_to_the_other_door_is_told_too(house):
    first = Visitor(house, "first")
    first.talk()
    first.talk()  # a greeting alone is no talk yet
    second = Visitor(house, "second", house.back)
    second.talk()
    assert second.core.taken
    first.core.say_goodbye()
    first.talk()
    second.core.step(1000)
    second.talk()
    assert second.core.online


@pytest.mark.parametrize("size", [CHUNK, 1])
@pytest.mark.parametrize(
    "request_line",
    [b"POST / HTTP/1.1", b"GET /?%0Atap%20auction HTTP/1.1", b"OPTIONS * HTTP/1.1"],
)
def test_a_web_page_presses_nothing_and_is_hung_up_on(house, request_line, size):
    """Any page of any origin can send this to any port of this computer, sealed lines too."""
    page = TcpPort(house.door.address)
    whole = request_line + b"\r\nHost: x\r\n\r\ntap auction\n" + seal("hello 1 page")
    pieces = [whole[place : place + size] for place in range(0, len(whole), size)]
    with pytest.raises(OSError, match="closed at the other end"):
        for _ in range(1000):
            pieces = pieces[1:] if pieces and page.write(pieces[0]) else pieces
            house.serve()
            assert page.read(0.001) == b""
    assert house.link.unsent == b""
    visitor = Visitor(house, "game")
    visitor.talk()
    assert visitor.core.online and visitor.core.snapshot.events == 0


def test_what_is_typed_over_tcp_is_refused(house):
    """A person at a serial port can be trusted; over TCP it may be any program's text."""
    person = TcpPort(house.door.address)
    rest, said = b"volume 0\n", b""
    for _ in range(1000):
        rest = rest[person.write(rest) :] if rest else b""
        house.serve()
        said += person.read(0.001)
        if said:
            break
    assert said == seal("refused - 0 unsealed")
    assert house.link.unit.settings.volume == 2


def connected_to(house: House, count: int) -> list[TcpPort]:
    """Return so many lines to the door, all of them up."""
    lines = [TcpPort(house.door.address) for _ in range(count)]
    for line in lines:
        line.read(PATIENCE_S)  # which is when it comes up
    return lines


def told_by(house: House, lines: list[TcpPort]) -> list[bytes]:
    """Return what each line reads first, while the unit lives for less than a second."""
    said = [b""] * len(lines)
    for _ in range(90):
        house.seconds += 0.01
        house.serve()
        for place, line in enumerate(lines):
            if not said[place]:
                said[place] = line.read(0)
        if all(said):
            return said
    raise AssertionError(f"only {sum(map(bool, said))} of {len(said)} had an answer in a second")


def test_who_drips_has_nothing(house):
    """One byte each 4 s is no talk, and does not keep the unit from a client with one."""
    drips = connected_to(house, 20)
    for _ in range(3):
        for drip in drips:
            with contextlib.suppress(OSError):
                drip.write(b"x")
        house.serve()
        house.seconds += 4
    visitor = Visitor(house, "game")
    visitor.talk()
    assert visitor.core.online
    house.seconds += 0.1
    visitor.talk()
    assert visitor.core.online


def test_only_sealed_lines_count_as_being_heard_of(house):
    first = Visitor(house, "first")
    first.talk()
    for _ in range(6):
        house.seconds += 1
        first.line.write(b"noise\n" * 20)
        house.serve()
    second = Visitor(house, "second")
    second.talk()
    assert second.core.online


@pytest.mark.parametrize("reads", [True, False], ids=["reads", "never reads"])
@pytest.mark.parametrize("said", [b"x" * 99, seal("ping 1.1 1")], ids=["noise", "sealed"])
def test_a_flood_leaves_nobody_without_an_answer(house, said, reads):
    """A client that never stops talking holds up the door for less than a second."""
    first = Visitor(house, "first")
    first.talk()
    house.serve()
    plain = house.serve

    def flooded():
        with contextlib.suppress(OSError):
            first.line.write(said * 100)
            if reads:
                first.line.read(0)
        plain()

    house.serve = flooded
    others = connected_to(house, 5)
    assert all(line.startswith(b"busy:") for line in told_by(house, others))


def test_a_desktop_that_never_reads_holds_up_no_pty(tmp_path, monkeypatch):
    """The unit's loop goes on when nothing more can be written: no lamp and no beep is shifted."""
    needs_posix()
    monkeypatch.setenv("CITY_UNIT_RUNTIME", str(tmp_path))
    link = make_link(Unit(Settings(), Draws(7).below), "deaf")
    server = LinkServer(link, [PtyDoor(str(tmp_path / "unit"))], "deaf")
    desktop = open_port(str(tmp_path / "unit"))
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


def test_hundreds_at_once_can_each_read_why(house):
    """None has to wait for the system to try its connection again, as behind a short queue."""
    first = Visitor(house, "first")
    first.talk()
    for _ in range(3):
        others = connected_to(house, 60)
        assert all(line.startswith(b"busy:") for line in told_by(house, others))
        for other in others:
            other.close()
    first.talk()
    assert first.core.online
    assert len(house.door.files()) < 100


def test_who_says_nothing_is_hung_up_on_when_others_wait(house):
    idle = connected_to(house, 3)
    house.serve()
    house.seconds = 6
    house.serve()
    for line in idle[1:]:
        with pytest.raises(OSError, match="closed at the other end"):
            line.read(PATIENCE_S)
