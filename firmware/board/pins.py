"""The pins of each supported chip, and the user's pin file.

The pin file, `pins.txt`, has lines `name = value`; `#` starts a comment. Its values override the
chip's defaults. The desktop checks the file before it writes anything, and the board checks it
again; each reports the first error in one line. The desktop finds more errors
(`firmware/boards.py`), since it has room for more code.

A description has a value for every name that a pin file may set:

auction, build  the pins of the two push buttons
switch          the pin of a slide switch; None if the supply is the switch
closed          the level of a closed contact: "low" (wired between pin and ground)
                or "high" (between pin and 3.3 V)
pull            what pulls an open contact to the other level: the board ("inside"),
                or resistors ("outside")
buzzer          the pin of the buzzer
buzzer_kind     "passive" (sounds at any pitch) or "active" (has a fixed pitch)
opposite        the pin of a passive buzzer's other leg, driven in opposition to the
                first: twice the voltage, 6 dB louder. Only on a Pico, and only the pin
                that shares the buzzer's generator: 17 for 16, 4 for 5; None if that leg
                is wired to ground
buzzer_on       the level that lets current through the buzzer, "high" or "low"
lamps           the pins of the lamps, in the order of `facts.LAMPS`
lamp_on         the level that lights a lamp, "high" or "low"
strip           the pin of a strip of addressable lamps (WS2812), in the same order,
                instead of `lamps`; None without one
brightness      of the strip, 1 to 255
battery         the pin that measures a third of the supply's voltage (29 on a Pico or
                Pico 2 without radio); None without one
link            where the serial link is: "usb" or "uart"
uart, tx, rx    number and pins of the UART, for `link = uart`; an ESP32-C3 has no
                spare pins and needs them named
watchdog        "on" restarts a unit that hangs for 8 s; it cannot be switched off then

Pins are GPIO numbers, not positions on the board's edge.
"""


def row(*values):
    """Return the values. In a compiled file this call is half as long as a tuple."""
    return values


# The defaults that a pin file overrides: a value, or the allowed words with the default first.
DEFAULTS = {
    "switch": None,
    "strip": None,
    "opposite": None,
    "battery": None,
    "brightness": 40,
    "closed": "low high",
    "pull": "inside outside",
    "buzzer_kind": "passive active",
    "buzzer_on": "high low",
    "lamp_on": "high low",
    "link": "usb uart",
    "watchdog": "off on",
}

# The default pins of each chip.
WIRES = row("auction", "build", "buzzer", "lamps", "uart", "tx", "rx")
CHIPS = {
    "rp2040": row(14, 15, 16, row(18, 19, 20, 21, 22), 0, 0, 1),
    "rp2350": row(14, 15, 16, row(18, 19, 20, 21, 22), 0, 0, 1),
    "esp32": row(32, 33, 25, row(18, 19, 21, 22, 23), 2, 26, 27),
    "esp32s3": row(4, 5, 6, row(7, 15, 16, 17, 18), 1, 9, 10),
    "esp32c3": row(0, 1, 10, row(3, 4, 5, 6, 7), 1, None, None),
}

# The pins that a unit may use; flash memory, USB, the console and the start-up need the others.
PICO = tuple(range(23)) + row(26, 27, 28)
FREE = {
    "rp2040": PICO,
    "rp2350": PICO,
    "esp32": row(4, 13, 14, 16, 17, 18, 19, 21, 22, 23, 25, 26, 27, 32, 33, 34, 35, 36, 39),
    "esp32s3": row(1, 2, 21) + tuple(range(4, 19)) + tuple(range(38, 43)),
    "esp32c3": row(0, 1, 3, 4, 5, 6, 7, 10),
}


def is_pico(chip: str) -> bool:
    """Return whether a chip has PWM generators shared by two pins, and an LED named "LED"."""
    return FREE[chip] is PICO


FILE = "pins.txt"
REFUSED = "cannot be used"


class PinError(ValueError):
    """The description of an error in a pin file, in one line."""


def describe(chip: str, text: str = "") -> dict:
    """Return every name with its value, for a chip and the text of a pin file.

    Raises PinError at the first error.
    """
    if chip not in CHIPS:
        raise PinError("unknown chip " + chip)
    pins = dict(zip(WIRES, CHIPS[chip]))
    for name in DEFAULTS:
        value = DEFAULTS[name]
        pins[name] = value.split()[0] if isinstance(value, str) else value
    said = _parse(text, pins)
    pins.update(said)
    taken = {}
    for name, pin in uses(pins):
        analog = range(26, 30) if is_pico(chip) else ()
        if pin not in (analog if name == "battery" else FREE[chip]):
            _fail(name, pin, REFUSED)
        if pin in taken:
            other = taken[pin]
            if name not in said:  # blame the name that the file sets, not a default
                name, other = other, name
            _fail(name, pin, "used by %s too" % other)
        taken[pin] = name
    if pins["link"] == "uart" and None in (pins["tx"], pins["rx"]):
        _fail("link", "uart", "name its pins: tx = , rx = ")
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
        values[name] = value
        usual = DEFAULTS.get(name, 0)
        if isinstance(usual, str):
            if value not in usual.split():
                _fail(name, value, "must be " + usual.replace(" ", " or "))
        elif usual is None and value == "none":
            values[name] = None
        else:
            numbers = value.upper().replace("GP", "").replace(",", " ").split()
            for number in numbers:
                if number.strip("0123456789") or len(number) > 3:
                    _fail(name, value, "no number")
            if len(numbers) != (len(names["lamps"]) if name == "lamps" else 1):
                _fail(name, value, "too many or too few")
            pins = tuple(map(int, numbers))
            values[name] = pins if name == "lamps" else pins[0]
    return values
