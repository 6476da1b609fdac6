"""Which cue is which, and how late: from a list of beeps whose answer is known."""

from tests.helpers.needs import needs_modules
from tests.helpers.times import CITY, FAST_MS, LENGTH_MS, SLOW_MS

needs_modules("numpy", "scipy", "soundfile")

from sim.lab.listen import comparing  # noqa: E402
from sim.lab.listen.listening import Beep  # noqa: E402


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
