"""Which cue is which, and how late: from a list of beeps whose answer is known."""

from city_unit.programs import PROGRAMS
from tests.needs import needs_modules

needs_modules("numpy", "scipy", "soundfile")

from sim.lab import comparing  # noqa: E402
from sim.lab.listening import Beep  # noqa: E402


def test_an_auction_with_a_late_warning():
    heard = [
        Beep(1000.0, 25, 2700, -8),
        Beep(46_030.0, 400, 2690, -8),
        Beep(51_000.0, 150, 2000, -8),
        Beep(51_225.0, 600, 2000, -8),
        Beep(55_000.0, 300, 3333, -8),
    ]
    cues = comparing.cues(heard, PROGRAMS[0])
    assert [(cue.beeps, cue.onset_ms) for cue in cues] == [(1, 1000), (1, 46_030), (2, 51_000)]
    assert [cue.name for cue in cues][1:] == ["auction-warning", "auction-ended"]
    late = [
        (one.since, one.expected_ms, one.late_ms) for one in comparing.auctions(cues, PROGRAMS[0])
    ]
    assert late == [("auction-started", 45_000, 30.0), ("auction-warning", 5000, -30.0)]


def test_a_press_is_called_by_what_follows():
    heard = [
        Beep(1000.0, 25, 2700, -8),
        Beep(2200.0, 110, 2300, -8),
        Beep(5000.0, 25, 2700, -8),
        Beep(6000.0, 25, 2700, -8),
        Beep(51_000.0, 400, 2700, -8),
    ]
    cues = comparing.cues(heard, PROGRAMS[0])
    assert [(cue.name, cue.is_sure) for cue in cues] == [
        ("permit-started", True),
        ("permit-1", True),
        ("auction-started", False),
        ("auction-started", True),
        ("auction-warning", True),
    ]
