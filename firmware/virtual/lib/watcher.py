"""Record the unit and the pins of a virtual board in files, for tests."""

import json
import sys

import machine
import world


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
        self.changed_at = [0] * len(self._pins)
        self._ended = False
        self._file = None
        name = world.config.get("trace")
        if name:
            self._file = sys.stdout if name == "-" else open(world.host(name), "w")  # noqa: SIM115
        trace = world.trace_module()
        self._line = trace["line"]
        self._recorder = trace["Recorder"](self, world.START, self._write)
        world.watchers.append(self.look)
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
                self.changed_at[place] = world.START + machine.changed_at[pin] // 1000 & world.MASK
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
