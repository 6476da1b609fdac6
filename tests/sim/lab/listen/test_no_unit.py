"""Music, speech and other beeping devices are not units; a unit among them is still heard."""

import shutil

import pytest

from city_unit.programs import PROGRAMS
from tests.helpers.needs import needs, needs_modules

needs_modules("numpy", "scipy", "soundfile")

import numpy as np  # noqa: E402
import soundfile  # noqa: E402

from sim import cli  # noqa: E402
from sim.lab.listen import listening  # noqa: E402
from sim.lab.listen.learning import learn  # noqa: E402
from sim.lab.listen.listening import Beep  # noqa: E402
from tests.bench import listen  # noqa: E402
from tests.helpers.sounds import assert_all, every_cue  # noqa: E402
from tests.sim.lab.listen import conditions, foreign, music, units  # noqa: E402


@pytest.mark.parametrize(
    "sound",
    [
        pytest.param(music.music(31, 40), id="chords and a melody", marks=pytest.mark.slow),
        pytest.param(music.blips(41, 60), id="short notes with an octave"),
        pytest.param(music.led(62101, 60), id="a lead of square waves", marks=pytest.mark.slow),
    ],
)
def test_music_holds_no_beeps(sound):
    hiss = np.random.default_rng(1).normal(size=len(sound)) * 0.0005
    assert listening.beeps((sound + hiss).astype(np.float32)) == []


@pytest.mark.parametrize(
    "seed",
    [
        *(0, 1, 2, 3, 5, 6, 8, 9, 10, 11),
        *(1213, 1268),  # two riffs that go as auctions do
        # A hundred sounds of twenty kinds, where thousands of intervals recur.
        pytest.param(4, marks=pytest.mark.slow),
    ],
)
def test_no_tune_is_learned_as_a_unit(seed):
    """Heard perfectly, of one to five pitches, as a riff that comes again or without end."""
    beeps = _tune(seed)[:100]
    assert len(beeps) > 10
    assert not learn(beeps, PROGRAMS[0], "mine").is_unit


def _tune(seed):
    chance = np.random.default_rng(seed)
    pitches = 500 * 2 ** (chance.choice(30, int(chance.integers(1, 6)), replace=False) / 12)
    beat_ms, staccato = chance.uniform(200, 800), chance.uniform(0.3, 0.95)
    rests = chance.choice((0.1, 0.4, 0.7))
    length = int(chance.choice((4, 8, 16, 400)))
    riff = [
        (chance.choice(pitches), chance.choice((0.25, 0.5, 1, 2)), chance.random() < rests)
        for _ in range(length - 1)
    ]
    riff.append((pitches[0], 0.5, False))
    beeps, at = [], 500.0
    while at < 90_000:
        for hz, beats, is_rest in riff:
            if not is_rest:
                beeps.append(Beep(at, beats * beat_ms * staccato, float(hz), -20.0))
            at += beats * beat_ms
    return beeps


def test_another_thing_that_beeps_makes_no_program_and_it_is_said_why(tmp_path, capsys):
    """Two beeps alike, every eight seconds: an oven's."""
    time = np.arange(round(0.11 * music.RATE)) / music.RATE
    beep = 0.2 * np.sign(np.sin(2 * np.pi * 2300 * time))
    sound = np.zeros(40 * music.RATE)
    for at in (2, 10, 18, 26, 34):
        for first in (at * music.RATE, round((at + 0.24) * music.RATE)):
            sound[first : first + len(beep)] = beep
    wav, out = tmp_path / "oven.wav", tmp_path / "oven.toml"
    soundfile.write(wav, sound, music.RATE)
    assert cli.main(["listen", str(wav), "--learn", str(out)]) == 1
    told = capsys.readouterr()
    assert told.out.startswith("10 beeps")
    assert "no auction was recognised" in told.err
    assert not out.exists()


@pytest.mark.slow
def test_beside_talk_and_dice_as_loud_beeps_are_found(tmp_path):
    """Nine of ten within 10 ms."""
    needs(shutil.which("espeak-ng"), "espeak-ng")
    score = listen.listen(211, listen.at_a_table(211, 180, tmp_path), 0)
    assert score.there.total() > 30
    assert score.found.total() >= 0.9 * score.there.total(), score
    assert score.false <= 2


@pytest.mark.slow
def test_a_voice_that_sings_once_is_no_buzzer(tmp_path):
    """Of this minute one syllable, 62 ms at 1227 Hz, was once taken for a beep."""
    needs(shutil.which("espeak-ng"), "espeak-ng")
    table = listen.at_a_table(104, 300, tmp_path)[: 60 * music.RATE]
    assert listening.beeps(listen.quiet(table)) == []


@pytest.mark.slow
def test_changed_cues_ten_times_as_loud_as_the_noise(tmp_path):
    needs(shutil.which("espeak-ng"), "espeak-ng")
    there, end_ms = every_cue(units.unit(0).cues)
    table = listen.at_a_table(0, end_ms // 1000 + 1, tmp_path)
    mixed = table + 10 * listen.sound(there, len(table) // music.RATE)
    assert_all(listening.beeps((mixed * 0.05).astype(np.float32)), there)


@pytest.mark.slow
def test_a_unit_beside_music_is_heard_and_the_music_is_not():
    """The music is 5 dB fainter than the beeps; two minutes of it hold hundreds of notes."""
    played = foreign.play(2002)
    spoiled = conditions.beside_music(foreign.sound(played, 2002), np.random.default_rng(1), 77)
    beeps = listening.beeps(spoiled.astype(np.float32))
    compared = conditions.compare(played.beeps, beeps)
    assert compared.false <= 2 * played.end_ms / 60_000
    assert compared.found >= 0.9 * compared.there
