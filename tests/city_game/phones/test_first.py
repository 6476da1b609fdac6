"""The first press is known: telephones with delays and jitter, in memory."""

from itertools import combinations

import pytest

from city_game.phones.line import LONGEST_MS, PhoneClock
from tests.city_game.phones.network import Phone, even, evening, seeded, uneven

SALES = 60
APART_MS = 20


def sales(seed, kind):
    """Yield how each of many sales was judged, six telephones in each, within 400 ms."""
    chance = seeded(seed)
    for _ in range(SALES):
        phones = [kind(chance) for _ in range(6)]
        presses = [(place, chance.uniform(0, 400)) for place in range(6)]
        yield evening(phones, presses)[1]


@pytest.mark.parametrize("seed", [1, 2, 3])
def test_with_even_delays_the_first_is_right_and_so_is_the_order(seed):
    first = 0
    for judged in sales(seed, even):
        truths = [truth for _, truth, _, _ in judged]
        first += truths[0] == min(truths)
        for earlier, later in combinations(truths, 2):
            assert earlier < later + APART_MS, "two that were 20 ms apart are in the wrong order"
    assert first >= 0.95 * SALES, first


@pytest.mark.parametrize("kind", [even, uneven])
@pytest.mark.parametrize("seed", [1, 2, 3])
def test_the_uncertainty_is_never_smaller_than_the_error(seed, kind):
    for judged in sales(seed, kind):
        assert len(judged) == 6
        for _, truth, at, within in judged:
            assert abs(truth - at) <= within


def lying(chance, lie, **more):
    """Return a telephone on a quick line that dates its presses."""
    return Phone(chance, 5, 5, 1, lie, **more)


@pytest.mark.parametrize("back_ms", [10, 50, 300, 5000, 1e9])
def test_who_dates_back_gains_less_than_was_measured_of_the_line(back_ms):
    chance = seeded(7)
    liar = lying(chance, lambda stamp: stamp - back_ms)
    _, judged = evening([liar, even(chance)], [(0, 0.0)])
    ((_, truth, at, within),) = judged
    assert truth - at <= liar.clock.slowest
    assert at + within >= truth  # and so it counts no longer than if it had come that late


@pytest.mark.parametrize("hesitate", [0, 30, 150, 600])
@pytest.mark.parametrize("back_ms", [0, 100, 1000])
def test_nobody_has_a_bid_count_that_came_after_the_light_was_out(hesitate, back_ms):
    """A telephone that answers late, and dates back, is only doubtful, up to the arrival."""
    chance = seeded(11)
    liar = lying(chance, lambda stamp: stamp - back_ms, hesitate=hesitate)
    begin, judged = evening([liar], [(0, 50.0)])
    light_out = begin + 50.0  # it is pressed just then, which is too late
    ((_, _, at, within),) = judged
    assert at + within >= light_out


@pytest.mark.parametrize("forth_ms", [1, 60, 1e9])
def test_who_dates_forth_is_there_when_the_press_came(forth_ms):
    chance = seeded(5)
    liar = lying(chance, lambda stamp: stamp + forth_ms)
    _, judged = evening([liar], [(0, 0.0)])
    ((_, truth, at, _),) = judged
    assert truth <= at + 2 and at <= truth + 40


def test_a_telephone_that_was_never_measured_counts_from_when_its_press_came():
    assert PhoneClock().press(123.0, 5000.0) == (5000.0, LONGEST_MS)


def test_a_clock_that_slept_is_measured_anew():
    clock = PhoneClock()
    for ms in range(0, 4000, 250):
        clock.learn(ms, ms + 10, ms + 5)
    for ms in range(9000, 9500, 250):
        clock.learn(ms, ms + 10, ms + 5 - 4000)  # it stood still for 4 s
    press = clock.press(9600 - 4000, 9606)
    assert abs(press.at - 9600) <= press.within <= 10
