"""The table: whole, and true of whatever players do."""

import inspect

from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, precondition, rule

from city_unit.draws import Draws
from city_unit.settings import Settings
from city_unit.ticks import add
from city_unit.transitions import TRANSITIONS
from city_unit.unit import Unit
from tests.city_unit.timeline import STARTS, Timeline

ROWS = [(state, what, *row) for state, rows in TRANSITIONS.items() for what, row in rows.items()]


def test_each_row_leads_to_a_state_by_a_method_of_the_unit():
    assert {after for *_, after, _ in ROWS} <= set(TRANSITIONS)
    assert all(inspect.isfunction(getattr(Unit, action)) for *_, action in ROWS)


def test_every_state_but_off_can_be_switched_off_and_off_can_be_switched_on():
    for state, rows in TRANSITIONS.items():
        assert ("switch on" in rows) == (state == "off")
        assert rows.get("switch off") == (None if state == "off" else ("off", "_sleep"))


def test_every_state_can_be_reached_and_left():
    reached = {"off"}
    for _ in TRANSITIONS:
        reached |= {after for state, _, after, _ in ROWS if state in reached}
    assert reached == set(TRANSITIONS)
    assert all(
        any(after != state for _, after, _ in row)
        for state, row in [
            (state, [(what, after, action) for s, what, after, action in ROWS if s == state])
            for state in TRANSITIONS
        ]
    )


class Players(RuleBasedStateMachine):
    """Anybody pressing anything at any time, on a clock about to wrap."""

    def __init__(self):
        super().__init__()
        self.timeline = Timeline(STARTS[1], seed=3)
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
        auction, permits = unit.lamps & 1, unit.lamps >> 1
        assert unit.state in TRANSITIONS
        if unit.state == "off":
            assert (unit.lamps, unit.tone) == (0, 0)
        if auction:
            assert unit.state in ("auction", "warning", "setup")
        if unit.state in ("auction", "warning"):
            assert permits == 0
        if unit.state in ("drawing", "setup"):
            assert permits
        if unit.state != "setup":
            assert permits in (0, 1, 2, 4, 8)

    @invariant()
    def nothing_is_overdue(self):
        timeline = self.timeline
        timeline.until(timeline.ms)
        due = timeline.unit.next_due()
        assert due is None or due != timeline.now

    @invariant()
    def an_auction_lasts_what_it_said(self):
        ends = None  # of the auction that is running, where that is no secret
        for ms, kind, *rest in self.timeline.events():
            if kind == "auction-started":
                ends = ms + rest[0] if rest else None
            elif kind == "auction-ended" and ends is not None:
                assert ms == ends


Players.TestCase.settings = settings(max_examples=60, stateful_step_count=40, deadline=None)
TestPlayers = Players.TestCase


presses = st.lists(
    st.tuples(st.integers(0, 90_000), st.integers(1, 3000), st.sampled_from([1, 2])), max_size=12
)


def events(unit):
    return [unit.events.get(number) for number in range(unit.events.first(), unit.events.count)]


@settings(deadline=None)
@given(presses, st.lists(st.integers(0, 100_000), max_size=30), st.sampled_from(STARTS))
def test_a_body_may_be_late_and_shifts_nothing(presses, late, start):
    """However rarely a unit is stepped between two changes, its events keep their times."""
    changes = [(0, 4)]
    for gap, length, button in presses:
        at = changes[-1][0] + gap + 1
        changes += [(at, 4 | button), (at + length, 4)]
    end = changes[-1][0] + 100_000

    def live(steps):
        unit = Unit(Settings(), Draws(5).below)
        levels = dict(changes)
        now = 0
        for ms in sorted({*levels, *steps, end}):
            now = levels.get(ms, now)
            unit.step(add(start, ms), now)
        return unit

    exact = live(range(0, end, 25))
    lazy = live(late)
    assert events(lazy) == events(exact)
    assert (lazy.lamps, lazy.tone, lazy.state) == (exact.lamps, exact.tone, exact.state)
    assert lazy.next_due() == exact.next_due()
