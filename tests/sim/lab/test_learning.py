"""A cadence of one's own, played, listened to, and learned: the same again."""

import pytest

from sim import cli, program_file
from tests.needs import needs_modules

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

SCENARIO = """
program = "own.toml"
[[steps]]
at = "0 s"
do = "switch on"
[[steps]]
at = "1 s"
do = "tap auction"
[[steps]]
at = "45 s"
do = "end"
"""


@pytest.fixture
def recording(tmp_path):
    needs_modules("numpy", "scipy", "soundfile")
    (tmp_path / "own.toml").write_text(OWN)
    (tmp_path / "a.toml").write_text(SCENARIO)
    wav = tmp_path / "a recording.wav"
    assert cli.main(["export", str(tmp_path / "a.toml"), "--wav", str(wav)]) == 0
    return wav


def test_learned_as_played(tmp_path, recording, capsys):
    out = tmp_path / "my-unit.toml"
    assert cli.main(["listen", str(recording), "--learn", str(out)]) == 0
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


def test_the_learned_program_plays(tmp_path, recording, capsys):
    out = tmp_path / "mine.toml"
    assert cli.main(["listen", str(recording), "--learn", str(out)]) == 0
    capsys.readouterr()
    assert cli.main(["trace", str(tmp_path / "a.toml"), "--program", str(out)]) == 0
    assert '{"ms": 21016, "event": "auction-ended"}' in capsys.readouterr().out


def test_nothing_is_learned_from_silence(tmp_path, recording, capsys):
    (tmp_path / "quiet.toml").write_text('[[steps]]\nat = "2 s"\ndo = "end"\n')
    wav = tmp_path / "quiet.wav"
    assert cli.main(["export", str(tmp_path / "quiet.toml"), "--wav", str(wav)]) == 0
    assert cli.main(["listen", str(wav), "--learn", str(tmp_path / "out.toml")]) == 1
    assert cli.main(["listen", str(recording), "--learn", str(tmp_path / "out.txt")]) == 2
    assert not list(tmp_path.glob("out.*"))
    assert "nothing was learned" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("word", "name"), [("My Unit (1)", "my-unit-1"), ("12", "learned"), ("x" * 30, "x" * 20)]
)
def test_a_programs_name_from_a_files(word, name):
    assert program_file.name_of(word) == name
