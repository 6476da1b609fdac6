"""Which pin is which: the chip's description with the user's own pin file laid over it.

The pin file, `pins.txt`, has lines `name = value`; `#` begins a comment. The
names are those of `chips.py`. A mistake is said in one line, by the desktop
before anything is written, and by the board itself; the desktop looks for more
(`firmware/boards.py`), since it has more room.
"""

from .chips import CHIPS, DEFAULTS, FREE, WIRES, is_pico

FILE = "pins.txt"
REFUSED = "cannot be used"


class PinError(ValueError):
    """A mistake in a pin file, in one line."""


def describe(chip: str, text: str = "") -> dict:
    """Return every name with its value, for a chip and the text of a pin file.

    Raises PinError at the first mistake.
    """
    if chip not in CHIPS:
        raise PinError("unknown chip " + chip)
    pins = dict(zip(WIRES, CHIPS[chip]))
    for name in DEFAULTS:
        value = DEFAULTS[name]
        pins[name] = value.split()[0] if isinstance(value, str) else value
    said = _parse(text, pins)
    pins.update(said)
    _check(chip, pins, said)
    return pins


def uses(pins: dict) -> list:
    """Return `(name, pin)` for every pin that a description uses."""
    used = []
    names = ("auction", "build", "switch", "buzzer", "opposite", "strip", "battery", "tx", "rx")
    for name in names:
        pin = pins[name]
        if pin is not None and (pins["link"] == "uart" or name not in ("tx", "rx")):
            used.append((name, pin))
    if pins["strip"] is None:
        for pin in pins["lamps"]:
            used.append(("lamps", pin))
    return used


def _fail(name: str, value, why: str):
    raise PinError("%s = %s: %s" % (name, value, why))


def _parse(text: str, names) -> dict:
    values = {}
    for line in text.split("\n"):
        line = line.split("#")[0].strip()
        if not line:
            continue
        name, _, value = line.partition("=")
        name = name.strip()
        value = value.strip()
        if not value:
            raise PinError(line + ": not 'name = value'")
        if name not in names:
            _fail(name, value, "no such name")
        if name in values:
            _fail(name, value, "set twice")
        values[name] = _value(name, value, len(names["lamps"]))
    return values


def _value(name: str, value: str, lamps: int):
    usual = DEFAULTS.get(name, 0)
    if isinstance(usual, str):
        if value not in usual.split():
            _fail(name, value, "must be " + usual.replace(" ", " or "))
        return value
    if usual is None and value == "none":
        return None
    numbers = value.upper().replace("GP", "").replace(",", " ").split()
    for number in numbers:
        if number.strip("0123456789") or len(number) > 3:
            _fail(name, value, "no number")
    if len(numbers) != (lamps if name == "lamps" else 1):
        _fail(name, value, "too many or too few")
    pins = tuple(map(int, numbers))
    return pins if name == "lamps" else pins[0]


def _check(chip: str, pins: dict, said) -> None:
    taken = {}
    for name, pin in uses(pins):
        analog = range(26, 30) if is_pico(chip) else ()
        if pin not in (analog if name == "battery" else FREE[chip]):
            _fail(name, pin, REFUSED)
        if pin in taken:
            other = taken[pin]
            if name not in said:  # it is as it always was: the file changed the other
                name, other = other, name
            _fail(name, pin, "used by %s too" % other)
        taken[pin] = name
    if pins["link"] == "uart" and None in (pins["tx"], pins["rx"]):
        _fail("link", "uart", "name its pins: tx = , rx = ")
