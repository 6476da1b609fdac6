"""Keeps a record of a virtual board's unit in a file that outlives it, for tests of power cuts.

Each start of the unit adds its boot number, and each event is added at the instant
it happens, so before a line of the link can report it: every event that reached a
desktop is in the record, at whatever point the power went.
"""

import world

from city_unit import link, unit


def begin() -> None:
    """Have every unit that is made from now on recorded."""
    line = world.trace_module()["line"]
    file = open(world.host(world.config["record"]), "a")  # noqa: SIM115

    class Events(unit.Events):
        def add(self, at, kind, value=None, why=None) -> None:
            super().add(at, kind, value, why)
            file.write(line(at, kind, value, why) + "\n")

    class Link(link.Link):
        def __init__(self, watched, boot, *others, **more) -> None:
            super().__init__(watched, boot, *others, **more)
            file.write(f'{{"boot": {boot}}}\n')

    unit.Events = Events
    link.Link = Link
