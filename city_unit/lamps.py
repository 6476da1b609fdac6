"""The flashing auction lamp, and the running light of the permit lamps."""

from .ticks import add, diff

# Masks of permit lamps that show choices 0, 1, 2, ...: one lamp, then two.
CHOICE_LAMPS = (1, 2, 4, 8, 3, 5, 9, 6, 10, 12)


class Flash:
    """One lamp: dark, lit, or flashing with equal halves.

    The last flash lasts until the end: the auction ends when the lamp goes out, so the lamp must
    not be dark before.
    """

    def __init__(self) -> None:
        self.steady(False)

    def steady(self, lit: bool) -> None:
        self.is_lit = lit
        self.due: int | None = None

    def start(self, now: int, half_ms: int, ends: int | None) -> None:
        """Flash from `now` to `ends`, `half_ms` lit, then `half_ms` dark."""
        self.is_lit = True
        self._half_ms = half_ms
        self._ends = ends
        self.due = add(now, half_ms)

    def fire(self, due: int) -> str:
        if self.is_lit and self._ends is not None and diff(self._ends, due) <= self._half_ms:
            self.due = None
        else:
            self.is_lit = not self.is_lit
            self.due = add(due, self._half_ms)
        return ""


class PermitLight:
    """Four lamps with a running light, which stops on one and stays for a while."""

    def __init__(self) -> None:
        self.show(0)

    def show(self, lamps: int) -> None:
        """Light the lamps of a mask until the next call."""
        self.lamps = lamps
        self.due: int | None = None
        self._hops: tuple[int, ...] = ()

    def run(self, now: int, permit: int, hops: tuple[int, ...], shown_ms: int) -> None:
        """Run from `now`, staying `hops` ms on each lamp, and stop on lamp `permit` (0 to 3).

        If the first lamp is already lit it goes out for its hop, so that a press is seen at once.
        """
        before = self.lamps
        self.permit = permit
        self._hops = hops
        self._shown_ms = shown_ms
        self._hop = -1
        self.fire(now)
        if self.lamps == before:
            self.lamps = 0

    def fire(self, due: int) -> str:
        """Hop to the next lamp, or go dark; return "light stopped" on the last hop, else ""."""
        hops = self._hops
        if not hops:
            self.show(0)
            return ""
        self._hop += 1
        self.lamps = 1 << ((self.permit + self._hop - len(hops)) & 3)  # the last hop is to `permit`
        if self._hop < len(hops):
            self.due = add(due, hops[self._hop])
            return ""
        self._hops = ()
        self.due = add(due, self._shown_ms)
        return "light stopped"
