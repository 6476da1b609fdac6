"""Foreign units are learned from the structure of their play.

Of the first twenty units, 19 were learned at first sight. In the others, one sound cut in on
another, or got a name from its likeness to one of our cues alone.
"""

import shutil
from itertools import pairwise

import pytest

from city_unit.programs import PROGRAMS
from tests.helpers.needs import needs, needs_modules

needs_modules("numpy", "scipy", "soundfile")

import numpy as np  # noqa: E402

from sim.lab.listen import learning, listening, sounds  # noqa: E402
from sim.lab.listen.learning import learn  # noqa: E402
from tests.sim.lab.listen import conditions, foreign  # noqa: E402

FIRST = range(2001, 2021)
CUT = (5003, 5036, 5039, 5057, 5059, 5080, 5145, 5150, 5200, 5227, 6004, 6031, 6126, 26010)
NAMED = (5026, 5051, 5063, 5091, 5121, 5140, 5141, 5172, 5192, 5204, 5246)
WRONG = (72162, 72306, 72318, 72401, 72469, 72543, 72719, 72956)  # had wrong values, and so had
WRONG += (71240, 81201, 81639, 82087, 82921, 83248, 83788, 91333, 91490, 92362, 92681)
WRONG += (84823, 85689, 201435)
LACKED = (91128, 92130, 92367, 92896)  # lacked a time
SEEDS = (*FIRST, *CUT, *NAMED, *WRONG, *LACKED)


@pytest.mark.parametrize("seed", SEEDS)
def test_a_foreign_unit_is_learned_from_its_beeps(seed):
    played = foreign.play(seed)
    score = foreign.score(played, foreign.heard(played, seed))
    assert score.is_learned, score


@pytest.mark.parametrize("seed", [71781, 71865, 71980, 72777, 82755, 82802, 92453, 83751])
def test_a_value_that_the_beeps_do_not_prove_is_not_learned(seed):
    """A press missed before each auction, an end hidden by the clock's beep, a lone first sound.

    In 83751 both auctions refuse a bid after the same time, as if it were their warning.
    """
    played = foreign.play(seed)
    assert not foreign.score(played, foreign.heard(played, seed)).wrong


def test_a_cue_whose_pitch_was_another_each_time_is_not_learned():
    """By telephone one of two warnings was heard at its third harmonic; their mean was learned."""
    played = foreign.play(87037, foreign.TELEPHONE_HZ)
    beeps = foreign.heard(played, 87037)
    warned = next(ms for ms, name in played.events if name == "auction-warning")
    spoiled = [
        beep._replace(hz=3 * beep.hz) if abs(beep.onset_ms - warned) < 5 else beep for beep in beeps
    ]
    assert not foreign.score(played, spoiled).wrong


def test_a_press_with_a_hidden_edge_is_not_taken_for_another_sound():
    """By telephone the first beep of a recording lasted 76 ms in place of 58, as no edge was plain.

    It passed for the clock's beep of 110 ms, and the warning then for the press.
    """
    played = foreign.play(61001, foreign.TELEPHONE_HZ)
    first, *others = foreign.heard(played, 61001)
    spoiled = [first._replace(length_ms=76.0, is_measured=False), *others]
    assert foreign.score(played, spoiled).is_learned


@pytest.mark.parametrize("seed", [92009, 92010, 92028])
def test_a_sound_that_cuts_in_on_another_is_heard_although_it_hides_its_edge(seed):
    """In sound, neither the end of the first nor the onset of the second is sharp."""
    played = foreign.play(seed)
    beeps = foreign.heard(played, seed)
    cuts = [pair for pair in pairwise(beeps) if sounds.gap(*pair) < sounds.CUT_MS]
    hidden = {beep for pair in cuts for beep in pair}
    spoiled = [beep._replace(is_measured=beep not in hidden) for beep in beeps]
    assert hidden and foreign.score(played, spoiled).is_learned


@pytest.mark.slow
@pytest.mark.parametrize(
    ("condition", "seed"),
    [
        *(("clean", 2004), ("clean", 92030), ("overdriven", 2004), ("ordinary telephone", 2004)),
        *(("room of T60 0.4 s", seed) for seed in (64003, 67016, 104040, 204021)),
    ],
)
def test_a_foreign_unit_is_learned_from_its_sound(condition, seed):
    """An echo moves a pitch by 6 Hz, steps 14 ms after an edge, hides a pitch beside another.

    Of 64003 it hides a note: the one before it was learned as the whole end of the clock. Of 67016
    it hides beeps just before others of a near pitch: they were measured at their third harmonic,
    and so was a permit of 92030 that the clock's beep cut off after 19 ms.

    Of 104040 it leaves 16 ms of most beeps at one pitch, which showed that pitch 12 Hz too low. All
    these beeps were then found 14 ms too long, and the end of the auction was learned so.

    The harmonics of 204021 were counted as pitches: eight pitches were taken for music, not a room.
    """
    if condition == "ordinary telephone":
        needs(shutil.which("ffmpeg"), "ffmpeg")
    played = foreign.play(seed)
    spoiled = foreign.sound(played, seed)
    spoiled = conditions.CONDITIONS[condition](spoiled, np.random.default_rng(seed), seed)
    beeps = listening.beeps(spoiled.astype(np.float32))
    assert foreign.score(played, beeps).is_learned
    compared = conditions.compare(played.beeps, beeps)
    assert compared.right == compared.told


def test_a_warning_before_a_silent_end_is_not_told_as_its_measured_end():
    """Nothing in the recording shows which of them the last sound of an auction is."""
    seed = next(seed for seed in FIRST if "auction-ended" not in foreign.unit(seed).cues)
    played = foreign.play(seed)
    found = learn(foreign.heard(played, seed), PROGRAMS[0], "mine")
    assert {"auction_ms", "auction-ended"} <= set(found.assumed)
    assert not set(found.assumed) & {*found.values, *found.cues}
    lines = learning.remedies(found)
    assert lines["auction_ms"].endswith("to make sure, record a press right after an end")
    assert all(lines[value].count(value) == 1 for value in found.assumed)


@pytest.mark.parametrize("seed", [320_000, 320_002, 320_005, 320_007])
def test_each_value_that_was_assumed_or_not_heard_has_its_own_remedy(seed):
    played = foreign.play(seed)
    found = learn(foreign.heard(played, seed), PROGRAMS[0], "mine")
    lines = learning.remedies(found)
    known = {*found.values, *found.cues, *found.doubtful}
    assert not known & {*lines}
    for value in {"auction_ms", "warning_ms", "clock_ms", *found.program.cues} - known:
        own = lines[value] if value in lines else lines["cues"]
        assert f" {value}" in own and "; " in own
