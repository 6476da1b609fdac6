"""Keeps a record of a virtual board's unit in a file that outlives it, for tests of power cuts.

Each start of the unit adds its boot number, and each event is added at the instant
it happens, so before a line of the link can report it: every event that reached a
desktop is in the record, at whatever point the power went. A board draws its boot number
after its first events; they wait for it.
"""

import world

from city_unit import link, unit


def begin() -> None:
    """Have every unit that is made from now on recorded."""
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
