"""Simulated fingers on a unit's contacts.

For the desktop and the page's MicroPython; not used on a board.
Their motions are planned ahead. Each press is extended beyond the debounce, however short the
click or key press was.
"""

from city_unit.facts import AUCTION, BUILD
from city_unit.ticks import add, diff

SHORTEST_PRESS_MS = 40  # longer than the debounce


class Fingers:
    """A unit, or its link, with fingers on the contacts; stepped by a `Drive`.

    levels  the closed contacts, a mask of AUCTION, BUILD and SWITCH
    """

    def __init__(self, stepped) -> None:
        self.levels = 0
        self._stepped = stepped
        self._pressed_at = {AUCTION: 0, BUILD: 0}  # when each button was last pressed
        self._motions: list[tuple[int, int, int]] = []  # planned: `(due, bit, level)`, in order

    def copy(self, stepped) -> "Fingers":
        """Return the same fingers on another unit."""
        twin = Fingers(stepped)
        twin.levels = self.levels
        twin._pressed_at = dict(self._pressed_at)
        twin._motions = self._motions[:]
        return twin

    def set_levels(self, levels: int) -> None:
        """Set the contacts and cancel all planned motions."""
        self.levels = levels
        self._motions = []

    def plan(self, due: int, bit: int, level: int) -> None:
        """Plan a contact's change at `due`, after changes planned for the same time."""
        motions = self._motions
        place = 0
        while place < len(motions) and diff(motions[place][0], due) <= 0:
            place += 1
        motions.insert(place, (due, bit, level))

    def cancel(self, bit: int) -> None:
        """Cancel the planned changes of a contact."""
        self._motions = [motion for motion in self._motions if motion[1] != bit]

    def press(self, now: int, bit: int) -> None:
        self.cancel(bit)
        self._pressed_at[bit] = now
        self.plan(now, bit, 1)

    def release(self, now: int, bit: int, length_ms: int = SHORTEST_PRESS_MS) -> None:
        """Release a pressed button `length_ms` after its press, or at `now` if that is later."""
        if self.levels & bit:
            self.cancel(bit)
            due = add(self._pressed_at[bit], length_ms)
            self.plan(due if diff(due, now) > 0 else now, bit, 0)

    def pressed_at(self, bit: int) -> int:
        """Return when a button was last pressed."""
        return self._pressed_at[bit]

    def holds(self, bit: int) -> bool:
        """Return whether a button is down without a planned release, unlike a tapped one."""
        return bool(self.levels & bit) and all(motion[1] != bit for motion in self._motions)

    def step(self, now: int, _levels: int) -> None:
        """Advance to `now` and perform all due motions."""
        self._stepped.step(now, self.levels)
        while self._motions and diff(self._motions[0][0], now) <= 0:
            _, bit, level = self._motions.pop(0)
            self.levels = self.levels | bit if level else self.levels & ~bit
            self._stepped.step(now, self.levels)

    def next_due(self) -> int | None:
        """Return when to step next, like `Unit.next_due`."""
        due = self._stepped.next_due()
        if self._motions and (due is None or diff(self._motions[0][0], due) < 0):
            return self._motions[0][0]
        return due
