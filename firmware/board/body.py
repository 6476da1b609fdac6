"""The unit's life in a board: look at the pins, step, show, sleep, a thousand times a second."""

import gc
import sys

from city_unit.ticks import const, diff

from .rest import Rest, now, now_us

_QUIET_MS = const(300)  # a write to flash memory may hold up everything for so long
_LINE_MS = const(6)  # what a pass with the line may take a Pico: then nothing may be due
_COLLECT_MS = const(25)  # and what a collection of garbage may take it
_COLLECT_BYTES = const(1024)  # moved over the line; a command of 65 leaves up to 0.7 kB of garbage
_PASSES = const(255)  # a mask: once in so many passes there is a look at the settings


def run() -> None:
    """Be the unit until power goes, Ctrl-C comes, or something breaks."""
    from . import start

    body = None
    try:
        body = start.body()
        del start
        let_go("start", "boards", "pins", "store")
        if body:
            body.live()
    except Exception as error:
        from .store import CRASHES, keep_crash

        keep_crash(error)
        print("The unit has stopped: see", CRASHES)
        raise
    finally:
        if body:
            body.outputs.rest()


def let_go(*names: str) -> None:
    """Forget neighbouring modules that are not needed any more; they can be imported again.

    Takes a Pico some milliseconds, since what they leave is collected at once.
    """
    for name in names:
        delattr(sys.modules["firmware.board"], name)
        del sys.modules["firmware.board." + name]
    gc.collect()


class Body:
    """A unit between the contacts and the outputs of a board."""

    def __init__(self, unit, contacts, outputs, port, battery, watchdog) -> None:
        self.unit = unit
        self.contacts = contacts
        self.outputs = outputs
        self.port = port
        self.battery = battery  # the pin that sees it, or None
        self.rest = Rest(contacts)
        self._watchdog = watchdog
        self._kept = self._settings()
        port.link.more = self._answer

    def live(self) -> None:
        """Live until something is raised; the line is then as it was before."""
        passes = 0
        try:
            while True:
                self.live_once(now())
                passes = passes + 1 & _PASSES
                if not passes:
                    self.rest.count()
                    self._keep_settings()
                    if self._watchdog:
                        self._watchdog.feed()
        finally:
            self.port.close()

    def live_once(self, at: int) -> None:
        """Step the unit to `at`, show what it shows, and sleep until it is time to look again."""
        port = self.port
        link = port.link
        outputs = self.outputs
        rest = self.rest
        levels = self.contacts.levels()
        link.step(at, levels, False)  # what there is to tell is told after it is shown
        rest.note(at, levels, link.live)
        lamps = link.lamps
        if rest.idle and self.unit.state == "setup":
            lamps = 0  # else it would be lit for ever; all other lamps go out by themselves
        if lamps != outputs.lamps or link.tone != outputs.tone:
            outputs.show(lamps, link.tone, self.unit.settings.volume)
            if link.watched:
                link.shown(now_us())
        due = link.next_due()
        left = _COLLECT_MS if due is None else diff(due, at)
        if left >= _COLLECT_MS and port.moved > _COLLECT_BYTES:
            port.moved = 0
            gc.collect()  # now, and not by itself while something is due
        elif left < _LINE_MS or not port.poll(at):
            rest.sleep(at, due)

    def _keep_settings(self) -> None:
        """Save the settings if they have changed, when nothing is due for a while."""
        settings = self.unit.settings
        program, clock_ms, volume = self._kept
        if (
            settings.program is program
            and settings.clock_ms == clock_ms
            and settings.volume == volume
        ):
            return
        due = self.unit.next_due()
        if due is None or diff(due, now()) > _QUIET_MS:
            from .store import save_settings

            self._kept = self._settings()
            save_settings(settings)
            let_go("store")

    def _settings(self) -> tuple:
        settings = self.unit.settings
        return settings.program, settings.clock_ms, settings.volume

    def _answer(self, words: list) -> str | None:
        """Answer a command that only a board has; None if it has not either."""
        if words[0] not in ("board", "crash"):
            return None
        from .report import answer

        return answer(self, words)
