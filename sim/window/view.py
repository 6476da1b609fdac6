"""What the window shows at one moment: a snapshot, from which the picture is drawn."""

from dataclasses import dataclass, field

from sim.window.disc import Look


@dataclass(frozen=True)
class Choice:
    """A program in the menu."""

    name: str
    about: str


@dataclass(frozen=True)
class Mark:
    """A cue on the time line: `seconds` from now, negative if it has been."""

    seconds: float
    kind: str
    value: str = ""
    why: str = ""


@dataclass(frozen=True)
class Lane:
    """A lane of the live trace.

    name       a lamp's, or "tone"
    stretches  `(start, end, value)` in which it was lit or sounded, in ms from now, below 0
    """

    name: str
    stretches: tuple[tuple[int, int, int], ...] = ()


@dataclass(frozen=True)
class View:
    """All that the picture depends on but its size.

    left_ms  what remains of the game, 0 without a clock
    over     whether the game's clock has run out
    marks    the cues of the time line
    trace    the lanes of the live trace; none while the time line is shown
    panel    "", "help" or "program"
    marker   the place of the menu's marker
    hint     what the unit waits for, "" if that is plain
    sentence what is to be said for a while, "" for nothing
    hover    what the mouse is over, as `Layout.hit` names it
    """

    look: Look = field(default_factory=Look)
    program: str = "city"
    programs: tuple[Choice, ...] = ()
    left_ms: int = 0
    over: bool = False
    speed: float = 1.0
    paused: bool = False
    volume: int = 2
    muted: bool = False
    sound: bool = True
    marks: tuple[Mark, ...] = ()
    trace: tuple[Lane, ...] = ()
    panel: str = ""
    marker: int = 0
    hint: str = ""
    sentence: str = ""
    hover: str = ""
