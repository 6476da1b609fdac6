"""The unit's life in a board: look at the pins, step, show, sleep, a thousand times a second."""

import gc
import os
import time

from machine import WDT, Pin

from city_unit.draws import Draws
from city_unit.settings import Settings
from city_unit.ticks import const, diff
from city_unit.unit import AUCTION, Unit

from . import store
from .battery import Battery
from .boards import CHIPS, is_pico
from .contacts import Contacts
from .outputs import Outputs
from .pins import FILE, PinError, describe
from .report import Report
from .rest import Rest, now, now_us
from .serial_port import SerialPort

_SETTLE_MS = const(5)  # until the pull-ups have charged what hangs on the pins
_LOW_MS = const(80)  # of each blink that tells of low cells
_BAD_PINS_MS = const(200)
_WATCHDOG_MS = const(8000)  # the longest that every board can wait
_QUIET_MS = const(300)  # a write to flash memory may hold up everything for so long
_LINE_MS = const(6)  # what a pass with the line may take a Pico: then nothing may be due
_COLLECT_MS = const(25)  # and what a collection of garbage may take it
_COLLECT_BYTES = const(1024)  # moved over the line, which leave some 40 kB of garbage
_PASSES = const(255)  # a mask: once in so many passes there is a look at the settings


def run() -> None:
    """Be the unit until power goes, Ctrl-C comes, or something breaks."""
    machine, _, chip = os.uname().machine.lower().partition(" with ")
    try:
        pins = describe(chip, store.read(FILE))
    except PinError as error:
        print("The unit cannot start: %s: %s" % (FILE, error))
        if chip in CHIPS:
            complain(chip)
        return
    contacts = Contacts(pins)
    time.sleep_ms(_SETTLE_MS)
    if contacts.levels() & AUCTION:
        print("AUCTION is held: here is the REPL.")
        return
    outputs = Outputs(pins)
    try:
        battery = Battery(pins)
        if battery.is_low():
            blink(outputs.flash, _LOW_MS)
        name = machine.split(" pi ")[-1].replace(" ", "-")[:24]
        Body(contacts, outputs, battery, pins, name).live()
    except Exception as error:
        store.keep_crash(error)
        print("The unit has stopped: see", store.CRASHES)
        raise
    finally:
        outputs.rest()


class Body:
    """A unit between the contacts and the outputs of a board."""

    def __init__(self, contacts, outputs, battery, pins: dict, name: str) -> None:
        settings = Settings()
        store.load_settings(settings)
        seed = int.from_bytes(os.urandom(4), "little")
        self.unit = Unit(settings, Draws(seed).below)
        self.rest = Rest()
        self.contacts = contacts
        self.outputs = outputs
        self.battery = battery
        self.port = SerialPort(self.unit, pins, name, Report(self).answer)
        self._file = store.SettingsFile(settings)
        self._watchdog = WDT(timeout=_WATCHDOG_MS) if pins["watchdog"] == "on" else None

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
        link.step(at, levels)
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
        due = self.unit.next_due()
        quiet = due is None or diff(due, now()) > _QUIET_MS
        if quiet and self._file.differs():
            self._file.save()


def blink(lamp, ms: int) -> None:
    """Blink three times; `lamp` is called with whether to be lit."""
    try:
        for _ in range(3):
            lamp(1)
            time.sleep_ms(ms)
            lamp(0)
            time.sleep_ms(ms)
    finally:
        lamp(0)


def complain(chip: str) -> None:
    """Blink three times and pause, until Ctrl-C: the sign that the pin file is wrong.

    On a Pico's own lamp. Other boards have none that all of one kind share: there
    on the pin that the auction lamp has unless somebody moved it.
    """
    lamp = Pin("LED" if is_pico(chip) else describe(chip)["lamps"][0], Pin.OUT)
    while True:
        blink(lamp, _BAD_PINS_MS)
        time.sleep_ms(1000)
