"""Foreign units are learned from the structure of their play.

Of the first twenty 19 were learned when they were first looked at. In the others a sound cut in on
another, or was called by a name that nothing but likeness gave it.
"""

import pytest

from city_unit.programs import PROGRAMS
from tests.helpers.needs import needs_modules

needs_modules("numpy", "scipy", "soundfile")

import numpy as np  # noqa: E402

from sim.lab.listen import listening  # noqa: E402
from sim.lab.listen.learning import learn  # noqa: E402
from tests.bench import hard  # noqa: E402
from tests.sim.lab.listen import foreign  # noqa: E402

FIRST = range(2001, 2021)
CUT = (5003, 5036, 5039, 5057, 5059, 5080, 5145, 5150, 5200, 5227, 6004, 6031, 6126, 26010)
NAMED = (5026, 5051, 5063, 5091, 5121, 5140, 5141, 5172, 5192, 5204, 5246)
SEEDS = (*FIRST, *CUT, *NAMED)


@pytest.mark.parametrize("seed", SEEDS)
def test_a_foreign_unit_is_learned_from_its_beeps(seed):
    played = foreign.play(seed)
    score = foreign.score(played, foreign.heard(played, seed))
    assert score.is_learned, score


def test_a_press_with_a_hidden_edge_is_not_taken_for_another_sound():
    """By telephone the first beep of a recording lasted 76 ms in place of 58, as no edge was plain.

    It passed for the clock's beep of 110 ms, and the warning then for the press.
    """
    played = foreign.play(61001, foreign.TELEPHONE_HZ)
    first, *others = foreign.heard(played, 61001)
    spoiled = [first._replace(length_ms=76.0, is_measured=False), *others]
    assert foreign.score(played, spoiled).is_learned


@pytest.mark.slow
def test_a_foreign_unit_is_learned_from_its_sound():
    played = foreign.play(2001)
    beeps = listening.beeps(foreign.sound(played, 2001).astype(np.float32))
    assert len(beeps) == len(played.beeps)
    assert foreign.score(played, beeps).is_learned


@pytest.mark.slow
def test_a_foreign_unit_is_learned_in_a_room():
    """An echo moves a pitch by 6 Hz, steps 14 ms after an edge, hides a pitch beside another.

    Where it hides one, sounds near it are told as not measured, and no cue is learned of them.
    """
    seed, missed = 61011, 9
    played = foreign.play(seed)
    echoing = hard.room(0.4, 0)(foreign.sound(played, seed), np.random.default_rng(seed), seed)
    beeps = listening.beeps(echoing.astype(np.float32))
    assert len(beeps) == len(played.beeps) - missed
    assert foreign.score(played, beeps).is_learned


def test_a_warning_before_a_silent_end_is_not_told_as_its_measured_end():
    """Nothing in the recording shows which of them the last sound of an auction is."""
    seed = next(seed for seed in FIRST if "auction-ended" not in foreign.unit(seed).cues)
    played = foreign.play(seed)
    found = learn(foreign.heard(played, seed), PROGRAMS[0], "mine")
    assert {"auction_ms", "auction-ended"} <= set(found.assumed)
    assert not set(found.assumed) & {*found.values, *found.cues}
