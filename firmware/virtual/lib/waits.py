"""Tells of each edge that came late for how much of that the computer was to blame.

A virtual board is a program among others: while these have the processors, it
waits. Linux keeps an account of that for each process, which is read at the start
of each pass. For an edge that came late while a desktop watched, a line of JSON says

edge       which change it was, counted from 0
late_us    how late it was shown
waited_us  for how long, since the start of the pass before, the board waited for a processor
worked_us  for how long it had a processor in that time; for the rest it slept, or wanted to
"""

import json

import world

from city_unit import link
from city_unit.ticks import diff

_LATE_US = 1000  # the least lateness of an edge that is reported
_ROOM = 64  # bytes of the account


class Account:
    """Times that Linux has noted of this process by now: ns at work, ns of waiting."""

    def __init__(self) -> None:
        self._text = bytearray(_ROOM)

    def read(self, file) -> None:
        file.seek(0)
        file.readinto(self._text)

    def us(self) -> tuple:
        worked, waited = self._text.decode().split()[:2]
        return int(worked) // 1000, int(waited) // 1000


def begin() -> None:
    """Have the edges of every unit, from now on, accounted for."""
    system = open(world.host("/proc/self/schedstat"), "rb")  # noqa: SIM115
    file = open(world.host(world.config["waits"]), "a")  # noqa: SIM115
    passes = [Account(), Account()]  # of the pass before, and of the present pass
    now = Account()

    class Link(link.Link):
        edges = 0
        seen = [0] * (len(world.LAMPS) + 1)  # when each lamp and the tone changed last

        def step(self, at, levels, tell=True) -> None:
            passes.reverse()
            passes[1].read(system)
            super().step(at, levels, tell)

        def note_shown(self, done_us) -> None:
            late_us = 0  # of the latest of the present changes
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
