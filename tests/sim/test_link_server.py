"""The doors of an emulated unit, with real sockets, in one program: no thread, no process."""

import pytest

from city_unit.draws import Draws
from city_unit.host.core import Core
from city_unit.host.ports import TcpPort
from city_unit.settings import Settings
from city_unit.unit import Unit
from sim.link_server import CHUNK, LinkServer, TcpDoor, make_link

PATIENCE_S = 10


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
        """Say what there is to say, until an answer comes."""
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


def test_many_are_turned_away_and_each_can_read_why(house):
    first = Visitor(house, "first")
    first.talk()
    for number in range(20):
        other = Visitor(house, f"other{number}")
        other.talk()
        assert other.core.taken
        other.line.close()
    first.talk()
    assert first.core.online


def test_a_program_that_was_killed_and_started_anew_finds_the_unit_free(house):
    """Its last words are longer than what the unit takes at once, and the next one waits."""
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
