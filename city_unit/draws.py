"""Fair random draws, reproducible from a seed on every interpreter."""

from .ticks import const

_WORD = const(0x100000000)


class Draws:
    """Uniform integers from a seed, by the generator PCG RXS-M-XS with 32 bits."""

    def __init__(self, seed: int) -> None:
        self._state = seed % _WORD

    @property
    def seed(self) -> int:
        """The seed of a generator that continues with the same draws."""
        return self._state

    def below(self, n: int) -> int:
        """Return a uniform integer from 0 to n - 1, for n from 1 to 2^32.

        Words beyond the last whole multiple of n are discarded, so that all results are equally
        likely.
        """
        fair = _WORD - _WORD % n
        word = self._word()
        while word >= fair:
            word = self._word()
        return word % n

    def _word(self) -> int:
        state = self._state = (self._state * 747796405 + 2891336453) % _WORD
        word = (state >> ((state >> 28) + 4) ^ state) * 277803737 % _WORD
        return word >> 22 ^ word


def weighted(below, weights: tuple[int, ...]) -> int:
    """Return an index, drawn with exactly the odds of the integer `weights`."""
    left = below(sum(weights))
    index = 0
    while left >= weights[index]:
        left -= weights[index]
        index += 1
    return index
