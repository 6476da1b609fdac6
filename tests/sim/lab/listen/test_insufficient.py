"""A recording that is not enough tells nothing as measured, and the error says what to record."""

import pytest

from city_unit.desktop.errors import UserError
from city_unit.programs import PROGRAMS
from tests.helpers.needs import needs_modules

needs_modules("numpy", "scipy", "soundfile")

from sim.lab.listen import learning  # noqa: E402
from tests.sim.lab.listen import foreign  # noqa: E402

SEED = 2001


def test_one_that_is_too_short_makes_no_program(tmp_path):
    beeps = foreign.heard(foreign.play(SEED), SEED)
    for heard in ([], [beep for beep in beeps if beep.onset_ms < 15_000]):
        out = tmp_path / "mine.toml"
        with pytest.raises(UserError, match="record two of them, each from its press to its end"):
            learning.write(str(out), heard, PROGRAMS[0], "a.wav")
        assert not out.exists()


@pytest.mark.parametrize("seed", [SEED, 2003, 2005])
def test_without_a_press_nothing_is_told_of_an_auction_as_measured(seed):
    """A warning and its end are as far apart each time as a press and its end would be."""
    played = foreign.play(seed)
    presses = {ms for ms, name in played.events if name.endswith("-started")}
    heard = [
        beep
        for beep in foreign.heard(played, seed)
        if all(abs(beep.onset_ms - ms) > 5 for ms in presses)
    ]
    found = learning.learn(heard, PROGRAMS[0], "mine")
    auction = {"auction_ms", "warning_ms", "auction-started", "auction-ended"}
    assert not auction & {*found.values, *found.cues}
