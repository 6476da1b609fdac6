"""Sounds: told apart by rhythm alone, and their ranks."""

from itertools import combinations

from city_unit.cues import ACCEPTED, CUES, Player


def rhythm(cue):
    """Return the lengths of a cue's tones and rests, as a buzzer of one pitch plays them.

    Tones without a rest between them sound as one there.
    """
    lengths = []
    sounding = None
    for hz, ms in zip(cue[1::2], cue[2::2], strict=True):
        if (hz > 0) == sounding:
            lengths[-1] += ms
        else:
            lengths.append(ms)
        sounding = hz > 0
    return lengths


def alike(first, second):
    """Return whether two rhythms have the same number of beats, each within 1.5 times the other."""
    return len(first) == len(second) and all(
        max(a, b) <= 1.5 * min(a, b) for a, b in zip(first, second, strict=True)
    )


DISTINCT = [name for name in CUES if CUES[name] is not ACCEPTED] + ["auction-started"]


def test_cues_differ_in_rhythm():
    pairs = combinations(DISTINCT, 2)
    assert [pair for pair in pairs if alike(*(rhythm(CUES[name]) for name in pair))] == []


def play(*cues):
    """Play the cues `(ms, name)` and return the `(ms, hz)` that a buzzer gives."""
    player = Player()
    heard = []
    waiting = list(cues)
    while waiting or player.due is not None:
        if waiting and (player.due is None or waiting[0][0] <= player.due):
            ms, name = waiting.pop(0)
            player.play(ms, CUES[name])
        else:
            ms = player.due
            player.fire(ms)
        if not heard or heard[-1][1] != player.value:
            heard.append((ms, player.value))
    return heard


def test_a_moment_cuts_in_on_the_passing_hour():
    assert play((1000, "hour-beep"), (1030, "auction-warning")) == [(1000, 2700), (1430, 0)]


def test_a_tick_is_dropped_while_a_moment_sounds():
    assert play((1000, "auction-warning"), (1100, "refused")) == [(1000, 2700), (1400, 0)]


def test_the_hour_cuts_in_on_a_refusal():
    heard = play((1000, "refused"), (1010, "hour-ended"))
    assert heard[:3] == [(1000, 440), (1010, 2700), (1090, 0)]


def test_a_signal_waits_for_a_moment_and_is_heard_whole():
    alone = play((0, "hour-ended"))
    heard = play((1000, "auction-ended"), (1000, "hour-ended"))
    after = 1000 + 150 + 75 + 600 + 200
    assert heard[4:] == [(after + ms, hz) for ms, hz in alone]


def test_a_signal_that_is_cut_off_is_heard_again_from_the_start():
    alone = play((0, "phase-started"))
    heard = play((1000, "phase-started"), (1200, "auction-warning"))
    after = 1200 + 400 + 200
    assert heard[-len(alone) :] == [(after + ms, hz) for ms, hz in alone]


def test_silence_is_silent_and_forgets_what_waits():
    player = Player()
    player.play(0, CUES["auction-ended"])
    player.play(10, CUES["hour-ended"])
    player.silence()
    assert (player.value, player.due) == (0, None)
    player.play(20, CUES["hour-beep"])
    while player.due is not None:
        last = player.due
        player.fire(last)
    assert last == 20 + 60 + 80 + 60 + 200
