"""At every size of the window nothing leaves it and nothing lies on anything else."""

import itertools
import os

import pygame
import pytest

from city_unit import programs
from sim import telling, texts_play, texts_window
from sim.window import layout, paint, panel, strip, trace
from sim.window.view import Choice, Mark, View

PROGRAMS = tuple(Choice(program.name, telling.about(program)) for program in programs.PROGRAMS)
LONGEST = texts_play.NEW_GAME.format("a-program-of-20-char")

SIZES = [(320, 320), (320, 900), (400, 400), (700, 320), (900, 700), (1600, 1000), (3840, 2160)]
EVERY = pytest.mark.parametrize(
    ("size", "density"), [*itertools.product(SIZES, [1.0]), ((640, 640), 2.0), ((3200, 2000), 2.0)]
)

MARKS = tuple(
    Mark(seconds, kind)
    for seconds, kind in (
        (-500, "auction-started"),
        (-3, "auction-cancelled"),
        (-2, "refused"),
        (-1, "permit-started"),
        (0, "auction-warning"),
        (5, "auction-ended"),
        (6, "hour-beep"),
        (600, "hour-beep"),
        (620, "last-round"),
        (3600, "hour-ended"),
    )
)


@pytest.fixture(autouse=True, scope="module")
def letters():
    os.environ.setdefault("SDL_VIDEODRIVER", "dummy")
    pygame.font.init()


def inside(box: layout.Box, size) -> bool:
    return box.left >= 0 and box.top >= 0 and box.right <= size[0] and box.bottom <= size[1]


def clear(boxes) -> bool:
    return not any(one.meets(other) for one, other in itertools.combinations(boxes, 2))


@EVERY
@pytest.mark.parametrize("traced", [False, True])
def test_the_parts_of_the_window_are_apart_and_inside(size, density, traced):
    plan = layout.arrange(*size, density, traced)
    boxes = [*plan.tools.values(), plan.notice, plan.disc_box(), plan.strip]
    assert all(inside(box, size) for box in boxes)
    assert clear(boxes)
    assert all(box.width > 0 and box.height > 0 for box in boxes)


@EVERY
def test_the_labels_of_the_time_line_are_apart_and_inside(size, density):
    plan = layout.arrange(*size, density)
    spots = [spot for _, _, spot in strip.labels(plan.strip, plan.text, MARKS)]
    assert len(spots) >= 4
    assert clear(spots)
    assert all(
        plan.strip.left <= spot.left
        and spot.right <= plan.strip.right
        and spot.top >= plan.strip.top
        for spot in spots
    )


@EVERY
def test_the_lanes_of_the_trace_are_apart_and_inside(size, density):
    strip_box = layout.arrange(*size, density, traced=True).strip
    where = trace.plan(strip_box, layout.arrange(*size, density).text)
    boxes = [*where.lanes.values(), where.times]
    assert clear(boxes)
    assert all(strip_box.top <= box.top and box.bottom <= strip_box.bottom for box in boxes)
    assert all(strip_box.left < box.left and box.right < strip_box.right for box in boxes)
    assert all(box.height >= where.text * 0.7 for box in boxes)
    for name, box in where.lanes.items():
        whole = trace.bar(box, name, -trace.SPAN_MS, 0, trace.HIGHEST_HZ)
        assert (whole.left, whole.right) == (round(box.left), round(box.right))
        assert box.top - 1 <= whole.top and whole.bottom <= box.bottom + 1
        name_width = paint.text_width(texts_window.LANES[name], where.text)
        assert strip_box.left < box.left - where.text * 0.4 - name_width


@EVERY
@pytest.mark.parametrize("which", ("help", "program"))
def test_the_panels_fit(size, density, which):
    plan = layout.arrange(*size, density)
    view = View(panel=which, programs=PROGRAMS, sentence=LONGEST)
    _, box, rows = panel.rows(plan, view)
    assert inside(box, size)
    assert clear(rows)
    assert all(box.left <= row.left and row.right <= box.right for row in rows)
    assert panel.chosen(plan, view, *rows[2].middle) == 2


@EVERY
def test_a_click_in_the_middle_of_a_control_hits_it(size, density):
    plan = layout.arrange(*size, density)
    points = {"auction": layout.BUTTON, "switch": layout.SWITCH, "build": (0, 1.05)}
    for part, point in points.items():
        assert plan.hit(*plan.place(point)) == part
    for tool, box in plan.tools.items():
        assert plan.hit(*box.middle) == tool
    assert plan.hit(*plan.strip.middle) == "trace"
    assert plan.hit(*plan.place((0.5, 0.3))) == ""


def test_the_end_of_the_game_and_bare_times_have_labels_too():
    plan = layout.arrange(900, 700)
    marks = tuple(Mark(second, "hour-beep") for second in (840, 900, 960, 1800, 2700))
    words = [name for name, _, _ in strip.labels(plan.strip, plan.text, marks + MARKS)]
    assert "the hour 1:00:00" in words
    assert "beep 6 s" in words
    assert any(name in words for name in ("14:00", "15:00", "16:00", "30:00", "45:00"))


def test_small_letters_keep_their_distances():
    """A word has the same proportions at each size, but for rounding."""
    for size in range(8, paint.SMALL_LETTERS):
        whole = paint.text_width("keep that", size)
        assert abs(whole - paint.text_width("keep that", 200) * size / 200) <= 1.5
        assert paint.lettering("keep that", size, (255, 255, 255)).get_width() == whole


def test_the_disc_does_not_shrink_when_the_window_grows():
    radii = [layout.arrange(side, side).radius for side in range(320, 2000, 40)]
    assert radii == sorted(radii)


def test_time_runs_from_left_to_right():
    box = layout.Box(0, 0, 600, 80)
    places = [strip.place(box, seconds) for seconds in (-600, -60, -1, 0, 1, 60, 3600)]
    assert places == sorted(set(places))
