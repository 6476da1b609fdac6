"""What a desktop does at a unit: fingers, the switch, the settings, lamps lit to be seen.

A command is a list of words, four of them at least, empty ones at the end. Each
function returns "" if it is done, else why not.
"""

from .ticks import const
from .unit import AUCTION, BUILD, SWITCH
from .wire import number

# All commands of any unit; what a person types is one if it begins with such a word.
COMMANDS = (
    "press",
    "release",
    "tap",
    "hold",
    "switch",
    "start",
    "stop",
    "program",
    "restart",
    "volume",
    "identify",
    "show",
    "watch",
    "state",
    "counters",
)

_TAP_MS = const(80)
_LONGEST_HOLD_MS = const(600000)
_LONGEST_AUCTION_MS = const(3600000)
_LONGEST_CLOCK_MS = const(86400000)
_LONGEST_SHOW_MS = const(60000)

_BAD = const("bad-word")
_RESTING = const(("off", "ready", "over"))  # the states in which a show covers nothing

# What a `Player` plays on a button: after a release its contact rests for longer than
# the debounce, so that the next press cannot be taken for a bounce of this one.
_REST_MS = const(20)
LIFT = (0, 0, _REST_MS)

# What it plays beside the unit is a tone above the five bits of the lamps.
_TONE = const(5)


def obey(link, now: int, words: list[str]) -> str:
    unit = link.unit
    what = words[0]
    word = words[1]
    if what in ("press", "release", "tap", "hold"):
        return _touch(link.fingers, now, words)
    if what in ("identify", "show"):
        return _show(link, now, words)
    if what == "program":
        return _choose(unit, now, words)
    if what in ("start", "stop"):
        length = number(word or "0", _LONGEST_AUCTION_MS) if what == "start" else 0
        return _BAD if length < 0 else unit.command(now, what + " auction", length)
    if what == "restart":
        return unit.command(now, what)
    if what == "switch":
        if word not in ("on", "off", "free"):
            return _BAD
        link.taken = 0 if word == "free" else SWITCH
        link.switch = SWITCH if word == "on" else 0
        return ""
    if what == "volume":
        volume = number(word, 3)
        if volume < 0:
            return _BAD
        unit.settings.volume = volume
        return ""
    return "unknown"


def _touch(fingers, now: int, words: list[str]) -> str:
    """Put a finger on a button, or lift it."""
    what = words[0]
    length = number(words[2], _LONGEST_HOLD_MS) if what == "hold" else _TAP_MS
    if words[1] not in ("auction", "build") or length < 1:
        return _BAD
    bit = AUCTION if words[1] == "auction" else BUILD
    finger = fingers[bit >> 1]
    if what == "release":
        if finger.value:
            finger.play(now, LIFT)
        return ""
    if finger.value or finger.due is not None:
        return "busy"
    finger.play(now, (0, bit, length) + LIFT[1:])
    if what == "press":
        finger.due = None  # until it is told
    return ""


def _choose(unit, now: int, words: list[str]) -> str:
    """Begin a game with another program."""
    settings = unit.settings
    before = settings.program, settings.clock_ms
    for program in settings.programs:
        if program.name == words[1]:
            longest = _LONGEST_CLOCK_MS if program.marks else 0
            clock_ms = number(words[2] or str(program.clock_ms), longest)
            if clock_ms < 0:
                break
            settings.choose(program, clock_ms)
            why = "" if unit.state == "off" else unit.command(now, "restart")
            if why:
                settings.choose(*before)
            return why
    return _BAD


def _show(link, now: int, words: list[str]) -> str:
    """Show what the next event ends, so that it covers nothing that the unit tells."""
    shown = (0,) + (2700 << _TONE | 30, 80, 0, 170) * 4  # the permit lamps blink, with beeps
    if words[0] == "show":
        lamps, tone = number(words[1], 31), number(words[2], 20000)
        length = number(words[3], _LONGEST_SHOW_MS)
        if min(lamps, tone, length) < 0:
            return _BAD
        shown = (0, tone << _TONE | lamps, length)
    state = link.unit.state
    if state not in _RESTING:
        return state
    link.show(now, shown)
    return ""
