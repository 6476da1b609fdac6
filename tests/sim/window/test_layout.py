"""At every size and in every language, nothing is cut off or overlaps.

The made-up language is 40 % longer than English and has an accent on every letter that can have
one, so a word without accents does not come from the catalogue.
"""

import itertools
import re
import sys

import pygame
import pytest

from city_unit import programs
from city_unit.desktop import catalogue
from city_unit.facts import LAMP_COUNT, OUTPUTS
from city_unit.trace import EVENTS
from sim.face import geometry, paint
from sim.face.disc import Look
from sim.face.geometry import Box
from sim.play import offers, phrases, sign
from sim.play.sign import Sign
from sim.window import layout, panel, scene, snapshot, timeline
from sim.window.snapshot import Choice, Lane, Mark, View

LONGEST = str(sign.SECONDS_HIDDEN)

SIZES = [(320, 320), (320, 900), (400, 400), (700, 320), (900, 700), (1600, 1000), (3840, 2160)]
EVERY = [*itertools.product(SIZES, [1.0]), ((640, 640), 2.0), ((3200, 2000), 2.0)]

MARKS = tuple(
    Mark(seconds, kind)
    for seconds, kind in (
        *((-500, "auction-started"), (-3, "auction-cancelled"), (-2, "refused")),
        *((-1, "permit-started"), (0, "auction-warning"), (5, "auction-ended")),
        *((6, "hour-beep"), (600, "hour-beep"), (620, "last-round"), (3600, "hour-ended")),
    )
)


@pytest.fixture(autouse=True, scope="module")
def letters():
    pygame.font.init()


def choices():
    return tuple(Choice(each.name, str(phrases.program_about(each))) for each in programs.PROGRAMS)


def inside(box: Box, size) -> bool:
    return box.left >= 0 and box.top >= 0 and box.right <= size[0] and box.bottom <= size[1]


def clear(boxes) -> bool:
    return not any(box.meets(other) for box, other in itertools.combinations(boxes, 2))


def test_the_parts_of_the_window_do_not_overlap_and_a_click_hits_them():
    for (size, density), traced, engineer in itertools.product(EVERY, (False, True), (False, True)):
        plan = layout.arrange(*size, density, traced, engineer)
        left, top = plan.disc.place((-1, -1))
        disc = Box(left, top, 2 * plan.disc.radius, (1 + geometry.TAB[1]) * plan.disc.radius)
        boxes = [*plan.tools.values(), plan.notice, disc, plan.board, plan.strip]
        assert all(inside(box, size) for box in boxes)
        assert clear(boxes)
        assert all(box.width > 0 and box.height > 0 for box in boxes)
        points = {"auction": geometry.BUTTON, "switch": geometry.SWITCH, "build": (0, 1.05)}
        for part, point in points.items():
            assert plan.part_at(*plan.disc.place(point)) == part
        for tool, box in plan.tools.items():
            assert plan.part_at(*box.middle) == tool
        for part in ("trace", "board", "take offer"):
            assert plan.part_at(*plan.box(part).middle) == part
        assert plan.part_at(*plan.disc.place((0.5, 0.3))) == ""
        assert plan.part_at(*plan.disc.place((0.6, 0.85))) == ""  # beside BUILD
    for low in (layout.arrange(900, 250), layout.arrange(1800, 500, 2.0)):
        assert low.strip.height == 0


def test_the_labels_of_the_time_line_and_the_lanes_of_the_trace_do_not_overlap():
    for size, density in EVERY:
        plan = layout.arrange(*size, density)
        moments = [
            timeline.x_at(plan.strip, seconds) for seconds in (-600, -60, -1, 0, 1, 60, 3600)
        ]
        assert moments == sorted(set(moments))
        spots = [spot for _, _, spot in timeline.labels(plan.strip, plan.text, MARKS)]
        assert len(spots) >= 4
        assert clear(spots)
        for spot in spots:
            assert plan.strip.left <= spot.left and spot.right <= plan.strip.right
            assert spot.top >= plan.strip.top
        band = layout.arrange(*size, density, shows_trace=True).strip
        where = timeline.arrange_lanes(band, plan.text)
        boxes = [*where.lanes.values(), where.times]
        assert clear(boxes)
        for box in boxes:
            assert band.top <= box.top and box.bottom <= band.bottom
            assert band.left < box.left and box.right < band.right
            assert box.height >= where.text * 0.7
        for name, box in where.lanes.items():
            whole = timeline.bar(box, name, -snapshot.SPAN_MS, 0, timeline.HIGHEST_HZ)
            assert (whole.left, whole.right) == (round(box.left), round(box.right))
            assert box.top - 1 <= whole.top and whole.bottom <= box.bottom + 1
            name_width = paint.text_width(str(timeline.LANES[name]), where.text)
            assert band.left < box.left - where.text * 0.4 - name_width


def test_the_picture_shows_each_state_of_the_disc_the_sound_the_menu_and_calm():
    plan = layout.arrange(900, 760)
    muted = (View(is_muted=True), View(volume=0), View(volume=1))
    menus = (View(panel="program", programs=choices(), chosen=n, marker=3) for n in (0, 1))
    auctions = (View(sign=Sign("auction", "AUCTION"), is_calm=calm) for calm in (False, True))
    tips = (View(hover="help", has_tip=has_tip) for has_tip in (False, True))
    looks = [Look(lamps=1 << bit) for bit in range(LAMP_COUNT)]
    looks += [Look(is_on=True), Look(tone=2000)]
    looks += [Look(pressed=bit) for bit in (1, 2)] + [Look(latched=bit) for bit in (1, 2)]
    looks += [Look(hold=part) for part in (0.5, 1.0)]
    pictures = set()
    for view in (
        views := [View(), *muted, *menus, *auctions, *tips, *(View(look=look) for look in looks)]
    ):
        scene.draw(picture := pygame.Surface((900, 760)), plan, view)
        pictures.add(picture.get_buffer().raw)
    assert len(pictures) == len(views)


def test_a_tip_stands_at_its_part_and_not_on_it_or_on_an_offer():
    for size, density in EVERY:
        plan = layout.arrange(*size, density, has_tools=True)
        for part, words in scene.TIPS.items():
            spot = plan.box(part)
            tip, rows = scene.tip_rows(plan, str(words), spot)
            assert inside(tip, size) and all(inside(row, size) for _, row in rows)
            assert not tip.meets(spot)
            assert min(abs(tip.top - spot.bottom), abs(spot.top - tip.bottom)) <= plan.text
            assert tip.left < spot.right and spot.left < tip.right
    plan = layout.arrange(900, 760, has_tools=True)
    view = View(offer="R takes it back")
    for part in plan.tools:
        tip, _ = scene.tip_rows(plan, str(scene.TIPS[part]), scene.tip_spot(plan, view, part))
        assert not tip.meets(plan.notice)


def test_the_panels_fit_and_each_page_of_the_help_can_be_read():
    for (size, density), language in itertools.product(EVERY, ("fr", "de")):
        catalogue.speak(language)
        plan = layout.arrange(*size, density)
        per_page = panel.page_rows(plan)
        for which in ("program", "tour"):
            view = View(panel=which, programs=choices(), sentence=LONGEST, page_rows=per_page)
            _, box, rows = panel.arrange(plan, view)
            assert inside(box, size) and clear(rows)
            assert all(box.left <= row.left and row.right <= box.right for row in rows)
            assert panel.row_at(plan, view, *rows[2].middle) == 2
        shown = []
        for page in range(panel.pages(plan)):
            view = View(panel="help", page=page, page_rows=per_page)
            text, box, rows = panel.arrange(plan, view)
            assert inside(box, size) and clear(rows)
            assert text >= plan.text * 0.6  # a narrow window; the height costs nothing
            shown += panel.shown_rows(view)
        assert shown == [(str(key), str(what)) for key, what in (*phrases.USES, *panel.KEYS)]


def test_the_time_line_labels_the_ends_first_and_some_beeps_by_their_time():
    plan = layout.arrange(900, 760)
    marks = tuple(Mark(second, "hour-beep") for second in (840, 900, 960, 1800, 2700))
    words = [name for name, _, _ in timeline.labels(plan.strip, plan.text, marks + MARKS)]
    assert "the hour 1:00:00" in words
    assert "beep 6 s" in words
    assert any(name in words for name in ("14:00", "15:00", "16:00", "30:00", "45:00"))
    plan = layout.arrange(500, 560)  # in the last minute of the hour an auction ends
    coming = (Mark(3, "auction-warning"), Mark(8, "auction-ended"))
    beeps = tuple(Mark(second, "hour-beep") for second in range(-9, 10))
    words = [name for name, _, _ in timeline.labels(plan.strip, plan.text, beeps + coming)]
    assert words[:2] == ["warning 3 s", "sold 8 s"]


def test_small_letters_have_the_proportions_of_large_ones():
    for size in range(8, paint.SMALL_LETTERS):
        whole = paint.text_width("keep that", size)
        drawn = paint.text_width("keep that", 200) * size / 200
        assert abs(whole - drawn) <= max(1.5, 0.02 * drawn)  # but for rounding
        assert paint.lettering("keep that", size, (255, 255, 255)).get_width() == whole


def test_the_clock_does_not_shrink_when_the_window_grows_and_is_read_across_the_table():
    """The disc shrinks a little where it moves from beside the clock to above it."""
    plans = [layout.arrange(side, side) for side in range(320, 2000, 40)]
    heights = [
        scene.places_of_lines(plan.board, Sign("ready", "45:12"))[0][1].height for plan in plans
    ]
    assert heights == sorted(heights)
    radii = [plan.disc.radius for plan in plans]
    assert all(after >= before * 0.9 for before, after in itertools.pairwise(radii))
    for size, least in (  # in px on a screen of 1920 px that is 345 mm wide, 15 mm are 83
        ((1904, 984), 200),
        ((1350, 672), 83),
        ((584, 720), 83),
        ((464, 240), 40),
        *(  # the default size of a window
            (layout.initial_size((0, 0), desktop), 0.194 * desktop[1])
            for desktop in ((1366, 768), (1920, 1080), (2560, 1440), (3840, 2160))
        ),
    ):
        words, box = scene.places_of_lines(layout.arrange(*size).board, Sign("ready", "45:12"))[0]
        digits = paint.lettering(words, round(box.height), (255, 255, 255)).get_bounding_rect()
        assert digits.height >= least, size
    box = Box(0, 0, 240, 130)  # two lines are split where the letters are largest
    lines = [words for words, _ in scene.places_of_lines(box, Sign("over", "THE HOUR IS OVER"))]
    assert lines == ["THE HOUR", "IS OVER"]


def test_the_window_never_opens_larger_than_its_desktop():
    desktops = [(1366, 768), (1280, 720), (600, 1000), (480, 320), (1920, 1080)]
    wishes = [(0, 0), (760, 860), (3840, 2160), (1, 1), (480, 400)]
    least_width, least_height = layout.SMALLEST
    for desktop, wanted in itertools.product(desktops, wishes):
        width, height = layout.initial_size(wanted, desktop)
        assert least_width <= width <= desktop[0]
        usable = (desktop[0] - layout.FRAME, desktop[1] - layout.TASK_BAR)
        assert least_height <= height <= max(usable[1], least_height)
        if least_width <= wanted[0] <= usable[0]:
            assert width == wanted[0]
        if least_height <= wanted[1] <= usable[1]:
            assert height == wanted[1]


# Each drawn text, and its place.

PLAIN = re.compile(r"(?<!\w)[A-Za-z]*[aceinouyACEINOUY][A-Za-z]*(?!\w)")
NAMES = {"min", "EN", "city", *(program.name for program in programs.PROGRAMS)}
KEYS = re.compile(r"\b(F\d+|[A-Z])\b")

DRAWN: dict[int, tuple[str, pygame.Surface]] = {}  # keeps the surfaces, so that ids stay unique


class Sheet(pygame.Surface):
    """A picture that records the place of each text drawn on it."""

    def __init__(self, size: tuple[int, int]) -> None:
        super().__init__(size)
        self.texts: list[tuple[str, pygame.Rect]] = []

    def blit(self, source, dest=(0, 0), area=None, special_flags=0):
        place = super().blit(source, dest, area, special_flags)
        words, _surface = DRAWN.get(id(source), ("", source))
        if words.strip():
            corner = dest.topleft if isinstance(dest, pygame.Rect) else dest[:2]
            self.texts.append((words, pygame.Rect(corner, source.get_size())))
        return place


@pytest.fixture
def noted(monkeypatch):
    """Record the text of each surface that is drawn."""

    def noting(draw):
        def note(text, *look):
            surface = draw(text, *look)
            DRAWN[id(surface)] = (text, surface)
            return surface

        return note

    lettering = paint.lettering
    for name, module in list(sys.modules.items()):
        if name.startswith("sim.") and getattr(module, "lettering", None) is lettering:
            monkeypatch.setattr(module, "lettering", noting(lettering))
    monkeypatch.setattr(scene, "large_letters", noting(scene.large_letters))
    for wordless, name in ((scene, "cloth"), (scene, "draw_glow"), (scene.disc, "draw")):
        monkeypatch.setattr(wordless, name, lambda *_look: pygame.Surface((1, 1)))
    yield
    DRAWN.clear()


def signs():
    """Yield a sign of each kind, with the longest words of its kind."""
    take, stop = (str(sign.PRESS_NEXT), str(sign.PRESS_TAKE)), (str(sign.PRESS_STOP),)
    yield Sign("off", str(sign.OFF), "", (str(sign.PRESS_ON),))
    yield Sign("ready", "1:59:59", str(sign.GOING), (*stop, str(sign.PRESS_BUILD)))
    yield from (Sign("setup", "city", str(asked), take) for asked in sign.CHOOSE.values())
    yield Sign("auction", str(sign.AUCTION), str(sign.BIDDING), stop)
    yield Sign("warning", str(sign.LAST_BIDS), str(sign.GOING), stop)
    yield Sign("cancelled", str(sign.CANCELLED), "", stop)
    yield Sign("drawing", "", str(sign.CHOOSING), (), 2)
    yield Sign("sold", str(sign.SOLD), str(sign.TO_HIGHEST), (str(sign.PRESS_AUCTION),))
    yield Sign("over", str(sign.OVER["hour-ended"]), "", (str(sign.PRESS_OFF),))
    for why in sign.NOT_NOW.values():
        yield Sign("auction", str(sign.AUCTION), str(why), stop, is_refused=True)
    yield from (Sign("permit", str(word), str(sign.MAY_BUILD), (), 3) for word in sign.PERMIT_WORDS)
    goes_on = offers.LEFT_TO_PLAY.format(left="1:05:00")
    press = (str(offers.PRESS_GO_ON), str(offers.PRESS_NEW))
    yield Sign("offer", str(offers.LARGE_GOES_ON), goes_on, press)
    for big in (offers.LARGE_OFF, offers.LARGE_ANOTHER):
        yield Sign(
            "offer", str(big), offers.TO_TAKE_BACK.format(left=10), (str(offers.PRESS_BACK),)
        )


def views():
    """Yield views of every kind, in the current language."""
    marks = tuple(
        Mark(seconds, kind, {"permit-granted": "station", "phase-started": "deeds"}.get(kind, ""))
        for seconds, kind in enumerate(EVENTS, -7)
    )
    far = (Mark(-300, "auction-ended"), Mark(840, "hour-beep"), Mark(3500, "hour-ended"))
    refused = (Mark(-1, "refused", "build", "auction"),)
    for shown in signs():
        yield View(sign=shown, marks=marks, programs=choices(), left_ms=3_000_000)
    yield View(marks=far, is_over=True, volume=0, speed=10)
    yield View(marks=refused, is_paused=True, look=Look(), hint="")
    for hovered in scene.TIPS:
        yield View(hover=hovered, marks=marks)
    yield View(hover="build", has_permits=False)
    for which in ("help", "tour", "program"):
        yield View(panel=which, programs=choices(), sentence="")
    yield View(trace=tuple(Lane(name, ((-3000, -1000, 2700),)) for name in OUTPUTS))
    yield View(sentence=str(sign.SECONDS_HIDDEN))
    yield View(offer=offers.SWITCHED_OFF.format(left=10), sentence=str(sign.SECONDS_SHOWN))
    yield View(has_sound=False)


def drawn(view, size):
    has_tools = bool(view.hover) or view.is_paused or view.speed != 1
    plan = layout.arrange(*size, has_tools=has_tools, shows_trace=bool(view.trace))
    sheet = Sheet(size)
    scene.draw(sheet, plan, view)
    return sheet.texts


def wrong_texts(size):
    """Return the texts that are cut off, overlap or do not come from the catalogue."""
    wrong = set()
    for view in views():
        texts = drawn(view, size)
        assert texts
        if catalogue.speaking() == catalogue.PSEUDO:
            plain = {word for words, _ in texts for word in PLAIN.findall(KEYS.sub("", words))}
            wrong |= {f"{word} is English" for word in plain - NAMES}
        if view.panel:
            continue  # another test checks its rows
        spots = [(words, spot.inflate(-2, -spot.height * 0.4)) for words, spot in texts]
        window = pygame.Rect((0, 0), size)
        wrong |= {f"{words} is cut off" for words, spot in spots if not window.contains(spot)}
        for (words, spot), (other, there) in itertools.combinations(spots, 2):
            if spot.colliderect(there) and not view.hover:
                wrong.add(f"{words} lies on {other}")
    return wrong


@pytest.mark.parametrize("language", [*catalogue.languages(), catalogue.PSEUDO])
def test_no_text_is_cut_off_or_on_another_or_untranslated_in_any_language(noted, language):
    catalogue.speak(language)
    for size in ((320, 320), (700, 320), (900, 700)):
        assert wrong_texts(size) == set(), size
    for size, density in EVERY:
        board = layout.arrange(*size, density).board
        for shown in signs():
            for words, box in scene.places_of_lines(board, shown):
                assert inside(box, size), (shown, words)
                assert box.width <= board.width + 1
