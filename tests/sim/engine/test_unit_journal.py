"""A unit with a journal: clients and units that are started anew, and each event told once."""

import random

import pytest

from city_unit import host
from city_unit.desktop.errors import UserError
from sim.engine.link_server import UnitJournal
from tests.helpers.tcp_house import House

RESTARTS = 100


@pytest.fixture
def house(tmp_path, monkeypatch):
    monkeypatch.setenv("CITY_UNIT_RUNTIME", str(tmp_path))
    made = House(journal=tmp_path / "events.log")
    yield made
    made.close()


class Program:
    """A program that remembers the position of the last event that it had, and nothing else."""

    def __init__(self, house, watch=False):
        self.house = house
        self.watch = watch
        self.had = []
        self.missed = 0
        self.client = None

    def start(self):
        after = self.had[-1] if self.had else None
        self.client = self.house.client(after=after, history=True, watch=self.watch)
        self.house.until(lambda: self.client.online)

    def live(self):
        for news in self.client.poll():
            if isinstance(news, host.Event):
                self.had.append(news.position)
            self.missed += isinstance(news, host.Missed)

    def kill(self):
        """End without a word, as a kill does."""
        self.house.kill(self.client)


@pytest.mark.parametrize("watch", [False, True], ids=["hand", "watcher"])
def test_a_hundred_restarts_tell_nothing_twice_and_miss_nothing(house, watch):
    chance = random.Random(8)
    program = Program(house, watch)
    happened = []
    seen = (house.link.boot, 0)
    program.start()
    house.until(lambda: program.live() or program.had)  # from here on it knows where it is
    program.kill()
    for _ in range(RESTARTS):
        program.start()
        for _ in range(chance.randrange(1, 4)):
            program.house.link.unit.command(
                house.now, chance.choice(("start auction", "stop auction", "restart"))
            )
            house.turn()
            if chance.random() < 0.7:
                program.live()
        if chance.random() < 0.3:
            happened += positions(house, seen)
            house.restart_unit()
            seen = (house.link.boot, 0)
            house.turn()
        program.kill()
    happened += positions(house, seen)
    program.start()

    def has_all():
        program.live()
        return program.had[-1:] == happened[-1:]

    house.until(has_all)
    assert program.had == happened
    assert program.missed == 0
    assert len(happened) > RESTARTS and len({boot for boot, _ in happened}) > 10


def positions(house, seen):
    boot, first = seen
    return [(boot, number) for number in range(first, house.link.unit.events.count)]


def test_a_client_that_stays_is_told_what_it_missed_of_a_unit_that_died(house):
    client = house.client(history=True)
    house.until(lambda: client.online)
    house.turn()
    client.poll()
    arrived = []
    house.link.unit.command(house.now, "start auction")
    house.journal.note()  # and it dies before anybody is told
    house.restart_unit()

    def is_back():
        arrived.extend(client.poll())
        return any(isinstance(news, host.Event) and news.boot == 4712 for news in arrived)

    house.until(is_back)
    said = [getattr(news, "kind", type(news).__name__) for news in arrived]
    assert said == ["Disconnected", "auction-started", "Restarted", "Connected", "switched-on"]


def test_a_program_that_lives_for_the_moment_is_told_nothing_of_before(house):
    client = house.client()
    house.until(lambda: client.online)
    house.link.unit.command(house.now, "start auction")
    house.turn()
    house.restart_unit()
    house.until(lambda: client.about.boot == 4712 and client.online)
    assert b"hello " in house.written(client) and b"do " not in house.written(client)


def test_what_cannot_be_kept_is_said_in_a_line(house, tmp_path):
    (tmp_path / "diary").write_text("dear diary\n")
    for place in (tmp_path / "diary", tmp_path / "events.log", tmp_path):
        with pytest.raises(UserError, match=r"cannot keep the unit's events in .*; name another"):
            UnitJournal(house.link, place)
