"""The unit in real time, faster, slower, or paused: what the window and the terminal share.

Real time comes from a clock that is handed in; the unit's own time is computed
from it, never counted. A body calls `advance` as often as it likes, at the
latest after `seconds_to_due`, and shows `lamps` and `tone`.
"""

from collections import deque
from collections.abc import Callable
from typing import NamedTuple

from city_unit.clock import ENDS, Clock
from city_unit.ticks import MASK, add, diff
from city_unit.trace import LAMPS, LONGEST_HOP
from city_unit.unit import AUCTION, BUILD, SWITCH, Unit

SLOWEST, FASTEST = 0.1, 100.0
SPEEDS = (0.1, 0.2, 0.5, 1.0, 2.0, 5.0, 10.0, 20.0, 50.0, 100.0)

# However short a click is, and however slowly time runs, a press outlasts the debounce.
SHORTEST_PRESS_MS = 40
TAP_MS = 80

BUTTONS = {"auction": AUCTION, "build": BUILD}

REMEMBERED = 500  # changes
_EDGES = (*LAMPS, "tone")


class Change(NamedTuple):
    """What the unit did.

    ms      since the start of the run
    what    a lamp's name, "tone", or the kind of an event
    value   whether the lamp is lit, the tone in Hz (0 is silence), or the event's value
    why     of a refusal
    """

    ms: int
    what: str
    value: object = None
    why: str | None = None


class Coming(NamedTuple):
    """What the unit will tell, if nobody touches it.

    ms     since the start of the run
    kind   of the event
    value  the name of the phase that begins, "" else
    """

    ms: int
    kind: str
    value: str = ""


class Runner:
    """Runs a unit by the clock of the machine.

    unit     the unit
    clock    returns seconds and never goes back, as time.monotonic does
    link     the unit's serial link, if it has one; it is then stepped in place of the unit
    ms       the time since the start of the run, up to which the unit has lived
    changes  the latest changes, the oldest first, until somebody takes them away
    edges    `(ms, what, value)` of the latest changes of the lamps and the tone, which stay
    """

    def __init__(self, unit: Unit, clock: Callable[[], float], link=None, start: int = 0) -> None:
        self.unit = unit
        self.ms = 0
        self.changes: deque[Change] = deque(maxlen=REMEMBERED)
        self.edges: deque[tuple[int, str, int]] = deque(maxlen=REMEMBERED)
        self._body = unit if link is None else link
        self._clock = clock
        self._now = start & MASK
        self._levels = 0
        self._pressed_at = {AUCTION: 0, BUILD: 0}
        self._releases: dict[int, int] = {}  # a button's bit: when its press is to end, ms
        self._speed = 1.0
        self._paused = False
        self._anchor = (clock(), 0.0)  # one instant: in seconds of the clock, in ms of the run
        self._lamps = unit.lamps
        self._tone = unit.tone
        self._seen = unit.events.count
        self._count = 0  # of all changes so far
        self._body.step(self._now, 0)
        self.note()

    # What the unit shows.

    @property
    def lamps(self) -> int:
        return self._body.lamps

    @property
    def tone(self) -> int:
        return self._body.tone

    @property
    def now(self) -> int:
        """The unit's own time, which wraps."""
        return self._now

    @property
    def now_us(self) -> int:
        """The present moment on the unit's own time, in microseconds, which wrap at 2^30."""
        seconds, ms = self._anchor
        since = 0.0 if self._paused else (self._clock() - seconds) * 1e6 * self._pace()
        return ((self._now - self.ms) * 1000 + int(ms * 1000 + since)) & MASK

    def seconds(self) -> float:
        """Return the time on the clock of the machine, which neither stops nor runs faster."""
        return self._clock()

    def is_closed(self, contact: int) -> bool:
        """Return whether a contact is closed: AUCTION, BUILD, or SWITCH."""
        return bool(self._levels & contact)

    def is_held(self, button: str) -> bool:
        """Return whether a button stays down until it is released, as a tapped one does not."""
        bit = BUTTONS[button]
        return self.is_closed(bit) and bit not in self._releases

    # Time.

    @property
    def speed(self) -> float:
        """How fast time runs, 0.1 to 100; while a finger is on a button it runs as it is."""
        return self._speed

    @speed.setter
    def speed(self, speed: float) -> None:
        self.advance()
        self._speed = min(max(speed, SLOWEST), FASTEST)

    @property
    def paused(self) -> bool:
        return self._paused

    @paused.setter
    def paused(self, paused: bool) -> None:
        self.advance()
        self._paused = paused

    def faster(self) -> None:
        self.speed = min((one for one in SPEEDS if one > self._speed), default=FASTEST)

    def slower(self) -> None:
        self.speed = max((one for one in SPEEDS if one < self._speed), default=SLOWEST)

    def advance(self) -> None:
        """Let the unit live until the present moment, from deadline to deadline."""
        seconds, ms = self._anchor
        real = self._clock()
        if not self._paused:
            ms += (real - seconds) * 1000 * self._pace()
        self._anchor = (real, ms)
        self._live_until(int(ms))

    def single_step(self) -> bool:
        """Pause, and go to the unit's next change; return whether there was one."""
        self.paused = True
        seen = self._count
        while seen == self._count:
            due = self._next_ms()
            if due is None:
                return False
            self._live_until(due)
        self._anchor = (self._clock(), float(self.ms))
        return True

    def seconds_to_due(self) -> float | None:
        """Return when `advance` is wanted at the latest; None if only a finger can do something."""
        due = self._next_ms()
        if due is None or self._paused:
            return None
        return max(0.0, (due - self._anchor[1]) / 1000 / self._pace())

    # Fingers.

    def press(self, button: str) -> None:
        """Put a finger on "auction" or "build"."""
        self.advance()
        bit = BUTTONS[button]
        self._releases.pop(bit, None)
        self._pressed_at[bit] = self.ms
        self._set(self._levels | bit)

    def release(self, button: str) -> None:
        """Take it away; a press that was too short for a debounce is made long enough."""
        self.advance()
        self._release_at(BUTTONS[button], SHORTEST_PRESS_MS)

    def tap(self, button: str, length_ms: int = TAP_MS) -> None:
        """Press a button for a while."""
        self.press(button)
        self._release_at(BUTTONS[button], length_ms)

    def switch(self, on: bool) -> None:
        self.advance()
        self._set(self._levels | SWITCH if on else self._levels & ~SWITCH)

    # What comes.

    def coming(self, within_ms: int) -> list[Coming]:
        """Return what the unit will tell in the next `within_ms`, in order of time."""
        limit = self.ms + within_ms
        coming = [*self._coming_of_auction(), *self._coming_of_clock(limit)]
        return sorted(one for one in coming if one.ms <= limit)

    def _coming_of_auction(self) -> list[Coming]:
        left = self.unit.auction_left(self._now)
        if not left:
            return []
        coming = [Coming(self.ms + left, "auction-ended")]
        if self.unit.state == "auction" and 0 < self.unit.settings.program.warning_ms < left:
            warning = self.ms + left - self.unit.settings.program.warning_ms
            coming.append(Coming(warning, "auction-warning"))
        return coming

    def _coming_of_clock(self, limit: int) -> list[Coming]:
        left = self.unit.clock.left_at(self._now)
        if not left:
            return []
        clock = Clock()
        clock.start(self._now, left, self.unit.settings.program.marks)
        coming = []
        while True:
            assert clock.due is not None
            mark = Coming(self.ms + diff(clock.due, self._now), clock.kind, clock.label)
            if mark.ms > limit:
                return coming
            if mark.ms > self.ms:
                coming.append(mark)
            if mark.kind in ENDS:
                return coming
            clock.pass_mark()

    # How it runs.

    def _pace(self) -> float:
        """Return how fast time runs now: a press lasts as long as it does for the finger."""
        return 1.0 if self._levels & (AUCTION | BUILD) else self._speed

    def _live_until(self, ms: int) -> None:
        while self.ms < ms:
            due = self._next_ms()
            goal = min(ms, self.ms + LONGEST_HOP, ms if due is None else due)
            self._now = add(self._now, goal - self.ms)
            self.ms = goal
            self._step()

    def _step(self) -> None:
        for bit, ms in list(self._releases.items()):
            if ms <= self.ms:
                del self._releases[bit]
                self._levels &= ~bit
        self._body.step(self._now, self._levels)
        self.note()

    def _next_ms(self) -> int | None:
        dues = list(self._releases.values())
        due = self._body.next_due()
        if due is not None:
            dues.append(self.ms + diff(due, self._now))
        return min(dues, default=None)

    def _release_at(self, bit: int, length_ms: int) -> None:
        if self._levels & bit:
            self._releases[bit] = max(self.ms, self._pressed_at[bit] + length_ms)
            self._step()

    def _set(self, levels: int) -> None:
        self._levels = levels
        self._step()

    def note(self) -> None:
        """Remember what has changed, in the order of the trace."""
        unit = self.unit
        while self._seen < unit.events.count:
            at, kind, value, why = unit.events.get(self._seen)
            self._seen += 1
            self._remember(at, kind, value, why)
        for place, name in enumerate(LAMPS):
            if (unit.lamps ^ self._lamps) >> place & 1:
                self._remember(unit.shown_at[place], name, bool(unit.lamps >> place & 1))
        if unit.tone != self._tone:
            self._remember(unit.shown_at[len(LAMPS)], "tone", unit.tone)
        self._lamps = unit.lamps
        self._tone = unit.tone

    def _remember(self, at: int, what: str, value: object, why: str | None = None) -> None:
        self._count += 1
        change = Change(self.ms - diff(self._now, at), what, value, why)
        self.changes.append(change)
        if what in _EDGES and isinstance(value, int):
            self.edges.append((change.ms, what, int(value)))
