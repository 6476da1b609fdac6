"""Nothing is lost or told twice, and no command is done twice, whatever the line does."""

import pytest

from city_unit.host.errors import NoAnswer, Refused
from city_unit.host.news import Event, Missed, Restarted
from city_unit.wire import seal
from tests.city_unit.hostile import FAULTS, World, clean
from tests.helpers.quick import some_quick

WRAP = 1 << 30
PARTS = 16  # of the places of a cut; the usual run has one of them
STARTS = (0, WRAP - 3000)


def taps(world: World, count: int) -> list:
    """Have the desktop tap BUILD `count` times, each when the last one was settled."""
    requests = []
    for _ in range(count):
        request = world.ask("tap build", 20000)
        requests.append(request)
        while not request.finished:
            world.tick()
        world.run(150)
    return requests


@pytest.mark.parametrize("start", STARTS)
@pytest.mark.parametrize("fault", FAULTS, ids=lambda fault: fault.__name__)
def test_events_and_commands_survive_the_line(fault, start):
    world = World(fault, seed=3, start=start)
    requests = taps(world, 8)
    world.settle()
    world.check()
    assert not any(isinstance(news, Restarted | Missed) for news in world.news)
    assert [event.number for event in world.events()] == list(range(world.unit.events.count))
    for request in requests:
        assert request.answer == "" or isinstance(request.error, Refused)
    done = [request for request in requests if request.answer == ""]
    presses = [event for event in world.events() if event.kind in ("permit-started", "refused")]
    assert len(presses) == len(done)


def test_the_unit_is_not_moved_by_the_line():
    """The events of a unit fall on the same ms over every line."""
    seen = set()
    for fault in FAULTS:
        world = World(fault, seed=1)
        world.run(1)
        world.unit.command(world.now, "start auction", 5000)
        world.run(6000)
        world.settle()
        times = [(event.ms, event.kind) for event in world.events()]
        assert times[-1][1] == "auction-ended"
        seen.add(tuple(times))
    assert len(seen) == 1


def bytes_of_a_session() -> int:
    world = World(clean)
    session(world)
    return world.counted


def session(world: World, cut_at: int | None = None, what=None) -> None:
    """A short session; after `cut_at` bytes in all, do `what` to the world, once."""
    count = 0

    def counting(_rng, data: bytes):
        nonlocal count
        before = count
        count += len(data)
        if cut_at is None or not before <= cut_at < count:
            return [(0, data)]
        world.strike = True
        return [(0, data[: cut_at - before])]

    world.fault = counting
    world.strike = False
    request = world.ask("start 2000", 10000)
    for _ in range(2600):
        world.tick()
        if world.strike:
            world.strike = False
            what(world)
    world.request = request
    world.counted = count


@pytest.mark.parametrize("part", some_quick(range(PARTS), 1))
def test_the_line_is_cut_at_every_byte(part):
    for cut_at in range(part, bytes_of_a_session(), PARTS):
        world = World(clean)
        session(world, cut_at, World.reconnect)
        world.settle()
        world.check()
        kinds = [event.kind for event in world.events()]
        assert kinds.count("auction-started") == 1, cut_at
        assert world.request.answer == "", cut_at


@pytest.mark.slow
def test_the_desktop_restarts_at_every_message():
    for cut_at in range(0, bytes_of_a_session(), 23):
        world = World(clean)
        session(world, cut_at, World.restart_desktop)
        world.settle()
        world.check()
        kinds = [event.kind for event in world.events()]
        assert kinds.count("auction-started") <= 1
        assert len(kinds) == world.unit.events.count


def test_the_unit_restarts_at_every_message():
    for cut_at in range(0, bytes_of_a_session(), 23):
        world = World(clean)
        session(world, cut_at, World.restart_unit)
        world.settle()
        world.check()
        assert len([news for news in world.news if isinstance(news, Restarted)]) <= 1
        if world.request.answer is None:
            assert isinstance(world.request.error, NoAnswer)
        starts = sum(
            kind[1] == "auction-started" for boot in world.recorded.values() for kind in boot
        )
        assert starts <= 1


@pytest.mark.parametrize("fault", FAULTS, ids=lambda fault: fault.__name__)
def test_cables_that_are_swapped_and_swapped_back(fault):
    """The boots that a desktop has left are forgotten in time, but not its news of them."""
    world = World(fault, seed=4)
    world.run(1000)
    red = world.swap_cables()
    world.ask("start 1000", 9000)
    world.run(3000)
    blue = world.swap_cables(red)
    world.ask("start 1000", 20000)
    world.settle(30000)
    world.swap_cables(blue)
    world.settle(30000)
    world.check()
    assert [news.boot for news in world.news if isinstance(news, Restarted)] == [1002, 1001, 1002]
    assert not any(isinstance(news, Missed) for news in world.news)
    assert sum(len(events) for events in world.recorded.values()) == len(world.events())


def test_a_late_greeting_of_a_boot_that_was_left_is_none():
    core = World(clean).core
    core.opened(0)
    core.receive(0, seal("welcome desktop1 7.1 1 0 test unit"))
    core.receive(1, seal("welcome desktop1 8.1 1 0 test unit"))
    core.receive(10000, seal("welcome desktop1 7.1 1 0 test unit"))
    assert core.about.boot == 8
    core.receive(10001, seal("welcome desktop1 7.1 1 0 test unit"))
    assert core.about.boot == 7


def test_a_desktop_that_never_reads_moves_nothing_and_fills_nothing():
    world = World(clean)
    world.run(100)
    world.reads = False
    for place in range(200):
        if place % 4 == 0:
            world.ask("tap build", 200)
        world.run(50)
    assert world.largest <= 512
    world.settle()
    world.check()


def test_a_gap_longer_than_the_ring_is_told_honestly():
    world = World(clean)
    world.run(300)
    world.core.closed("pulled out")
    world.link.hang_up(world.now)
    for _ in range(40):
        world.unit.command(world.now, "start auction", 1000)
        world.unit.command(world.now, "stop auction")
        world.run(2)
    world.core.opened(world.ms)
    world.settle()
    world.check()
    missed = [news for news in world.news if isinstance(news, Missed)]
    assert missed == [Missed(first=1, count=81 - 32 - 1)]
    assert [event.number for event in world.events()][1:] == list(range(49, 81))


def test_a_button_held_by_a_desktop_that_vanishes_is_let_go():
    world = World(clean)
    world.ask("press auction", 5000)
    world.run(500)
    world.core.closed("killed")
    world.run(6000)
    assert not world.link.has_desktop
    world.core.opened(world.ms)
    request = world.ask("tap auction", 5000)
    world.settle()
    assert request.answer == ""  # the finger is free again


def test_the_offset_is_known_to_2_ms():
    world = World(clean, start=WRAP - 1000)
    world.run(3000)
    low, high = world.core.offset.bounds(world.ms)
    assert low <= world.start <= high
    assert (high - low) / 2 <= 2


def test_events_carry_their_due_time_across_the_wrap():
    world = World(clean, start=WRAP - 1000)
    world.run(500)
    world.unit.command(world.now, "start auction", 2000)
    world.run(3000)
    events = {event.kind: event.ms for event in world.events()}
    assert events["auction-ended"] - events["auction-started"] == 2000
    assert isinstance(world.events()[0], Event)
