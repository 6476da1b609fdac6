"""The contents of the window at one moment: a snapshot, from which the picture is drawn."""

from dataclasses import dataclass, field

from sim.face.disc import Look
from sim.play.sign import Sign


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

    sign         the words for the whole table
    is_calm      whether nothing large is to move
    has_tools    whether the tools that change the speed of time are shown
    language     the one that is spoken
    has_permits  whether the program has permits; without them BUILD does nothing
    left_ms      the rest of the game, 0 without a clock
    is_over      whether the game's clock has run out
    marks        the cues of the time line
    trace        the lanes of the live trace; none while the time line is shown
    panel        "", "help", "tour", "program" or "report"
    report       the rows of the report of a problem
    marker       the place of the menu's marker, and
    chosen       that of the program that is played
    page         of the help or the report, from 0 on, and
    page_rows    how many rows it has there
    hint         the input that the unit waits for, "" if that is plain
    sentence     a message for a while, "" for none
    offer        the offer that a key or a click accepts, "" for none and where the sign says it
    hover        the control under the mouse, as `Layout.hit` names it
    focus        the control with the focus, named likewise; "" for nothing
    has_tip      whether a tip explains the control
    """

    look: Look = field(default_factory=Look)
    sign: Sign = field(default_factory=lambda: Sign("off", ""))
    is_calm: bool = False
    has_tools: bool = False
    language: str = "en"
    program: str = "city"
    programs: tuple[Choice, ...] = ()
    has_permits: bool = True
    left_ms: int = 0
    is_over: bool = False
    speed: float = 1.0
    is_paused: bool = False
    volume: int = 2
    is_muted: bool = False
    has_sound: bool = True
    marks: tuple[Mark, ...] = ()
    trace: tuple[Lane, ...] = ()
    panel: str = ""
    report: tuple[str, ...] = ()
    marker: int = 0
    chosen: int = 0
    page: int = 0
    page_rows: int = 99
    hint: str = ""
    sentence: str = ""
    offer: str = ""
    hover: str = ""
    focus: str = ""
    has_tip: bool = True
