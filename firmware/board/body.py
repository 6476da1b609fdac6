"""The main loop of a board: read the pins, step the unit, show its outputs, sleep.

The contacts are read about a thousand times a second. The unit is stepped one millisecond ahead of
its next deadline, and the pass waits for that millisecond to begin before it shows the change, so
outputs are on time to the tick. Everything slow (moving bytes, garbage collection, saving the
settings) happens only when nothing is due for long enough.
"""

import gc
import time

from city_unit.ticks import const, diff

from .store import save_settings

_QUIET_MS = const(300)  # a write to flash memory may block everything for this long
_LINE_MS = const(8)  # the longest pass that moves bytes, on a Pico; nothing may be due within it
_COLLECT_MS = const(30)  # the longest garbage collection, including the count of free memory
_COLLECT_BYTES = const(1024)  # moved over the line; a command of 65 leaves up to 0.7 kB of garbage
_COUNT_MS = const(250)  # how often the settings are checked for changes

# A unit without a press or a desktop for this long is idle. Assumption; long enough for a slow
# player to think.
_IDLE_MS = const(120000)

# How often an idle board reads its contacts. A change counts 16 ms after it was read, and must be
# visible and audible 25 ms after the first contact.
_IDLE_READ_MS = const(6)

# The unit computes its next change one millisecond ahead, which takes a Pico up to 1.3 ms. To show
# it to the tick, the board stays awake for the last milliseconds before a deadline.
_NEAR_MS = const(3)
_FAR_MS = const(1000)
_SHORT_US = const(20)
_READS = const(100)  # reads of the contacts per sleep; then the rest of the loop gets its turn

# Functions that return the board's milliseconds and microseconds, which wrap at 2^30.
now: type[int] = time.ticks_ms  # type: ignore  # the stubs have types of their own for them
now_us: type[int] = time.ticks_us  # type: ignore  # as above


class Body:
    """Connects a unit to the contacts, the outputs and the serial port of a board."""

    def __init__(self, unit, contacts, outputs, port, battery, watchdog) -> None:
        self.unit = unit
        self.contacts = contacts
        self.outputs = outputs
        self.port = port
        self.battery = battery  # the pin that measures the supply, or None
        self.free = 0  # bytes of memory after the latest garbage collection
        self.rest = Rest(contacts)
        self._watchdog = watchdog
        self._saved = self._settings()
        port.link.run_other = self._answer

    def live(self) -> None:
        """Run until an exception is raised; then restore Ctrl-C on the line."""
        rest = self.rest
        counted = now()
        try:
            while True:
                self.run_pass()
                passed = diff(now(), counted)
                if passed > _COUNT_MS:
                    rest.awake = 1000 - 1000 * rest.slept // passed
                    rest.slept = 0
                    counted = now()
                    settings = self._settings()
                    self.port.moved += 1  # the tuple is garbage; count it with that of the line
                    if settings != self._saved:
                        due = self.unit.next_due()
                        if due is None or diff(due, now()) > _QUIET_MS:
                            self._saved = settings
                            save_settings(self.unit.settings)
                    if self._watchdog:
                        self._watchdog.feed()
        finally:
            self.port.close()

    def run_pass(self) -> None:
        """Serve the line or sleep; then step the unit and show its outputs.

        A pass steps the unit up to three times: to the time of a contact change that an interrupt
        noted, with the levels of that time; to now, with the current levels; and, if a change is
        due within a millisecond, ahead to that deadline. The pass then waits for the deadline and
        shows the change. Messages to the desktop are formatted afterwards.
        """
        port = self.port
        link = port.link
        outputs = self.outputs
        rest = self.rest
        due = link.next_due()
        left = _COLLECT_MS if due is None else diff(due, now())
        if left >= _COLLECT_MS and port.moved > _COLLECT_BYTES:
            port.moved = 0
            gc.collect()  # now, before an automatic collection can delay a deadline
            self.free = gc.mem_free()  # takes as long as the collection
        elif left < _LINE_MS:
            rest.sleep(due, None)
        elif not port.poll(now()):
            rest.sleep(due, port)
        edge_at = rest.edge_at
        at = now()
        if edge_at is not None:
            edge_levels = rest.edge_levels
            rest.edge_at = None
            link.step(edge_at, edge_levels, False)
        if rest.read(at, link.has_desktop) or edge_at is not None:
            link.step(at, rest.levels, False)
        if due is not None and diff(due, at) < 2:
            link.step(due, rest.levels, False)
            while diff(due, now()) > 0:
                time.sleep_us(_SHORT_US)
        lamps = link.lamps
        if rest.idle and self.unit.state == "setup":
            lamps = 0  # every other lamp has a timer of its own; this one would stay lit
        if lamps != outputs.lamps or link.tone != outputs.tone:
            outputs.show(lamps, link.tone, self.unit.settings.volume)
            if link.is_watched:
                link.note_shown(now_us())

    def _settings(self) -> tuple:
        settings = self.unit.settings
        return settings.program, settings.clock_ms, settings.volume

    def _answer(self, words) -> str | None:
        """Return the answer to a command that only boards have; None if it is unknown."""
        from .extras import answer

        return answer(self, words)


class Rest:
    """The sleep between passes, and the events that end it.

    idle         whether the board is idle and reads its contacts less often
    awake        share of recent time spent awake, in thousandths
    slept        ms slept since the reader of this count last reset it
    levels       of the contacts, as last read
    edge_at      time of the first button change that no pass has handled yet, or None. A press
                 during a pass that is busy with the line counts from this time
    edge_levels  the levels of the contacts at `edge_at`
    """

    def __init__(self, contacts) -> None:
        self.idle = False
        self.awake = 1000
        self.slept = 0
        self.levels = -1
        self.edge_at: int | None = None
        self.edge_levels = 0
        self._contacts = contacts
        self._used_at = 0

    def sense(self, _) -> None:
        """Note the time of an edge. Runs in an interrupt, so it must not allocate memory."""
        levels = self._contacts.levels()
        if self.edge_at is None and levels != self.levels:
            self.edge_levels = levels
            self.edge_at = now()

    def read(self, at: int, has_desktop: bool) -> bool:
        """Read the contacts; return whether they have changed.

        at           the current time
        has_desktop  whether a desktop is connected; the board is then never idle
        """
        levels = self._contacts.levels()
        changed = levels != self.levels
        self.levels = levels
        if has_desktop or changed:
            self._used_at = at
        self.idle = diff(at, self._used_at) > _IDLE_MS
        return changed

    def sleep(self, due: int | None, port) -> None:
        """Sleep until shortly before `due`, until a contact changes, or for `_READS` reads.

        port  also wakes the board when bytes wait; None if there is no time to serve it
        """
        longest = _IDLE_READ_MS if self.idle else 1
        for _ in range(_READS):
            if self._contacts.levels() != self.levels or (port and port.waits()):
                return
            left = _FAR_MS if due is None else diff(due, now())
            if left > _NEAR_MS:
                ms = min(longest, left - _NEAR_MS)
                time.sleep_ms(ms)
                self.slept += ms
            elif left > 1:
                time.sleep_us(_SHORT_US)
            else:
                return
