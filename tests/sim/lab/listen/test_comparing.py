"""Cues and their lateness, the comparison of two recordings, and a recorder's clock error."""

import pytest

from city_unit.programs import PROGRAMS
from tests.helpers.needs import needs_modules
from tests.helpers.scenario_text import steps
from tests.helpers.times import FAST_MS, LENGTH_MS, SLOW_MS

needs_modules("numpy", "scipy", "soundfile")

import soundfile  # noqa: E402

from sim import cli  # noqa: E402
from sim.lab.listen import comparing, learning  # noqa: E402
from sim.lab.listen.learning import learn  # noqa: E402
from sim.lab.listen.listening import Beep  # noqa: E402
from tests.helpers.sounds import recorded  # noqa: E402
from tests.sim.lab.listen import units  # noqa: E402

CITY = PROGRAMS[0]


def test_an_auction_with_a_late_warning():
    started = 1000.0
    warned, ended = started + SLOW_MS + 30, started + LENGTH_MS
    heard = [
        Beep(started, 25, 2700, -8),
        Beep(warned, 400, 2690, -8),
        Beep(ended, 150, 2000, -8),
        Beep(ended + 225, 600, 2000, -8),
        Beep(55_000.0, 300, 3333, -8),
    ]
    cues = comparing.cues(heard, CITY)
    assert [(cue.beeps, cue.onset_ms) for cue in cues] == [(1, started), (1, warned), (2, ended)]
    assert [cue.name for cue in cues][1:] == ["auction-warning", "auction-ended"]
    late = [
        (auction.since, auction.expected_ms, auction.late_ms)
        for auction in comparing.auctions(cues, CITY)
    ]
    assert late == [("auction-started", SLOW_MS, 30.0), ("auction-warning", FAST_MS, -30.0)]


def test_a_press_is_called_by_what_follows():
    heard = [
        Beep(1000.0, 25, 2700, -8),
        Beep(2200.0, 110, 2300, -8),
        Beep(5000.0, 25, 2700, -8),
        Beep(6000.0, 25, 2700, -8),
        Beep(51_000.0, 400, 2700, -8),
    ]
    cues = comparing.cues(heard, CITY)
    assert [(cue.name, cue.is_sure) for cue in cues] == [
        ("permit-started", True),
        ("permit-1", True),
        ("auction-started", False),
        ("auction-started", True),
        ("auction-warning", True),
    ]


def slower(beeps, part):
    """Return beeps as a recorder hears them whose clock is faster by a part."""
    return [
        Beep(b.onset_ms * (1 + part), b.length_ms * (1 + part), b.hz / (1 + part), b.level_db)
        for b in beeps
    ]


def test_units_that_are_alike_or_differ_or_have_another_clock():
    one, same, other = (learn(units.play(seed).beeps, CITY, "mine") for seed in (3, 3, 4))
    rows = comparing.compare(one, same)
    assert rows and all(row.is_same for row in rows)
    assert comparing.clock_part(one, same) is None
    rows = {row.name: row for row in comparing.compare(one, other)}
    assert not rows["auction"].is_same and not rows["auction-warning"].is_same
    assert rows["auction"].first != rows["auction"].second
    for part in (0.005, -0.002):
        fast = learn(slower(units.play(3).beeps, part), CITY, "fast")
        assert comparing.clock_part(one, fast) == pytest.approx(part, abs=2e-4)


@pytest.fixture
def recording(tmp_path):
    path = tmp_path / "game.toml"
    moves = (("0 s", "switch on"), ("2 s", "tap auction"), ("60 s", "tap auction"))
    path.write_text(steps(*moves, ("120 s", "end"), head=""))
    return lambda name, clock=1.0: str(recorded(path, tmp_path / name, clock))


@pytest.mark.slow
def test_the_command(recording, capsys):
    one, same, fast = recording("a.wav"), recording("b.wav"), recording("c.wav", 1.005)
    capsys.readouterr()
    assert cli.main(["compare", one, same]) == 0
    assert "0 differences\n" in capsys.readouterr().out
    assert cli.main(["compare", one, fast]) == 1
    out = capsys.readouterr().out
    assert "! auction: 50.00 s  |  50.25 s" in out and "+0.49 %" in out
    assert cli.main(["listen", fast, "--program", "city"]) == 0
    assert (
        "all times are off by +0.50 %: the error of the recorder's clock" in capsys.readouterr().out
    )
    assert cli.main(["listen", one, "--program", "city"]) == 0
    assert "recorder's clock" not in capsys.readouterr().out


@pytest.mark.slow
def test_a_recording_without_an_auction_is_compared_with_none(recording, tmp_path, capsys):
    """Its cues might be those of anything that beeps."""
    one = recording("a.wav")
    sound, rate = soundfile.read(one)
    wav = tmp_path / "start.wav"
    soundfile.write(wav, sound[: 20 * rate], rate)
    assert cli.main(["compare", one, str(wav)]) == 1
    assert "start.wav: nothing was learned: no auction was recognised" in capsys.readouterr().err


def test_one_late_end_is_no_clocks_doing():
    times = [("auction-warning", 45_000, 0.5), ("auction-ended", 5000, 300.0)]
    late = [
        comparing.Lateness(comparing.HeardCue(name, 1, 0.0), "", due, off)
        for name, due, off in times * 2
    ]
    assert comparing.clock_error(late) is None


@pytest.mark.slow
def test_a_recording_that_begins_in_the_middle(recording, tmp_path, capsys):
    """Without its switch-on and its first press: the warning and the second auction are learned."""
    sound, rate = soundfile.read(recording("a.wav"))
    wav, out = tmp_path / "middle.wav", tmp_path / "mine.toml"
    soundfile.write(wav, sound[20 * rate :], rate)
    assert cli.main(["listen", str(wav), "--learn", str(out)]) == 0
    text = out.read_text()
    assert 'auction = "50 s"' in text and "learned from middle.wav" in text


def late_end(beeps, ends):
    """Return beeps in which the end of the last auction comes late."""
    return [
        beep._replace(onset_ms=beep.onset_ms + (300.0 if 0 <= beep.onset_ms - ends < 2000 else 0))
        for beep in beeps
    ]


def auctions_of_50_s():
    notes = [(0, 25, 2700), (45_000, 400, 2700), (50_000, 150, 2000), (50_225, 600, 2000)]
    starts = (2000, 100_000)
    return [Beep(at + on, ms, hz, -8) for at in starts for on, ms, hz in notes]


def test_an_end_that_was_late_once_is_hidden_in_no_average(tmp_path):
    beeps = auctions_of_50_s()
    one, other = (learn(each, CITY, "one") for each in (beeps, late_end(beeps, 150_000)))
    rows = {row.name: row for row in comparing.compare(one, other)}
    assert (rows["auction"].first, rows["auction"].second) == ("50.00 s", "50.00 s and 50.30 s")
    assert (rows["warning"].first, rows["warning"].second) == ("5.00 s", "5.00 s and 5.30 s")
    assert not rows["auction"].is_same
    assert other.program.auction_ms == (50_000, 50_000)  # heard, as no average was
    assert comparing.clock_part(one, other) is None
    path = tmp_path / "mine.toml"
    learning.write(str(path), late_end(beeps, 150_000), CITY, "a.wav")
    auction = next(line for line in path.read_text().splitlines() if line.startswith("auction = "))
    assert auction.startswith('auction = "50 s"') and "50.00 s and 50.30 s" in auction
