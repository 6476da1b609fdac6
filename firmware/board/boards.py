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
buzzer_on       the level that lets current through the buzzer, "high" or "low"
lamps           the pins of the five lamps: auction, permits 1, 2, 3, station
lamp_on         the level that lights a lamp, "high" or "low"
strip           the pin of a strip of five addressable lamps (WS2812), in the same
                order, instead of `lamps`; None without one
brightness      of the strip, 1 to 255
battery         the pin that sees a third of the supply's voltage (29 on a Pico or
                Pico 2 without radio); None if nobody looks at it
link            where the serial link is: "usb" or "uart"
uart, tx, rx    number and pins of the UART, where the link is there
watchdog        "on" restarts a unit that hangs for 8 s; it cannot be stopped then

Pins are GPIO numbers, not places on the board's edge.
"""


def some(*values):
    """Return the values; a call is half as long as a tuple in a compiled file."""
    return values


# What is so unless a pin file says otherwise: of words the first. All else,
# that is where the wires go, is the chip's.
DEFAULTS = {
    "switch": None,
    "strip": None,
    "battery": None,
    "brightness": 40,
    "closed": some("low", "high"),
    "pull": some("inside", "outside"),
    "buzzer_kind": some("passive", "active"),
    "buzzer_on": some("high", "low"),
    "lamp_on": some("high", "low"),
    "link": some("usb", "uart"),
    "watchdog": some("off", "on"),
}

# chip: its pins unless a pin file says otherwise; the pins that are free for a
# unit, which leaves out those that flash memory, USB and the start-up need;
# those that measure a voltage; whether two pins each share one PWM generator.
CHIPS = {
    "rp2040": {
        "pins": {
            "auction": 14,
            "build": 15,
            "buzzer": 16,
            "lamps": some(18, 19, 20, 21, 22),
            "uart": 0,
            "tx": 0,
            "rx": 1,
        },
        "free": tuple(range(23)) + some(26, 27, 28),
        "analog": some(26, 27, 28, 29),
        "slices": True,
    },
    "esp32": {
        "pins": {
            "auction": 32,
            "build": 33,
            "buzzer": 25,
            "lamps": some(18, 19, 21, 22, 23),
            "uart": 2,
            "tx": 26,
            "rx": 27,
        },
        "free": some(4, 13, 14, 16, 17, 18, 19, 21, 22, 23, 25, 26, 27, 32, 33, 34, 35, 36, 39),
        "analog": (),
        "slices": False,
    },
    "esp32s3": {
        "pins": {
            "auction": 4,
            "build": 5,
            "buzzer": 6,
            "lamps": some(7, 15, 16, 17, 18),
            "uart": 1,
            "tx": 9,
            "rx": 10,
        },
        "free": some(1, 2, 21) + tuple(range(4, 19)) + tuple(range(38, 43)),
        "analog": (),
        "slices": False,
    },
    "esp32c3": {
        "pins": {
            "auction": 0,
            "build": 1,
            "buzzer": 10,
            "lamps": some(3, 4, 5, 6, 7),
            "uart": 1,
            "tx": 21,
            "rx": 20,
        },
        "free": some(0, 1, 3, 4, 5, 6, 7, 10, 20, 21),
        "analog": (),
        "slices": False,
    },
}
CHIPS["rp2350"] = CHIPS["rp2040"]
