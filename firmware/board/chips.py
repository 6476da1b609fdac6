"""The chips that a unit can be built around, each described as data.

A description gives every name that a pin file (`pins.py`) may set:

auction, build  the pins of the two push buttons
switch          the pin of a slide switch; None if the supply is the switch
closed          the level of a closed contact: "low" (contacts lie between pin
                and ground) or "high" (between pin and 3.3 V)
pull            whether the board pulls open contacts to the other level
                ("inside"), or resistors do ("outside")
buzzer          the pin of the buzzer
buzzer_kind     "passive" (sounds at any pitch) or "active" (has one of its own)
opposite        the pin of a passive buzzer's other leg, which is then driven against the
                first one: twice the voltage, 6 dB louder. On a Pico alone, and the pin
                that shares the buzzer's generator: 17 for 16, 4 for 5; None if that leg
                lies at ground
buzzer_on       the level that lets current through the buzzer, "high" or "low"
lamps           the pins of the five lamps: auction, permits 1, 2, 3, station
lamp_on         the level that lights a lamp, "high" or "low"
strip           the pin of a strip of five addressable lamps (WS2812), in the same
                order, instead of `lamps`; None without one
brightness      of the strip, 1 to 255
battery         the pin that sees a third of the supply's voltage (29 on a Pico or
                Pico 2 without radio); None if nobody looks at it
link            where the serial link is: "usb" or "uart"
uart, tx, rx    number and pins of the UART, where the link is there; on an ESP32-C3
                they must be named: it has none to spare
watchdog        "on" restarts a unit that hangs for 8 s; it cannot be stopped then

Pins are GPIO numbers, not places on the board's edge.
"""


def row(*values):
    """Return the values; a call is half as long as a tuple in a compiled file."""
    return values


# The defaults, which a pin file overrides: the value, or the words to choose from, the
# default first.
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

# Where the wires go unless a pin file says otherwise, a row for each chip.
WIRES = row("auction", "build", "buzzer", "lamps", "uart", "tx", "rx")
CHIPS = {
    "rp2040": row(14, 15, 16, row(18, 19, 20, 21, 22), 0, 0, 1),
    "rp2350": row(14, 15, 16, row(18, 19, 20, 21, 22), 0, 0, 1),
    "esp32": row(32, 33, 25, row(18, 19, 21, 22, 23), 2, 26, 27),
    "esp32s3": row(4, 5, 6, row(7, 15, 16, 17, 18), 1, 9, 10),
    "esp32c3": row(0, 1, 10, row(3, 4, 5, 6, 7), 1, None, None),
}

# The pins that a unit may have: not those that flash memory, USB, the console and the
# start-up need.
PICO = tuple(range(23)) + row(26, 27, 28)
FREE = {
    "rp2040": PICO,
    "rp2350": PICO,
    "esp32": row(4, 13, 14, 16, 17, 18, 19, 21, 22, 23, 25, 26, 27, 32, 33, 34, 35, 36, 39),
    "esp32s3": row(1, 2, 21) + tuple(range(4, 19)) + tuple(range(38, 43)),
    "esp32c3": row(0, 1, 3, 4, 5, 6, 7, 10),
}


def is_pico(chip: str) -> bool:
    """Return whether a chip has PWM generators that two pins share, and a lamp called LED."""
    return FREE[chip] is PICO
