"""The unit and its parts: time, draws, contacts and sounds.

These tests cover what no scenario shows, and random actions of players. The scenarios
(`tests/sim/test_scenarios.py`) cover the rest to the millisecond, with starts around the wrap.
"""

import inspect
import random
from collections import Counter
from itertools import combinations, product

from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, precondition, rule

from city_unit.contacts import Button, Switch
from city_unit.cues import ACCEPTED, CUES, Player
from city_unit.draws import Draws, weighted
from city_unit.drive import Drive
from city_unit.facts import ALL_LAMPS, BUTTONS, LAMPS, OUTPUTS, PERMIT_LAMPS, PERMITS, SWITCH
from city_unit.link import Link
from city_unit.programs import PROGRAMS
from city_unit.settings import Settings
from city_unit.ticks import add, diff
from city_unit.trace import EVENTS, Recorder
from city_unit.transitions import TRANSITIONS
from city_unit.unit import Unit
from tests.helpers.times import ENDED, FAST_MS

MIN = 60_000
HOUR = 60 * MIN
WRAP = 1 << 30
CONTACTS = {**BUTTONS, "switch": SWITCH}


class Timeline:
    """A unit driven by calls in order of time, in ms since the start."""

    def __init__(self, start=0, program="city", below=None):
        kept = Settings()
        kept.choose(next(known for known in PROGRAMS if known.name == program))
        self.unit = Unit(kept, below or Draws(3).below)
        self.drive = Drive(self.unit, start)
        self.drive.go(0, 0)

    @property
    def ms(self):
        return self.drive.ms

    def until(self, ms):
        self.drive.until(ms)
        return self

    def close(self, ms, contact):
        """Press a button or switch on at `ms`."""
        self.drive.until(ms, self.drive.levels | CONTACTS[contact])
        return self

    def open(self, ms, contact):
        """Release a button or switch off at `ms`."""
        self.drive.until(ms, self.drive.levels & ~CONTACTS[contact])
        return self

    def tap(self, ms, button):
        return self.close(ms, button).open(ms + 80, button)

    def command(self, ms, what, length=0):
        return self.until(ms).unit.command(self.drive.now, what, length)

    def events(self, *kinds):
        """Return `(ms, kind, value, why)` of the events of some kinds, without trailing None."""
        found = []
        for number in range(self.unit.events.first(), self.unit.events.count):
            at, kind, value, why = self.unit.events.get(number)
            if not kinds or kind in kinds:
                event = (self.ms - diff(self.drive.now, at), kind, value, why)
                found.append(event[: 4 if why is not None else 3 if value is not None else 2])
        return found


def on(**how):
    """Return a unit switched on at 0 ms."""
    return Timeline(**how).close(0, "switch")


def permit_lamps(unit):
    return (unit.lamps & PERMIT_LAMPS) >> 1


def test_the_masks_have_a_bit_for_each_lamp():
    assert (*LAMPS, "tone") == OUTPUTS
    assert not set(OUTPUTS) & set(EVENTS)  # a change in a trace is one or the other
    assert sum(1 << bit for bit in range(len(LAMPS))) == ALL_LAMPS
    permits = [LAMPS.index(f"permit-{permit}") for permit in PERMITS]
    assert sum(1 << bit for bit in permits) == PERMIT_LAMPS


def test_a_fixed_length_needs_no_draw_and_a_hold_beyond_the_end_cancels_nothing():
    timeline = on(below=lambda n: 1 / 0).tap(1000, "auction")
    timeline.close(ENDED - 1000, "auction").until(ENDED + MIN)
    assert timeline.events()[-1] == (ENDED, "auction-ended")


def test_a_press_ends_the_permit_shown_and_the_next_light_is_visible_at_once():
    """If the light would start on the lit lamp, that lamp goes out for the first hop."""
    auction = on().tap(1000, "build").tap(5000, "auction").until(5100)
    assert permit_lamps(auction.unit) == 0
    for draw, again in product((0, 3, 6, 9), repeat=2):
        draws = iter((draw, again))
        timeline = on(below=lambda n, d=draws: next(d) % n).tap(1000, "build").until(5000)
        lit = permit_lamps(timeline.unit)
        lamps = permit_lamps(timeline.close(5000, "build").until(5016).unit)
        assert timeline.events()[-1] == (5016, "permit-started") and lamps != lit
        assert permit_lamps(timeline.until(5016 + 1200).unit) == 1 << again // 3


def test_switching_off_cancels_a_postponed_end_of_the_hour():
    timeline = on().tap(HOUR - 10_000, "auction").open(HOUR + 1000, "switch")
    timeline.close(HOUR + 2000, "switch").tap(HOUR + 3000, "auction").until(HOUR + MIN)
    assert timeline.events("hour-ended") == []
    assert timeline.unit.state == "ready"


def set_up(*buttons):
    """Switch on with BUILD held, release it, tap the buttons a second apart."""
    timeline = Timeline().close(0, "build").close(1000, "switch").open(2000, "build")
    for place, button in enumerate(buttons):
        timeline.tap(3000 + 1000 * place, button)
    return timeline.until(3000 + 1000 * len(buttons))


def test_the_setup_cycles_through_the_choices_and_accepts_the_one_shown():
    timeline = set_up()
    assert (timeline.unit.state, timeline.unit.lamps) == ("setup", 0b00010)
    assert timeline.events() == []
    for steps, name in enumerate(("city", "championship", None, "world", "city")):
        if name:
            timeline = set_up(*["build"] * steps, "auction", "auction")
            assert timeline.events("switched-on") == [
                ((4 + steps) * 1000 + 16, "switched-on", name)
            ]
            assert timeline.unit.clock.left_at(0) > 0 or name == "world"
    for steps, volume in enumerate((2, 3, 0, 1)):
        timeline = set_up("auction", *["build"] * steps, "auction")
        assert (timeline.unit.settings.volume, timeline.unit.state) == (volume, "ready")
    length = set_up("build", "build", "auction")
    assert length.unit.lamps & 1 and length.until(8000).unit.lamps & 1  # steady: not the volume


def test_accepted_settings_survive_a_power_cycle():
    timeline = set_up("build", "auction", "build", "auction").open(9000, "switch")
    timeline.close(10_000, "switch").until(11_000)
    assert timeline.events("switched-on")[-1] == (10_000, "switched-on", "championship")
    assert timeline.unit.settings.volume == 3
    timeline = set_up("build").open(9000, "switch").close(10_000, "switch").until(11_000)
    assert timeline.events()[-1] == (10_000, "switched-on", "city")


def test_a_command_of_the_link_succeeds_or_returns_a_reason():
    timeline = on().until(1000)
    assert timeline.command(1000, "stop auction") == "ready"
    assert timeline.command(1000, "start auction", 20_000) == ""
    assert timeline.command(3000, "start auction") == "auction"
    assert timeline.command(3500, "restart") == "auction"
    assert timeline.unit.tone == 0
    timeline.command(30_000, "start auction", 5000)  # too short for a warning
    timeline.command(40_000, "start auction")
    assert timeline.command(41_000, "stop auction") == ""
    assert timeline.events()[1:] == [
        (1000, "auction-started", 20_000),
        (21_000 - FAST_MS, "auction-warning", FAST_MS),
        (21_000, "auction-ended"),
        (30_000, "auction-started", 5000),
        (35_000, "auction-ended"),
        (40_000, "auction-started", ENDED - 1016),
        (41_000, "auction-cancelled"),
    ]
    secret = on(program="world")
    secret.command(1000, "start auction", 20_000)  # a given length is not secret
    assert secret.events()[-1] == (1000, "auction-started", 20_000)
    drawn = on(program="world").tap(1000, "auction").until(2000)
    assert (drawn.unit.state, drawn.unit.auction_left(2000)) == ("auction", 0)


def test_restart_starts_a_game_with_the_current_settings():
    for minutes, beeps in ((30, [15, 20, 25, 29]), (7, [2, 6]), (1, [0])):
        timeline = on()
        kept = timeline.unit.settings
        kept.choose(kept.programs[2], minutes * MIN)
        assert timeline.command(5000, "restart") == ""
        assert timeline.unit.clock.left_at(5000 + 1234) == minutes * MIN - 1234
        timeline.until(HOUR).open(HOUR, "switch")
        marks = [(at - 5000, kind) for at, kind, *_ in timeline.events("hour-beep", "time-called")]
        expected = [(beep * MIN, "hour-beep") for beep in beeps]
        assert marks == [*expected, (minutes * MIN, "time-called")]
        assert timeline.unit.clock.left_at(HOUR) == 0


# The table of transitions: complete, and valid for any actions of players.

ROWS = [(state, what, *row) for state, rows in TRANSITIONS.items() for what, row in rows.items()]


def test_each_state_can_be_reached_left_and_switched_off():
    assert all(inspect.isfunction(getattr(Unit, action)) for *_, action in ROWS)
    reached = {"off"}
    for _ in TRANSITIONS:
        reached |= {after for state, _, after, _ in ROWS if state in reached}
    assert reached == set(TRANSITIONS)
    for state, rows in TRANSITIONS.items():
        assert any(after != state for after, _ in rows.values())
        assert ("switch on" in rows) == (state == "off")
        assert rows.get("switch off") == (None if state == "off" else ("off", "_switch_off"))


class Players(RuleBasedStateMachine):
    """Random actions at random times, on a clock about to wrap."""

    def __init__(self):
        super().__init__()
        self.timeline = Timeline(WRAP - 36)
        self.closed = set()

    @rule(ms=st.one_of(st.integers(0, 40), st.integers(0, 60_000), st.integers(0, 4_000_000)))
    def wait(self, ms):
        self.timeline.until(self.timeline.ms + ms)

    @rule(contact=st.sampled_from(["auction", "build", "switch"]))
    def move(self, contact):
        act = self.timeline.open if contact in self.closed else self.timeline.close
        act(self.timeline.ms, contact)
        self.closed ^= {contact}

    @rule(button=st.sampled_from(["auction", "build"]))
    @precondition(lambda self: "switch" in self.closed)
    def tap(self, button):
        self.timeline.tap(self.timeline.ms, button).until(self.timeline.ms + 40)
        self.closed -= {button}

    @rule(what=st.sampled_from(["start auction", "stop auction", "restart"]))
    def command(self, what):
        self.timeline.command(self.timeline.ms, what)

    @rule(program=st.integers(0, 3))
    def choose(self, program):
        kept = self.timeline.unit.settings
        if self.timeline.unit.state == "off":
            kept.choose(kept.programs[program])

    @invariant()
    def lamps_and_tone_fit_the_state(self):
        unit = self.timeline.unit
        auction, permits = unit.lamps & 1, permit_lamps(unit)
        assert unit.state in TRANSITIONS
        if unit.state == "off":
            assert (unit.lamps, unit.tone) == (0, 0)
        if auction:
            assert unit.state in ("auction", "warning", "setup")
        if unit.state in ("auction", "warning"):
            assert permits == 0
        if unit.state == "setup":
            assert permits
        if unit.state == "drawing" and not permits:  # dark only during the first hop
            ms, *_ = self.timeline.events("permit-started")[-1]
            assert self.timeline.ms - ms < unit.settings.program.permit_hops_ms[0]
        if unit.state != "setup":
            assert permits in (0, 1, 2, 4, 8)

    @invariant()
    def nothing_is_overdue(self):
        due = self.timeline.unit.next_due()
        assert due is None or diff(due, self.timeline.drive.now) > 0

    @invariant()
    def an_auction_lasts_what_it_said(self):
        ends = None  # of the current auction, unless it is secret
        for ms, kind, *rest in self.timeline.events():
            if kind == "auction-started":
                ends = ms + rest[0] if rest else None
            elif kind == "auction-ended" and ends is not None:
                assert ms == ends

    def teardown(self):
        """Each lamp goes out automatically, to save the batteries, except in the setup."""
        shown = []
        for _ in range(2):  # at least once outside a beep of the hour
            unit = self.timeline.until(self.timeline.ms + 10 * MIN).unit
            shown.append((unit.lamps, unit.tone))
        assert unit.state == "setup" or (0, 0) in shown


Players.TestCase.settings = settings(max_examples=60, stateful_step_count=40, deadline=None)
TestPlayers = Players.TestCase


# Late bodies and copies shift nothing.

WAITS = (1, 5, 20, 100, 400, 2500, 9000, 60_000)
LEVELS = (4, 4, 5, 6, 7, 0)


def drawn(chance):
    """Return random changes of the contacts, `(ms, levels)`."""
    ms, changes = 0, []
    for _ in range(chance.randrange(1, 12)):
        ms += chance.choice(WAITS)
        changes.append((ms, chance.choice(LEVELS)))
    return changes


def events(unit):
    return [unit.events.get(number) for number in range(unit.events.first(), unit.events.count)]


def test_a_late_body_shifts_no_event():
    """The events keep their times, however rarely a unit is stepped between two changes."""
    for seed in range(60):
        chance = random.Random(seed)
        changes = [(0, SWITCH), *((ms + 1, levels | SWITCH) for ms, levels in drawn(chance))]
        start = WRAP - chance.choice((36, 1008, 30_000))
        shown = []
        for every in (0, chance.randrange(50, 200_000)):
            unit = Unit(Settings(), Draws(5).below)
            drive = Drive(unit, start)
            for at, levels in [*changes, (changes[-1][0] + 100_000, SWITCH)]:
                if not every:
                    drive.until(at)  # through each deadline
                else:
                    for late in range(drive.ms + every, at, every):
                        drive.go(late)
                drive.go(at, levels)
            shown.append((events(unit), unit.lamps, unit.tone, unit.state, unit.next_due()))
        assert shown[0] == shown[1], seed


def lived(unit, start, changes):
    """Apply the changes; return the trace and the unit's time at the end."""
    trace = []
    drive = Drive(unit, start, Recorder(unit, start, lambda *change: trace.append(change)).note)
    for ms, levels in changes:
        drive.until(ms, levels)
    drive.until(changes[-1][0] + 100_000)
    return trace, drive.now


def test_a_copy_continues_like_the_unit():
    for seed in range(60):
        chance = random.Random(seed)
        draws = Draws(seed)
        unit = Unit(Settings(), draws.below)
        drive = Drive(unit, chance.randrange(WRAP))
        for ms, levels in drawn(chance):
            drive.until(ms, levels)
        first, second = (unit.copy(Draws(draws.seed).below) for _ in range(2))
        assert first.events.count == unit.events.count and type(first) is Unit
        for name, value in vars(unit).items():
            if value is None or isinstance(value, (int, str, list)):
                assert getattr(first, name) == value, name
        changes = [(0, drive.levels), *drawn(chance)]
        ahead = lived(first, drive.now, changes)
        assert ahead == lived(unit, drive.now, changes) == lived(second, drive.now, changes)
        assert first.settings.volume == unit.settings.volume
        assert first.settings is not unit.settings


def test_rebinding_resets_a_link_for_another_boot():
    unit, other = (Unit(Settings(), Draws(seed).below) for seed in (1, 2))
    link = Link(unit, 7, "0.1.0 test unit", run_other=lambda words: "")
    link.receive(0, b"state\n")
    assert link.unsent
    fresh = vars(Link(other, 8, link.about, link.silence_ms, link.run_other))
    link.rebind(other, 8)
    assert set(vars(link)) == set(fresh)
    assert (link.unit, link.boot, link.unsent, link.session) == (other, 8, b"", ("", ""))


PERIOD = 1 << 30
times = st.integers(0, PERIOD - 1)
spans = st.integers(-(1 << 29) + 1, (1 << 29) - 1)


class Small(int):
    """An integer of 31 bits, which a board stores without allocation."""

    def __new__(cls, value):
        assert -PERIOD <= value < PERIOD, value
        return super().__new__(cls, value)


def _small(name):
    operation = getattr(int, name)
    return lambda *operands: Small(operation(*operands))


for _name in ("add", "radd", "sub", "rsub", "and", "rand", "xor", "rxor"):
    setattr(Small, f"__{_name}__", _small(f"__{_name}__"))


@given(times, spans)
def test_time_wraps_within_the_small_integers_of_a_board(time, span):
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


def test_words_beyond_the_last_whole_multiple_are_redrawn():
    for seed in range(30):
        source = Draws(seed)
        first, *more = (source.below(2**32) for _ in range(100))
        assert Draws(seed).below(first + 1) == first
        # Of a number above 2^31 there is one whole multiple, and the number itself is beyond it.
        number = max(first, 2**31 + 1)
        fair = (word for word in (first, *more) if word < number)
        assert Draws(seed).below(number) == next(fair)


def test_the_generator_is_stable_and_its_seeds_are_fair():
    """The recurrence is written out independently for two words of seed 42."""
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


# Debouncing: one press per press, however the contact bounces.

LONGEST_BOUNCE = 15
LATEST_ACCEPT = 20
chatter = st.sets(st.integers(1, LONGEST_BOUNCE - 1))


def sensed(contact, start, edges):
    """Apply edges `(ms, closed)` and deadlines to a contact; return its events `(ms, what)`."""
    reported = []
    for ms, closed in [*edges, (9000, None)]:
        while contact.due is not None and diff(contact.due, add(start, ms)) <= 0:
            due = contact.due
            reported.append((diff(due, start), contact.fire(due)))
        if closed is not None:
            reported.append((ms, contact.sense(add(start, ms), closed)))
    return [(ms, what) for ms, what in reported if what]


def bouncing(at, closed, offsets):
    """Return the edges of a contact that moves at `at` and bounces at `offsets` after it."""
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


@given(chatter, chatter)
def test_a_bouncing_slide_switches_once_and_immediately(on, off):
    edges = bouncing(1000, True, on) + bouncing(5000, False, off)
    assert sensed(Switch(), 0, edges) == [(1000, "switch on"), (5000, "switch off")]
    flicked_back = [(1000, True), (1010, False)]
    assert sensed(Switch(), 0, flicked_back) == [(1000, "switch on"), (1016, "switch off")]


# Sounds: distinguishable by rhythm alone, and their ranks.


def rhythm(cue):
    """Return the lengths of a cue's tones and rests on a buzzer with one pitch.

    Adjacent tones merge there.
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
    """Return whether two rhythms have equally many beats, each pair within a factor of 1.5."""
    return len(first) == len(second) and all(
        max(a, b) <= 1.5 * min(a, b) for a, b in zip(first, second, strict=True)
    )


def test_cues_differ_in_rhythm():
    distinct = [name for name in CUES if CUES[name] is not ACCEPTED] + ["auction-started"]
    pairs = combinations(distinct, 2)
    assert [pair for pair in pairs if alike(*(rhythm(CUES[name]) for name in pair))] == []


def heard(*cues):
    """Play the cues `(ms, name)`; return the changes `(ms, hz)` of the buzzer."""
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


def test_a_tick_is_dropped_and_a_signal_waits():
    assert heard((1000, "auction-warning"), (1100, "refused")) == [(1000, 2700), (1400, 0)]
    alone = heard((0, "phase-started"))
    cut_off = heard((1000, "phase-started"), (1200, "auction-warning"))
    again = 1200 + 400 + 200
    assert cut_off[-len(alone) :] == [(again + ms, hz) for ms, hz in alone]
    silenced = heard((0, "auction-ended"), (10, "hour-ended"), (20, "silence"))
    assert silenced == [(0, 2000), (20, 0)]  # the waiting cue is dropped
