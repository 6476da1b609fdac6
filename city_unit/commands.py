"""The commands of a desktop: pressing buttons, the switch, settings, and showing lamps.

A command is a list of at least four words, padded with empty ones. Each function returns "" on
success, or the reason of a refusal.
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

# The commands of every unit. A typed line is a command if its first word is listed here
# or in OF_A_BOARD.
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

# Commands that only a board has.
OF_A_BOARD = const(("board", "crash"))

# Pause after a release, longer than the debounce, so that the next press is not taken for a bounce.
_REST_MS = const(20)
_LONGEST_HOLD_MS = const(600000)
_LONGEST_AUCTION_MS = const(3600000)
_LONGEST_SHOW_MS = const(60000)

_BAD = const("bad-word")

# The pattern of `identify`: the permit lamps blink, with beeps (`Hz << TONE | lamps`).
_BLINKS = (0,) + (2700 << TONE | PERMIT_LAMPS, 80, 0, 170) * 4


class Finger:
    """A simulated finger on one button, lifted automatically or by `lift`.

    level  the bit of its button while it presses, else 0
    due    when its press or its pause ends, or None
    """

    def __init__(self, bit: int) -> None:
        self._bit = bit
        self.level = 0
        self.due: int | None = None

    def is_free(self) -> bool:
        """Return whether it can press: it is lifted and its pause is over."""
        return not self.level and self.due is None

    def press(self, now: int, length_ms: int) -> None:
        """Press for `length_ms`, or until `lift` if that is 0."""
        self.level = self._bit
        self.due = add(now, length_ms) if length_ms else None

    def lift(self, now: int) -> None:
        """Release the button."""
        if self.level:
            self.level = 0
            self.due = add(now, _REST_MS)

    def fire(self, due: int) -> None:
        """End the press or the pause."""
        self.due = None
        self.lift(due)


class Remote:
    """The desktop's control of a unit: its fingers, the switch, and the pattern it shows.

    fingers  a finger on each button
    shown    plays a pattern on top of the unit's own lamps and tone; unlike those of a cue, its
             values are `Hz << TONE | lamps`
    """

    def __init__(self, unit: Unit) -> None:
        self.unit = unit
        self.fingers = (Finger(AUCTION), Finger(BUILD))
        self.shown = Player()
        self._until = 0  # the event number that ends the pattern
        self._switch = 0  # SWITCH while the desktop holds it on, else 0
        self._taken = 0  # SWITCH while the desktop holds it on or off, else 0

    def combined(self, levels: int) -> int:
        """Combine the levels of the real contacts with those of the desktop."""
        auction, build = self.fingers
        return levels & ~self._taken | self._switch | auction.level | build.level

    def take_switch(self, how: str) -> str:
        """Hold the switch "on" or "off", or release it with "free"."""
        if how not in ("on", "off", "free"):
            return _BAD
        self._taken = 0 if how == "free" else SWITCH
        self._switch = SWITCH if how == "on" else 0
        return ""

    def show(self, now: int, pattern: tuple[int, ...]) -> None:
        """Show a pattern on top of the unit's own lamps and tone, until its next event."""
        self.shown.play(now, pattern)
        self._until = self.unit.events.count

    def end_show(self) -> None:
        """End the pattern if the unit has had an event."""
        if self.shown.due is not None and self.unit.events.count != self._until:
            self.shown.silence()

    def release(self, now: int) -> None:
        """Release pressed buttons and the switch; a tap or a hold ends on its own."""
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
    """Start an auction, optionally with a length, or stop it."""
    if what == "stop" or not word:
        return unit.command(now, what + " auction")
    length = number(word, _LONGEST_AUCTION_MS)
    return _BAD if length < 1 else unit.command(now, "start auction", length)


def _touch(fingers: tuple[Finger, ...], now: int, words: list[str]) -> str:
    """Press or release a button."""
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
    """Start a game with another program."""
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
    """Show lamps and a tone until the next event, so that they never hide one."""
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
