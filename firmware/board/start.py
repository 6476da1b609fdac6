"""What a board does before it lives: read its files, set up its pins, put the unit together.

`body.run` lets go of all this as soon as it is done; a Pico has a use for the room.
"""

import os
import time

from machine import PWM, WDT, Pin

from city_unit.draws import Draws
from city_unit.link import Link
from city_unit.settings import Settings
from city_unit.ticks import const
from city_unit.unit import AUCTION, Unit

from .boards import CHIPS, is_pico
from .body import Body
from .parts import IDLE_HZ, Contacts, Outputs
from .pins import FILE, PinError, describe
from .serial_port import SerialPort
from .store import load_settings, read

_VERSION = const("0.1.0")

_SETTLE_MS = const(5)  # until the pull-ups have charged what hangs on the pins
_LOW_MS = const(80)  # of each blink that tells of low cells
_BAD_PINS_MS = const(200)
_WATCHDOG_MS = const(8000)  # the longest that every board can wait
_FULL = const(65535)  # the duty of a PWM that is never low

# Two AAA cells that are empty, behind a diode. Assumption; three cells run empty
# before this, since a board needs 1.8 V only.
_LOW_MV = const(2000)


def body() -> Body | None:
    """Return the body of this board's unit; None if it is not to live."""
    machine, _, chip = os.uname().machine.lower().rpartition(" with ")
    try:
        pins = describe(chip, read(FILE))
    except PinError as error:
        print("The unit cannot start: %s: %s" % (FILE, error))
        if chip in CHIPS:
            complain(chip)
        return None
    buttons = contact(pins, "auction"), contact(pins, "build")
    contacts = Contacts(*buttons, contact(pins, "switch"), pins["closed"] == "low")
    time.sleep_ms(_SETTLE_MS)
    if contacts.levels() & AUCTION:
        print("AUCTION is held: here is the REPL.")
        return None
    outputs = outputs_of(pins)
    if pins["battery"] is not None:
        from .extras import supply_mv

        if 0 < supply_mv(pins["battery"]) < _LOW_MV:
            blink(lambda lit: outputs.show(lit, 0, 0), _LOW_MS)
    settings = Settings()
    load_settings(settings)
    unit = Unit(settings, Draws(random(4)).below)
    name = machine.split(" pi ")[-1].replace(" ", "-")[:24]
    port = port_of(pins, Link(unit, random(4) >> 2, "%s %s unit" % (_VERSION, name)))
    watchdog = WDT(timeout=_WATCHDOG_MS) if pins["watchdog"] == "on" else None
    return Body(unit, contacts, outputs, port, pins["battery"], watchdog)


def random(count: int) -> int:
    return int.from_bytes(os.urandom(count), "little")


def contact(pins: dict, name: str) -> Pin | None:
    pin = pins[name]
    if pin is None:
        return None
    if pins["pull"] == "outside":
        return Pin(pin, Pin.IN)
    return Pin(pin, Pin.IN, Pin.PULL_UP if pins["closed"] == "low" else Pin.PULL_DOWN)


def outputs_of(pins: dict) -> Outputs:
    """Return the outputs, dark and silent."""
    silence = 0 if pins["buzzer_on"] == "high" else _FULL
    if pins["buzzer_kind"] == "active":
        from .extras import ActiveBuzzer

        pwm = ActiveBuzzer(pins["buzzer"], silence)
    else:
        pwm = PWM(Pin(pins["buzzer"]), freq=IDLE_HZ, duty_u16=silence)
    if pins["strip"] is not None:
        from .extras import strip

        return Outputs(strip(pins), 0, pwm, silence)
    dark = 0 if pins["lamp_on"] == "high" else 1
    lamps = [Pin(number, Pin.OUT, value=dark) for number in pins["lamps"]]
    return Outputs(lamps, dark, pwm, silence)


def port_of(pins: dict, link: Link) -> SerialPort:
    if pins["link"] == "usb":
        return SerialPort(link)
    from .extras import UartPort

    return UartPort(link, pins)


def blink(lamp, ms: int) -> None:
    """Blink three times; `lamp` is called with whether to be lit."""
    try:
        for _ in range(3):
            lamp(1)
            time.sleep_ms(ms)
            lamp(0)
            time.sleep_ms(ms)
    finally:
        lamp(0)


def complain(chip: str) -> None:
    """Blink three times and pause, until Ctrl-C: the sign that the pin file is wrong.

    On a Pico's own lamp. Other boards have none that all of one kind share: there
    on the pin that the auction lamp has unless somebody moved it.
    """
    lamp = Pin("LED" if is_pico(chip) else describe(chip)["lamps"][0], Pin.OUT)
    while True:
        blink(lamp, _BAD_PINS_MS)
        time.sleep_ms(1000)
