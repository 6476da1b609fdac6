"""A board runs this file at power-on: it starts the unit, unless AUCTION is held.

The button is read before any file of the unit is imported. A truncated compiled file can hang
MicroPython for good, and AUCTION must still lead to the REPL then.
"""

import os
import time

from machine import Pin

# For each chip, the usual pin of AUCTION and a mask of the pins it may have.
# The board itself may need any other pin (`firmware/boards.py`).
PINS = {
    "rp2040": (14, 0x1C7FFFFF),
    "rp2350": (14, 0x1C7FFFFF),
    "esp32": (32, 0x9F0EEF6010),
    "esp32s3": (4, 0x7C00027FFF6),
    "esp32c3": (0, 0x4FB),
}
SETTLE_MS = 5  # for the pull-up to charge the wire


def is_held() -> bool:
    """Return whether AUCTION is held, at its pin in `pins.txt` or, failing that, its usual pin."""
    usual, free = PINS.get(os.uname().machine.split()[-1].lower(), (0, 0))
    said = {"auction": str(usual), "closed": "low", "pull": "inside"}
    try:
        with open("pins.txt") as file:
            for line in file:
                name, _, value = line.split("#")[0].partition("=")
                said[name.strip()] = value.strip()
        number = int(said["auction"].upper().replace("GP", ""))
    except (OSError, ValueError):  # no such file, not text, or not a number
        number = usual
    if not 0 <= number < 50 or not free >> number & 1:
        return False
    closed, pull = (1, Pin.PULL_DOWN) if said["closed"] == "high" else (0, Pin.PULL_UP)
    button = Pin(number, Pin.IN) if said["pull"] == "outside" else Pin(number, Pin.IN, pull)
    time.sleep_ms(SETTLE_MS)
    return button() == closed


if is_held():
    print("AUCTION is held: here is the REPL.")
else:
    del is_held, PINS
    from firmware.board.start import run

    run()
