"""The live trace: the lamps and tones of the last ten seconds."""

import pygame
import pytest

from sim.window import layout, scene, snapshot, timeline
from sim.window.snapshot import Lane
from tests.helpers.desk import Desk
from tests.helpers.times import ENDED, WARNED

LIT, DARK = timeline.LIT, timeline.PAPER
NOW = 52_000  # the unit was switched on at 0 and AUCTION pressed at 1 s


@pytest.fixture
def desk():
    """A unit a second after the end of its auction."""
    desk = Desk()
    desk.controls.do("switch")
    desk.wait(1)
    desk.runner.tap("auction")
    desk.wait(51)
    desk.controls.do("trace")
    return desk


def shown(desk) -> dict[str, tuple]:
    return {lane.name: lane.stretches for lane in desk.view().trace}


def test_it_has_every_change_at_its_time_until_it_is_hidden(desk):
    lanes = shown(desk)
    assert lanes["permit-1"] == ()
    warned, ended = WARNED - NOW, ENDED - NOW
    assert lanes["tone"] == (
        (warned, warned + 400, 2700),
        (ended, ended + 150, 2000),
        (ended + 225, ended + 825, 2000),
    )
    slow = [stretch for stretch in lanes["auction"] if stretch[0] < warned]
    assert slow[0][0] >= -10_000
    assert slow[-2:] == [(warned - 2000, warned - 1500, 1), (warned - 1000, warned - 500, 1)]
    assert lanes["auction"][-1] == (ended - 250, ended, 1)
    desk.runner.tap("auction")
    desk.wait(0.2)
    auction = shown(desk)["auction"]
    assert auction[-1][1] == 0  # it reaches the edge
    assert auction[0] == (-10_000, -9684, 1)  # a span that started earlier is cut off
    desk.type("t")
    assert not shown(desk)
    desk.mouse("trace")
    assert shown(desk)


def test_it_moves_at_most_25_times_a_second_and_not_at_all_when_it_is_empty(desk):
    for speed in (0.1, 1, 100):
        desk.runner.speed = speed
        pictures = set()
        for _ in range(100):
            desk.wait(0.001)
            pictures.add(str(shown(desk)))
        assert 1 <= len(pictures) <= 4
    desk.runner.speed = 1
    desk.wait(30)
    lanes = shown(desk)
    assert not snapshot.moves(tuple(Lane(name, lanes[name]) for name in ("auction", "tone")))


def test_the_picture_is_lit_where_the_lamp_was(desk):
    pygame.font.init()
    plan = layout.arrange(900, 700, shows_trace=True)
    drawn = pygame.Surface((plan.width, plan.height))
    quiet = Desk()  # an empty trace can be drawn too
    quiet.controls.do("trace")
    for each in (quiet, desk):
        scene.draw(drawn, plan, each.view())
    lane = timeline.arrange_lanes(plan.strip, plan.text).lanes["auction"]

    def colour(ms: float):
        place = timeline.x_in(lane, ms - NOW)
        return tuple(drawn.get_at((round(place), round(lane.middle[1]))))[:3]

    assert {colour(ms) for ms in (WARNED - 1750, WARNED - 750, ENDED - 125)} == {LIT}
    assert {colour(ms) for ms in (WARNED - 1250, WARNED - 250, ENDED + 500)} == {DARK}
