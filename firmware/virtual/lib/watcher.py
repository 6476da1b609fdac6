"""Watches the unit and the pins of a virtual board, and writes the lines of a trace.

Events are read from the unit, since no pin carries them; lamps and tones are
read from the pins, with the time at which they changed there.
"""

import json
import sys

import machine
import world

unit = world.module("unit")


class Board:
    """A trace recorder's view of a unit: the unit's events, and the pins in place of the rest."""

    def __init__(self) -> None:
        self.events = unit.Events()
        self.lamps = 0
        self.tone = 0
        self.shown_at = [0] * (len(world.LAMPS) + 1)  # and the tone, which is the last

    def look(self) -> None:
        lamps = 0
        for place, pin in enumerate(world.LAMPS):
            lamps |= (machine.levels.get(pin) == world.LIT) << place
            self._date(place, pin)
        self.lamps = lamps
        self.tone = machine.tones.get(world.BUZZER, 0)
        self._date(len(world.LAMPS), world.BUZZER)

    def _date(self, place: int, pin) -> None:
        if pin in machine.changed_at:
            self.shown_at[place] = world.START + machine.changed_at[pin] // 1000 & world.MASK


def _watch_deadlines(core):
    """Return a class like `core` that lets the world know when it is due next."""

    class Watched(core):
        def next_due(self):
            world.due = super().next_due()
            world.alive = True
            return world.due

    return Watched


class Watch:
    """Everything that is written about one unit."""

    def __init__(self, watched) -> None:
        name = world.config.get("trace")
        self._file = None
        if name:
            self._file = sys.stdout if name == "-" else open(world.host(name), "w")  # noqa: SIM115
        self._board = Board()
        self._board.events = watched.events
        trace = world.trace_module()
        self._line = trace["line"]
        self._recorder = trace["Recorder"](self._board, world.START, self._write)
        self._unit = watched
        self._seen = {}
        self._late_us = []
        self._ended = False
        world.watch(self.look)
        if "report" in world.config:
            sys.atexit(self._report)

    def look(self) -> None:
        """Write the changes since the last look; changes after the end are left out."""
        if self._ended:
            return
        self._board.look()
        if self._file:
            self._recorder.note(world.ticks_ms())
        if "report" in world.config:
            self._note_lateness()
        self._ended = world.END_US is not None and world.now_us() >= world.END_US

    def _note_lateness(self) -> None:
        """Note how late each change came to its pin."""
        for place, pin in enumerate(world.LAMPS + [world.BUZZER]):
            at = machine.changed_at.get(pin)
            if at is not None and at != self._seen.get(pin):
                self._seen[pin] = at
                due = self._unit.shown_at[place] - world.START + 0x20000000 & world.MASK
                self._late_us.append(at - (due - 0x20000000) * 1000)

    def _write(self, *change) -> None:
        self._file.write(self._line(*change) + "\n")
        if self._file is not sys.stdout:
            self._file.flush()

    def _report(self) -> None:
        self._board.look()
        report = {
            "lamps": self._board.lamps,
            "tone": self._board.tone,
            "late_us": self._late_us,
        }
        with open(world.host(world.config["report"]), "w") as file:
            json.dump(report, file)


def begin() -> None:
    """Have every unit that is made from now on watched."""

    class Watched(_watch_deadlines(unit.Unit)):
        def __init__(self, settings, below) -> None:
            super().__init__(settings, below)
            Watch(self)

    unit.Unit = Watched
    link = world.module("link")
    link.Link = _watch_deadlines(link.Link)
