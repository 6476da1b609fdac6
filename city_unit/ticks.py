"""Arithmetic on a clock of milliseconds that wraps at 2^30, as a board's does.

Times are integers from 0 to 2^30 - 1; two of them can be compared while they
lie less than 2^29 ms (6.2 days) apart. Every intermediate result stays within
31 bits, so that nothing here allocates on a board, not even at the wrap.

Where something is asked in each pass, `(a - b) & _HALF` stands for
`diff(a, b) < 0`: the same answer without the time of a call.
"""

try:
    from micropython import const  # type: ignore  # or the one that follows
except ImportError:

    def const(value):  # on CPython a constant is what it is
        return value


MASK = const(0x3FFFFFFF)
_HALF = const(0x20000000)


def add(time: int, delta: int) -> int:
    """Return the time `delta` ms after `time`; |delta| is below 2^29."""
    return ((time ^ _HALF) - _HALF + delta) & MASK


def diff(later: int, earlier: int) -> int:
    """Return the milliseconds from `earlier` to `later`, negative if it is before."""
    return (((later - earlier) & MASK) ^ _HALF) - _HALF


def earliest(parts: tuple):
    """Return the part that is `due` first, the first of equal ones; None if none is ever due."""
    first = first_due = None
    for part in parts:
        due = part.due
        if due is not None and (first_due is None or (due - first_due) & _HALF):
            first = part
            first_due = due
    return first
