"""Actions of a desktop on a unit: fingers, the switch, the settings, shown lamps.

A command is a list of at least four words, filled up with empty ones. Each function returns ""
if the command is done, else why it is not.
"""

from .cues import Player
from .facts import (
    ALL_LAMPS,
    AUCTION,
    BUILD,
    BUTTONS,
    LONGEST_CLOCK_MS,
    PERMIT_LAMPS,
    RESTING,
    SWITCH,
    TAP_MS,
    TONE,
)
from .ticks import add, const
from .unit import Unit
from .wire import number

# All commands of any unit; a typed line is one if it begins with such a word.
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
    "describe",
    "counters",
)

# Those that only a board answers; a person may type them as well.
OF_A_BOARD = const(("board", "crash"))

# After a release the finger keeps off the button for longer than the debounce, so that
# the next press cannot be taken for a bounce of this one.
_REST_MS = const(20)
_LONGEST_HOLD_MS = const(600000)
_LONGEST_AUCTION_MS = const(3600000)
_LONGEST_SHOW_MS = const(60000)

_BAD = const("bad-word")

# The show of `identify`, a tone above the bits of the lamps: the permit lamps blink, with beeps.
_BLINKS = (0,) + (2700 << TONE | PERMIT_LAMPS, 80, 0, 170) * 4


class Finger:
    """A finger on one button: it presses, and lifts by itself or by `lift`.

    level  its part of the contact's level: the bit of its button, 0 when it is lifted
    due    when it moves by itself; None while it stays as it is
    """

    def __init__(self, bit: int) -> None:
        self._bit = bit
        self.level = 0
        self.due: int | None = None

    def is_free(self) -> bool:
        """Return whether it can press: it is lifted, and has rested."""
        return not self.level and self.due is None

    def press(self, now: int, length_ms: int) -> None:
        """Press for `length_ms`; 0 is until `lift`."""
        self.level = self._bit
        self.due = add(now, length_ms) if length_ms else None

    def lift(self, now: int) -> None:
        """Lift it, if it presses."""
        if self.level:
            self.level = 0
            self.due = add(now, _REST_MS)

    def fire(self, due: int) -> None:
        """Fire the deadline `due`: lift, or end the rest."""
        self.due = None
        self.lift(due)


class Remote:
    """The fingers of a desktop at a unit, perhaps the switch, and its show there.

    unit     the unit
    fingers  a finger on each button
    shown    plays the show over the unit's own lamps and tone; a cue's value is a tone in Hz,
             a show's is `Hz << TONE | lamps`
    """

    def __init__(self, unit: Unit) -> None:
        self.unit = unit
        self.fingers = (Finger(AUCTION), Finger(BUILD))
        self.shown = Player()
        self._until = 0  # the number of the event that ends the show
        self._switch = 0  # the switch's bit while the desktop holds it on, else 0
        self._taken = 0  # the same bit while the desktop holds it, be it on or off

    def over(self, levels: int) -> int:
        """Return the levels that the unit reads if its contacts by themselves are at `levels`."""
        auction, build = self.fingers
        return levels & ~self._taken | self._switch | auction.level | build.level

    def take_switch(self, how: str) -> str:
        """Hold the switch `on` or `off`, or let it be `free`."""
        if how not in ("on", "off", "free"):
            return _BAD
        self._taken = 0 if how == "free" else SWITCH
        self._switch = SWITCH if how == "on" else 0
        return ""

    def show(self, now: int, pattern: tuple[int, ...]) -> None:
        """Show a pattern over the unit's own lamps and tone, until the unit's next event."""
        self.shown.play(now, pattern)
        self._until = self.unit.events.count

    def end_show(self) -> None:
        """Show no more, if the unit has had an event since."""
        if self.shown.due is not None and self.unit.events.count != self._until:
            self.shown.silence()

    def let_go(self, now: int) -> None:
        """Lift held fingers, and free the switch; a tap or a hold ends by itself."""
        self._switch = self._taken = 0
        for finger in self.fingers:
            if finger.due is None:
                finger.lift(now)


def obey(remote: Remote, now: int, words: list[str]) -> str:
    unit = remote.unit
    what = words[0]
    word = words[1]
    if what in ("press", "release", "tap", "hold"):
        return _touch(remote.fingers, now, words)
    if what in ("identify", "show"):
        return _show(remote, now, words)
    if what == "program":
        return _choose(unit, now, words)
    if what in ("start", "stop"):
        return _time(unit, now, what, word)
    if what == "restart":
        return unit.command(now, what)
    if what == "switch":
        return remote.take_switch(word)
    if what == "volume":
        volume = number(word, 3)
        if volume < 0:
            return _BAD
        unit.settings.volume = volume
        return ""
    return "unknown"


def _time(unit: Unit, now: int, what: str, word: str) -> str:
    """Start an auction, of a length if one is given, or stop it."""
    if what == "stop" or not word:
        return unit.command(now, what + " auction")
    length = number(word, _LONGEST_AUCTION_MS)
    return _BAD if length < 1 else unit.command(now, "start auction", length)


def _touch(fingers: tuple[Finger, ...], now: int, words: list[str]) -> str:
    """Put a finger on a button, or lift it."""
    what = words[0]
    bit = BUTTONS.get(words[1])
    length = 0 if what == "press" else TAP_MS
    if what == "hold":
        length = number(words[2], _LONGEST_HOLD_MS)
    if bit is None or (what == "hold" and length < 1):
        return _BAD
    finger = fingers[bit >> 1]
    if what == "release":
        finger.lift(now)
        return ""
    if not finger.is_free():
        return "busy"
    finger.press(now, length)
    return ""


def _choose(unit: Unit, now: int, words: list[str]) -> str:
    """Begin a game with another program."""
    settings = unit.settings
    before = settings.program, settings.clock_ms
    for program in settings.programs:
        if program.name == words[1]:
            longest = LONGEST_CLOCK_MS if program.marks else 0
            clock_ms = number(words[2] or str(program.clock_ms), longest)
            if clock_ms < 0:
                break
            settings.choose(program, clock_ms)
            why = "" if unit.state == "off" else unit.command(now, "restart")
            if why:
                settings.choose(*before)
            return why
    return _BAD


def _show(remote: Remote, now: int, words: list[str]) -> str:
    """Light lamps and sound a tone until the next event, so that no news of the unit is covered."""
    shown = _BLINKS
    if words[0] == "show":
        lamps, tone = number(words[1], ALL_LAMPS), number(words[2], 20000)
        length = number(words[3], _LONGEST_SHOW_MS)
        if min(lamps, tone, length) < 0:
            return _BAD
        shown = (0, tone << TONE | lamps, length)
    state = remote.unit.state
    if state not in RESTING:
        return state
    remote.show(now, shown)
    return ""
