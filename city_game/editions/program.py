"""What the unit's programs do, as the unit describes them: the game keeps no figure of its own."""

from functools import cache

from city_unit import host


@cache
def described(program: str) -> host.Description:
    """Return the figures of a program, as an emulated unit in this process describes them.

    The table goes by them until its own unit has described itself; games without a unit
    go by nothing else.
    """
    return host.Memory(program=program).client.describe()
