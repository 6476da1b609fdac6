"""The city round the disc's upper edge, as each painter of the disc engraves it: pure geometry."""

import random
from functools import lru_cache
from typing import NamedTuple

FOOT = 0.772  # the radius on which the city stands
FIRST, LAST = 199.0, 341.0  # degrees: from where to where it goes, by way of straight up
GAP = 0.5  # degrees between one house and the next
MAST = 0.022  # how high a mast is

_FLOOR = 0.02  # how high a floor is; the lowest windows lie a little above the foot
_GROUND = 0.789
_ROOF = 0.012


class House(NamedTuple):
    """A house: where it begins and ends in degrees, how far out its roof is, and the things on it.

    has_mast  whether a mast stands in the middle of its roof
    windows   the lit ones, each its radius and its degrees
    """

    start: float
    end: float
    roof: float
    has_mast: bool
    windows: tuple[tuple[float, float], ...]

    @property
    def middle(self) -> float:
        return (self.start + self.end + GAP) / 2


@lru_cache(maxsize=1)
def houses() -> tuple[House, ...]:
    """Return the same city each time: houses drawn at random, the highest in the middle."""
    city = random.Random(22)
    made = []
    angle = FIRST
    while angle < LAST:
        wide = city.choice((4.2, 5.0, 6.0, 7.2))
        end = min(angle + wide, LAST)
        crown = 1 - abs((angle + end) / 2 - 270) / 95
        roof = FOOT + 0.02 + 0.115 * crown * (0.45 + 0.55 * city.random()) + _ROOF
        mast = city.random() < 0.3 and wide < 6
        made.append(House(angle, end - GAP, roof, mast, _windows(city, angle, end - GAP, roof)))
        angle = end
    return tuple(made)


def _windows(
    city: random.Random, start: float, end: float, roof: float
) -> tuple[tuple[float, float], ...]:
    lit = []
    floor = _GROUND
    while floor < roof - _ROOF:
        for column in range(1, 4):
            if city.random() < 0.5:
                lit.append((floor, start + (end - start) * column / 4))
        floor += _FLOOR
    return tuple(lit)
