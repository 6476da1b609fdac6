"""An addressable strip on a virtual board; each of its lamps has a level of its own."""

import machine


class NeoPixel:
    """A strip; its lamp `n` is the level "PIN.n", 1 unless it is dark."""

    def __init__(self, pin, count: int) -> None:
        self._number = pin.number
        self._colours = [(0, 0, 0)] * count

    def __setitem__(self, place: int, colour) -> None:
        if len(colour) != 3 or not all(0 <= part <= 255 for part in colour):
            raise ValueError("colour")
        self._colours[place] = colour

    def write(self) -> None:
        """Show the colours set since the last call."""
        for place, colour in enumerate(self._colours):
            machine.put(f"{self._number}.{place}", 1 if any(colour) else 0)
