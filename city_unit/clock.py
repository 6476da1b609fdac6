"""The game's clock: the marks of a program, each at its time before the end."""

from .ticks import add, diff

ENDS = ("hour-ended", "time-called")  # the kinds of mark that end the game


class Clock:
    """Tells a program's marks at their deadlines, all computed from the one end.

    kind, label  of the mark that is due next
    left         how many ms before the end it is due
    """

    def __init__(self) -> None:
        self.stop()

    def stop(self) -> None:
        self.due: int | None = None

    def start(self, now: int, length: int, marks: tuple) -> None:
        """Run for `length` ms; marks that lie before the start are left out."""
        self._ends = add(now, length)
        self._marks = marks
        self._span = -1
        self._begin_span()
        while self.left > length:
            self.pass_mark()

    def fire(self, _due: int) -> str:
        """Return the event: "mark passed", to be followed by `pass_mark`, or the end."""
        if self.kind not in ENDS:
            return "mark passed"
        self.due = None
        return "clock ended"

    def pass_mark(self) -> None:
        """Go on to the next mark; the last mark, the end, is never passed."""
        _, _, last_left, every, _ = self._marks[self._span]
        if every and self.left - every >= last_left:
            self.left -= every
            self.due = add(self._ends, -self.left)
        else:
            self._begin_span()

    def left_at(self, now: int) -> int:
        """Return how many ms remain, 0 if the clock has ended or does not run."""
        if self.due is None:
            return 0
        return diff(self._ends, now)

    def _begin_span(self) -> None:
        self._span += 1
        self.kind, self.left, _, _, self.label = self._marks[self._span]
        self.due = add(self._ends, -self.left)
