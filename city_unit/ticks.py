"""Arithmetic on a clock of milliseconds that wraps at 2^30, like that of a board.

Times are integers from 0 to 2^30 - 1. Two times can be compared if they are less than 2^29 ms (6.2
days) apart. Every intermediate result fits in 31 bits, so that nothing is allocated on a board, not
even at the wrap.

Code that runs in each pass writes `(a - b) & SIGN_BIT` for `diff(a, b) < 0`, to save the call.
"""

try:
    from micropython import const  # type: ignore
except ImportError:

    def const(value):
        return value


MASK = const(0x3FFFFFFF)
SIGN_BIT = const(0x20000000)  # set in a negative difference


def add(time: int, delta: int) -> int:
    """Return the time `delta` ms after `time`; |delta| must be below 2^29."""
    return ((time ^ SIGN_BIT) - SIGN_BIT + delta) & MASK


def diff(later: int, earlier: int) -> int:
    """Return the milliseconds from `earlier` to `later`, negative if it is before."""
    return (((later - earlier) & MASK) ^ SIGN_BIT) - SIGN_BIT


def earliest(parts: tuple):
    """Return the part with the earliest `due`, the first of equal ones; None if no part has one."""
    first = first_due = None
    for part in parts:
        due = part.due
        if due is not None and (first_due is None or (due - first_due) & SIGN_BIT):
            first = part
            first_due = due
    return first
