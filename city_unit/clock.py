"""The game's clock, with the marks of a program before its end."""

from .ticks import add, diff

ENDS = ("hour-ended", "time-called")  # the kinds of mark that end the game


class Clock:
    """Reports a program's marks at their deadlines, all computed from the end.

    kind, label  of the next mark
    left         its time before the end, in ms
    """

    def __init__(self) -> None:
        self.stop()

    def stop(self) -> None:
        self.due: int | None = None

    def start(self, now: int, length: int, marks: tuple) -> None:
        """Run for `length` ms; marks before the start are skipped."""
        self._ends = add(now, length)
        self._marks = marks
        self._span = -1
        self._begin_span()
        while self.left > length:
            self.pass_mark()

    def fire(self, _due: int) -> str:
        """Return "clock ended", or "mark passed"; the caller then calls `pass_mark`."""
        if self.kind not in ENDS:
            return "mark passed"
        self.due = None
        return "clock ended"

    def pass_mark(self) -> None:
        """Advance to the next mark; the last one, the end, is never passed."""
        _, _, last_left, every, _ = self._marks[self._span]
        if every and self.left - every >= last_left:
            self.left -= every
            self.due = add(self._ends, -self.left)
        else:
            self._begin_span()

    def left_at(self, now: int) -> int:
        """Return the remaining ms, 0 if the clock is not running."""
        if self.due is None:
            return 0
        return diff(self._ends, now)

    def _begin_span(self) -> None:
        self._span += 1
        self.kind, self.left, _, _, self.label = self._marks[self._span]
        self.due = add(self._ends, -self.left)
