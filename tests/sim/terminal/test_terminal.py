"""The terminal: its keys, its picture, and that a real terminal is left as it was."""

import re
import sys

import pytest

from city_unit.desktop import catalogue
from city_unit.draws import Draws
from city_unit.facts import AUCTION
from city_unit.settings import Settings
from city_unit.unit import Unit
from sim.engine.runner import Runner
from sim.play import state_words
from sim.play.preferences import Preferences
from sim.terminal import picture
from sim.terminal.picture import WIDTH, Style, View, lines
from sim.terminal.session import FullScreen, LineScreen, Session, keys_of, open_screen
from tests.helpers.standing_clock import StandingClock
from tests.helpers.times import WARNED

PLAIN = Style(is_rich=False, has_colour=False)


@pytest.fixture
def clock():
    return StandingClock()


@pytest.fixture
def session(clock):
    runner = Runner(Unit(Settings(), Draws(1).below), clock)
    session = Session(runner, Preferences())
    session.runner = runner
    return session


def press(session, clock, *keys):
    for key in keys:
        session.do(key)
        clock.move(1000)
        session.runner.advance()


def kinds(session):
    return [change.what for change in session.runner.changes if change.what in picture.CUES]


@pytest.mark.parametrize(
    ("text", "keys"),
    [
        ("aB", ["a", "B"]),
        ("\x1b[A\x1b[B", ["up", "down"]),
        ("\x1bOA\x1bOP", ["up", "f1"]),
        ("\r \n", ["return", "space", "return"]),
        ("\xe0H\0;", ["up", "f1"]),
        ("\x1b[200~x", ["\x1b[200~", "x"]),
        ("\x1b", ["escape"]),
        ("\x03\x04", ["leave", "leave"]),
    ],
)
def test_keys(text, keys):
    assert keys_of(text) == keys


def test_an_auction_by_keyboard(session, clock):
    session.do("o")
    assert session.begins() and not session.begins()  # the bell rings once
    press(session, clock, "space", "b", "o", "o", "return")
    clock.move(2000)
    press(session, clock, "a")
    assert kinds(session) == [
        *("switched-on", "auction-started", "refused", "switched-off"),
        *("switched-on", "permit-started", "permit-granted", "auction-started"),
    ]


def test_a_latched_button_cancels(session, clock):
    press(session, clock, "o", "a", "A")
    assert session.runner.is_closed(AUCTION)
    clock.move(1500)
    press(session, clock, "A")
    assert kinds(session)[-1] == "auction-cancelled"
    assert not session.runner.is_closed(AUCTION)


def test_pause_step_and_speed(session, clock):
    press(session, clock, "o", "a", "p")
    ms = session.runner.ms
    press(session, clock, "n")
    assert session.runner.ms == ms + 500 - (ms - 1016) % 500
    press(session, clock, "p", "+")
    assert (session.runner.is_paused, session.runner.speed) == (False, 2.0)
    press(session, clock, "-", "-", "0")
    assert session.runner.speed == 1.0


def test_volume_and_mute(session, clock):
    press(session, clock, "up", "up")
    assert session.volume == 3
    press(session, clock, "m")
    assert session.volume == 0
    press(session, clock, "m", "down")
    assert session.volume == 2
    press(session, clock, "down", "down", "down")
    assert session.volume == 0


def test_the_next_program_starts_a_game_but_not_in_an_auction(session, clock):
    press(session, clock, "o")
    clock.move(10_000)
    press(session, clock, "c")
    assert session.runner.unit.settings.program.name == "city"
    assert any("starts championship" in line for line in session.lines(PLAIN))
    press(session, clock, "c")
    assert session.runner.unit.settings.program.name == "championship"
    assert kinds(session)[-2:] == ["switched-on", "phase-started"]
    press(session, clock, "a", "c")
    assert session.runner.unit.settings.program.name == "championship"
    assert any("Not while an auction runs" in line for line in session.lines(PLAIN))


def test_what_was_chosen_is_remembered_and_a_warning_is_shown(clock):
    preferences = Preferences(warning="volume must be 0, 1, 2 or 3")
    runner = Runner(Unit(Settings(), Draws(1).below), clock)
    session = Session(runner, preferences)
    assert any("volume must be" in line for line in session.lines(PLAIN))
    for key in ("c", "c", "up"):
        session.do(key)
    session.remember()
    assert (preferences.program, preferences.clock_ms, preferences.volume) == (
        "timed",
        3_600_000,
        3,
    )


def test_quitting_is_asked_once_while_a_game_runs(session, clock):
    press(session, clock, "o", "q")
    assert session.is_running
    assert any("Q once more" in line for line in session.lines(PLAIN))
    clock.move(4000)
    assert not any("Q once more" in line for line in session.lines(PLAIN))
    session.do("q")
    assert session.is_running
    session.do("Q")
    assert not session.is_running
    session.is_running = True
    session.do("leave")  # Ctrl-C is not asked
    assert not session.is_running


class TestPicture:
    def shown(self, session, style=PLAIN, view=View()):  # noqa: B008
        return lines(session.runner, view, style, (80, 24))

    def small(self, session, columns=40, height=12):
        return session.lines(PLAIN, (columns, height))

    def test_a_small_terminal_has_the_essence_and_names_the_size_it_wants(self, session, clock):
        press(session, clock, "o", "a", "b")
        picture = self.small(session)
        assert len(picture) <= 12
        assert max(map(len, picture)) <= 40
        assert picture[0] == "40x12 is small, 64x24 shows everything"
        text = "\n".join(picture)
        for word in (
            "AUCTION",
            "station",
            "switch: on",
            "to go",
            "BUILD refused",
            "a AUCTION",
        ):
            assert word in text

    @pytest.mark.parametrize("height", [1, 2, 5])
    def test_however_small_the_keys_stay_in_sight(self, session, height):
        picture = self.small(session, 20, height)
        assert len(picture) <= height
        assert max(map(len, picture)) <= 20
        assert picture[-1] == "a b o   ? help"

    def test_colours_are_not_counted_and_not_cut(self, session, clock):
        press(session, clock, "o", "b")
        line = next(line for line in session.lines(Style(), (12, 12)) if "1  " in line)
        assert line.count("\x1b") % 2 == 0
        assert len(re.sub("\x1b.*?m", "", line)) == 12

    def test_the_setup_tells_its_page_and_what_is_chosen(self, session, clock):
        press(session, clock, "B", "o")
        assert any("Choose the program: City.  Let BUILD go" in x for x in self.shown(session))
        press(session, clock, "b", "b")
        assert any("Choose the program: championship" in x for x in self.shown(session))
        press(session, clock, "a")
        assert any("Choose the volume: 2 of 3" in x for x in self.small(session))

    def test_a_lit_lamp_is_told_without_colour(self, session, clock):
        press(session, clock, "o")
        assert not any("(#)" in line for line in self.shown(session))
        press(session, clock, "a")
        assert any("( ) AUCTION" in line for line in self.shown(session))
        clock.move(100)
        session.runner.advance()
        assert any("(#) AUCTION" in line for line in self.shown(session))

    def test_plain_is_ascii_and_without_sequences(self, session, clock):
        press(session, clock, "o", "b")
        text = "\n".join(self.shown(session, view=View("no display", "", 0, True)))
        assert text.isascii() and "\x1b" not in text

    def test_it_never_jumps_and_stays_narrow(self, session, clock):
        heights = set()
        for key in ("o", "a", "p", "p", "+", "A", "A", "o"):
            press(session, clock, key)
            picture = self.shown(session)
            heights.add(len(picture))
            assert max(map(len, picture)) <= WIDTH
        assert heights == {24}

    def test_the_help_says_first_what_it_is_for_and_fits_in_one_page(self, session):
        picture_lines = self.shown(session, view=View(help=1))
        assert len(picture_lines) == 24
        assert max(map(len, picture_lines)) <= 80
        for key, what in (*state_words.USES, *picture.KEYS):
            assert any(str(key) in line and str(what) in line for line in picture_lines)
        assert picture_lines[0].startswith("AUCTION")

    @pytest.mark.parametrize("language", ["en", "fr", catalogue.PSEUDO])
    @pytest.mark.parametrize("size", [(80, 24), (40, 12), (24, 6), (12, 3)])
    def test_in_the_help_nothing_runs_together_and_nothing_is_cut(self, session, language, size):
        catalogue.speak(language)
        texts = [(str(key), str(what)) for key, what in (*state_words.USES, *picture.KEYS)]
        pages = picture.pages(*size)
        assert all(len(page) <= max(1, size[1] - 1) for page in pages)
        rows = [line for page in pages for line in page]
        assert max(map(len, rows)) <= size[0]
        squeezed = "".join("".join(rows).split())
        for key, what in texts:
            if key and size[0] >= 40:  # in one row there are two blanks between them
                row = next(row for row in rows if row.startswith(f"{key} "))
                assert row.startswith(f"{key}  ")
            assert "".join(what.split())[:10] in squeezed

    def test_the_help_has_pages_where_it_is_small_and_ends(self, session):
        pages = len(picture.pages(40, 12))
        assert pages > 1
        session.lines(PLAIN, (40, 12))
        for page in range(1, pages + 1):
            session.do("?")
            foot = session.lines(PLAIN, (40, 12))[-1]
            assert foot.startswith(f"page {page} of {pages}")
        session.do("?")
        assert session.lines(PLAIN, (40, 12))[0].startswith("40x12")

    def test_last_and_next(self, session, clock):
        warns = f"00:{WARNED / 1000:04.1f}  auction warns"
        press(session, clock, "o", "a")
        text = "\n".join(self.shown(session))
        assert "00:01.0  auction started" in text
        assert warns not in text  # the unit of the box does not tell it
        session.do("s")
        text = "\n".join(session.lines(PLAIN))
        assert warns in text
        assert "00:49" in text
        session.do("s")
        assert "00:49" not in "\n".join(session.lines(PLAIN))

    def test_words_without_room_are_spread_and_accents_are_left_out(self):
        assert picture.large("PRÊT", 40) == picture.large("PRET", 40)
        assert picture.large("THE HOUR IS OVER", 40)[2].strip() == "T H E   H O U R   I S   O V E R"
        assert picture.large("ВЕЧЕР", 40)[2].strip() == "В Е Ч Е Р"


class Printed:
    """The prints of a screen."""

    def __init__(self, monkeypatch):
        self.text = ""
        monkeypatch.setattr(sys, "stdout", self)

    encoding = "utf-8"

    def write(self, text):
        self.text += text

    def flush(self):
        pass


@pytest.mark.parametrize("environ", [{"TERM": "dumb"}, {"TERM": ""}])
def test_a_dumb_terminal_gets_lines_and_no_escape_codes(session, clock, monkeypatch, environ):
    printed = Printed(monkeypatch)
    with open_screen(environ) as screen:
        assert isinstance(screen, LineScreen)
        for key in ("", "o", "a", "", "b", "?", "escape"):
            press(session, clock, key)
            screen.show(session, False)
    assert "\x1b" not in printed.text
    rows = printed.text.splitlines()
    for words in ("switched on: city", "auction started", "BUILD refused: an auction runs"):
        assert len([row for row in rows if words in row]) == 1
    assert any("tap AUCTION" in row for row in rows)
    assert isinstance(open_screen({"TERM": "xterm"}), FullScreen)
