"""Record the unit and the pins of a virtual board in files, for tests.

A virtual board competes with other programs for the processors. Linux counts the waiting time of
each process, which shows how much of a late edge the computer caused.
"""

import json
import sys

import machine
import world

_LATE_US = 1000  # edges less late than this are not reported
_ROOM = 64  # bytes for the content of schedstat


class Watch:
    """Records one unit; it presents the interface of a unit to the trace recorder.

    Events are read from the unit, since no pin carries them. Lamps and tones are read from the
    pins, with the times of their changes.
    """

    def __init__(self, watched) -> None:
        self.events = watched.events
        self.lamps = 0
        self.tone = 0
        self._pins = world.LAMPS + [world.BUZZER]
        self.shown_at = [0] * len(self._pins)
        self._ended = False
        self._file = None
        name = world.config.get("trace")
        if name:
            self._file = sys.stdout if name == "-" else open(world.host(name), "w")  # noqa: SIM115
        trace = world.trace_module()
        self._line = trace["line"]
        self._recorder = trace["Recorder"](self, world.START, self._write)
        world.watch(self.look)
        if "report" in world.config:
            sys.atexit(self._report)

    def look(self) -> None:
        """Write the changes since the last call; ignore changes after the end."""
        if self._ended:
            return
        self._read_pins()
        if self._file:
            self._recorder.note(world.ticks_ms())
        self._ended = world.END_US is not None and world.now_us() >= world.END_US

    def _read_pins(self) -> None:
        self.lamps = 0
        for place, pin in enumerate(self._pins):
            if pin in machine.changed_at:
                self.shown_at[place] = world.START + machine.changed_at[pin] // 1000 & world.MASK
            if place < len(world.LAMPS):
                self.lamps |= (machine.levels.get(pin) == world.LIT) << place
        self.tone = machine.tones.get(world.BUZZER, 0)

    def _write(self, *change) -> None:
        self._file.write(self._line(*change) + "\n")
        if self._file is not sys.stdout:
            self._file.flush()

    def _report(self) -> None:
        self._read_pins()
        with open(world.host(world.config["report"]), "w") as file:
            json.dump({"lamps": self.lamps, "tone": self.tone}, file)


def watch() -> None:
    """Watch every unit created from now on, and tell the world when it is due next."""
    unit, link = world.module("unit"), world.module("link")

    def dated(core):
        class Dated(core):
            def next_due(self):
                world.due = super().next_due()
                world.alive = True
                return world.due

        return Dated

    class Watched(dated(unit.Unit)):
        def __init__(self, settings, below) -> None:
            super().__init__(settings, below)
            Watch(self)

    unit.Unit = Watched
    link.Link = dated(link.Link)


def record() -> None:
    """Record every unit created from now on, in a file that survives a power cut.

    Each start appends its boot number. Each event is appended the moment it occurs, before the link
    can report it. A board draws its boot number after its first events, so these are held back
    until then.
    """
    from city_unit import link, unit

    line = world.trace_module()["line"]
    file = open(world.host(world.config["record"]), "a")  # noqa: SIM115
    early = []  # lines before the boot number
    boots = []  # its line, once it is written

    class Events(unit.Events):
        def add(self, at, kind, value=None, why=None) -> None:
            super().add(at, kind, value, why)
            text = line(at, kind, value, why) + "\n"
            if boots:
                file.write(text)
            else:
                early.append(text)

    class Link(link.Link):
        def __init__(self, watched, boot, *others, **more) -> None:
            super().__init__(watched, boot, *others, **more)
            boots.append(f'{{"boot": {boot}}}\n')
            file.write("".join(boots + early))

    unit.Events = Events
    link.Link = Link


class Account:
    """This process's times from Linux: ns of running, ns of waiting for a processor."""

    def __init__(self) -> None:
        self._text = bytearray(_ROOM)

    def read(self, file) -> None:
        file.seek(0)
        file.readinto(self._text)

    def us(self) -> tuple:
        worked, waited = self._text.decode().split()[:2]
        return int(worked) // 1000, int(waited) // 1000


def account() -> None:
    """Write a line of JSON for each late edge of every unit created from now on.

    edge       the number of the change, from 0
    late_us    how late it was shown
    waited_us  how long the board waited for a processor since the start of the previous pass
    worked_us  how long it had a processor in that time; it slept for the rest
    """
    from city_unit import link
    from city_unit.ticks import diff

    system = open(world.host("/proc/self/schedstat"), "rb")  # noqa: SIM115
    file = open(world.host(world.config["waits"]), "a")  # noqa: SIM115
    passes = [Account(), Account()]  # at the start of the previous and of the current pass
    for early in passes:  # a desktop can start an auction before the unit has had two passes
        early.read(system)
    now = Account()

    class Link(link.Link):
        edges = 0
        seen = [0] * (len(world.LAMPS) + 1)  # when each lamp and the tone last changed

        def step(self, at, levels, tell=True) -> None:
            passes.reverse()
            passes[1].read(system)
            super().step(at, levels, tell)

        def note_shown(self, done_us) -> None:
            late_us = 0  # the largest lateness of the current changes
            for place, at in enumerate(self.unit.shown_at):
                if at != self.seen[place]:
                    self.seen[place] = at
                    late_us = max(late_us, diff(done_us, at * 1000 & world.MASK))
            if late_us > _LATE_US:
                now.read(system)
                worked, waited = now.us()
                worked_before, waited_before = passes[0].us()
                wait = {
                    "edge": self.edges,
                    "late_us": late_us,
                    "waited_us": waited - waited_before,
                    "worked_us": worked - worked_before,
                }
                file.write(json.dumps(wait) + "\n")
            self.edges += 1
            super().note_shown(done_us)

    link.Link = Link
