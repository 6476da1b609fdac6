"""At every size of the window nothing leaves it and nothing lies on anything else."""

import itertools
import os

import pygame
import pytest

from city_unit import programs
from city_unit.desktop import catalogue
from sim.face import geometry, paint
from sim.face.box import Box
from sim.play import person, sign, state_words
from sim.play.sign import Sign
from sim.window.paint import layout, panel, scene, strip, trace
from sim.window.paint.view import Choice, Mark, View

PROGRAMS = tuple(Choice(program.name, state_words.about(program)) for program in programs.PROGRAMS)
LONGEST = str(person.NEW_GAME.format(program="a-program-of-20-char"))

SIZES = [(320, 320), (320, 900), (400, 400), (700, 320), (900, 700), (1600, 1000), (3840, 2160)]
EVERY = [*itertools.product(SIZES, [1.0]), ((640, 640), 2.0), ((3200, 2000), 2.0)]

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


def inside(box: Box, size) -> bool:
    return box.left >= 0 and box.top >= 0 and box.right <= size[0] and box.bottom <= size[1]


def disc_box(disc: geometry.Circle) -> Box:
    """Return the box of all that can be pressed."""
    left, top = disc.place((-1, -1))
    return Box(left, top, 2 * disc.radius, (1 + geometry.TAB[1]) * disc.radius)


def clear(boxes) -> bool:
    return not any(box.meets(other) for box, other in itertools.combinations(boxes, 2))


@pytest.mark.parametrize("traced", [False, True])
@pytest.mark.parametrize("engineer", [False, True])
def test_the_parts_of_the_window_are_apart_and_inside(traced, engineer):
    for size, density in EVERY:
        plan = layout.arrange(*size, density, traced, engineer)
        boxes = [*plan.tools.values(), plan.notice, disc_box(plan.disc), plan.board, plan.strip]
        assert all(inside(box, size) for box in boxes)
        assert clear(boxes)
        assert all(box.width > 0 and box.height > 0 for box in boxes)


def test_the_labels_of_the_time_line_are_apart_and_inside():
    for size, density in EVERY:
        plan = layout.arrange(*size, density)
        moments = [strip.place(plan.strip, seconds) for seconds in (-600, -60, -1, 0, 1, 60, 3600)]
        assert moments == sorted(set(moments))
        spots = [spot for _, _, spot in strip.labels(plan.strip, plan.text, MARKS)]
        assert len(spots) >= 4
        assert clear(spots)
        assert all(
            plan.strip.left <= spot.left
            and spot.right <= plan.strip.right
            and spot.top >= plan.strip.top
            for spot in spots
        )


def test_the_lanes_of_the_trace_are_apart_and_inside():
    for size, density in EVERY:
        strip_box = layout.arrange(*size, density, shows_trace=True).strip
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
            name_width = paint.text_width(str(trace.LANES[name]), where.text)
            assert strip_box.left < box.left - where.text * 0.4 - name_width


def test_a_tip_stands_at_what_it_is_of_and_not_on_it():
    for size, density in EVERY:
        plan = layout.arrange(*size, density, has_tools=True)
        for part, words in scene.TIPS.items():
            spot = plan.box(part)
            tip, rows = scene.tip_rows(plan, str(words), spot)
            assert inside(tip, size) and all(inside(row, size) for _, row in rows)
            assert not tip.meets(spot)
            assert min(abs(tip.top - spot.bottom), abs(spot.top - tip.bottom)) <= plan.text
            assert tip.left < spot.right and spot.left < tip.right


def test_a_tip_does_not_cover_an_offer():
    plan = layout.arrange(900, 760, has_tools=True)
    view = View(offer="R takes it back")
    for part in plan.tools:
        tip, _ = scene.tip_rows(plan, str(scene.TIPS[part]), scene.tip_spot(plan, view, part))
        assert not tip.meets(plan.notice)


@pytest.mark.parametrize("which", ("help", "program", "tour"))
def test_the_panels_fit(which):
    for size, density in EVERY:
        plan = layout.arrange(*size, density)
        view = View(
            panel=which, programs=PROGRAMS, sentence=LONGEST, page_rows=panel.page_rows(plan)
        )
        _, box, rows = panel.rows(plan, view)
        assert inside(box, size)
        assert clear(rows)
        assert all(box.left <= row.left and row.right <= box.right for row in rows)
        assert panel.chosen(plan, view, *rows[2].middle) == 2


@pytest.mark.parametrize("language", ["en", "fr"])
def test_each_page_of_the_help_can_be_read_and_they_have_all_rows(language):
    for size, density in EVERY:
        catalogue.speak(language)
        plan = layout.arrange(*size, density)
        shown = []
        for page in range(panel.pages(plan)):
            view = View(panel="help", page=page, page_rows=panel.page_rows(plan))
            text, box, _ = panel.rows(plan, view)
            assert inside(box, size)
            assert text >= plan.text * 0.6  # a narrow window; the height costs nothing
            shown += panel.lines(view)
        assert shown == [(str(key), str(what)) for key, what in (*state_words.USES, *panel.KEYS)]


def test_a_click_in_the_middle_of_a_control_hits_it():
    for size, density in EVERY:
        plan = layout.arrange(*size, density)
        points = {"auction": geometry.BUTTON, "switch": geometry.SWITCH, "build": (0, 1.05)}
        for part, point in points.items():
            assert plan.hit(*plan.disc.place(point)) == part
        for tool, box in plan.tools.items():
            assert plan.hit(*box.middle) == tool
        for part in ("trace", "board", "take offer"):
            assert plan.hit(*plan.box(part).middle) == part
        assert plan.hit(*plan.disc.place((0.5, 0.3))) == ""


def test_the_end_of_the_game_and_bare_times_have_labels_too():
    plan = layout.arrange(900, 760)
    marks = tuple(Mark(second, "hour-beep") for second in (840, 900, 960, 1800, 2700))
    words = [name for name, _, _ in strip.labels(plan.strip, plan.text, marks + MARKS)]
    assert "the hour 1:00:00" in words
    assert "beep 6 s" in words
    assert any(name in words for name in ("14:00", "15:00", "16:00", "30:00", "45:00"))


def test_the_end_of_a_running_auction_keeps_its_labels_in_the_last_minute():
    plan = layout.arrange(500, 560)
    coming = (Mark(3, "auction-warning"), Mark(8, "auction-ended"))
    beeps = tuple(Mark(second, "hour-beep") for second in range(-9, 10))
    words = [name for name, _, _ in strip.labels(plan.strip, plan.text, beeps + coming)]
    assert words[:2] == ["warning 3 s", "sold 8 s"]


def test_small_letters_keep_their_distances():
    """A word has the same proportions at each size, but for rounding."""
    for size in range(8, paint.SMALL_LETTERS):
        whole = paint.text_width("keep that", size)
        drawn = paint.text_width("keep that", 200) * size / 200
        assert abs(whole - drawn) <= max(1.5, 0.02 * drawn)
        assert paint.lettering("keep that", size, (255, 255, 255)).get_width() == whole


def test_the_clock_does_not_shrink_when_the_window_grows():
    """The disc does by a little where it goes from beside the clock to above it."""
    plans = [layout.arrange(side, side) for side in range(320, 2000, 40)]
    heights = [scene.places(plan.board, Sign("ready", "45:12"))[0][1].height for plan in plans]
    assert heights == sorted(heights)
    radii = [plan.disc.radius for plan in plans]
    assert all(after >= before * 0.9 for before, after in itertools.pairwise(radii))


def test_words_in_two_lines_are_parted_where_they_are_largest():
    box = Box(0, 0, 240, 130)
    lines = [words for words, _ in scene.places(box, Sign("over", "THE HOUR IS OVER"))]
    assert lines == ["THE HOUR", "IS OVER"]


def signs():
    """Return a sign of each kind, the longest of its kind."""
    press = (str(sign.PRESS_STOP), str(sign.PRESS_BUILD))
    words = ("1:59:59", sign.LAST_BIDS, sign.AUCTION, sign.OVER["hour-ended"], sign.CANCELLED)
    return [
        *(Sign("ready", str(word), str(sign.GOING), press) for word in words),
        *(Sign("permit", str(word), str(sign.MAY_BUILD), press, 0) for word in sign.PERMITS),
    ]


@pytest.mark.parametrize("language", ["en", "fr", catalogue.PSEUDO])
def test_what_the_table_reads_is_inside_the_board_in_each_language(language):
    for size, density in EVERY:
        catalogue.speak(language)
        plan = layout.arrange(*size, density)
        for shown in signs():
            for words, box in scene.places(plan.board, shown):
                assert inside(box, size), (shown, words)
                assert box.width <= plan.board.width + 1


# In px on a screen of 1920 px that is 345 mm wide, 15 mm are 83.
@pytest.mark.parametrize(
    ("size", "least"),
    [
        ((1904, 984), 200),
        ((1350, 672), 83),
        ((1264, 704), 83),
        ((584, 904), 83),
        ((584, 720), 83),
        ((464, 240), 40),
        *(  # a window of no given size opens so large
            (layout.opening((0, 0), desktop), 0.194 * desktop[1])
            for desktop in ((1366, 768), (1920, 1080), (2560, 1440), (3840, 2160))
        ),
    ],
)
def test_the_digits_of_the_hour_are_read_across_the_table(size, least):
    plan = layout.arrange(*size)
    words, box = scene.places(plan.board, Sign("ready", "45:12"))[0]
    digits = paint.lettering(words, round(box.height), (255, 255, 255)).get_bounding_rect()
    assert digits.height >= least


@pytest.mark.parametrize(
    "desktop", [(1366, 768), (1280, 800), (1280, 720), (600, 1000), (480, 320), (1920, 1080)]
)
@pytest.mark.parametrize("wanted", [(0, 0), (760, 860), (3840, 2160), (1, 1), (480, 400)])
def test_the_window_never_opens_larger_than_its_desktop(desktop, wanted):
    width, height = layout.opening(wanted, desktop)
    assert width <= desktop[0]
    assert height <= desktop[1] - layout.TASK_BAR or height == layout.SMALLEST[1]
    least_width, least_height = layout.SMALLEST
    assert width >= least_width
    assert height >= least_height
    usable = (desktop[0] - layout.FRAME, desktop[1] - layout.TASK_BAR)
    if least_width <= wanted[0] <= usable[0]:
        assert width == wanted[0]
    if least_height <= wanted[1] <= usable[1]:
        assert height == wanted[1]
