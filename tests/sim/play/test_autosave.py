"""A game on the disk: its content after a kill, a torn line, a disk that refuses."""

import errno
import json

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from city_unit.desktop import append_file
from city_unit.desktop.append_file import open_all, seal_all
from city_unit.desktop.errors import UserError
from city_unit.desktop.toml_reader import parse
from city_unit.facts import AUCTION, BUTTONS, SWITCH
from city_unit.fingers import SHORTEST_PRESS_MS
from city_unit.settings import Settings
from sim.engine import link_server, program_file
from sim.engine.link_server import UnitJournal
from sim.engine.runner import Runner
from sim.play import autosave
from sim.play.autosave import Autosave, RecordedUnit
from sim.play.hour import Hour
from tests.helpers.disk import Disk
from tests.helpers.hours import Table


def inside(unit, now):
    """Return all that can be known of a unit, its events last."""
    events = [tuple(unit.events.get(n)) for n in range(unit.events.first(), unit.events.count)]
    left = unit.clock.left_at(now), unit.auction_left(now)
    return unit.state, unit.lamps, unit.tone, left, unit.next_due(), events


def touch(runner, levels):
    """Have the contacts be so, by fingers that press, let go, and switch."""
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
@example([(1, SWITCH), (8, 0), (8, SWITCH)], 0, 0)  # a slide that chatters
def test_a_game_that_is_lived_again_is_the_same_game(changes, more_ms, start):
    table = Table(None, start=start)
    ms = 0
    for wait, levels in changes:
        ms += wait
        table.seconds = ms / 1000
        touch(table.runner, levels)
    ms += more_ms
    table.seconds = ms / 1000
    touch(table.runner, levels & SWITCH)
    table.seconds += SHORTEST_PRESS_MS / 1000  # however short a press was: no finger is left there
    table.runner.advance()
    if table.unit.state in ("off", "setup") or table.autosave.history is None:
        return  # the setup shows the volume, which no history keeps: no game that is left is there
    now = table.runner.now
    twin = autosave.replay(table.autosave.history, now, table.unit.settings.programs)
    game = inside(table.unit, now)
    again = inside(twin, now)
    assert again[:5] == game[:5]
    assert again[5] == game[5][len(game[5]) - len(again[5]) :]


def test_each_step_is_on_the_disk_first_and_a_torn_line_costs_its_step_alone(table):
    table.runner.press("auction")
    last = json.loads(open_all(table.path.read_bytes()).texts[-1])
    assert last["levels"] == AUCTION | SWITCH
    assert table.unit.state == "ready"  # the contact has not settled yet
    whole, history = table.path.read_bytes(), autosave.read(table.path)
    for place in range(0, len(whole), 43):  # a flipped bit costs nothing
        flipped = bytes([whole[place] ^ 1 << place % 8])
        table.path.write_bytes(whole[:place] + flipped + whole[place + 1 :])
        assert autosave.read(table.path) == history
    for cut in range(len(whole), whole.index(b"\n") + 1, -31):
        table.path.write_bytes(whole[:cut])
        history = autosave.read(table.path)
        assert history is not None
        assert Table(None).hour.find(history) == (len(history.steps) > 0)


def test_what_was_done_to_a_unit_that_is_off_is_no_part_of_its_game():
    table = Table(None)
    for _ in range(3):
        table.tap("build")
        table.wait(2)
    table.hour.switch(True)
    table.wait(1)
    assert table.autosave.history is not None and len(table.autosave.history.steps) == 1


def test_a_full_disk_is_no_end_of_keeping(path, monkeypatch):
    def full(*_):
        raise OSError(errno.ENOSPC, "No space left on device")

    with monkeypatch.context() as limited:
        limited.setattr(append_file, "writing_whole", full)
        table = Table(path)
        table.hour.switch(True)
        table.wait(2)
        assert table.autosave.error == "no space left on device"
    table.wait(2)
    assert not table.autosave.error and autosave.read(path) is not None
    table.hour.take_warning()

    disk = Disk(monkeypatch, append_file)
    table = Table(path)
    table.hour.switch(True)
    table.wait(2)
    disk.room = path.stat().st_size
    table.wait(1.25)
    monkeypatch.setattr(append_file, "MOST", 0)  # so that steps are lost, and not only late
    table.tap("auction")
    assert table.hour.take_warning().endswith("no space left on device")
    assert table.unit.state == "auction" and not table.hour.is_saved()
    disk.room = None
    table.wait(2)
    assert table.hour.is_saved()
    after = table.again()
    assert after.hour.take() and after.unit.state == "auction"


def test_a_game_that_cannot_be_kept_is_told_once_and_why(tmp_path):
    (tmp_path / "file").write_text("it stands where the folder should be")
    table = Table(tmp_path / "file" / "game.jsonl")
    assert table.hour.take_warning() == ""
    table.hour.switch(True)
    table.wait(1)
    assert table.unit.state == "ready" and not table.hour.is_saved()
    warning = table.hour.take_warning()
    assert warning.startswith("This game cannot be kept on the disk: ")
    assert "Errno" not in warning
    assert table.hour.take_warning() == ""
    table = Table(None)  # without a file of its own it says whose game is kept
    table.hour.switch(True)
    table.wait(1)
    assert table.hour.take_warning().startswith("Another window keeps its game")
    first = autosave.claim(tmp_path / "game.jsonl")
    assert first is not None and autosave.claim(tmp_path / "game.jsonl") is None
    first.release()


STEP = {"now": 9, "levels": 4, "command": "", "length": 0, "program": "city", "clock_ms": 0}


def told(head=(), step=()):
    """Return a sealed game whose head and only step differ by these values."""
    beginning = {"form": autosave.FORM, "seed": 5, "now": 0, "levels": 0, "until": 1, "at": 1.0}
    lines = {**beginning, **dict(head)}, {**STEP, "at": 2.0, **dict(step)}
    return seal_all([json.dumps(line) for line in lines])[0].encode()


OTHERS = [
    *(b"{", b"[]", b"\xff\xfe", b'{"form": 1}\n', b"null\n1\n"),
    seal_all(["[" * 100_000])[0].encode(),
    *(told(head={name: float("inf")}) for name in ("seed", "levels")),
    *(told(step={"levels": value}) for value in (float("nan"), 8)),
    *(told(step={"clock_ms": value}) for value in (-1, 1.5, "x", 10**9)),
    *(told(step={"program": value}) for value in (None, 1, "\udc80")),
    *(told(step={name: []}) for name in ("command", "length")),
]


@pytest.mark.parametrize("content", OTHERS)
def test_a_file_of_no_known_form_is_kept_aside_and_told(path, content):
    path.write_bytes(content)
    with pytest.raises(UserError) as raised:
        autosave.read(path)
    aside = path.with_name(f"{path.name}.unreadable-1")
    assert str(aside) in str(raised.value) and aside.read_bytes() == content
    assert autosave.read(path) is None
    path.write_bytes(told())  # as all of them are but for their mistake
    assert len(autosave.read(path).steps) == 1


def test_a_program_of_ones_own_or_of_another_length_is_kept_until_its_game_is_finished(path):
    text = b'name = "quick"\nclock = "2 min"\n[[marks]]\ntell = "hour-ended"\nleft = "0 s"\n'
    own = program_file.read(parse(text, "quick.toml"))
    timed = program_file.find("timed")
    for program, length_ms in ((timed, 1_800_000), (own, 120_000)):
        table = Table(path)
        table.unit.settings.programs += (own,)
        table.unit.settings.choose(program, length_ms)
        table.hour.switch(True)
        table.wait(30)
        after = table.again()
        assert after.hour.take()
        assert after.unit.settings.program.name == program.name
        assert after.left() == pytest.approx(table.left(), abs=2500)
    after.wait(120, turn=5)
    assert not after.again().hour.take()


def test_a_link_learns_that_its_unit_is_another(path):
    unit = RecordedUnit(Settings(), 1, Autosave(path))
    link = link_server.make_link(unit, "one")
    journal = UnitJournal(link, path.with_name("events.log"))
    seconds = [0.0]
    runner = Runner(unit, lambda: seconds[0], link)
    hour = Hour(runner, unit, lambda: seconds[0], link)
    hour.switch(True)
    seconds[0] = 5.0
    hour.turn()
    boot = link.boot
    hour.switch(False)
    journal.note()
    seconds[0] = 6.0
    hour.turn()
    hour.take()
    assert unit.state == "ready"
    assert link.boot != boot
    journal.note()
    lines = path.with_name("events.log").read_text().splitlines()
    boots = [line.split()[1] for line in lines if "switched-on" in line]
    assert boots == [str(boot), str(link.boot)]


def test_a_press_that_the_end_of_the_program_cut_short_has_counted(path):
    """Killed while a finger was on AUCTION, before its debounce: the auction is not lost."""
    step = {"command": "", "length": 0, "program": "city", "clock_ms": 3600000, "at": 1.0}
    head = {"form": autosave.FORM, "seed": 1, "now": 0, "levels": 0, "until": 100, "at": 1.0}
    lines = [head, {"now": 100, "levels": 4, **step}, {"now": 3000, "levels": 5, **step}]
    for beats, until in (([], 3040), ([{"until": 9000, "at": 7.0}], 9000)):
        path.write_text(seal_all([json.dumps(line) for line in lines + beats])[0])
        history = autosave.read(path)
        assert history is not None and history.until == until
        assert autosave.replay(history, history.until, Settings().programs).state == "auction"
