"""Only certain values are learned: no cue that was heard in part, or that varied.

From an insufficient recording nothing is reported as measured; the error says what to record.
"""

import random
from collections import Counter

import pytest

from tests.helpers.needs import needs_modules

needs_modules("numpy", "scipy", "soundfile")

from city_unit.cues import CUES  # noqa: E402
from city_unit.desktop.errors import UserError  # noqa: E402
from city_unit.programs import PROGRAMS  # noqa: E402
from sim.engine import virtual  # noqa: E402
from sim.lab.listen import learning  # noqa: E402
from sim.lab.listen.learning import learn  # noqa: E402
from tests.sim.lab.listen import foreign, units  # noqa: E402

CITY = PROGRAMS[0]
SEED = 9001  # two auctions, permits and a whole clock


def learned(spoil):
    """Learn a unit whose beeps are replaced by `spoil(index, beep)`."""
    played = units.play(SEED, off_ms=0.1)
    beeps = [spoil(place, beep) for place, beep in enumerate(played.beeps)]
    return played.program, learn(beeps, CITY, "mine")


def hidden(beeps, times, within_ms=5):
    """Hide the edges of the beeps that start near some times."""
    return [
        beep._replace(is_measured=all(abs(beep.onset_ms - ms) > within_ms for ms in times))
        for beep in beeps
    ]


def test_what_was_measured_is_known():
    its, found = learned(lambda _place, beep: beep)
    assert found.doubtful == () and len(found.cues) >= 8
    for cue in found.cues:
        mine = found.program.cues[cue][1:]
        assert mine == pytest.approx(its.cues[cue][1:], rel=0.01, abs=1)


def test_a_cue_with_a_hidden_note_is_not_known():
    """The first sound of all is that of switching on."""
    _its, found = learned(lambda place, beep: beep._replace(is_measured=place > 0))
    assert found.doubtful == ("switched-on",) and "switched-on" not in found.cues
    kept = found.program.cues["switched-on"]
    assert kept[2::2] == CUES["switched-on"][2::2]  # its lengths are those of the program


def test_a_beep_that_the_end_of_the_clock_cuts_off_is_not_taken_for_the_end():
    """A long beep, each of the last three cut off by the next sound, and the last one hidden."""
    played = foreign.play(321041, foreign.TELEPHONE_HZ)
    beeps = hidden(foreign.heard(played, 321041), [155_645])
    assert sum(not beep.is_measured for beep in beeps) == 1
    assert foreign.score(played, beeps).wrong == ()


def test_where_cues_are_another_each_time_none_that_was_heard_once_is_known():
    """An echo may lengthen a note by some ms without hiding an edge."""
    chance = random.Random(5)
    its, plain = learned(lambda _place, beep: beep)
    _its, found = learned(
        lambda _place, beep: beep._replace(length_ms=beep.length_ms + chance.uniform(0, 18))
    )
    events = virtual.run(units.play(SEED).game).events
    times = Counter(fields.get("permit", kind) for _ms, kind, fields in events)
    once = {cue for cue in plain.cues if times[cue.removeprefix("permit-")] == 1}
    assert once and once <= set(found.doubtful)
    assert len(found.cues) <= len(its.cues) / 4


def test_auctions_of_two_lengths_tell_none():
    played = units.play(SEED, off_ms=0.1)
    whole = learn(played.beeps, CITY, "mine")
    assert whole.program.auction_ms == played.program.auction_ms
    middle = played.beeps[-1].onset_ms / 2
    beeps = [
        beep._replace(onset_ms=beep.onset_ms * (1.04 if beep.onset_ms > middle else 1))
        for beep in played.beeps
    ]
    assert "auction_ms" not in learn(beeps, CITY, "mine").values


def test_an_auction_between_cues_that_are_not_known_is_told_if_another_is_as_long():
    played = units.play(SEED, off_ms=0.1)
    ends = [ms for ms, kind, _ in virtual.run(played.game).events if kind == "auction-ended"]
    beeps = hidden(played.beeps, ends, 2000)
    both = learn(beeps, CITY, "mine")
    assert len(ends) == 2 and "auction-ended" in both.doubtful
    assert both.program.auction_ms == played.program.auction_ms
    first = [beep for beep in beeps if beep.onset_ms < ends[0] + 2000]
    assert "auction_ms" not in learn(first, CITY, "mine").values


def test_a_warning_before_an_end_whose_edges_are_hidden_is_not_learned():
    """Over GSM the ends of one unit were heard 48 ms late, each time: 0.1 % of the auction.

    Both times are assumed.
    """
    played = units.play(2003)
    events = virtual.run(played.game).events
    ends = {ms for ms, kind, _fields in events if kind == "auction-ended"}
    found = learn(hidden(played.beeps, ends), CITY, "mine")
    assert {"auction_ms", "warning_ms"} <= set(found.assumed)
    assert not {"auction_ms", "warning_ms"} & set(found.values)
    assert found.program.warning_ms == played.program.warning_ms


def test_a_cue_whose_hidden_lengths_are_others_than_the_measured_one_is_not_known():
    """A warning of 40 ms whose edges are hidden may be the sound of switching on, of 96 ms."""
    played = foreign.play(63002)
    warnings = {ms for ms, name in played.events if name == "auction-warning"}
    found = learn(hidden(foreign.heard(played, 63002), warnings), CITY, "mine")
    assert "auction_ms" in found.values
    assert "auction-warning" in found.doubtful and "auction-warning" not in found.cues


def test_one_that_is_too_short_makes_no_program(tmp_path):
    beeps = foreign.heard(foreign.play(2001), 2001)
    for heard in ([], [beep for beep in beeps if beep.onset_ms < 15_000]):
        out = tmp_path / "mine.toml"
        with pytest.raises(UserError, match="record two, each from its press to its end"):
            learning.write(str(out), heard, CITY, "a.wav")
        assert not out.exists()


@pytest.mark.parametrize("seed", [2001, 2003, 2005])
def test_without_a_press_nothing_is_told_of_an_auction_as_measured(seed):
    """A warning and its end are as far apart each time as a press and its end would be."""
    played = foreign.play(seed)
    presses = {ms for ms, name in played.events if name.endswith("-started")}
    heard = [
        beep
        for beep in foreign.heard(played, seed)
        if all(abs(beep.onset_ms - ms) > 5 for ms in presses)
    ]
    found = learn(heard, CITY, "mine")
    auction = {"auction_ms", "warning_ms", "auction-started", "auction-ended"}
    assert not auction & {*found.values, *found.cues}
