"""The terminal: its keys and picture in each language; real terminals, and killed programs."""

import json
import os
import re
import select
import shutil
import signal
import subprocess
import sys
import time

import pytest

from city_unit import host, programs
from city_unit.desktop import catalogue
from city_unit.facts import ALL_LAMPS, AUCTION, LAMP_COUNT
from sim.play import controls, phrases
from sim.play.preferences import Preferences
from sim.terminal import picture
from sim.terminal.picture import WIDTH, Style, View
from sim.terminal.session import FullScreen, LineScreen, TerminalControls, keys_of, open_screen
from tests.helpers.desk import Desk
from tests.helpers.emulated import ANY_PORT, Emulated
from tests.helpers.needs import needs
from tests.helpers.patience import PATIENCE_S, until
from tests.helpers.times import SLOW_MS, WARNED

PLAIN = Style(is_rich=False, has_colour=False)


class Seat(Desk):
    """The user of a terminal."""

    def __init__(self, preferences=None):
        super().__init__()
        self.session = TerminalControls(self.runner, preferences or Preferences(), "", self.offers)

    def wait(self, ms):
        super().wait(ms / 1000)

    def press(self, keys):
        """Press one key each second."""
        for key in keys.split():
            self.session.do(key)
            self.wait(1000)

    def rows(self, size=(80, 24), style=PLAIN):
        return self.session.lines(style, size)

    def text(self, size=(80, 24)):
        return "\n".join(self.rows(size))

    def kinds(self):
        return [change.what for change in self.runner.changes if change.what in picture.CUES]


@pytest.fixture
def seat():
    return Seat()


def test_keys_are_those_of_each_system():
    for text, keys in (
        ("aB", ["a", "B"]),
        ("\x1b[A\x1b[B", ["up", "down"]),
        ("\x1bOA\x1bOP", ["up", "f1"]),
        ("\r \n", ["return", "space", "return"]),
        ("\xe0H\0;", ["up", "f1"]),
        ("\x1b[200~x", ["\x1b[200~", "x"]),
        ("\x1b", ["escape"]),
        ("\x04\x11", ["leave", "leave"]),
    ):
        assert keys_of(text) == keys


def test_an_auction_by_keyboard(seat):
    assert seat.session.seconds_to_wait() == 0.05  # between two pictures
    seat.session.do("o")
    seat.wait(20)
    assert "sounds 2000 Hz" in seat.text() and seat.session.seconds_to_wait() < 0.05
    assert seat.session.tone_begins() and not seat.session.tone_begins()  # the bell rings once
    seat.wait(1000)
    assert not seat.session.tone_begins()
    seat.session.do("m")
    seat.session.do("a")
    seat.wait(20)
    assert seat.runner.tone and not seat.session.tone_begins()
    seat.session.do("m")
    seat.press("space b o o return")
    seat.wait(2000)
    seat.press("a")
    assert seat.kinds() == [
        *("switched-on", "auction-started", "refused", "switched-off"),
        *("switched-on", "permit-started", "permit-granted", "auction-started"),
    ]
    seat.press("A")  # a latched button cancels
    assert seat.runner.is_closed(AUCTION) and "AUCTION held" in seat.text()
    seat.wait(1500)
    seat.press("A")
    assert seat.kinds()[-1] == "auction-cancelled"
    assert not seat.runner.is_closed(AUCTION)


def test_pause_step_speed_and_volume(seat):
    seat.press("o a p")
    assert "NOT REAL TIME: paused" in seat.text()
    ms = seat.runner.ms
    seat.press("n")
    assert seat.runner.ms == ms + 500 - (ms - 1016) % 500
    seat.press("p +")
    assert (seat.runner.is_paused, seat.runner.speed) == (False, 2.0)
    seat.press("- - 0")
    assert seat.runner.speed == 1.0
    volumes = []
    for keys in ("up up", "m", "m down", "down down down"):
        seat.press(keys)
        volumes.append(seat.session.volume)
    assert volumes == [3, 0, 2, 0]


def test_the_next_program_starts_a_game_but_not_during_an_auction(seat):
    seat.press("o c")
    assert seat.program() == "championship"
    assert seat.kinds()[-2:] == ["switched-on", "phase-started"]
    assert "A new game has started. R goes back to the old one (9 s)" in seat.text()
    seat.press("a c")
    assert seat.program() == "championship" and str(controls.AUCTION_RUNS) in seat.text()


def test_choices_are_remembered_and_a_warning_is_shown():
    preferences = Preferences(warning="volume must be 0, 1, 2 or 3")
    seat = Seat(preferences)
    assert "volume must be" in seat.text()
    for key in ("c", "c", "up"):
        seat.session.do(key)
    seat.session.remember()
    remembered = (preferences.program, preferences.clock_ms, preferences.volume)
    assert remembered == ("timed", 3_600_000, 3)


def test_quitting_must_be_repeated_while_a_game_runs(seat):
    seat.press("o q")
    assert seat.session.is_running and "Q again" in seat.text()
    seat.wait(4000)
    assert "Q again" not in seat.text()
    seat.session.do("q")
    assert seat.session.is_running
    seat.session.do("Q")
    assert not seat.session.is_running
    seat.session.is_running = True
    seat.session.do("leave")  # Ctrl-C needs no confirmation
    assert not seat.session.is_running


def test_a_small_terminal_has_the_essentials_and_the_size_that_shows_everything(seat):
    seat.press("o a b")
    rows = seat.rows((40, 12))
    assert len(rows) <= 12 and max(map(len, rows)) <= 40
    assert rows[0] == "40x12 is small, 64x24 shows everything"
    for word in ("AUCTION", "station", "switch: on", "to go", "BUILD refused", "a AUCTION"):
        assert word in "\n".join(rows)
    for height in (1, 2, 5):
        rows = seat.rows((20, height))
        assert len(rows) <= height and max(map(len, rows)) <= 20
        assert rows[-1] == "a b o   ? help"


def test_the_picture_shows_each_state_without_colour_and_never_jumps(seat):
    heights = set()
    seat.press("o")
    assert "(#) AUCTION" not in seat.text()
    seat.press("a")
    assert "( ) AUCTION" in seat.text()
    seat.wait(100)
    assert "(#) AUCTION" in seat.text()
    line = next(row for row in seat.rows((12, 12), Style()) if "1  " in row)
    assert line.count("\x1b") % 2 == 0  # colour codes have no width and are not cut
    assert len(re.sub("\x1b.*?m", "", line)) == 12
    for key in ("p", "p", "+", "A", "A", "o"):
        seat.press(key)
        rows = picture.lines(seat.runner, View("no display", "", 0, True), PLAIN, (80, 24))
        heights.add(len(rows))
        assert max(map(len, rows)) <= WIDTH
        assert "\n".join(rows).isascii() and "\x1b" not in "\n".join(rows)
    assert heights == {24}


def test_each_lamp_is_in_the_picture_of_each_size(seat, monkeypatch):
    monkeypatch.setattr(type(seat.runner), "lamps", ALL_LAMPS)
    for size in ((80, 24), (40, 12)):
        assert seat.text(size).count("(#)") == LAMP_COUNT


def test_the_setup_shows_its_page_and_choice(seat):
    seat.press("B o")
    assert f"Choose the program: City.  {phrases.LET_GO}" in seat.text()
    seat.press("b b")
    assert "Choose the program: championship" in seat.text()
    seat.press("a")
    assert "Choose the volume: 2 of 3" in seat.text((40, 12))


def test_past_and_coming_events_are_shown_but_the_end_of_an_auction_only_on_request(seat):
    warns = f"00:{WARNED / 1000:04.1f}  auction warns"
    seat.press("o a")
    assert "00:01.0  auction started" in seat.text()
    assert warns not in seat.text()
    seat.session.do("s")
    assert warns in seat.text() and "00:49" in seat.text()
    seat.session.do("s")
    assert "00:49" not in seat.text()
    assert picture.large("PRÊT", 40) == picture.large("PRET", 40)
    assert picture.large("THE HOUR IS OVER", 40)[2].strip() == "T H E   H O U R   I S   O V E R"
    assert picture.large("ВЕЧЕР", 40)[2].strip() == "В Е Ч Е Р"


@pytest.mark.parametrize("language", ["en", "fr", catalogue.PSEUDO])
def test_in_the_help_nothing_touches_and_nothing_is_cut(language):
    catalogue.speak(language)
    texts = [(str(key), str(what)) for key, what in (*phrases.USES, *picture.KEYS)]
    for size in ((80, 24), (40, 12), (24, 6), (12, 3)):
        pages = picture.pages(*size)
        assert all(len(page) <= max(1, size[1] - 1) for page in pages)
        rows = [line for page in pages for line in page]
        assert max(map(len, rows)) <= size[0]
        squeezed = "".join("".join(rows).split())
        for key, what in texts:
            if key and size[0] >= 40:  # two blanks separate a key from its effect
                assert next(row for row in rows if row.startswith(f"{key} ")).startswith(f"{key}  ")
            assert "".join(what.split())[:10] in squeezed


def test_the_help_has_pages_in_a_small_terminal_and_ends(seat):
    assert len(picture.pages(80, 24)) == 1
    pages = len(picture.pages(40, 12))
    assert pages > 1
    seat.rows((40, 12))
    for page in range(1, pages + 1):
        seat.session.do("?")
        assert seat.rows((40, 12))[-1].startswith(f"page {page} of {pages}")
    seat.session.do("?")
    assert seat.rows((40, 12))[0].startswith("40x12")


def test_a_dumb_terminal_gets_lines_and_no_escape_codes(seat, capsys):
    for environ in ({"TERM": "dumb"}, {"TERM": ""}):
        with open_screen(environ) as screen:
            assert isinstance(screen, LineScreen)
    with screen:
        for key in ("", "o", "a", "", "b", "?", "escape"):
            seat.press(key)
            screen.show(seat.session, False)
    printed = capsys.readouterr().out
    assert "\x1b" not in printed
    for words in ("switched on: city", "auction started", "BUILD refused: an auction runs"):
        assert len([row for row in printed.splitlines() if words in row]) == 1
    assert "tap AUCTION" in printed
    assert isinstance(open_screen({"TERM": "xterm"}), FullScreen)


def test_a_full_screen_is_written_only_where_it_has_changed(seat, capsys, monkeypatch):
    monkeypatch.setattr(shutil, "get_terminal_size", lambda: os.terminal_size((80, 40)))
    screen = FullScreen()

    def shown(*keys):
        for key in keys:
            seat.session.do(key)
        screen.show(seat.session, False)
        return capsys.readouterr().out

    assert shown().startswith("\x1b[2J\x1b[1;1HCity Unit")
    assert shown() == ""
    assert re.findall(r"\x1b\[(\d+);1H", shown("m")) == ["17"]
    assert "\x1b[40;1H" in shown("?")
    assert shown("escape").endswith("\x1b[25;1H\x1b[J")  # a shorter picture


def evening(program):
    """Yield the runner of a unit in each of its states."""
    seat = Seat()
    runner = seat.runner
    runner.unit.settings.choose(program)

    def go(length_ms, act=lambda: None):
        act()
        seat.wait(length_ms)
        return runner

    yield runner
    yield go(2000, lambda: runner.switch(True))
    yield go(100, lambda: runner.press("auction"))
    yield go(SLOW_MS + 1000, lambda: runner.release("auction"))
    yield go(100, lambda: runner.tap("build"))  # refused during an auction
    yield go(8000)
    yield go(300, lambda: runner.tap("build"))
    yield go(60_000)
    for _quarter in range(9):
        yield go(900_000)
    yield go(100, lambda: runner.switch(False))
    runner.press("build")
    for _page in range(3):
        yield go(1000, lambda: runner.switch(True))
        yield go(1000, lambda: runner.release("build"))
        go(1000, lambda: runner.tap("auction"))


ENGLISH = re.compile(r"(?<!\w)[A-Za-z]*[aceinouyACEINOUY][A-Za-z]*(?!\w)")
# Keys, programs, and words in large letters, which have no accents.
NAMES = {"min", "city", "championship", "timed", "world", "a", "A", "o", "O"}


@pytest.mark.parametrize("language", [*catalogue.languages(), catalogue.PSEUDO])
def test_no_line_is_cut_off_and_every_word_comes_from_the_catalogue(monkeypatch, language):
    monkeypatch.setattr(picture, "cropped", lambda line, _columns: line)  # no line is cut
    catalogue.speak(language)
    long, words = set(), set()
    for program in programs.PROGRAMS:
        for runner in evening(program):
            for columns, height in ((80, 24), (64, 24), (40, 16)):
                rows = picture.lines(runner, View(), PLAIN, (columns, height))
                long |= {row for row in rows if len(row) > columns}
            words |= set(ENGLISH.findall("\n".join(rows)))
    assert long == set()
    assert language != catalogue.PSEUDO or words - NAMES == set()


# Real terminals, and programs in them.

PLAY = [sys.executable, "-m", "sim.cli", "play", "--terminal", "--seed", "1"]


class RealTerminal:
    """A pseudo terminal that the test uses like a person."""

    def __init__(self, command: list[str]) -> None:
        import pty
        import termios

        self.ours, theirs = pty.openpty()
        self._theirs = theirs
        self.before = termios.tcgetattr(theirs)
        environment = {**os.environ, "TERM": "xterm", "PYTHONIOENCODING": "utf-8"}
        self.process = subprocess.Popen(
            command, stdin=theirs, stdout=theirs, stderr=theirs, env=environment
        )
        self.text = ""

    def after(self) -> list:
        import termios

        return termios.tcgetattr(self._theirs)

    def type(self, text: str) -> None:
        os.write(self.ours, text.encode())

    def wait_for(self, text: str) -> None:
        """Wait until the output contains a text."""
        end = time.monotonic() + PATIENCE_S
        while text not in self.text:
            has_ended = self.process.poll() is not None  # before the read, to get all output
            if select.select([self.ours], [], [], 0.1)[0]:
                self.text += os.read(self.ours, 65536).decode(errors="replace")
            else:
                assert not has_ended and time.monotonic() < end, self.text[:3000]

    def wait_for_end(self) -> int:
        self.wait_for("\x1b[?1049l")
        return self.process.wait(PATIENCE_S)

    def close(self) -> None:
        self.process.kill()
        self.process.wait()
        os.close(self.ours)
        os.close(self._theirs)


@pytest.fixture
def folder(tmp_path, monkeypatch):
    needs(os.name == "posix", "a Unix terminal")
    (tmp_path / "settings.json").write_text('{"seconds": true}')  # auctions show their seconds
    monkeypatch.setenv("CITY_UNIT_SETTINGS", str(tmp_path / "settings.json"))
    return tmp_path


@pytest.fixture
def play(folder):
    """Return a function that opens a terminal with a unit that is off."""
    opened = []

    def play(*words):
        terminal = RealTerminal([*PLAY, *words])
        opened.append(terminal)
        terminal.wait_for("q quit")
        return terminal

    yield play
    for terminal in opened:
        terminal.close()


@pytest.mark.real_time
def test_a_game_continues_however_the_program_ended_and_choices_are_saved(play, folder):
    first = play()
    first.type("o")
    first.wait_for("switched on: city")
    first.type("c")
    first.wait_for("phase: deeds")
    first.type("a")
    first.wait_for("auction   00:")
    first.type("m")
    first.type("q")  # during the auction, and nothing is lost
    assert first.wait_for_end() == 0
    assert first.after() == first.before
    remembered = json.loads((folder / "settings.json").read_text())
    assert (remembered["program"], remembered["muted"]) == ("championship", True)
    for number, code in ((signal.SIGKILL, -9), (signal.SIGTERM, 143), (signal.SIGINT, 130)):
        terminal = play()
        terminal.wait_for("Your game can continue: ")
        terminal.type("r")
        terminal.wait_for("auction   00:")
        terminal.process.send_signal(number)
        if number == signal.SIGKILL:
            terminal.process.wait(PATIENCE_S)
            continue
        assert terminal.wait_for_end() == code
        assert terminal.after() == terminal.before


@pytest.mark.real_time
def test_of_two_windows_at_once_only_the_first_saves_its_game(play):
    first = play()
    first.type("o")
    first.wait_for("switched on: city")
    second = play()
    assert "Your game can continue" not in second.text
    second.type("o")
    second.wait_for("Another window is already saving its game")
    second.type("b")
    second.wait_for("permit:")
    second.type("qq")
    assert second.wait_for_end() == 0
    first.type("q")
    assert first.wait_for_end() == 0
    third = play("--resume")
    third.wait_for("ready   5")  # 5x minutes
    assert "permit:" not in third.text  # it is the game of the first


@pytest.mark.real_time
def test_a_headless_game_continues_only_with_the_option_to_resume(folder):
    unit = Emulated(folder, "--listen", ANY_PORT, "--resume")
    with host.connect(unit.port, timeout=PATIENCE_S) as client:
        client.send("start 600000", PATIENCE_S)
    game = folder / "game.jsonl"
    until(lambda: game.read_bytes().splitlines()[-1].startswith(b'{"until"'))  # it is kept up
    unit.stop(signal.SIGKILL)
    unit.start()
    with host.connect(unit.port, timeout=PATIENCE_S) as client:
        assert client.snapshot.state == "auction"
    unit.stop()
    game.unlink()
    unit = Emulated(folder, "--listen", ANY_PORT, stderr=subprocess.PIPE)
    with host.connect(unit.port, timeout=PATIENCE_S, history=True) as client:
        client.send("start 1000", PATIENCE_S)  # the game runs
        client.wait_for("auction-ended", timeout=PATIENCE_S)
    unit.process.terminate()
    assert unit.process.communicate(timeout=PATIENCE_S)[1] == ""
    assert not game.exists()


@pytest.mark.real_time
def test_without_a_display_the_terminal_is_used_and_without_a_terminal_it_is_one_line(
    monkeypatch, folder
):
    needs(sys.platform == "linux", "a system that runs without a display")
    for name in ("DISPLAY", "WAYLAND_DISPLAY", "SDL_VIDEODRIVER"):
        monkeypatch.delenv(name, raising=False)
    terminal = RealTerminal([sys.executable, "-m", "sim.cli"])
    terminal.wait_for("City Unit in the terminal")
    terminal.wait_for("there is no screen")
    terminal.wait_for("q quit")
    terminal.type("q")
    assert terminal.wait_for_end() == 0
    terminal.close()
    done = subprocess.run(
        [*PLAY, "--listen", "127.0.0.1:0"],  # its address is not printed: it would be gone at once
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=PATIENCE_S,
    )
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.startswith("city-unit: this is not a terminal")
    assert done.stderr.count("\n") == 1
