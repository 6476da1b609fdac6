"""Lines of pin files, with as many lamps as a unit has."""

from city_unit.facts import LAMP_COUNT


def lamps(*pins: int) -> str:
    """Return the line for lamps at `pins`; the remaining lamps get the pins after the last one."""
    rest = range(pins[-1] + 1, pins[-1] + 1 + LAMP_COUNT - len(pins))
    return "lamps = " + " ".join(map(str, (*pins, *rest)))
