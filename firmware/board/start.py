"""Start the unit on a board: read its files, set up its pins, sound the first note.

This file imports at its head only the modules that the first note needs. The link, which is as
large again, is imported inside a function while that note sounds. `firmware/tool/image.py` splits
the firmware into two files by this rule.
"""

import os
import time

from machine import PWM, WDT, Pin

from city_unit.draws import Draws
from city_unit.facts import VERSION
from city_unit.settings import Settings
from city_unit.ticks import const
from city_unit.unit import Unit

from .body import Body, now
from .parts import DUTIES, IDLE_HZ, Contacts, Outputs
from .pins import CHIPS, FILE, PinError, describe, is_pico
from .store import CRASHES, keep_crash, load_settings, read, unit_name

_SETTLE_MS = const(5)  # for the pull-ups to charge the wires
_LOW_MS = const(80)  # length of each low-battery blink
_BAD_PINS_MS = const(200)
_WATCHDOG_MS = const(8000)  # the longest timeout that every board supports
_FULL = const(65535)  # the duty of a PWM that is never low
_HALF = const(2048)  # bytes: the middle of a block of the file system
_TOUCHES = const(9)  # file writes of 256 bytes each, more than fill half a block

# The voltage of two empty AAA cells behind a diode. Assumption; three cells are empty before they
# get this low, since a board needs only 1.8 V.
_LOW_MV = const(2000)


def run() -> None:
    """Run the unit until power fails, Ctrl-C arrives, or an exception is raised."""
    body = None
    try:
        body = body_of_unit()
        if body:
            body.live()
    except Exception as error:
        keep_crash(error)
        print("The unit has stopped: see", CRASHES)
        raise
    finally:
        if body:
            body.outputs.switch_off()


def body_of_unit() -> Body | None:
    """Return the body of this board's unit, already started; None if its pins are wrong."""
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
    outputs = outputs_of(pins)
    if pins["battery"] is not None:
        from .extras import supply_mv

        if 0 < supply_mv(pins["battery"]) < _LOW_MV:
            blink(lambda lit: outputs.show(lit, 0, 0), _LOW_MS)
    make_room()
    settings = Settings()
    load_settings(settings)
    unit = Unit(settings, Draws(random(4)).below)
    unit.step(now(), contacts.levels())
    outputs.show(unit.lamps, unit.tone, settings.volume)
    from city_unit.link import Link

    name = machine.split(" pi ")[-1].replace(" ", "-")[:24]
    port = port_of(pins, Link(unit, random(4) >> 2, "%s %s %s" % (VERSION, name, unit_name())))
    watchdog = WDT(timeout=_WATCHDOG_MS) if pins["watchdog"] == "on" else None
    body = Body(unit, contacts, outputs, port, pins["battery"], watchdog)
    if is_pico(chip):  # other chips have no hard interrupts
        for button in buttons:
            button.irq(body.rest.sense, hard=True)  # type: ignore  # a button always has a pin
    return body


def make_room() -> None:
    """Compact the log of the root of a Pico's file system, if it is half full.

    This erases a block, which stops everything for 55 ms; at the start that does no harm. After it
    the settings can be saved eight times before another block must be erased.
    """
    try:
        from rp2 import Flash  # type: ignore  # the stubs lack it

        flash = Flash()
        touches = 0
        while touches < _TOUCHES and is_half_full(flash):
            open("main.py.new", "w").close()  # if power fails now, the next `flash` removes it
            touches += 1
        if touches:
            os.remove("main.py.new")
    except (ImportError, OSError):
        pass  # not a Pico; or a full or broken memory, which must not stop the game


def is_half_full(flash) -> bool:
    """Return whether the log of the root has reached the second half of its block.

    littlefs alternates between the first two blocks. Each starts with a revision count that
    increases and wraps; the newer one is in use. (A full log may alternate at once.)
    """
    first, second, word = bytearray(2), bytearray(2), bytearray(4)
    flash.readblocks(0, first)
    flash.readblocks(1, second)
    newer = (second[0] - first[0] + (second[1] - first[1]) * 256) & 0xFFFF < 0x8000
    flash.readblocks(newer, word, _HALF)
    return word != b"\xff\xff\xff\xff"


def random(count: int) -> int:
    return int.from_bytes(os.urandom(count), "little")


def contact(pins: dict, name: str) -> Pin | None:
    """Return the input of a contact; None if it has no pin."""
    pin = pins[name]
    if pin is None:
        return None
    if pins["pull"] == "outside":
        return Pin(pin, Pin.IN)
    return Pin(pin, Pin.IN, Pin.PULL_UP if pins["closed"] == "low" else Pin.PULL_DOWN)


def outputs_of(pins: dict) -> Outputs:
    """Return the outputs, dark and silent."""
    buzzer = buzzer_of(pins)
    if pins["strip"] is not None:
        from .extras import strip

        return Outputs(strip(pins), 0, *buzzer)
    dark = 0 if pins["lamp_on"] == "high" else 1
    lamps = [Pin(number, Pin.OUT, value=dark) for number in pins["lamps"]]
    return Outputs(lamps, dark, *buzzer)


def buzzer_of(pins: dict) -> tuple:
    """Return the buzzer's PWM and its duty for each volume, silence first."""
    pin = pins["buzzer"]
    duties = DUTIES if pins["buzzer_on"] == "high" else [_FULL - duty for duty in DUTIES]
    if pins["buzzer_kind"] == "active":
        from .extras import ActiveBuzzer

        return ActiveBuzzer(pin, duties[0]), duties
    pwm = PWM(Pin(pin), freq=IDLE_HZ, duty_u16=duties[0])
    if pins["opposite"] is None:
        return pwm, duties
    from .extras import BRIDGED, Bridge

    return Bridge(pwm, pins["opposite"]), BRIDGED


def port_of(pins: dict, link):
    from .serial_port import SerialPort, UartPort

    return SerialPort(link) if pins["link"] == "usb" else UartPort(link, pins)


def blink(lamp, ms: int) -> None:
    """Blink three times; `lamp` is called with 1 to light it, 0 to darken it."""
    try:
        for _ in range(3):
            lamp(1)
            time.sleep_ms(ms)
            lamp(0)
            time.sleep_ms(ms)
    finally:
        lamp(0)


def complain(chip: str) -> None:
    """Blink three times, pause, and repeat until Ctrl-C: the sign that the pin file is wrong.

    A Pico uses its own LED. Other boards have no LED at a common pin; they use the usual pin of
    the auction lamp.
    """
    lamp = Pin("LED" if is_pico(chip) else describe(chip)["lamps"][0], Pin.OUT)
    while True:
        blink(lamp, _BAD_PINS_MS)
        time.sleep_ms(1000)
