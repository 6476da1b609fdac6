"""Which pin is which: the board's description with the user's own pin file laid over it.

The pin file, `pins.txt`, has lines `name = value`; `#` begins a comment. The
names are those of `boards.py`. A mistake is told in one line, by the desktop
before anything is written, and by the board itself.
"""

from firmware.board import texts
from firmware.board.boards import BOARDS, CHIPS, DEFAULTS

FILE = "pins.txt"

WORDS = {
    "closed": ("low", "high"),
    "pull": ("inside", "outside"),
    "buzzer_kind": ("passive", "active"),
    "buzzer_on": ("high", "low"),
    "lamp_on": ("high", "low"),
    "link": ("usb", "uart"),
    "watchdog": ("off", "on"),
}
NUMBERS = {"brightness": (1, 255), "uart": (0, 2)}
OPTIONAL = ("switch", "strip")
LAMPS = ("the auction lamp", "permit lamp 1", "permit lamp 2", "permit lamp 3", "the station lamp")


class PinError(ValueError):
    """What is wrong with a pin file, in one line."""


def describe(board: str, text: str = "") -> dict:
    """Return every name with its value, for a board and the text of a pin file.

    Raises PinError at the first mistake.
    """
    description = dict(DEFAULTS)
    description.update(BOARDS[board][4])
    description.update(parse(text, description))
    check(BOARDS[board][2], description)
    return description


def parse(text: str, names) -> dict:
    """Return what a pin file sets; `names` are those that it may set."""
    values = {}
    for number, line in enumerate(text.split("\n"), 1):
        line = line.split("#")[0].strip()
        if not line:
            continue
        name, equals, value = line.partition("=")
        name = name.strip()
        value = value.strip()
        if not equals or not name or not value:
            raise PinError(texts.NOT_A_LINE % number)
        if name not in names:
            raise PinError(texts.NO_NAME % (number, name, ", ".join(sorted(names))))
        if name in values:
            raise PinError(texts.TWICE % (number, name))
        values[name] = _value(name, value)
    return values


def _value(name: str, value: str):
    if name in WORDS:
        if value not in WORDS[name]:
            raise PinError(texts.NOT_A_WORD % (name, value, ", ".join(WORDS[name])))
        return value
    if name in NUMBERS:
        low, high = NUMBERS[name]
        if not _is_number(value) or not low <= int(value) <= high:
            raise PinError(texts.NOT_A_NUMBER % (name, value, low, high))
        return int(value)
    if name == "lamps":
        pins = value.replace(",", " ").split()
        if len(pins) != 5:
            raise PinError(texts.FIVE_LAMPS % value)
        return tuple([_pin(name, pin) for pin in pins])
    if value == "none" and name in OPTIONAL:
        return None
    return _pin(name, value)


def _pin(name: str, value: str) -> int:
    if value[:2].upper() == "GP":
        value = value[2:]
    if not _is_number(value):
        raise PinError(texts.NOT_A_PIN % (name, value))
    return int(value)


def _is_number(text: str) -> bool:
    return 0 < len(text) < 5 and all([char in "0123456789" for char in text])


def uses(description: dict) -> list:
    """Return `(name, pin, what it is)` for every pin that a description uses."""
    used = [
        ("auction", description["auction"], "the AUCTION button"),
        ("build", description["build"], "the BUILD button"),
        ("switch", description["switch"], "the switch"),
        ("buzzer", description["buzzer"], "the buzzer"),
        ("strip", description["strip"], "the strip"),
    ]
    if description["strip"] is None:
        used += [("lamps", pin, what) for pin, what in zip(description["lamps"], LAMPS)]
    if description["link"] == "uart":
        used += [(name, description[name], "the UART's " + name) for name in ("tx", "rx")]
    return [use for use in used if use[1] is not None]


def check(chip: str, description: dict) -> None:
    """Raise PinError if this cannot work on this chip."""
    facts = CHIPS[chip]
    buzzer = description["buzzer"]
    taken = {}
    for name, pin, what in uses(description):
        if pin not in facts["free"]:
            raise PinError(texts.NO_PIN % (name, pin, pin))
        if pin in taken:
            raise PinError(texts.USED_TWICE % (name, pin, pin, taken[pin]))
        taken[pin] = what
        if name in ("auction", "build", "switch"):
            if pin in facts["input_only"] and description["pull"] == "inside":
                raise PinError(texts.NO_PULL % (name, pin, pin))
        elif pin in facts["input_only"] and name != "rx":
            raise PinError(texts.INPUT_ONLY % (name, pin, pin))
        if facts["slices"]:
            if name in ("lamps", "strip") and pwm_slice(pin) == pwm_slice(buzzer):
                raise PinError(texts.SAME_SLICE % (name, pin, pin, buzzer))
            if name in ("tx", "rx") and not _is_uart(name, pin, description["uart"]):
                raise PinError(texts.NOT_UART % (name, pin, pin, name, description["uart"]))


def pwm_slice(pin: int) -> int:
    """Return which of a Pico's eight PWM generators a pin has; it has one pitch at a time."""
    return pin >> 1 & 7


def _is_uart(name: str, pin: int, uart: int) -> bool:
    return pin % 4 == ("tx", "rx").index(name) and (pin + 4 >> 3 & 1) == uart


def this_board(machine: str) -> str:
    """Return the name of the board that MicroPython calls `machine`, "NAME with CHIP".

    Raises PinError if there is none. A board that is not known by its name, but
    whose chip is, is taken for the first one with that chip.
    """
    title, _, chip = machine.partition(" with ")
    alike = [name for name in sorted(BOARDS) if BOARDS[name][2] == chip.lower()]
    for name in alike:
        if BOARDS[name][1] == title:
            return name
    if alike:
        return alike[0]
    titles = [BOARDS[name][0] for name in sorted(BOARDS)]
    raise PinError(texts.NO_BOARD % (machine, ", ".join(titles)))
