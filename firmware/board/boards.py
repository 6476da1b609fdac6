"""The boards that a unit can be built with, each described as data.

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
link            where the serial link is: "usb" or "uart"
uart, tx, rx    number and pins of the UART, where the link is there
watchdog        "on" restarts a unit that hangs for 8 s; it cannot be stopped then

Pins are GPIO numbers, not places on the board's edge.
"""

DEFAULTS = {
    "switch": None,
    "closed": "low",
    "pull": "inside",
    "buzzer_kind": "passive",
    "buzzer_on": "high",
    "lamp_on": "high",
    "strip": None,
    "brightness": 40,
    "link": "usb",
    "watchdog": "off",
}

PICO = {
    "auction": 14,
    "build": 15,
    "buzzer": 16,
    "lamps": (18, 19, 20, 21, 22),
    "uart": 0,
    "tx": 0,
    "rx": 1,
}
ESP32 = {
    "auction": 32,
    "build": 33,
    "buzzer": 25,
    "lamps": (18, 19, 21, 22, 23),
    "uart": 2,
    "tx": 26,
    "rx": 27,
}
ESP32_S3 = {
    "auction": 4,
    "build": 5,
    "buzzer": 6,
    "lamps": (7, 15, 16, 17, 18),
    "uart": 1,
    "tx": 9,
    "rx": 10,
}
ESP32_C3 = {
    "auction": 0,
    "build": 1,
    "buzzer": 10,
    "lamps": (3, 4, 5, 6, 7),
    "uart": 1,
    "tx": 21,
    "rx": 20,
}

# The pins of a chip that are free for a unit: any use, reading only.
# Left out are those that flash memory, USB and the start-up need.
CHIPS = {
    "rp2040": {
        "free": tuple(range(23)) + (26, 27, 28),
        "input_only": (),
        "slices": True,  # two pins each share one PWM generator
    },
    "esp32": {
        "free": (4, 13, 14, 16, 17, 18, 19, 21, 22, 23, 25, 26, 27, 32, 33, 34, 35, 36, 39),
        "input_only": (34, 35, 36, 39),
        "slices": False,
    },
    "esp32s3": {
        "free": (1, 2) + tuple(range(4, 19)) + (21, 38, 39, 40, 41, 42),
        "input_only": (),
        "slices": False,
    },
    "esp32c3": {
        "free": (0, 1, 3, 4, 5, 6, 7, 10, 20, 21),
        "input_only": (),
        "slices": False,
    },
}
CHIPS["rp2350"] = CHIPS["rp2040"]

# name: (title, what MicroPython calls it, chip, pin of the lamp on the board, pins)
BOARDS = {
    "pico": ("Raspberry Pi Pico", "Raspberry Pi Pico", "rp2040", "LED", PICO),
    "pico-w": ("Raspberry Pi Pico W", "Raspberry Pi Pico W", "rp2040", "LED", PICO),
    "pico-2": ("Raspberry Pi Pico 2", "Raspberry Pi Pico2", "rp2350", "LED", PICO),
    "pico-2-w": ("Raspberry Pi Pico 2 W", "Raspberry Pi Pico 2 W", "rp2350", "LED", PICO),
    "esp32": ("ESP32", "Generic ESP32 module", "esp32", 2, ESP32),
    "esp32-s3": ("ESP32-S3", "Generic ESP32S3 module", "esp32s3", None, ESP32_S3),
    "esp32-c3": ("ESP32-C3", "ESP32C3 module", "esp32c3", None, ESP32_C3),
}
