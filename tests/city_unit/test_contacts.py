"""Debounce: one press a press, however the contact bounces."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from city_unit.contacts import Button, Switch
from city_unit.ticks import add, diff
from tests.city_unit.timeline import STARTS

LONGEST_BOUNCE = 15
LATEST_ACCEPT = 20


def play(contact, start, edges, until):
    """Give `contact` the edges `(ms, closed)` and its deadlines; return `(ms, what)` it told."""
    reported = []
    for ms, closed in [*edges, (until, None)]:
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


@pytest.mark.parametrize("start", STARTS)
def test_a_clean_press_and_release(start):
    edges = [(1000, True), (1080, False)]
    assert play(Button("press", "release"), start, edges, 2000) == [
        (1016, "press"),
        (1096, "release"),
    ]


@given(
    st.sets(st.integers(1, LONGEST_BOUNCE - 1)),
    st.sets(st.integers(1, LONGEST_BOUNCE - 1)),
    st.sampled_from(STARTS),
)
def test_any_bounce_is_one_press_and_one_release(pressing, releasing, start):
    edges = bouncing(1000, True, pressing) + bouncing(1200, False, releasing)
    reported = play(Button("press", "release"), start, edges, 2000)
    assert [what for _, what in reported] == ["press", "release"]
    assert reported[0][0] - 1000 <= LATEST_ACCEPT
    assert reported[1][0] - 1200 <= LATEST_ACCEPT


@given(st.integers(1, 15))
def test_what_is_shorter_than_the_window_is_noise(length):
    edges = [(1000, True), (1000 + length, False)]
    assert play(Button("press", "release"), 0, edges, 2000) == []


@given(st.sets(st.integers(1, LONGEST_BOUNCE - 1)), st.sets(st.integers(1, LONGEST_BOUNCE - 1)))
def test_a_chattering_slide_switches_once_and_at_once(on, off):
    edges = bouncing(1000, True, on) + bouncing(5000, False, off)
    assert play(Switch(), 0, edges, 9000) == [(1000, "switch on"), (5000, "switch off")]


def test_a_switch_flicked_back_within_the_window_is_not_forgotten():
    edges = [(1000, True), (1010, False)]
    assert play(Switch(), 0, edges, 2000) == [(1000, "switch on"), (1016, "switch off")]
