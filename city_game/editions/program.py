"""What the unit's program does, as the unit describes it: the game keeps no figure of its own."""

from functools import cache

from city_unit import host


@cache
def described() -> host.Description:
    """Return the figures of the program `city`, as an emulated unit in this process describes them.

    The table goes by them until its own unit has described itself; games without a unit
    go by nothing else.
    """
    return host.Memory(program="city").client.describe()
