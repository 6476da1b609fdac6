"""Arithmetic at the wrap, against integers that do not wrap."""

from hypothesis import given
from hypothesis import strategies as st

from city_unit.ticks import add, diff

PERIOD = 1 << 30
times = st.integers(0, PERIOD - 1)
spans = st.integers(-(1 << 29) + 1, (1 << 29) - 1)


@given(times, spans)
def test_add_is_addition_on_the_wrapping_clock(time, span):
    assert add(time, span) == (time + span) % PERIOD


@given(times, spans)
def test_diff_takes_back_what_add_gave(time, span):
    assert diff(add(time, span), time) == span


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
def test_nothing_on_the_way_leaves_the_small_integers_of_a_board(time, span):
    later = add(Small(time), Small(span))
    assert isinstance(later, Small)
    assert isinstance(diff(later, Small(time)), Small)
