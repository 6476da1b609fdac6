"""The commands of a desktop: pressing buttons, the switch, settings, and showing lamps.

`Link` runs a command by its row in `COMMANDS`. `Remote` stores the effects that last: presses are
levels of simulated contacts, combined with the real ones before each step, so that the unit cannot
tell them apart. Shown lamps and tones are added to the unit's own after the step.
"""

from .cues import Player
from .facts import (
    ALL_LAMPS,
    AUCTION,
    BUILD,
    LAMP_COUNT,
    LONGEST_CLOCK_MS,
    PERMIT_LAMPS,
    RESTING,
    SWITCH,
    TAP_MS,
)
from .ticks import add, const
from .unit import Unit
from .wire import parse_number

# Pause after a release, longer than the debounce, so that the next press is not taken for a bounce.
_REST_MS = const(20)
_LONGEST_HOLD_MS = const(600000)
_LONGEST_AUCTION_MS = const(3600000)
_LONGEST_SHOW_MS = const(60000)

_BAD = const("bad-word")

# The pattern of `identify`: the permit lamps blink, with beeps (`Hz << LAMP_COUNT | lamps`).
_BLINKS = (0,) + (2700 << LAMP_COUNT | PERMIT_LAMPS, 80, 0, 170) * 4


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
             values are `Hz << LAMP_COUNT | lamps`
    """

    def __init__(self, unit: Unit) -> None:
        self.unit = unit
        self.fingers = (Finger(AUCTION), Finger(BUILD))
        self.shown = Player()
        self._until = 0  # the event number that ends the pattern
        self._switch = 0  # SWITCH while the desktop holds it on, else 0
        self._held = 0  # SWITCH while the desktop holds it on or off, else 0

    def combined(self, levels: int) -> int:
        """Combine the levels of the real contacts with those of the desktop."""
        auction, build = self.fingers
        return levels & ~self._held | self._switch | auction.level | build.level

    def finger(self, button: str) -> Finger | None:
        """Return the finger on "auction" or "build"; None for any other word."""
        auction, build = self.fingers
        return {"auction": auction, "build": build}.get(button)

    def hold_switch(self, how: str) -> None:
        """Hold the switch "on" or "off", or release it with "free"."""
        self._held = 0 if how == "free" else SWITCH
        self._switch = SWITCH if how == "on" else 0

    def show(self, now: int, pattern: tuple[int, ...]) -> str:
        """Show a pattern until the unit's next event, so that it never hides one.

        Return "", or the unit's state if it is not at rest: the refusal of the pattern.
        """
        unit = self.unit
        if unit.state not in RESTING:
            return unit.state
        self.shown.play(now, pattern)
        self._until = unit.events.count
        return ""

    def end_show(self) -> None:
        """End the pattern if the unit has had an event."""
        if self.shown.due is not None and self.unit.events.count != self._until:
            self.shown.silence()

    def release(self, now: int) -> None:
        """Release pressed buttons and the switch; a tap or a hold ends on its own."""
        self._switch = self._held = 0
        for finger in self.fingers:
            if finger.due is None:
                finger.lift(now)


# The commands. Each receives the words of its line, padded with empty ones to at least four, and
# returns "" or the reason of a refusal.


def _press(remote: Remote, now: int, words: list[str], length_ms: int = 0) -> str:
    """Press a button until it is released, or for `length_ms`."""
    finger = remote.finger(words[1])
    if finger is None:
        return _BAD
    if not finger.is_free():
        return "busy"
    finger.press(now, length_ms)
    return ""


def _tap(remote: Remote, now: int, words: list[str]) -> str:
    return _press(remote, now, words, TAP_MS)


def _hold(remote: Remote, now: int, words: list[str]) -> str:
    length_ms = parse_number(words[2], _LONGEST_HOLD_MS)
    return _BAD if length_ms < 1 else _press(remote, now, words, length_ms)


def _release(remote: Remote, now: int, words: list[str]) -> str:
    finger = remote.finger(words[1])
    if finger is None:
        return _BAD
    finger.lift(now)
    return ""


def _switch(remote: Remote, _now: int, words: list[str]) -> str:
    if words[1] not in ("on", "off", "free"):
        return _BAD
    remote.hold_switch(words[1])
    return ""


def _start(remote: Remote, now: int, words: list[str]) -> str:
    """Start an auction, of the program's length if the command names none."""
    if not words[1]:
        return remote.unit.command(now, "start auction")
    length_ms = parse_number(words[1], _LONGEST_AUCTION_MS)
    return _BAD if length_ms < 1 else remote.unit.command(now, "start auction", length_ms)


def _stop(remote: Remote, now: int, _words: list[str]) -> str:
    return remote.unit.command(now, "stop auction")


def _restart(remote: Remote, now: int, _words: list[str]) -> str:
    return remote.unit.command(now, "restart")


def _program(remote: Remote, now: int, words: list[str]) -> str:
    """Start a game with another program."""
    unit = remote.unit
    settings = unit.settings
    before = settings.program, settings.clock_ms
    for program in settings.programs:
        if program.name == words[1]:
            longest = LONGEST_CLOCK_MS if program.marks else 0
            clock_ms = parse_number(words[2] or str(program.clock_ms), longest)
            if clock_ms < 0:
                break
            settings.choose(program, clock_ms)
            why = "" if unit.state == "off" else unit.command(now, "restart")
            if why:
                settings.choose(*before)
            return why
    return _BAD


def _volume(remote: Remote, _now: int, words: list[str]) -> str:
    volume = parse_number(words[1], 3)
    if volume < 0:
        return _BAD
    remote.unit.settings.volume = volume
    return ""


def _identify(remote: Remote, now: int, _words: list[str]) -> str:
    return remote.show(now, _BLINKS)


def _show(remote: Remote, now: int, words: list[str]) -> str:
    lamps, tone = parse_number(words[1], ALL_LAMPS), parse_number(words[2], 20000)
    length_ms = parse_number(words[3], _LONGEST_SHOW_MS)
    if min(lamps, tone, length_ms) < 0:
        return _BAD
    return remote.show(now, (0, tone << LAMP_COUNT | lamps, length_ms))


COMMANDS = {
    "press": _press,
    "release": _release,
    "tap": _tap,
    "hold": _hold,
    "switch": _switch,
    "start": _start,
    "stop": _stop,
    "program": _program,
    "restart": _restart,
    "volume": _volume,
    "identify": _identify,
    "show": _show,
}
