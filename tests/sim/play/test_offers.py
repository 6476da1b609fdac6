"""The protected hour and its file: after a wrong key, a kill, a torn line, a full disk."""

import errno
import json
import re
from pathlib import Path

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from city_unit.desktop import append_file
from city_unit.desktop.append_file import seal_all, unseal_all
from city_unit.desktop.errors import UserError
from city_unit.desktop.toml_reader import parse
from city_unit.facts import AUCTION, BUTTONS, SWITCH
from city_unit.fingers import SHORTEST_PRESS_MS
from city_unit.settings import Settings
from sim.engine import link_server, program_file, runner
from sim.engine.link_server import UnitJournal
from sim.engine.runner import Runner
from sim.play import autosave, phrases, sign
from sim.play.autosave import Autosave, RecordedUnit
from sim.play.controls import Controls
from sim.play.offers import BACK_S, Offers
from sim.play.preferences import Preferences
from sim.window import scene, snapshot
from sim.window.controls import WindowControls
from tests.helpers.disk import Disk


class Table:
    """A start of the program, with clocks that the test sets."""

    def __init__(
        self,
        path: Path | None,
        seconds: float = 0.0,
        wall: float = 1_000_000.0,
        seed: int = 5,
        start: int = 0,
    ) -> None:
        self.seconds = seconds
        self.wall = wall
        self.path = path
        self.autosave = Autosave(path, lambda: self.wall)
        self.unit = RecordedUnit(Settings(), seed, self.autosave)
        self.runner = Runner(self.unit, lambda: self.seconds, start=start)
        self.offers = Offers(self.runner, self.unit, lambda: self.wall)

    def wait(self, seconds: float, turn: float = 0.25) -> None:
        """Pass time, with a turn of the loop every quarter of a second."""
        while seconds > 0:
            self.leap(min(turn, seconds))
            seconds -= turn

    def leap(self, seconds: float, wall: float | None = None) -> None:
        """Pass time without a turn of the loop."""
        self.seconds += seconds
        self.wall += seconds if wall is None else wall
        self.offers.turn()

    def tap(self, button: str) -> None:
        self.runner.tap(button)
        self.wait(0.2)

    def left(self) -> int:
        return self.unit.clock.left_at(self.runner.now)

    def again(self, away: float = 0.0, **more: int) -> "Table":
        """Return the next start after this one was killed."""
        assert self.path is not None
        table = Table(self.path, seconds=7.0, wall=self.wall + away, **more)
        table.offers.offer_saved(autosave.read(self.path))
        return table


@pytest.fixture
def path(tmp_path):
    return tmp_path / "game.jsonl"


@pytest.fixture
def table(path):
    table = Table(path)
    table.offers.switch(True)
    table.wait(60)
    return table


def shown(table):
    """Return the sign for the whole table."""
    return sign.with_offer(sign.of_unit(table.unit, table.runner.now, False), table.offers.sign())


def test_the_players_choose_whether_the_time_away_counts(table):
    for away in (-90_000.0, 7 * 24 * 3600.0):  # the wall clock was set back, or a week has passed
        set_back = table.again(away=away)
        assert set_back.offers.accept()
        assert set_back.left() == pytest.approx(table.left(), abs=3000)
        assert set_back.offers.sentence() == ""
    assert phrases.span_words(3 * 3600) == "3 h"
    after = set_back.again(away=600.0)
    after.offers.accept()
    left = after.left()
    assert "stood still while you were away (10 min)" in after.offers.sentence()
    assert after.offers.news() == "The clock stood still while the unit was not running (10 min)"
    after.offers.accept()
    assert left - after.left() == pytest.approx(600_000, abs=3000)


def test_a_new_game_by_mistake_does_not_lose_the_saved_one(table):
    """The sign shows the offer until it is accepted or expires."""
    after = table.again()
    assert after.unit.state == "off"
    assert re.fullmatch(r"Your game can continue: 59:0\d left. Press R", after.offers.sentence())
    assert (shown(after).kind, shown(after).big) == ("offer", "Continue your game?")
    assert re.fullmatch(r"59:0\d left to play", shown(after).under)
    assert shown(after).press == ("R: continue", "O: start a new game")
    after.wait(300)
    after.offers.switch(True)
    after.wait(3)
    assert after.left() > 3_590_000
    assert after.offers.sentence() == "A new game has started. R goes back to the old one (7 s)"
    assert (shown(after).big, shown(after).under) == (
        "A new game has started",
        "7 s to take it back",
    )
    assert shown(after).press == ("R: back to the old game",)
    after.offers.accept()
    assert after.left() == pytest.approx(table.left(), abs=3000)
    after.offers.switch(False)
    after.wait(BACK_S + 0.25)
    assert after.offers.sign() is None and after.offers.sentence() == ""
    assert not after.offers.accept()
    assert after.unit.state == "off"


def test_a_new_hour_that_is_switched_off_again_keeps_the_saved_game(table):
    after = table.again()
    after.offers.switch(True)
    after.wait(3)
    after.offers.switch(False)
    after.wait(60)
    assert after.offers.accept()
    assert after.left() == pytest.approx(table.left(), abs=3000)


def test_off_and_on_and_another_program_can_be_undone_for_ten_seconds(table):
    left = table.left()
    table.offers.switch(False)
    table.wait(4)
    table.offers.switch(True)
    table.wait(8)
    assert table.offers.sentence() == "A new game has started. R goes back to the old one (2 s)"
    table.wait(1.75)
    assert table.offers.sentence() == "A new game has started. R goes back to the old one (1 s)"
    table.unit.settings.volume = 1  # the volume is not part of the game
    table.offers.accept()
    assert table.left() == left - 13_750 and table.unit.settings.volume == 1
    controls = Controls(table.runner, Preferences(), table.offers)
    programs = table.unit.settings.programs
    for program in (programs[3], programs[3], programs[1]):  # the second changes nothing
        controls.begin(program)
        table.wait(1)
    assert table.offers.sign() is not None
    table.offers.accept()
    assert table.unit.settings.program.name == "city"  # the game before all of them
    assert table.left() == pytest.approx(left - 16_750, abs=1)


def test_switching_off_can_be_undone_for_ten_seconds_also_after_a_kill(table):
    table.tap("auction")
    table.wait(10)
    left, auction = table.left(), table.unit.auction_left(table.runner.now)
    table.offers.switch(False)
    table.wait(4)
    assert (table.unit.state, table.unit.lamps) == ("off", 0)
    assert table.offers.sentence() == "Switched off: this game ends in 6 s. R takes it back"
    table.offers.accept()
    assert table.unit.state == "auction"
    assert table.left() == left - 4000  # the hour has continued
    assert table.unit.auction_left(table.runner.now) == auction - 4000
    assert table.runner.is_closed(SWITCH)
    assert [edge[1:] for edge in table.runner.edges] == [("auction", 1)]  # for the live trace
    table.wait(4)
    left = table.left()
    after = table.again(away=20.0)
    assert after.offers.accept()
    assert after.unit.state == "auction"
    assert 0 <= after.left() - left <= autosave.BEAT_S * 1000  # at most one beat is repeated
    after.wait(40)
    assert after.unit.state == "ready"


def test_an_offer_stays_visible_beside_messages_but_covers_no_auction(table):
    controls = WindowControls(table.runner, Preferences(), table.offers)

    def view():
        return snapshot.take(table.runner, controls, True, "")

    table.tap("auction")
    table.offers.switch(False)
    controls.do("seconds")
    assert view().sign.kind == "offer"
    assert scene.notice(view()) == view().sentence == str(sign.SECONDS_SHOWN)
    table.offers.switch(True)
    table.wait(1)
    table.tap("auction")
    assert shown(table).kind == "auction"
    controls.do("seconds")
    assert scene.notice(view()) == "A new game has started. R goes back to the old one (9 s)"
    assert view().sentence == str(sign.SECONDS_HIDDEN)  # it is shown below the offer
    controls.held.down("build", "key")
    controls.do("take offer")
    assert controls.held.pressed() == 0  # in the restored game


def test_a_sleep_is_reported_and_the_hour_has_continued(table):
    table.tap("auction")
    table.leap(400)
    assert table.unit.state == "ready"
    offer = table.offers.sentence()
    assert offer.startswith("An auction ended 6 min ago, while this computer slept or was busy")
    assert "hour went on" in offer
    assert offer == f"{table.offers.news()}. R: give that time back to the game"
    left = table.left()
    table.offers.accept()
    assert table.unit.state == "auction"
    assert table.left() - left == pytest.approx(400_000, abs=500)
    table.leap(4000)
    assert table.unit.state == "over"
    assert table.offers.sentence().startswith("The hour ended 8 min ago")
    table.offers.accept()
    assert table.unit.state == "auction"


def test_playing_on_withdraws_the_offer_of_missed_time_and_without_a_game_there_is_none(
    table, path
):
    for leap in (3600.0, -7200.0):  # of the wall clock only
        left = table.left()
        table.leap(0.25, wall=leap)
        assert (table.offers.sentence(), table.left()) == ("", left - 250)
        table.wait(2)
        assert table.runner.now - table.autosave.history.until <= 1000
    table.leap(400)
    table.tap("auction")
    left = table.left()
    table.offers.accept()
    assert table.left() == left
    idle = Table(path)
    idle.leap(4000)
    assert idle.offers.sentence() == ""


def test_the_clock_runs_during_a_sleep_on_each_system():
    class Source:
        CLOCK_BOOTTIME = "boot"
        CLOCK_MONOTONIC = "mono"

        @staticmethod
        def clock_gettime(which):
            return which

        @staticmethod
        def monotonic():
            return "plain"

    for platform, name in (("linux", "boot"), ("darwin", "mono"), ("win32", "plain")):
        assert runner.clock(platform, Source)() == name


def inside(unit, now):
    """Return the observable state of a unit, its events last."""
    events = [tuple(unit.events.get(n)) for n in range(unit.events.first(), unit.events.count)]
    left = unit.clock.left_at(now), unit.auction_left(now)
    return unit.state, unit.lamps, unit.tone, left, unit.next_due(), events


def touch(runner, levels):
    """Set the contacts to `levels` through the runner's buttons and switch."""
    runner.switch(bool(levels & SWITCH))
    for button, bit in BUTTONS.items():
        if levels & bit:
            runner.press(button)
        else:
            runner.release(button)


@given(
    st.lists(
        st.tuples(
            st.integers(1, 40) | st.integers(1, 400_000), st.integers(0, 7) | st.just(SWITCH)
        ),
        min_size=1,
        max_size=30,
    ),
    st.integers(0, 100_000),
    st.sampled_from([0, (1 << 30) - 5000]),
)
@settings(max_examples=60, deadline=None)
@example([(1, 0), (3, 5)], 0, 0)  # 44 ms, as a float, lacked the end of the press
@example([(1, SWITCH), (8, 0), (8, SWITCH)], 0, 0)  # a bouncing switch
def test_a_replayed_game_is_the_same_game(changes, more_ms, start):
    table = Table(None, start=start)
    ms = 0
    for wait, levels in changes:
        ms += wait
        table.seconds = ms / 1000
        touch(table.runner, levels)
    ms += more_ms
    table.seconds = ms / 1000
    touch(table.runner, levels & SWITCH)
    table.seconds = (ms + SHORTEST_PRESS_MS + 1) / 1000  # the last press has ended, though rounded
    table.runner.advance()
    if table.unit.state in ("off", "setup") or table.autosave.history is None:
        return  # there is no game; the setup shows the volume, which the history does not have
    now = table.runner.now
    twin = autosave.replay(table.autosave.history, now, table.unit.settings.programs)
    game = inside(table.unit, now)
    again = inside(twin, now)
    assert again[:5] == game[:5]
    assert again[5] == game[5][len(game[5]) - len(again[5]) :]


def test_each_step_is_written_first_and_a_torn_line_costs_only_its_step(table):
    table.runner.press("auction")
    last = json.loads(unseal_all(table.path.read_bytes()).texts[-1])
    assert last["levels"] == AUCTION | SWITCH
    assert table.unit.state == "ready"  # the debounce is not over yet
    whole, history = table.path.read_bytes(), autosave.read(table.path)
    for place in range(0, len(whole), 43):  # a flipped bit costs nothing
        flipped = bytes([whole[place] ^ 1 << place % 8])
        table.path.write_bytes(whole[:place] + flipped + whole[place + 1 :])
        assert autosave.read(table.path) == history
    for cut in range(len(whole), whole.index(b"\n") + 1, -31):
        table.path.write_bytes(whole[:cut])
        history = autosave.read(table.path)
        assert history is not None
        assert Table(None).offers.offer_saved(history) == (len(history.steps) > 0)


def test_presses_while_the_unit_is_off_are_not_part_of_its_game():
    table = Table(None)
    for _ in range(3):
        table.tap("build")
        table.wait(2)
    table.offers.switch(True)
    table.wait(1)
    assert table.autosave.history is not None and len(table.autosave.history.steps) == 1


def test_saving_resumes_after_a_full_disk(path, monkeypatch):
    def full(*_):
        raise OSError(errno.ENOSPC, "No space left on device")

    with monkeypatch.context() as limited:
        limited.setattr(append_file, "writing_whole", full)
        table = Table(path)
        table.offers.switch(True)
        table.wait(2)
        assert table.autosave.error == "no space left on device"
    table.wait(2)
    assert not table.autosave.error and autosave.read(path) is not None
    table.offers.next_warning()

    disk = Disk(monkeypatch, append_file)
    table = Table(path)
    table.offers.switch(True)
    table.wait(2)
    disk.room = path.stat().st_size
    table.wait(1.25)
    monkeypatch.setattr(append_file, "MOST", 0)  # steps are lost rather than delayed
    table.tap("auction")
    assert table.offers.next_warning().endswith("no space left on device")
    assert table.unit.state == "auction" and not table.offers.is_saved()
    disk.room = None
    table.wait(2)
    assert table.offers.is_saved()
    after = table.again()
    assert after.offers.accept() and after.unit.state == "auction"


def test_a_game_that_cannot_be_saved_is_reported_once_with_the_reason(tmp_path):
    (tmp_path / "file").write_text("a file in place of the folder")
    table = Table(tmp_path / "file" / "game.jsonl")
    assert table.offers.next_warning() == ""
    table.offers.switch(True)
    table.wait(1)
    assert table.unit.state == "ready" and not table.offers.is_saved()
    warning = table.offers.next_warning()
    assert warning.startswith("This game cannot be saved: ")
    assert "Errno" not in warning
    assert table.offers.next_warning() == ""
    table = Table(None)  # another window has the file
    table.offers.switch(True)
    table.wait(1)
    assert table.offers.next_warning().startswith("Another window is already saving")
    table = Table(None)  # the folder cannot be created, so that there is no lock and no path
    table.autosave.fault = "not a directory"
    table.offers.switch(True)
    table.wait(3)
    assert table.unit.state == "ready" and not table.offers.is_saved()
    assert table.offers.next_warning() == "This game cannot be saved: not a directory"
    first = autosave.claim(tmp_path / "game.jsonl")
    assert first is not None and autosave.claim(tmp_path / "game.jsonl") is None
    first.release()


STEP = {"now": 9, "levels": 4, "command": "", "length": 0, "program": "city", "clock_ms": 0}


def saved(head=(), step=()):
    """Return a saved game whose head and only step have these values."""
    beginning = {"form": autosave.FORM, "seed": 5, "now": 0, "levels": 0, "until": 1, "at": 1.0}
    lines = {**beginning, **dict(head)}, {**STEP, "at": 2.0, **dict(step)}
    return seal_all([json.dumps(line) for line in lines])[0].encode()


OTHERS = [
    *(b"{", b"[]", b"\xff\xfe", b'{"form": 1}\n', b"null\n1\n"),
    seal_all(["[" * 100_000])[0].encode(),
    *(saved(head={name: float("inf")}) for name in ("seed", "levels")),
    *(saved(step={"levels": value}) for value in (float("nan"), 8)),
    *(saved(step={"clock_ms": value}) for value in (-1, 1.5, "x", 10**9)),
    *(saved(step={"program": value}) for value in (None, 1, "\udc80")),
    *(saved(step={name: []}) for name in ("command", "length")),
]


@pytest.mark.parametrize("content", OTHERS)
def test_an_invalid_file_is_renamed_and_reported(path, content):
    path.write_bytes(content)
    with pytest.raises(UserError) as raised:
        autosave.read(path)
    aside = path.with_name(f"{path.name}.unreadable-1")
    assert str(aside) in str(raised.value) and aside.read_bytes() == content
    assert autosave.read(path) is None
    path.write_bytes(saved())  # the same without an error
    assert len(autosave.read(path).steps) == 1


def test_a_game_continues_with_its_own_program_and_length(path):
    text = b'name = "quick"\nclock = "2 min"\n[[marks]]\ntell = "hour-ended"\nleft = "0 s"\n'
    own = program_file.read(parse(text, "quick.toml"))
    timed = program_file.find("timed")
    for program, length_ms in ((timed, 1_800_000), (own, 120_000)):
        table = Table(path)
        table.unit.settings.programs += (own,)
        table.unit.settings.choose(program, length_ms)
        table.offers.switch(True)
        table.wait(30)
        after = table.again()
        assert after.offers.accept()
        assert after.unit.settings.program.name == program.name
        assert after.left() == pytest.approx(table.left(), abs=2500)
    after.wait(120, turn=5)
    assert not after.again().offers.accept()


def test_a_restored_game_has_a_new_boot_number(path):
    unit = RecordedUnit(Settings(), 1, Autosave(path))
    link = link_server.make_link(unit, "one")
    journal = UnitJournal(link, path.with_name("events.log"))
    seconds = [0.0]
    runner = Runner(unit, lambda: seconds[0], link)
    offers = Offers(runner, unit, lambda: seconds[0], link)
    offers.switch(True)
    seconds[0] = 5.0
    offers.turn()
    boot = link.boot
    offers.switch(False)
    journal.note()
    seconds[0] = 6.0
    offers.turn()
    offers.accept()
    assert unit.state == "ready"
    assert link.boot != boot
    journal.note()
    lines = path.with_name("events.log").read_text().splitlines()
    boots = [line.split()[1] for line in lines if "switched-on" in line]
    assert boots == [str(boot), str(link.boot)]


def test_a_press_that_was_cut_short_by_a_kill_counts(path):
    """The program was killed while AUCTION was down, before its debounce: the auction runs."""
    step = {"command": "", "length": 0, "program": "city", "clock_ms": 3600000, "at": 1.0}
    head = {"form": autosave.FORM, "seed": 1, "now": 0, "levels": 0, "until": 100, "at": 1.0}
    lines = [head, {"now": 100, "levels": 4, **step}, {"now": 3000, "levels": 5, **step}]
    for beats, until in (([], 3040), ([{"until": 9000, "at": 7.0}], 9000)):
        path.write_text(seal_all([json.dumps(line) for line in lines + beats])[0])
        history = autosave.read(path)
        assert history is not None and history.until == until
        assert autosave.replay(history, history.until, Settings().programs).state == "auction"
