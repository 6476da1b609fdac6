"""A buzzer of other pitches in a room with an echo, and one that has the harmonics of ours."""

import pytest

from tests.helpers.needs import needs_modules

needs_modules("numpy", "scipy", "soundfile")

import numpy as np  # noqa: E402
from scipy.signal import resample_poly  # noqa: E402

from sim.lab.listen import listening, room  # noqa: E402
from sim.lab.listen.pulse import Pulse  # noqa: E402
from sim.lab.listen.recording import RATE  # noqa: E402
from tests.helpers.sounds import sound  # noqa: E402
from tests.sim.lab.listen import conditions  # noqa: E402

LENGTHS = (60, 120, 300)
BEEPS = [
    (500 + 900 * place + 300 * (place % 2), LENGTHS[place % 3], hz)
    for place, hz in enumerate((616, 1321, 616, 3151) * 5)
]
SECONDS = 20


def played(condition, seed=1):
    chance = np.random.default_rng(seed)
    dry = resample_poly(sound(BEEPS, SECONDS * 1000, rate=48_000), 1, 3)
    dry = dry + chance.normal(size=len(dry)) * 0.0006
    return listening.beeps(condition(dry, chance, seed).astype(np.float32))


def found(heard):
    return sum(
        any(abs(beep.onset_ms - at) <= 10 and abs(beep.hz / hz - 1) <= 0.02 for beep in heard)
        for at, _ms, hz in BEEPS
    )


@pytest.mark.slow
def test_without_an_echo_each_is_measured_at_its_own_pitch():
    """1321 Hz is three times one of our own pitches, and yet no harmonic of it."""
    heard = played(conditions.clean)
    assert found(heard) == len(BEEPS) == len(heard)
    assert all(beep.is_measured for beep in heard)


ROOMS = [conditions.room(0.4, 0), conditions.room(0.6, 0)]


@pytest.mark.slow
@pytest.mark.parametrize("room", ROOMS, ids=["T60 0.4 s", "T60 0.6 s"])
def test_in_a_room_they_are_found_and_what_is_measured_is_right(room):
    heard = played(room)
    assert found(heard) >= 0.9 * len(BEEPS)
    assert len(heard) <= 1.2 * len(BEEPS)
    measured = [beep for beep in heard if beep.is_measured]
    right = [
        any(abs(beep.onset_ms - at) <= 5 and abs(beep.length_ms - ms) <= 5 for at, ms, _hz in BEEPS)
        for beep in measured
    ]
    assert len(measured) >= len(BEEPS) / 2
    assert sum(right) >= 0.8 * len(measured)


def echoing(notes, seconds):
    chance = np.random.default_rng(2)
    dry = resample_poly(sound(notes, seconds * 1000, rate=48_000), 1, 3)
    dry = dry + chance.normal(size=len(dry)) * 0.0006
    return conditions.room(0.4, 0)(dry, chance, 2).astype(np.float32)


def test_a_beep_beside_a_sound_that_is_no_beep_is_not_measured():
    """The cue has another note, of a pitch that comes once: the first was learned as all of it."""
    notes = [(1000 + 900 * at, 90, 592) for at in range(7)]
    of_592 = Pulse(1.0 * RATE, 1.09 * RATE, 592, 0.2, 300.0, 0.0)
    heard = room.beeps(echoing([*notes, (6500, 300, 2100)], 8), [of_592])
    assert len(heard) == len(notes)
    assert [is_measured for _pulse, is_measured in sorted(heard)] == [True] * 6 + [False]


@pytest.mark.parametrize("off_hz", [-5, 5])
def test_short_notes_are_found_at_their_pitch_where_the_echo_shows_another(off_hz):
    """Off it, the start of the second note of a pair was taken for the end of the first."""
    notes = [
        (1000 + 900 * at + later, ms, 592) for at in range(6) for later, ms in ((0, 90), (217, 67))
    ]
    misheard = Pulse(1.0 * RATE, 1.09 * RATE, 592 + off_hz, 0.2, 300.0, 0.0)
    heard = room.beeps(echoing(notes, 7), [misheard])
    assert [round(pulse.hz) for pulse, _is_measured in heard] == [592] * len(notes)
    for (at, ms, _hz), (pulse, _is_measured) in zip(notes, heard, strict=True):
        assert pulse.onset * 1000 / RATE == pytest.approx(at, abs=8)
        assert (pulse.end - pulse.onset) * 1000 / RATE == pytest.approx(ms, abs=8)


@pytest.mark.parametrize(
    ("notes", "hz"),
    [
        # The third harmonic of long notes lies nearer than a short beep's blur.
        ([(1000 + 900 * at, 600, 598) for at in range(3)], 1886),
        ([(1000 + 900 * at, 90, 1380) for at in range(3)], 1380),
    ],
)
def test_the_shortest_beeps_are_found_beside_others(notes, hz):
    short = [(4200 + 400 * at, 21, hz) for at in range(5)]
    heard = room.beeps(echoing([*notes, *short], 7), [])
    onsets = [pulse.onset * 1000 / RATE for pulse, _ in sorted(heard) if abs(pulse.hz - hz) < 5]
    assert onsets[-5:] == pytest.approx([at for at, *_ in short], abs=5)


def test_the_pause_between_two_beeps_is_no_beep():
    """The end of one and the start of the next may be steps of a beep, but it would be silent."""
    cue = ((0, 48, 799), (227, 139, 716))
    notes = [(1000 * at + later, ms, hz) for at in range(1, 5) for later, ms, hz in cue]
    heard = sorted(room.beeps(echoing(notes, 6), []))
    assert [round(pulse.hz) for pulse, is_measured in heard if is_measured] == [799, 716] * 4
