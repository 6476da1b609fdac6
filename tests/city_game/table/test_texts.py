"""No text of the table is cut off or overlaps another one, in any language.

The made-up language is 40 % longer than English and has brackets, which reveal cut texts and texts
missing from the catalogues.
"""

from pathlib import Path

import pygame
import pytest

from city_game import editions
from city_game.kernel.money import show
from city_game.save import SavedGame
from city_game.table import picture
from city_game.table.layout import letters
from city_game.table.pages import pages_of
from city_game.table.setup import SetupScreen, paint_setup
from city_unit.desktop import catalogue, language
from tests.city_game.table import pictures
from tests.helpers.virtual_table import BOARD, draw, make_screen, make_session, press

FRAMES, PICTURES = 4000, 30
# "xx" is longer than any real language and needs more than 800 by 600; English is the shortest.
CASES = [("fr", (800, 600)), ("fr", (1280, 720)), ("xx", (1024, 600)), ("xx", (1920, 1080))]


class Watch:
    """Records the texts of a picture: their heights, and which are cut off or overlap."""

    def __init__(self, monkeypatch):
        self.heights = set()
        self.cut = set()
        self.overlapping = set()
        self.there = []
        self._text = ""
        fitting, lettering, put = picture.fitting, picture.lettering, picture.put
        panel = picture.Pen.panel

        def fit(text, pixels, room):
            found = fitting(text, pixels, room)
            if found != text:
                self.cut.add(text)
            return found

        def letter(text, pixels, colour):
            self._text = text
            self.heights.add(pixels)
            return lettering(text, pixels, colour)

        def put_down(target, sprite, at, anchor="center"):
            rect = put(target, sprite, at, anchor)
            if self._text:
                self._note(self._text, pygame.Rect(rect), target.get_rect())
            self._text = ""
            return rect

        def cover(pen, box, *look, **more):
            rect = pygame.Rect(box)
            self.there = [
                (text, there) for text, there in self.there if not rect.colliderect(there)
            ]
            panel(pen, box, *look, **more)

        monkeypatch.setattr(picture, "fitting", fit)
        monkeypatch.setattr(picture, "lettering", letter)
        monkeypatch.setattr(picture, "put", put_down)
        monkeypatch.setattr(picture.Pen, "panel", cover)
        picture.wrapped.cache_clear()

    def _note(self, text, rect, window):
        inner = rect.inflate(-2, -rect.height * 0.4)
        for other, there in self.there:
            if inner.colliderect(there):
                self.overlapping.add((other, text))
        if not window.contains(inner):
            self.overlapping.add(("the edge of the window", text))
        self.there.append((text, inner))

    def look(self, picture):
        """Watch a new picture while it is drawn."""
        self.there = []
        picture()

    def finds_room(self, size):
        """Check that no text was cut off or covered, and that letters have three heights."""
        assert (self.cut, self.overlapping) == (set(), set())
        pen = picture.Pen(pygame.Surface((1, 1)), letters(*size))
        assert self.heights == {pen.size, pen.head, pen.large}


@pytest.fixture(params=CASES, ids=lambda case: f"{case[0]}-{case[1][0]}x{case[1][1]}")
def case(request):
    return request.param


@pytest.fixture
def size(case):
    return case[1]


@pytest.fixture
def watch(case, monkeypatch):
    pygame.font.init()
    catalogue.speak(case[0])
    return Watch(monkeypatch)


def test_the_setup_has_room_for_its_texts(watch, size):
    setup = SetupScreen(SavedGame(Path("evening.city"), ("Ann", "Bob"), 11))
    picture = pygame.Surface(size)

    def look():
        watch.look(lambda: paint_setup(picture, setup))

    for _ in editions.names():
        look()
        setup.show_rules()
        look()
        setup.page = None
        setup.change_edition()
    setup.place = [0, 2]
    look()
    setup.kinds = ["empty"] * 6
    setup.begin()
    look()
    setup.show_games()
    look()
    watch.finds_room(size)


def test_the_table_has_room_for_its_texts(watch, size):
    screen = pictures.begin()
    screen.resize(size)
    seen = set()

    def look():
        watch.look(lambda: draw(screen))

    for frame in range(FRAMES):
        if len(seen) == PICTURES and screen.session.state.sales:
            break
        screen.update()
        pictures.bid_to_the_end(screen)
        labels = tuple(button.label for button in screen.buttons())
        shown = (screen.session.state.phase, labels, bool(screen.motion.sale))
        if shown not in seen and len(seen) < PICTURES:
            seen.add(shown)
            look()
            for option in screen.decision.options:
                if option.targets or option.calls == "offer":
                    screen.choose(option)
                    look()
                    screen.deal = None
                    screen.back()
        if frame % 10 == 0:
            pictures.act(screen)
    assert len(seen) == PICTURES
    for key in (pygame.K_F1, pygame.K_F2, pygame.K_F3, pygame.K_i):
        press(screen, key)
        card = pages_of(screen.card, screen.session.state, screen.layout)
        for _page in range(len(card) + 1):
            look()
            press(screen, pygame.K_RIGHT)
        press(screen, pygame.K_ESCAPE)
    watch.finds_room(size)


def test_six_players_keep_their_worth(watch, size):
    session, _ = make_session(("human",) * 3 + ("builder", "planner", "visitor"))
    screen = make_screen(session, size)
    watch.look(lambda: draw(screen))
    worth = catalogue.gettext("worth {amount}").format(amount=show(BOARD.money.start))
    assert sum(text == worth for text, _ in watch.there) == 6
    assert (watch.cut, watch.overlapping) == (set(), set())


def test_another_language_applies_at_once_and_is_saved():
    setup, labels = SetupScreen(), {}
    for _press in catalogue.languages():
        setup.change_language()
        assert (language.saved("table") or "en") == catalogue.speaking()
        labels[catalogue.speaking()] = setup.buttons()[-1][0]
    assert catalogue.speaking() == "en" and labels.keys() == set(catalogue.languages())
    assert labels["fr"] == "Langue\u202f: français"


def test_a_word_too_long_for_its_lines_is_not_followed_by_an_empty_line():
    """pygame can crash when it narrows the empty picture of such a line: a space in German did."""
    pygame.font.init()
    assert picture.in_lines("Industriesteuer", 14, 44, 2) == ("Industriesteuer",)
    assert len(picture.in_lines("Industriesteuer und mehr als ein Wort", 14, 44, 2)) == 2
    pen = picture.Pen(pygame.Surface((200, 40)), 14)
    assert pen.write("", (0, 0), narrow=0.5).width == 0
