"""A copy of a unit goes on as the unit does, and neither changes the other."""

import random

from hypothesis import given, settings
from hypothesis import strategies as st

from city_unit.draws import Draws
from city_unit.drive import Drive
from city_unit.link import Link
from city_unit.settings import Settings
from city_unit.trace import Recorder
from city_unit.unit import Unit
from sim.play.kept import Keeper, KeptUnit

WAITS = (1, 5, 20, 100, 400, 2500, 9000, 60_000)


def lived(unit, start, changes):
    """Live through changes of the contacts, `(ms, levels)`; return the trace from there on."""
    trace = []
    drive = Drive(unit, start, Recorder(unit, start, lambda *change: trace.append(change)).note)
    for ms, levels in changes:
        drive.until(ms, levels)
    drive.until(changes[-1][0] + 100_000)
    return trace, drive.now


def drawn(chance):
    ms, changes = 0, []
    for _ in range(chance.randrange(1, 12)):
        ms += chance.choice(WAITS)
        changes.append((ms, chance.choice((4, 4, 5, 6, 7, 0))))
    return changes


@settings(max_examples=60, deadline=None, derandomize=True)
@given(st.integers(0, 1 << 30))
def test_a_copy_goes_on_as_the_unit_does(seed):
    chance = random.Random(seed)
    draws = Draws(seed)
    unit = Unit(Settings(), draws.below)
    start = chance.randrange(1 << 30)
    drive = Drive(unit, start)
    for ms, levels in drawn(chance):
        drive.until(ms, levels)
    first, second = (unit.copy(Draws(draws.seed).below) for _ in range(2))
    assert first.events.count == unit.events.count and type(first) is Unit
    changes = [(0, drive.levels), *drawn(chance)]
    ahead = lived(first, drive.now, changes)
    assert ahead == lived(unit, drive.now, changes) == lived(second, drive.now, changes)
    assert first.settings.volume == unit.settings.volume
    assert first.settings is not unit.settings


def test_a_unit_becomes_another_and_keeps_its_keeper():
    unit, other = (KeptUnit(Settings(), seed, Keeper(None)) for seed in (1, 2))
    keeper = unit.keeper
    other.step(0, 4)
    unit.become(other)
    assert unit.state == "ready" and unit.keeper is keeper and unit.events is other.events


def test_a_link_that_is_bound_anew_is_a_link_of_another_boot():
    unit = Unit(Settings(), Draws(1).below)
    link = Link(unit, 7, "0.1.0 test unit", more=lambda words: "")
    link.receive(0, b"state\n")
    assert link.unsent
    other = Unit(Settings(), Draws(2).below)
    fresh = vars(Link(other, 8, link.about, link.silence_ms, link.more))
    link.rebind(other, 8)
    assert set(vars(link)) == set(fresh)
    assert (link.unit, link.boot, link.unsent, link.talk) == (other, 8, b"", ("", ""))
