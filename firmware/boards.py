"""The supported boards, and a thorough check of a pin file for one of them.

The files on a board know only chips (`firmware/board/pins.py`). This file also knows the boards by
name, and finds errors that a board would notice only while it sets up its pins. The desktop and
the board page share this file. The page runs it in MicroPython, where its messages stay in
English, and uses the English text as the key of its translations.
"""

from firmware.board import pins
from firmware.board.pins import PinError, is_pico

try:
    from city_unit.desktop.catalogue import lazy
except ImportError:
    lazy = str  # type: ignore  # MicroPython has no catalogue

ON_BOARD = lazy("the board itself uses it")
SUPPLY = lazy("it measures the supply; it can only be used for battery")
CONSOLE = lazy("it carries the console, through which the board is reached")
ITS_MEMORY = lazy("the flash memory uses it")
HOW_IT_STARTS = lazy("its level decides how the chip starts")
USB = lazy("USB uses it")
NOT_ON_ALL = lazy("not every module has it")
BATTERY = lazy("only a Pico can measure the supply, at 26 to 29")
NO_SUCH_PIN = lazy("the chip has no such pin, or the board does not bring it out")
COLON = lazy("{what}: {why}")
# The board's own messages are in English, since it has no room for a catalogue. Here each one's
# beginning leads to its translatable text and, for each field of the text, the index of the word
# that fills it.
ITS_WORDS = {
    pins.REFUSED: (lazy("cannot be used"), {}),
    "no such name": (lazy("no such name"), {}),
    "set twice": (lazy("set twice"), {}),
    "no number": (lazy("not a number"), {}),
    "too many or too few": (lazy("too many or too few"), {}),
    "not 'name = value'": (lazy("not 'name = value'"), {}),
    "name its pins: tx = , rx = ": (lazy("name its pins: tx = , rx = "), {}),
    "used by ": (lazy("used by {other} too"), {"other": 2}),
    "must be ": (lazy("must be {one} or {other}"), {"one": 2, "other": 4}),
}
OUT_OF_RANGE = lazy("must be from 1 to 255")
FOR_RADIO = lazy("this board needs pin 29 for its radio")
NO_PAIRS = lazy("only a Pico can drive a buzzer between two pins")
NO_PAIR = lazy("must be {pin}, the pin that shares the buzzer's generator")
PAIR_NEEDS = lazy("needs buzzer_kind = passive and buzzer_on = high")
READ_ONLY = lazy("this pin is input-only")
NO_PULL_UP = lazy("this pin has no pull-up; add a resistor and set pull = outside")
ONE_OR_OTHER = ITS_WORDS["must be "][0]
JUST_ONE = lazy("must be {one}")
NOT_OF_UART = lazy("this pin is not the {name} of UART {uart}")
UNKNOWN = lazy("unknown board: {machine}")
LATCHES = lazy(
    "a Pico 2 may read an open contact as closed; "
    "add resistors of 8.2 kilohm to ground and set pull = outside"
)

INPUT_ONLY = {"esp32": (34, 35, 36, 39)}  # without pull-ups
UARTS = {"rp2040": (0, 1), "rp2350": (0, 1), "esp32": (1, 2), "esp32s3": (1, 2), "esp32c3": (1,)}


# Why each pin that is not in `FREE` (`board/pins.py`) cannot be used. Pins missing from both do
# not exist.
WHY_NOT = {
    "rp2040": {ON_BOARD: (23, 24, 25), SUPPLY: (29,)},
    "rp2350": {ON_BOARD: (23, 24, 25), SUPPLY: (29,)},
    "esp32": {
        CONSOLE: (1, 3),
        ITS_MEMORY: (6, 7, 8, 9, 10, 11),
        HOW_IT_STARTS: (0, 2, 5, 12, 15),
    },
    "esp32s3": {
        CONSOLE: (43, 44),
        ITS_MEMORY: tuple(range(26, 38)),
        HOW_IT_STARTS: (0, 3, 45, 46),
        USB: (19, 20),
        NOT_ON_ALL: (47, 48),
    },
    "esp32c3": {
        CONSOLE: (20, 21),
        ITS_MEMORY: tuple(range(11, 18)),
        HOW_IT_STARTS: (2, 8, 9),
        USB: (18, 19),
    },
}


class Board:
    """A board's name for people, its name in MicroPython, its chip, and whether it has a radio."""

    def __init__(self, title: str, machine: str, chip: str, radio: bool = False) -> None:
        self.title = title
        self.machine = machine
        self.chip = chip
        self.radio = radio


class PinFileError(PinError):
    """An error in a pin file: its place, and the reasons, each a text with its fields."""

    def __init__(self, what: str, *reasons: tuple) -> None:
        super().__init__(what)
        self.what = what
        self.reasons = reasons

    def __str__(self) -> str:
        text = self.what
        for why, fields in self.reasons:
            text = COLON.format(what=text, why=str(why).format(**fields))
        return text


BOARDS = {
    "pico": Board("Raspberry Pi Pico", "Raspberry Pi Pico", "rp2040"),
    "pico-w": Board("Raspberry Pi Pico W", "Raspberry Pi Pico W", "rp2040", True),
    "pico-2": Board("Raspberry Pi Pico 2", "Raspberry Pi Pico2", "rp2350"),
    "pico-2-w": Board("Raspberry Pi Pico 2 W", "Raspberry Pi Pico 2 W", "rp2350", True),
    "esp32": Board("ESP32", "Generic ESP32 module", "esp32", True),  # no text: a name
    "esp32-s3": Board("ESP32-S3", "Generic ESP32S3 module", "esp32s3", True),  # no text: a name
    "esp32-c3": Board("ESP32-C3", "ESP32C3 module", "esp32c3", True),
}


def describe(board: str, text: str = "") -> dict:
    """Return every name with its value, for a board and the text of a pin file.

    Raises PinFileError, a PinError, at the first error.
    """
    chip = BOARDS[board].chip
    try:
        description = pins.describe(chip, text)
    except PinError as error:  # terse and in English
        what, _, why = str(error).partition(": ")
        reasons: list[tuple] = [(why, {})]
        for begin, (translatable, places) in ITS_WORDS.items():
            if why.startswith(begin):
                words = why.split()
                reasons = [(translatable, {field: words[at] for field, at in places.items()})]
        name, _, value = what.partition(" = ")
        if why == pins.REFUSED:
            reasons.append((BATTERY if name == "battery" else why_not(chip, int(value)), {}))
        raise PinFileError(what, *reasons) from None
    if not 1 <= description["brightness"] <= 255:
        _fail("brightness", description["brightness"], OUT_OF_RANGE)
    if description["battery"] == 29 and BOARDS[board].radio:
        _fail("battery", 29, FOR_RADIO)
    # Erratum RP2350-E9: an input that was high may stay near 2 V despite the internal pull-down.
    pulls_down = description["closed"] == "high" and description["pull"] == "inside"
    if chip == "rp2350" and pulls_down:
        _fail("closed", "high", LATCHES)
    for name, pin in pins.uses(description):
        if pin in INPUT_ONLY.get(chip, ()):
            if name not in ("auction", "build", "switch", "rx"):
                _fail(name, pin, READ_ONLY)
            if name != "rx" and description["pull"] == "inside":
                _fail(name, pin, NO_PULL_UP)
    uart = description["uart"]
    if description["link"] == "uart":
        first, last = UARTS[chip][0], UARTS[chip][-1]
        if uart not in UARTS[chip]:
            words = {"one": first, "other": last}
            _fail("uart", uart, ONE_OR_OTHER if first != last else JUST_ONE, words)
        for place, name in enumerate(("tx", "rx") if is_pico(chip) else ()):
            pin = description[name]  # other chips can route a UART to any pin
            if pin % 4 != place or (pin + 4 >> 3 & 1) != uart:
                _fail(name, pin, NOT_OF_UART, {"name": name, "uart": uart})
    pin, partner = description["opposite"], description["buzzer"] ^ 1
    if pin is not None:  # the two pins must share a generator to be in opposition
        if not is_pico(chip):
            _fail("opposite", pin, NO_PAIRS)
        if pin != partner:
            _fail("opposite", pin, NO_PAIR, {"pin": partner})
        if description["buzzer_kind"] != "passive" or description["buzzer_on"] != "high":
            _fail("opposite", pin, PAIR_NEEDS)
    return description


def why_not(chip: str, pin: int) -> object:
    """Return why a unit on this chip cannot use a pin that is not in `FREE`."""
    found = [why for why, those in WHY_NOT[chip].items() if pin in those]
    return found[0] if found else NO_SUCH_PIN


def this_board(machine: str) -> str:
    """Return the key in `BOARDS` for `machine`, MicroPython's "NAME with CHIP".

    NAME may itself contain "with", as in "... module with SPIRAM". An unknown name with a known
    chip gives the first board with that chip. Raises PinError for an unknown chip.
    """
    name, _, chip = machine.rpartition(" with ")
    same_chip = [board for board in BOARDS if BOARDS[board].chip == chip.lower()]
    if not same_chip:
        raise PinError(UNKNOWN.format(machine=machine))
    return next((board for board in same_chip if BOARDS[board].machine == name), same_chip[0])


def _fail(name: str, value: int | str, why: object, fields: dict | None = None) -> None:
    raise PinFileError(f"{name} = {value}", (why, fields or {}))
