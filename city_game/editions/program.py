"""The figures of the unit's programs, as the unit describes them: the game keeps no copy."""

from functools import cache

from city_unit import host


@cache
def described(program: str) -> host.Description:
    """Return the figures of a program, as an emulated unit in this process describes them.

    The table uses them until its own unit has described itself; games without a unit use
    no others.
    """
    return host.Memory(program=program).client.describe()
