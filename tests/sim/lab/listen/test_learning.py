"""A program that is played, recorded and learned equals itself."""

import random
import re

import pytest

from city_unit.cues import CUES
from city_unit.programs import Program, span
from sim import cli
from sim.engine import program_file, program_text
from sim.engine.program_file import plain_name
from sim.face import tones
from tests.helpers.needs import needs_modules
from tests.helpers.quick import some_quick
from tests.helpers.scenario_text import steps

OWN = """
name = "own"
auction = "20 s"
warning = "4 s"
clock = "40 s"
odds = [3, 3, 3, 1]
[[marks]]
tell = "hour-beep"
left = "15 s"
[[marks]]
tell = "hour-beep"
left = "5 s"
[[marks]]
tell = "hour-ended"
left = "0 s"
[cues]
auction-warning = { rank = "moment", play = ["2600 Hz 300 ms"] }
auction-ended = { rank = "moment", play = ["1900 Hz 180 ms", "0 Hz 95 ms", "1900 Hz 500 ms"] }
"""

SCENARIO = steps(
    ("0 s", "switch on"), ("1 s", "tap auction"), ("45 s", "end"), head='program = "own.toml"'
)


@pytest.fixture
def recording(tmp_path):
    needs_modules("numpy", "scipy", "soundfile")
    (tmp_path / "own.toml").write_text(OWN)
    (tmp_path / "a.toml").write_text(SCENARIO)
    wav = tmp_path / "a recording.wav"
    assert cli.main(["export", str(tmp_path / "a.toml"), str(wav)]) == 0
    return wav


def test_a_unit_is_learned_as_it_was_played_and_plays(tmp_path, recording, capsys):
    """No program is written over without --force."""
    out = tmp_path / "my-unit.toml"
    out.write_text("my own work")
    assert cli.main(["listen", str(recording), "--learn", str(out)]) == 2
    assert "my-unit.toml already exists" in capsys.readouterr().err
    assert out.read_text() == "my own work"
    assert cli.main(["listen", str(recording), "--learn", str(out), "--force"]) == 0
    played = program_file.find(str(tmp_path / "own.toml"))
    learned = program_file.find(str(out))
    assert learned.name == "my-unit"
    assert learned.auction_ms == played.auction_ms
    assert learned.warning_ms == played.warning_ms
    assert learned.clock_ms == played.clock_ms
    assert learned.marks == played.marks
    for cue in ("auction-warning", "auction-ended", "hour-beep", "hour-ended", "auction-started"):
        rank, *heard = learned.cues[cue]
        assert rank == played.cues[cue][0]
        assert heard[::2] == pytest.approx(played.cues[cue][1::2], rel=0.01)  # pitches
        assert heard[1::2] == pytest.approx(played.cues[cue][2::2], abs=1)  # lengths in ms
    assert learned.odds == played.odds  # not heard: as the program city has it
    text = out.read_text()
    auction = next(line for line in text.splitlines() if line.startswith("auction = "))
    assert auction.startswith('auction = "20 s"') and "learned from a recording.wav" in auction
    assert "the others: assumption" in text
    capsys.readouterr()
    assert cli.main(["trace", str(tmp_path / "a.toml"), "--program", str(out)]) == 0
    assert '{"ms": 21016, "event": "auction-ended"}' in capsys.readouterr().out


ALL = steps(
    ("0 s", "switch on"),
    ("1 s", "tap auction"),
    ("2 s", "tap build"),
    ("20 s", "tap auction"),
    ("21 s", "hold auction for 2500 ms"),
    ("25 s", "tap build"),
    ("30 s", "tap build"),
    ("35 s", "tap build"),
    ("42 s", "end"),
    head='program = "played.toml"',
)


def changed(seed, pitch=lambda hz: hz):
    """Return a program whose cues are about as long as city's, or longer, or shorter."""
    dice = random.Random(seed)
    by = dice.uniform(0.8, 1.25)

    def note(hz, ms):
        return (pitch(hz), max(20, round(ms * by * dice.uniform(0.9, 1.1))))

    cues = {
        name: (
            rank,
            *(x for hz, ms in zip(notes[::2], notes[1::2], strict=True) for x in note(hz, ms)),
        )
        for name, (rank, *notes) in CUES.items()
    }
    cues["choice"] = cues["permit-started"] = cues["auction-started"]
    seconds = dice.randrange(12, 17)
    return Program(
        "played",
        clock_ms=40_000,
        marks=(span("hour-beep", 15_000), span("hour-beep", 5000), span("hour-ended", 0)),
        auction_ms=(seconds * 1000, seconds * 1000),
        warning_ms=dice.randrange(2, 6) * 1000,
        odds=(1, 1, 1, 1),
        cues=cues,
    )


def played(tmp_path, program):
    needs_modules("numpy", "scipy", "soundfile")
    (tmp_path / "played.toml").write_text(program_text.write(program))
    (tmp_path / "all.toml").write_text(ALL)
    wav = tmp_path / "all.wav"
    assert cli.main(["export", str(tmp_path / "all.toml"), str(wav)]) == 0
    return wav


def learned(wav, tmp_path, capsys):
    """Return the program that was learned, the cues that were heard, and the words for people."""
    out = tmp_path / "learned.toml"
    capsys.readouterr()
    assert cli.main(["listen", str(wav), "--learn", str(out)]) == 0
    told = capsys.readouterr().err
    what = told.splitlines()[0].rpartition(": ")[2].split(", ")
    names = [name for name in CUES if name in what]
    return program_file.find(str(out)), names, told


@pytest.mark.parametrize("seed", some_quick(range(6), 2))
def test_any_program_is_learned_as_it_was_played(tmp_path, capsys, seed):
    program = changed(seed)
    found, names, told = learned(played(tmp_path, program), tmp_path, capsys)
    assert {"switched-on", "auction-started", "auction-warning", "auction-ended"} <= set(names)
    assert {"refused", "hour-beep", "hour-ended", "auction-cancelled"} <= set(names)
    for name in names:
        assert found.cues[name][1::2] == pytest.approx(program.cues[name][1::2], rel=0.01), name
        assert found.cues[name][2::2] == pytest.approx(program.cues[name][2::2], abs=1), name
    assert found.auction_ms == program.auction_ms
    assert found.warning_ms == program.warning_ms
    assert (found.clock_ms, found.marks) == (program.clock_ms, program.marks)
    used, count = re.search(r"(\d+) of (\d+) beeps were used", told).groups()
    assert used == count


@pytest.mark.parametrize("seed", range(3))
def test_a_buzzer_of_one_pitch_is_known_by_its_rhythm(tmp_path, capsys, seed):
    program = changed(seed, lambda hz: 3100 if hz else 0)
    found, names, _ = learned(played(tmp_path, program), tmp_path, capsys)
    assert {"switched-on", "auction-warning", "auction-ended", "hour-beep"} <= set(names)
    for name in names:
        assert found.cues[name][2::2] == pytest.approx(program.cues[name][2::2], abs=1), name
    assert found.auction_ms == program.auction_ms
    pitches = {hz for cue in found.cues.values() for hz in cue[1::2] if hz}
    assert all(hz == pytest.approx(3100, rel=0.01) for hz in pitches)


def test_what_is_like_no_cue_and_what_is_known_by_its_place_is_told(tmp_path, capsys):
    """The warning sounds like no cue of ours; of two auctions one has a sound that is no part."""
    needs_modules("numpy", "scipy", "soundfile")
    from sim.lab.listen import learning

    wav = tmp_path / "a.wav"
    notes = [(0, 25, 2700), (45_000, 900, 3300), (50_000, 150, 2000), (50_225, 600, 2000)]
    beeps = [(at + first, ms, hz) for at in (1000, 60_000) for first, ms, hz in notes]
    beeps = sorted([*beeps, (3000, 1500, 3500)])
    changes = [change for at, ms, hz in beeps for change in ((at, hz), (at + ms, 0))]
    tones.write_wav(wav, changes, 112_000)
    told = learned(wav, tmp_path, capsys)[2]
    assert "8 of 9 beeps were used\nunexplained beeps: at 0:03.000" in told
    by_place = learning.BY_PLACE.format(cues="auction-warning")
    assert by_place in told and by_place in (tmp_path / "learned.toml").read_text()


def test_nothing_is_learned_from_silence(tmp_path, recording, capsys):
    (tmp_path / "quiet.toml").write_text('[[steps]]\nat = "2 s"\ndo = "end"\n')
    wav = tmp_path / "quiet.wav"
    assert cli.main(["export", str(tmp_path / "quiet.toml"), str(wav)]) == 0
    assert cli.main(["listen", str(wav), "--learn", str(tmp_path / "out.toml")]) == 1
    assert cli.main(["listen", str(recording), "--learn", str(tmp_path / "out.txt")]) == 2
    assert not list(tmp_path.glob("out.*"))
    assert "nothing was learned" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("word", "name"),
    [("My Unit (1)", "my-unit-1"), ("12", "program-4f5344cd"), ("x" * 30, "x" * 20)],
)
def test_a_programs_name_from_a_files(word, name):
    assert plain_name(word) == name
