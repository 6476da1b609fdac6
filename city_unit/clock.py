"""The game's clock, with the marks of a program before its end."""

from .ticks import add, diff

ENDS = ("hour-ended", "time-called")  # the kinds of mark that end the game


class Clock:
    """Reports a program's marks at their deadlines, all computed from the end.

    A mark's `left` is its time before the end, in ms. The marks come in spans, as in `Program`:
    `(kind, first_left, last_left, every, label)`.

    kind, label, left  of the latest mark
    """

    def __init__(self) -> None:
        self.stop()

    def stop(self) -> None:
        self.due: int | None = None

    def start(self, now: int, length: int, marks: tuple) -> None:
        """Run for `length` ms; marks before the start are skipped."""
        self._ends = add(now, length)
        self._marks = marks
        self._span = 0
        self._next_left = marks[0][1]  # its first_left
        while self._next_left > length:
            self._find_next()
        self.due = add(self._ends, -self._next_left)

    def fire(self, _due: int) -> str:
        """Report the mark that is due: return "mark passed", or "clock ended" for the last one."""
        self.kind, _, _, _, self.label = self._marks[self._span]
        self.left = self._next_left
        if self.kind in ENDS:
            self.due = None
            return "clock ended"
        self._find_next()
        self.due = add(self._ends, -self._next_left)
        return "mark passed"

    def left_at(self, now: int) -> int:
        """Return the remaining ms, 0 if the clock is not running."""
        if self.due is None:
            return 0
        return diff(self._ends, now)

    def _find_next(self) -> None:
        """Advance to the next mark of the span, or to the first one of the next span."""
        _, _, last_left, every, _ = self._marks[self._span]
        if every and self._next_left - every >= last_left:
            self._next_left -= every
        else:
            self._span += 1
            self._next_left = self._marks[self._span][1]
