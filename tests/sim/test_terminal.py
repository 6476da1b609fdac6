"""The terminal: what keys do, what is shown, and that a real terminal is left as it was."""

import os
import re
import signal
import sys
import time

import pytest

from city_unit.draws import Draws
from city_unit.settings import Settings
from city_unit.unit import AUCTION, Unit
from sim import texts_terminal as texts
from sim.errors import UserError
from sim.preferences import Preferences
from sim.runner import Runner
from sim.sound import Speaker
from sim.terminal import run
from sim.terminal.keyboard import keys_of
from sim.terminal.picture import WIDTH, Style, View, lines
from sim.terminal.session import Session
from tests.needs import needs
from tests.sim.test_runner import Hands

PLAIN = Style(rich=False, colour=False)


@pytest.fixture
def hands():
    return Hands()


@pytest.fixture
def session(hands):
    runner = Runner(Unit(Settings(), Draws(1).below), hands)
    session = Session(runner, Preferences())
    session.runner = runner
    return session


def press(session, hands, *keys):
    for key in keys:
        session.do(key)
        hands.move(1000)
        session.runner.advance()


def told(session):
    return [one.what for one in session.runner.changes if one.what in texts.CUES]


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


def test_an_auction_by_keyboard(session, hands):
    press(session, hands, "o", "a", "b", "o")
    assert told(session) == ["switched-on", "auction-started", "refused", "switched-off"]


def test_space_and_return_are_the_buttons_too(session, hands):
    press(session, hands, "o", "return")
    hands.move(2000)
    press(session, hands, "space")
    assert told(session) == [
        "switched-on", "permit-started", "permit-granted", "auction-started"
    ]  # fmt: skip


def test_a_latched_button_cancels(session, hands):
    press(session, hands, "o", "a", "A")
    assert session.runner.is_closed(AUCTION)
    hands.move(1500)
    press(session, hands, "A")
    assert told(session)[-1] == "auction-cancelled"
    assert not session.runner.is_closed(AUCTION)


def test_pause_step_and_speed(session, hands):
    press(session, hands, "o", "a", "p")
    ms = session.runner.ms
    press(session, hands, "n")
    assert session.runner.ms == ms + 500 - (ms - 1016) % 500
    press(session, hands, "p", "+")
    assert (session.runner.paused, session.runner.speed) == (False, 2.0)
    press(session, hands, "-", "-", "0")
    assert session.runner.speed == 1.0


def test_volume_and_mute(session, hands):
    press(session, hands, "up", "up")
    assert session.volume == 3
    press(session, hands, "m")
    assert session.volume == 0
    press(session, hands, "m", "down")
    assert session.volume == 2


def test_the_next_program_starts_a_game_but_not_in_an_auction(session, hands):
    press(session, hands, "o")
    hands.move(10_000)
    press(session, hands, "c")
    assert session.runner.unit.settings.program.name == "city"
    assert any("starts championship" in line for line in session.lines(PLAIN))
    press(session, hands, "c")
    assert session.runner.unit.settings.program.name == "championship"
    assert told(session)[-2:] == ["switched-on", "phase-started"]
    press(session, hands, "a", "c")
    assert session.runner.unit.settings.program.name == "championship"
    assert any("Not while an auction runs" in line for line in session.lines(PLAIN))


def test_what_was_chosen_is_remembered(hands):
    preferences = Preferences()
    runner = Runner(Unit(Settings(), Draws(1).below), hands)
    session = Session(runner, preferences)
    for key in ("c", "c", "up"):
        session.do(key)
    session.remember()
    assert (preferences.program, preferences.clock_ms, preferences.volume) == (
        "timed",
        3_600_000,
        3,
    )


def test_a_warning_about_the_settings_is_shown(hands):
    runner = Runner(Unit(Settings(), Draws(1).below), hands)
    session = Session(runner, Preferences(warning="volume must be 0, 1, 2 or 3"))
    assert any("volume must be" in line for line in session.lines(PLAIN))


def test_a_tone_rings_the_bell_once(session, hands):
    session.do("o")
    assert session.begins()
    assert not session.begins()


@pytest.mark.parametrize("key", ["q", "Q"])
def test_quit(session, key):
    session.do(key)
    assert session.over


def test_quitting_is_asked_once_while_a_game_runs(session, hands):
    press(session, hands, "o", "q")
    assert not session.over
    assert any("Q once more" in line for line in session.lines(PLAIN))
    hands.move(4000)
    assert not any("Q once more" in line for line in session.lines(PLAIN))
    session.do("q")
    assert not session.over
    session.do("q")
    assert session.over


def test_ctrl_c_is_not_asked(session, hands):
    press(session, hands, "o", "leave")
    assert session.over


def test_programs_are_gone_through_without_a_question_each(session, hands):
    session.do("o")
    for _ in range(3):
        session.do("c")
        hands.move(400)
    assert session.runner.unit.settings.program.name == "world"


def test_a_key_for_nothing_does_nothing(session, hands):
    press(session, hands, "o", "x", "\x1b", "5", "é")
    assert told(session) == ["switched-on"]


class TestPicture:
    def shown(self, session, style=PLAIN, view=View()):  # noqa: B008
        return lines(session.runner, view, style, (80, 24))

    def small(self, session, columns=40, height=12):
        return session.lines(PLAIN, (columns, height))

    def test_a_small_terminal_has_the_essence_and_names_the_size_it_wants(self, session, hands):
        press(session, hands, "o", "a", "b")
        picture = self.small(session)
        assert len(picture) <= 12
        assert max(map(len, picture)) <= 40
        assert picture[0] == "40x12 is small, 64x24 shows everything"
        text = "\n".join(picture)
        for word in (
            "AUCTION",
            "station",
            "switch: on",
            "left",
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
        assert picture[-1].startswith("a AUCTION")

    def test_colours_are_not_counted_and_not_cut(self, session, hands):
        press(session, hands, "o", "b")
        line = session.lines(Style(), (12, 12))[2]
        assert line.count("\x1b") % 2 == 0
        assert len(re.sub("\x1b.*?m", "", line)) == 12

    def test_the_setup_tells_its_page_and_what_is_chosen(self, session, hands):
        press(session, hands, "B", "o")
        assert any("Choose the program: city.  Let BUILD go" in x for x in self.shown(session))
        press(session, hands, "b", "b")
        assert any("Choose the program: championship" in x for x in self.shown(session))
        press(session, hands, "a")
        assert any("Choose the volume: 2 of 3" in x for x in self.small(session))

    def test_after_the_hour_it_says_how_to_go_on(self, session, hands):
        press(session, hands, "o")
        hands.move(3_600_000)
        press(session, hands, "a")
        text = "\n".join(self.shown(session))
        assert "The hour is over. O switches off" in text
        assert "AUCTION refused: the game is over" in text

    def test_escape_closes_the_keys(self, session):
        session.do("h")
        assert any("step to" in line for line in session.lines(PLAIN))
        session.do("escape")
        assert not any("step to" in line for line in session.lines(PLAIN))

    def test_a_lit_lamp_is_told_without_colour(self, session, hands):
        press(session, hands, "o")
        assert not any("(#)" in line for line in self.shown(session))
        press(session, hands, "a")
        assert any("( ) AUCTION" in line for line in self.shown(session))
        hands.move(100)
        session.runner.advance()
        assert any("(#) AUCTION" in line for line in self.shown(session))

    def test_plain_is_ascii_and_without_sequences(self, session, hands):
        press(session, hands, "o", "b")
        text = "\n".join(self.shown(session, view=View("no display", "", True, True)))
        assert text.isascii() and "\x1b" not in text

    def test_colour_goes_with_the_mark(self, session, hands):
        press(session, hands, "o", "b")
        text = "\n".join(self.shown(session, Style()))
        assert "\x1b[1;93m(●)\x1b[0m" in text

    def test_it_never_jumps_and_stays_narrow(self, session, hands):
        heights = set()
        for key in ("o", "a", "p", "p", "+", "A", "A", "o"):
            press(session, hands, key)
            picture = self.shown(session)
            heights.add(len(picture))
            assert max(map(len, picture)) <= WIDTH
        assert heights == {24}

    def test_all_keys_are_shown_and_fit(self, session):
        picture = self.shown(session, view=View(keys=True))
        assert len(picture) == 24
        assert max(map(len, picture)) <= 80
        for key, what in texts.KEYS:
            assert any(key in line and what in line for line in picture)

    def test_it_says_why_and_what_is_not_real_time(self, session, hands):
        press(session, hands, "o", "p")
        text = "\n".join(self.shown(session, view=View("there is no display")))
        assert "there is no display" in text
        assert "NOT REAL TIME: paused" in text

    def test_last_and_next(self, session, hands):
        press(session, hands, "o", "a")
        text = "\n".join(self.shown(session))
        assert "00:01.0  auction started" in text
        assert "00:46.0  auction warns" in text

    def test_a_phase_has_its_name(self, session, hands):
        press(session, hands, "c", "o")
        text = "\n".join(self.shown(session))
        assert "phase: deeds" in text
        assert "05:01.0  phase: play" in text


def test_without_a_terminal_one_line_says_so(session, monkeypatch):
    monkeypatch.setattr(sys.stdin, "isatty", lambda: False, raising=False)
    with pytest.raises(UserError, match="this is no terminal"):
        run(session.runner, Preferences(), "", None, Speaker)


PROGRAM = """
import time
from city_unit.draws import Draws
from city_unit.settings import Settings
from city_unit.unit import Unit
from sim.preferences import Preferences
from sim.runner import Runner
from sim.sound import Speaker
from sim.terminal import run
runner = Runner(Unit(Settings(), Draws(1).below), time.monotonic)
runner.switch(True)
raise SystemExit(run(runner, Preferences(), "there is no display", None, Speaker))
"""


class RealTerminal:
    """A terminal of which we are the person."""

    def __init__(self, command=(sys.executable, "-c", PROGRAM)):
        import pty
        import subprocess
        import termios

        self.ours, theirs = pty.openpty()
        self._theirs = theirs
        self.before = termios.tcgetattr(theirs)
        environment = {**os.environ, "TERM": "xterm", "PYTHONIOENCODING": "utf-8"}
        self.process = subprocess.Popen(
            command, stdin=theirs, stdout=theirs, stderr=theirs, env=environment
        )
        self.text = ""

    def after(self):
        import termios

        return termios.tcgetattr(self._theirs)

    def type(self, text):
        os.write(self.ours, text.encode())

    def wait_for(self, text):
        import select

        end = time.monotonic() + 20
        while text not in self.text:
            assert time.monotonic() < end, self.text[:3000]
            if select.select([self.ours], [], [], 0.1)[0]:
                self.text += os.read(self.ours, 65536).decode(errors="replace")

    def wait_for_end(self):
        self.wait_for("\x1b[?1049l")
        return self.process.wait(20)

    def close(self):
        self.process.kill()
        self.process.wait()
        os.close(self.ours)
        os.close(self._theirs)


@pytest.fixture
def terminal():
    needs(os.name == "posix", "a Unix terminal")
    terminal = RealTerminal()
    yield terminal
    terminal.close()


def test_a_real_terminal(terminal):
    terminal.wait_for("there is no display")
    terminal.type("a")
    terminal.wait_for("auction started")
    terminal.type("qq")
    assert terminal.wait_for_end() == 0
    assert terminal.after() == terminal.before


@pytest.mark.parametrize(("number", "code"), [(signal.SIGINT, 0), (signal.SIGTERM, 143)])
def test_a_real_terminal_is_left_as_it_was_whatever_ends_it(terminal, number, code):
    terminal.wait_for("q quit")
    terminal.process.send_signal(number)
    assert terminal.wait_for_end() == code
    assert terminal.after() == terminal.before
