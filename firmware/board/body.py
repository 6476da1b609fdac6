"""The unit's life in a board: look at the pins, step, show, sleep, a thousand times a second."""

import gc
import time

from city_unit.ticks import const, diff

from .store import save_settings

_QUIET_MS = const(300)  # a write to flash memory may hold up everything for so long
_LINE_MS = const(8)  # the longest pass with the line, on a Pico; nothing may be due within it
_COLLECT_MS = const(30)  # and the longest collection of garbage, with a count of the memory
_COLLECT_BYTES = const(1024)  # moved over the line; a command of 65 leaves up to 0.7 kB of garbage
_COUNT_MS = const(250)  # how often there is a look at the settings

# A unit that nobody has touched for so long, and that no desktop talks to, is
# idle. Assumption; long enough for the thinking of a slow player.
_IDLE_MS = const(120000)

# How often an idle board looks at its contacts. A change found then is 16 ms old
# before it counts, and must be seen and heard 25 ms after the first contact.
_IDLE_LOOK_MS = const(6)

# The unit works out its next change one millisecond ahead, which takes a Pico up to 1.3 ms,
# and shows it when it is due. The board waits for the beginning of this millisecond to the
# tick: it spends the last milliseconds before a deadline awake.
_NEAR_MS = const(3)
_FAR_MS = const(1000)
_SHORT_US = const(20)
_LOOKS = const(100)  # of one sleep; then other things have their turn

# Called, they return the board's milliseconds and microseconds, which wrap at 2^30.
now: type[int] = time.ticks_ms  # type: ignore  # the stubs have types of their own for them
now_us: type[int] = time.ticks_us  # type: ignore  # as above


class Body:
    """A unit between the contacts and the outputs of a board."""

    def __init__(self, unit, contacts, outputs, port, battery, watchdog) -> None:
        self.unit = unit
        self.contacts = contacts
        self.outputs = outputs
        self.port = port
        self.battery = battery  # the pin that sees it, or None
        self.free = 0  # bytes of memory, after the latest collection
        self.rest = Rest(contacts)
        self._watchdog = watchdog
        self._kept = self._settings()
        port.link.more = self._answer

    def live(self) -> None:
        """Live until something is raised; the line is then as it was before."""
        rest = self.rest
        counted = now()
        try:
            while True:
                self.live_once()
                passed = diff(now(), counted)
                if passed > _COUNT_MS:
                    rest.awake = 1000 - 1000 * rest.slept // passed
                    rest.slept = 0
                    counted = now()
                    self._keep_settings()
                    if self._watchdog:
                        self._watchdog.feed()
        finally:
            self.port.close()

    def live_once(self) -> None:
        """Look after the line, or sleep; then step the unit, and show its outputs.

        A pass steps the unit up to three times: to the time of a contact's change, noted by an
        interrupt, with the levels of then; to now, with the levels of now; and, where a change
        is due within a millisecond, to that time, ahead, so that the change is ready. The pass
        then waits until it is due, shows it, and puts the messages for the desktop into words
        after that.
        """
        port = self.port
        link = port.link
        outputs = self.outputs
        rest = self.rest
        due = link.next_due()
        left = _COLLECT_MS if due is None else diff(due, now())
        if left >= _COLLECT_MS and port.moved > _COLLECT_BYTES:
            port.moved = 0
            gc.collect()  # now, and not by itself while something is due
            self.free = gc.mem_free()  # takes as long again
        elif left < _LINE_MS:
            rest.sleep(due, None)
        elif not port.poll(now()):
            rest.sleep(due, port)
        since = rest.since
        at = now()
        if since is not None:
            seen = rest.seen
            rest.since = None
            link.step(since, seen, False)
        if rest.look(at, link.has_desktop) or since is not None:
            link.step(at, rest.levels, False)
        if due is not None and diff(due, at) < 2:
            link.step(due, rest.levels, False)
            while diff(due, now()) > 0:
                time.sleep_us(_SHORT_US)
        lamps = link.lamps
        if rest.idle and self.unit.state == "setup":
            lamps = 0  # else it would be lit for ever; all other lamps go out by themselves
        if lamps != outputs.lamps or link.tone != outputs.tone:
            outputs.show(lamps, link.tone, self.unit.settings.volume)
            if link.is_watched:
                link.note_shown(now_us())

    def _keep_settings(self) -> None:
        """Save the settings if they have changed, when nothing is due for a while."""
        kept = self._settings()
        self.port.moved += 1  # that is garbage, which waits to be collected as the line's does
        if kept == self._kept:
            return
        due = self.unit.next_due()
        if due is None or diff(due, now()) > _QUIET_MS:
            self._kept = kept
            save_settings(self.unit.settings)

    def _settings(self) -> tuple:
        settings = self.unit.settings
        return settings.program, settings.clock_ms, settings.volume

    def _answer(self, words) -> str | None:
        """Answer a command that only a board has; None if it is unknown here too."""
        from .extras import answer

        return answer(self, words)


class Rest:
    """A board's sleep, and the events that wake it.

    idle        whether it is idle: it then looks less often
    awake       how much of its time it was awake of late, in thousandths
    slept       ms, since the reader of this count set it to 0
    levels      of the contacts, as they were looked at last
    since       the time of the first change of a button that no pass has handled yet, ms; None
                without one. A press during a pass that is busy with the line counts from here
    seen        the levels of the contacts at that time
    """

    def __init__(self, contacts) -> None:
        self.idle = False
        self.awake = 1000
        self.slept = 0
        self.levels = -1
        self.since: int | None = None
        self.seen = 0
        self._contacts = contacts
        self._touched = 0

    def sense(self, _) -> None:
        """Note the time of an edge; an interrupt calls this, so that nothing may be allocated."""
        levels = self._contacts.levels()
        if self.since is None and levels != self.levels:
            self.seen = levels
            self.since = now()

    def look(self, at: int, live: bool) -> bool:
        """Look at the contacts, at `at`; return whether they have changed.

        live  whether a desktop is there, with which no board is idle
        """
        levels = self._contacts.levels()
        changed = levels != self.levels
        self.levels = levels
        if live or changed:
            self._touched = at
        self.idle = diff(at, self._touched) > _IDLE_MS
        return changed

    def sleep(self, due: int | None, port) -> None:
        """Sleep until the millisecond before `due`, a contact's change, or for some looks.

        port  the link that wakes the board as well; None while there is no time for it
        """
        look = _IDLE_LOOK_MS if self.idle else 1
        for _ in range(_LOOKS):
            if self._contacts.levels() != self.levels or (port and port.waits()):
                return
            left = _FAR_MS if due is None else diff(due, now())
            if left > _NEAR_MS:
                ms = min(look, left - _NEAR_MS)
                time.sleep_ms(ms)
                self.slept += ms
            elif left > 1:
                time.sleep_us(_SHORT_US)
            else:
                return
