"""Run a unit in real time, at another speed, or paused, for the window and the terminal.

The clock is an argument, and the unit's own time is computed from it rather than counted, so
no error adds up. A body calls `advance` at the latest after `seconds_to_due` and as often as
it likes before, then shows `lamps` and `tone`.
"""

import sys
import time
from collections import deque
from collections.abc import Callable
from typing import Any, NamedTuple

from city_unit.clock import Clock
from city_unit.drive import Drive
from city_unit.facts import AUCTION, BUILD, BUTTONS, LAMPS, OUTPUTS, SWITCH, TAP_MS
from city_unit.fingers import SHORTEST_PRESS_MS, Fingers
from city_unit.link import Link
from city_unit.ticks import MASK, diff
from city_unit.trace import Recorder
from city_unit.unit import Unit

SLOWEST, FASTEST = 0.1, 100.0
SPEEDS = (0.1, 0.2, 0.5, 1.0, 2.0, 5.0, 10.0, 20.0, 50.0, 100.0)

REMEMBERED = 500  # changes
EVENTS_KEPT = 16384  # events that the unit remembers: those of a long evening, in half a MB


class Change(NamedTuple):
    """A change of the unit.

    ms      time since the start of the run
    what    the name of a lamp, "tone", or the kind of an event
    value   whether the lamp is lit, the tone in Hz (0 is silence), or the event's value
    why     the reason of a refusal
    """

    ms: int
    what: str
    value: str | int | None = None
    why: str | None = None


class Upcoming(NamedTuple):
    """An event that the unit will report if no contact changes.

    ms     time since the start of the run
    kind   kind of the event
    value  name of the phase that starts, else ""
    """

    ms: int
    kind: str
    value: str = ""


def clock(platform: str = sys.platform, source: Any = time) -> Callable[[], float]:
    """Return a monotonic clock, in seconds, that also runs while the computer sleeps.

    `time.monotonic` does so on Windows only; on Linux and macOS it stops during a sleep.
    """
    name = {"linux": "CLOCK_BOOTTIME", "darwin": "CLOCK_MONOTONIC"}.get(platform, "")
    number = getattr(source, name, None) if name else None
    if number is None:
        return source.monotonic
    return lambda: source.clock_gettime(number)


class Runner:
    """Runs a unit by the clock of the machine.

    clock    returns seconds and never goes back, as time.monotonic does
    link     the unit's serial link, if it has one; it is then stepped in place of the unit
    ms       the time since the start of the run, up to which the unit has been stepped
    changes  the latest changes, oldest first; a reader removes them
    edges    `(ms, what, value)` of the latest changes of lamps and tone; nobody removes them
    """

    def __init__(
        self, unit: Unit, clock: Callable[[], float], link: Link | None = None, start: int = 0
    ) -> None:
        self.unit = unit
        self.changes: deque[Change] = deque(maxlen=REMEMBERED)
        self.edges: deque[tuple[int, str, int]] = deque(maxlen=REMEMBERED)
        self._stepped = unit if link is None else link
        self._fingers = Fingers(self._stepped)
        self._drive = Drive(self._fingers, start & MASK, lambda now: self._recorder.note(now))
        self._recorder = Recorder(unit, start & MASK, self._remember)
        self._clock = clock
        self._speed = 1.0
        self._is_paused = False
        self._anchor = (clock(), 0.0)  # one instant, in seconds of the clock and in ms of the run
        self._count = 0  # of all changes so far
        self._drive.go(0)

    # Outputs.

    @property
    def ms(self) -> int:
        return self._drive.ms

    @property
    def lamps(self) -> int:
        return self._stepped.lamps

    @property
    def tone(self) -> int:
        return self._stepped.tone

    @property
    def now(self) -> int:
        """The unit's own time, which wraps."""
        return self._drive.now

    @property
    def now_us(self) -> int:
        """The unit's own time at this moment, in microseconds that wrap at 2^30."""
        seconds, ms = self._anchor
        since = 0.0 if self._is_paused else (self._clock() - seconds) * 1e6 * self._pace()
        return ((self.now - self.ms) * 1000 + int(ms * 1000 + since)) & MASK

    def seconds(self) -> float:
        """Return the machine's clock, which ignores pauses and speed."""
        return self._clock()

    def is_closed(self, contact: int) -> bool:
        """Return whether a contact is closed: AUCTION, BUILD, or SWITCH."""
        return bool(self._fingers.levels & contact)

    def pressed_at(self, button: str) -> int:
        """Return the unit's own time at the latest press of a button."""
        return self._fingers.pressed_at(BUTTONS[button])

    def is_held(self, button: str) -> bool:
        """Return whether a button stays down until `release`; after `tap` it does not."""
        return self._fingers.holds(BUTTONS[button])

    # Time.

    @property
    def speed(self) -> float:
        """How fast time runs, 0.1 to 100. While a button is pressed it runs at 1."""
        return self._speed

    @speed.setter
    def speed(self, speed: float) -> None:
        self.advance()
        self._speed = min(max(speed, SLOWEST), FASTEST)

    @property
    def is_paused(self) -> bool:
        return self._is_paused

    @is_paused.setter
    def is_paused(self, is_paused: bool) -> None:
        self.advance()
        self._is_paused = is_paused

    def faster(self) -> None:
        self.speed = min((faster for faster in SPEEDS if faster > self._speed), default=FASTEST)

    def slower(self) -> None:
        self.speed = max((slower for slower in SPEEDS if slower < self._speed), default=SLOWEST)

    def advance(self) -> None:
        """Step the unit from deadline to deadline up to this moment."""
        seconds, ms = self._anchor
        real = self._clock()
        if not self._is_paused:
            ms += (real - seconds) * 1000 * self._pace()
        self._anchor = (real, ms)
        self._drive.until(int(ms))

    def single_step(self) -> bool:
        """Pause, and step to the unit's next change; return False if there is none."""
        self.is_paused = True
        seen = self._count
        while seen == self._count:
            due = self._drive.next_ms()
            if due is None:
                return False
            self._drive.until(due)
        self._anchor = (self._clock(), float(self.ms))
        return True

    def seconds_to_due(self) -> float | None:
        """Return the seconds until `advance` must be called; None if nothing is due by itself."""
        due = self._drive.next_ms()
        if due is None or self._is_paused:
            return None
        return max(0.0, (due - self._anchor[1]) / 1000 / self._pace())

    def _pace(self) -> float:
        """Return how fast time runs now; a press lasts as long for the unit as for the user."""
        return 1.0 if self._fingers.levels & (AUCTION | BUILD) else self._speed

    # Fingers.

    def press(self, button: str) -> None:
        """Press "auction" or "build" until `release`."""
        self.advance()
        self._fingers.press(self.now, BUTTONS[button])
        self._drive.go(self.ms)

    def release(self, button: str) -> None:
        """Release a button; a press shorter than the debounce is lengthened."""
        self.advance()
        self._fingers.release(self.now, BUTTONS[button], SHORTEST_PRESS_MS)
        self._drive.go(self.ms)

    def tap(self, button: str, length_ms: int = TAP_MS) -> None:
        """Press a button for `length_ms`."""
        self.press(button)
        self._fingers.release(self.now, BUTTONS[button], length_ms)
        self._drive.go(self.ms)

    def switch(self, on: bool) -> None:
        self.advance()
        levels = self._fingers.levels
        self._fingers.levels = levels | SWITCH if on else levels & ~SWITCH
        self._drive.go(self.ms)

    # The future.

    def upcoming(self, within_ms: int) -> list[Upcoming]:
        """Return the events due in the next `within_ms`, in order of time."""
        limit, program = self.ms + within_ms, self.unit.settings.program
        coming = []
        left = self.unit.auction_left(self.now)
        if left:
            coming.append(Upcoming(self.ms + left, "auction-ended"))
            if self.unit.state == "auction" and 0 < program.warning_ms < left:
                coming.append(Upcoming(self.ms + left - program.warning_ms, "auction-warning"))
            if self.unit.is_end_postponed:
                coming.append(Upcoming(self.ms + left, self.unit.clock.kind))
        free = self.ms + left  # before this the game cannot end
        left = self.unit.clock.left_at(self.now)
        if left:
            clock = Clock()
            clock.start(self.now, left, program.marks)
            while True:
                assert clock.due is not None
                ms = self.ms + diff(clock.due, self.now)
                is_end = clock.fire(clock.due) == "clock ended"
                if is_end:
                    ms = max(ms, free)
                if ms > self.ms:
                    coming.append(Upcoming(ms, clock.kind, clock.label))
                if ms > limit or is_end:
                    break
        return sorted(mark for mark in coming if mark.ms <= limit)

    # The record of changes.

    def note(self) -> None:
        """Record all changes since the last call, in the order of the trace."""
        self._recorder.note(self.now)

    def _remember(self, ms: int, what: str, value: int | str | None, why: str | None) -> None:
        self._count += 1
        change = Change(ms, what, bool(value) if what in LAMPS else value, why)
        self.changes.append(change)
        if what in OUTPUTS and isinstance(value, int):
            self.edges.append((ms, what, value))

    # Another game.

    def resume(self, now: int, levels: int) -> None:
        """Continue after the unit was restored to another state.

        now     the unit's own time in that state
        levels  its contacts in that state
        """
        self._fingers.set_levels(levels)
        self._drive.now = now
        self._anchor = (self._clock(), float(self.ms))
        self.changes.clear()
        self.edges.clear()
        for bit, lamp in enumerate(LAMPS):
            if self.unit.lamps >> bit & 1:
                self.edges.append((self.ms, lamp, 1))
        since = self.ms
        self._recorder = Recorder(
            self.unit, now, lambda ms, *change: self._remember(since + ms, *change)
        )
        self._drive.go(self.ms)
