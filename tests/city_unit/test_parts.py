"""The parts of a unit by themselves: its arithmetic of time, its draws, contacts and sounds."""

from collections import Counter
from itertools import combinations

from hypothesis import given
from hypothesis import strategies as st

from city_unit.contacts import Button, Switch
from city_unit.cues import ACCEPTED, CUES, Player
from city_unit.draws import Draws, weighted
from city_unit.ticks import add, diff

PERIOD = 1 << 30
times = st.integers(0, PERIOD - 1)
spans = st.integers(-(1 << 29) + 1, (1 << 29) - 1)


class Small(int):
    """An integer of 31 bits, as a board keeps without allocating."""

    def __new__(cls, value):
        assert -PERIOD <= value < PERIOD, value
        return super().__new__(cls, value)


def _small(name):
    operation = getattr(int, name)
    return lambda *operands: Small(operation(*operands))


for _name in ("add", "radd", "sub", "rsub", "and", "rand", "xor", "rxor"):
    setattr(Small, f"__{_name}__", _small(f"__{_name}__"))


@given(times, spans)
def test_time_wraps_and_never_leaves_the_small_integers_of_a_board(time, span):
    later = add(Small(time), Small(span))
    back = diff(later, Small(time))
    assert (later, back) == ((time + span) % PERIOD, span)
    assert isinstance(later, Small) and isinstance(back, Small)


def test_each_index_has_exactly_its_weight():
    for weights in ((3, 3, 3, 1), (1, 1, 1, 1), (1, 0, 0, 5), (7,)):
        total = sum(weights)
        drawn = Counter(
            weighted(lambda n, k=k, total=total: k if n == total else None, weights)
            for k in range(total)
        )
        assert [drawn[index] for index in range(len(weights))] == list(weights)


def test_words_beyond_the_last_whole_multiple_are_drawn_again():
    for seed in range(30):
        source = Draws(seed)
        first, *more = (source.below(2**32) for _ in range(100))
        assert Draws(seed).below(first + 1) == first
        # Of a number above 2^31 there is one whole multiple, and the number itself is beyond it.
        number = max(first, 2**31 + 1)
        fair = (word for word in (first, *more) if word < number)
        assert Draws(seed).below(number) == next(fair)


def test_the_generator_gives_what_it_always_gave_and_its_seeds_are_fair():
    """The recurrence is written out for two words of seed 42, independent of the code."""
    state, words = 42, []
    for _ in range(2):
        state = (state * 747796405 + 2891336453) % 2**32
        word = ((state >> ((state >> 28) + 4)) ^ state) * 277803737 % 2**32
        words.append(word ^ word >> 22)
    source = Draws(42)
    assert [source.below(2**32), source.below(2**32)] == words
    drawn = Counter(weighted(Draws(seed).below, (3, 3, 3, 1)) for seed in range(20_000))
    expected = (6000, 6000, 6000, 2000)
    # Chi-square with 3 degrees of freedom: p = 0.0001.
    assert sum((drawn[index] - n) ** 2 / n for index, n in enumerate(expected)) < 21.1


# Debounce: one press a press, however the contact bounces.

LONGEST_BOUNCE = 15
LATEST_ACCEPT = 20
chatter = st.sets(st.integers(1, LONGEST_BOUNCE - 1))


def sensed(contact, start, edges):
    """Give `contact` the edges `(ms, closed)` and its deadlines; return `(ms, what)` it told."""
    reported = []
    for ms, closed in [*edges, (9000, None)]:
        while contact.due is not None and diff(contact.due, add(start, ms)) <= 0:
            due = contact.due
            reported.append((diff(due, start), contact.fire(due)))
        if closed is not None:
            reported.append((ms, contact.sense(add(start, ms), closed)))
    return [(ms, what) for ms, what in reported if what]


def bouncing(at, closed, offsets):
    """Return the edges of a contact that is moved at `at` and chatters at `offsets` after it."""
    level = not closed
    edges = []
    for offset in [0, *sorted(offsets)]:
        level = not level
        edges.append((at + offset, level))
    if level != closed:
        edges.append((at + LONGEST_BOUNCE, closed))
    return edges


@given(chatter, chatter, times)
def test_any_bounce_is_one_press_and_one_release(pressing, releasing, start):
    edges = bouncing(1000, True, pressing) + bouncing(1200, False, releasing)
    (pressed, press), (released, release) = sensed(Button("press", "release"), start, edges)
    assert (press, release) == ("press", "release")
    assert pressed - 1000 <= LATEST_ACCEPT and released - 1200 <= LATEST_ACCEPT


def test_a_touch_that_is_shorter_than_the_window_is_noise():
    for length in range(1, 16):
        edges = [(1000, True), (1000 + length, False)]
        assert sensed(Button("press", "release"), 0, edges) == []


@given(chatter, chatter)
def test_a_chattering_slide_switches_once_and_at_once(on, off):
    edges = bouncing(1000, True, on) + bouncing(5000, False, off)
    assert sensed(Switch(), 0, edges) == [(1000, "switch on"), (5000, "switch off")]
    flicked_back = [(1000, True), (1010, False)]
    assert sensed(Switch(), 0, flicked_back) == [(1000, "switch on"), (1016, "switch off")]


# Sounds: told apart by rhythm alone, and their ranks.


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


def test_cues_differ_in_rhythm():
    distinct = [name for name in CUES if CUES[name] is not ACCEPTED] + ["auction-started"]
    pairs = combinations(distinct, 2)
    assert [pair for pair in pairs if alike(*(rhythm(CUES[name]) for name in pair))] == []


def heard(*cues):
    """Play the cues `(ms, name)` and return the `(ms, hz)` that a buzzer gives."""
    player = Player()
    tones = []
    waiting = list(cues)
    while waiting or player.due is not None:
        if waiting and (player.due is None or waiting[0][0] <= player.due):
            ms, name = waiting.pop(0)
            player.silence() if name == "silence" else player.play(ms, CUES[name])
        else:
            ms = player.due
            player.fire(ms)
        if not tones or tones[-1][1] != player.value:
            tones.append((ms, player.value))
    return tones


def test_a_tick_gives_way_and_a_signal_waits_for_its_turn():
    assert heard((1000, "auction-warning"), (1100, "refused")) == [(1000, 2700), (1400, 0)]
    alone = heard((0, "phase-started"))
    cut_off = heard((1000, "phase-started"), (1200, "auction-warning"))
    again = 1200 + 400 + 200
    assert cut_off[-len(alone) :] == [(again + ms, hz) for ms, hz in alone]
    silenced = heard((0, "auction-ended"), (10, "hour-ended"), (20, "silence"))
    assert silenced == [(0, 2000), (20, 0)]  # what waited is forgotten
