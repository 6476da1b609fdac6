"""Draw the unit as lines of text: sign, lamps, past and coming events, keys.

This module is pure: a picture is a function of the unit, a view, and the terminal's size and
abilities.
"""

import re
import textwrap
import unicodedata
from collections.abc import Iterable
from typing import NamedTuple

from city_unit.desktop.catalogue import lazy, plazy
from city_unit.desktop.forms import minutes, shortest
from city_unit.desktop.lamp_words import LAMP_WORDS
from city_unit.facts import AUCTIONING, BUTTONS, LAMPS, PERMITS, SWITCH
from sim.engine.runner import Change, Runner
from sim.play import phrases, sign

WIDTH, HEIGHT = 64, 24  # columns and lines of the whole picture
INSIDE = WIDTH - 4  # columns inside its frame
_LOOK_AHEAD_MS = 30 * 60_000
_MESSAGE_LINES = 2
_PRESS_LINES = 2
_SHOWN = 2  # number of past and of coming events
_GAP = 2  # columns between a key and its effect
_APART, _BESIDE = 4, 2  # columns between a lamp and the contacts, and between two lamps

TITLE = lazy("City Unit in the terminal: {program}")
TITLE_WHY = lazy("City Unit in the terminal: {program} ({why})")
AUCTION = lazy("AUCTION")
_PERMIT_LAMPS = tuple(f"permit-{permit}" for permit in PERMITS)
HELD = {
    "auction": plazy("in the terminal", "AUCTION held"),
    "build": plazy("in the terminal", "BUILD held"),
}
SWITCHED_ON, SWITCHED_OFF = lazy("switch: on"), lazy("switch: off")
STATES = {
    "off": plazy("in the terminal", "off"),
    "ready": plazy("in the terminal", "ready"),
    "auction": plazy("in the terminal", "auction"),
    "warning": plazy("in the terminal", "auction, the last seconds"),
    "drawing": plazy("in the terminal", "the light runs"),
}
ENDED = lazy("the game is over")
REFUSED = {"auction": lazy("AUCTION refused"), "build": lazy("BUILD refused")}
SWITCHED = lazy("switched on")
AUCTION_LEFT = lazy("{time} left")
CLOCK_LEFT = lazy("{time} to go")
REAL_TIME = lazy("real time")
NOT_REAL_TIME = lazy("NOT REAL TIME: {speed}x")
PAUSED = lazy("NOT REAL TIME: paused")
VOLUME = lazy("volume {volume} of 3")
MUTED = lazy("muted")
SILENT = plazy("in the terminal", "silent")
TONE = lazy("sounds {hz} Hz")
LAST, NEXT = plazy("in the terminal", "last"), plazy("in the terminal", "next")

CUES = {
    "switched-on": lazy("switched on: {value}"),
    "switched-off": lazy("switched off"),
    "auction-started": lazy("auction started"),
    "auction-warning": lazy("auction warns"),
    "auction-ended": lazy("auction ended"),
    "auction-cancelled": lazy("auction cancelled"),
    "permit-started": lazy("the light runs"),
    "permit-granted": lazy("permit: {value}"),
    "hour-beep": lazy("the clock beeps"),
    "hour-ended": lazy("the hour is over"),
    "phase-started": lazy("phase: {value}"),
    "last-round": plazy("in the terminal", "last round"),
    "time-called": lazy("time is called"),
    "refused": "",  # `phrases.refusal` has its words
}

TOO_SMALL = lazy("{columns}x{lines} is small, {width}x{height} shows everything")
STOP = lazy("Shift+A, and 2 seconds later again: stop this auction")


HINT = lazy("a AUCTION   b BUILD   o on/off   p pause   ? help   q quit")
SHORT_HINT = lazy("a AUCTION  b BUILD  o on/off  ? help")
SHORTEST_HINT = lazy("a b o   ? help")
PAGE = lazy("page {page} of {pages}   ? next page   Esc closes")
KEYS = (
    (lazy("a, Space"), lazy("tap AUCTION")),
    (lazy("b, Return"), lazy("tap BUILD")),
    (lazy("A, B"), lazy("hold it down until its next press")),
    ("o", lazy("the slide, on and off")),
    ("r", lazy("continue a game, or undo what ended it")),
    ("s", lazy("show or hide the seconds of an auction")),
    (lazy("Up, Down, m"), lazy("louder, quieter, mute")),
    ("c", lazy("the next game")),
    ("p, n", lazy("pause or continue; step to the next change")),
    ("+ - 0", lazy("faster, slower, real time")),
    (lazy("h, ?, F1"), lazy("this help; Esc closes it")),
    (lazy("q, Ctrl-C"), lazy("quit; the game is saved")),
)


# The characters of lamps, frames and large letters, for terminals with Unicode and for ASCII.
_RICH = {"lit": "(●)", "dark": "( )", "corners": "╭╮╰╯", "edges": "─│", "ink": "█"}
_PLAIN = {"lit": "(#)", "dark": "( )", "corners": "++++", "edges": "-|", "ink": "#"}
COLOURS = {"auction": "\x1b[1;91m", "permit": "\x1b[1;93m", "warn": "\x1b[7m", "dim": "\x1b[2m"}
_COLOURING = re.compile(r"(\x1b\[[0-9;]*m)")


class Style(NamedTuple):
    """The abilities of the terminal."""

    is_rich: bool = True
    has_colour: bool = True

    @property
    def marks(self) -> dict[str, str]:
        return _RICH if self.is_rich else _PLAIN

    def colour(self, text: str, colour: str) -> str:
        return f"{COLOURS[colour]}{text}\x1b[0m" if self.has_colour and text else text

    def lamps(self, lamps: int) -> dict[str, str]:
        """Return the text of each lamp of a mask, by its name."""
        return {
            name: self.colour(self.marks["lit"], "permit" if name in _PERMIT_LAMPS else "auction")
            if lamps >> place & 1
            else self.marks["dark"]
            for place, name in enumerate(LAMPS)
        }


class View(NamedTuple):
    """The contents of the picture besides the unit.

    why            why there is no window, "" for none
    message        the current message or offer
    help           number of the shown page of the help, from 1; 0 for none
    is_muted       whether this computer is silent
    shows_seconds  whether auctions show their remaining time
    """

    why: str = ""
    message: str = ""
    help: int = 0
    is_muted: bool = False
    shows_seconds: bool = False


def lines(runner: Runner, view: View, style: Style, size: tuple[int, int]) -> list[str]:
    """Return the picture for a terminal of `size` (columns, lines); its last line has the keys.

    In a small terminal it has only the essentials, and a line with the size that it needs.
    """
    columns, height = size
    foot = hint(columns)
    if view.help:
        all_pages = pages(columns, height)
        number = min(view.help, len(all_pages))
        if len(all_pages) > 1:
            foot = PAGE.format(page=number, pages=len(all_pages))
        picture = all_pages[number - 1]
    elif columns < WIDTH or height < HEIGHT:
        picture = _small(runner, view, style, columns, height)
    else:
        picture, height = _whole(runner, view, style), HEIGHT
        foot = hint(WIDTH)
    picture = [*picture, *[""] * height][: height - 1]  # the keys stay in the last line
    return [cropped(line, columns) for line in (*picture, style.colour(foot, "dim"))]


def _whole(runner: Runner, view: View, style: Style) -> list[str]:
    shown = sign.of_unit(runner.unit, runner.now, view.shows_seconds)
    lamps = style.lamps(runner.lamps)
    cell = INSIDE // len(_PERMIT_LAMPS)
    tone = TONE.format(hz=runner.tone) if runner.tone else ""
    auction = f"{' ' * 24}{lamps.pop('auction')} {AUCTION}"
    permits = [lamps.pop(name) for name in _PERMIT_LAMPS]
    others = (f"{lamp} {LAMP_WORDS[name].short}" for name, lamp in lamps.items())
    disc = (
        (" " * _APART).join((auction, *others)),
        "".join(f"{' ' * 6}{lamp}{' ' * (cell - 9)}" for lamp in permits),
        "".join(f"{LAMP_WORDS[name].short!s:^{cell}}" for name in _PERMIT_LAMPS),
        f"{_contacts(runner):<44}{tone}"[:INSIDE],
    )
    corners, (across, down) = style.marks["corners"], style.marks["edges"]
    bar = across * (WIDTH - 2)
    big = large(shown.big, WIDTH, style.marks["ink"])
    press = press_lines(shown, WIDTH)[:_PRESS_LINES]
    message = textwrap.wrap(view.message, WIDTH)[:_MESSAGE_LINES]
    indent = max(len(str(LAST)), len(str(NEXT))) + _GAP
    last, soon = _cues(runner, view.shows_seconds)
    cues = []
    for name, worded in ((LAST, last), (NEXT, soon)):
        heads = [style.colour(f"{name!s:<{indent}}", "dim"), *[" " * indent] * (_SHOWN - 1)]
        rows = [fitting(WIDTH - indent, *wordings) for wordings in worded]
        rows += [""] * (_SHOWN - len(rows))  # a constant number, so that nothing jumps
        cues += [f"{head}{row}".rstrip() for head, row in zip(heads, rows, strict=True)]
    return [
        title(runner, view.why),
        corners[0] + bar + corners[1],
        *(f"{down} {row}{' ' * (INSIDE - _seen(row))} {down}" for row in disc),
        corners[2] + bar + corners[3],
        *(style.colour(row, "auction") if shown.is_near else row for row in big),
        shown.under.center(WIDTH).rstrip(),
        *press,
        *[""] * (_PRESS_LINES - len(press)),
        fitting(WIDTH, *_state(runner, view.shows_seconds)),
        _pace(runner, view, style),
        *cues,
        *[""] * (_MESSAGE_LINES - len(message)),
        *message,
    ]


def title(runner: Runner, why: str) -> str:
    program = phrases.program_title(runner.unit.settings.program)
    words = TITLE_WHY if why else TITLE
    return words.format(program=program, why=why)


def press_lines(shown: sign.Sign, width: int) -> list[str]:
    """Return the useful keys and their effects, in lines of at most `width` columns."""
    press = (str(STOP),) if shown.kind in AUCTIONING else shown.press
    joined = "   ".join(press)
    if len(joined) <= width:
        return [joined]
    return [row for words in press for row in textwrap.wrap(words, width)]


def _small(runner: Runner, view: View, style: Style, columns: int, height: int) -> list[str]:
    words = TOO_SMALL.format(columns=columns, lines=height, width=WIDTH, height=HEIGHT)
    shown = sign.of_unit(runner.unit, runner.now, view.shows_seconds)
    lamps = style.lamps(runner.lamps)
    auction, contacts = f"{lamps.pop('auction')} {AUCTION}", _contacts(runner)
    beside = f"{auction}{' ' * _APART}{contacts}"
    others = [""]
    for name, lamp in lamps.items():
        named = f"{lamp} {LAMP_WORDS[name].short}"
        longer = f"{others[-1]}{' ' * _BESIDE}{named}" if others[-1] else named
        if others[-1] and _seen(longer) > columns:
            others.append(named)
        else:
            others[-1] = longer
    last, soon = _cues(runner, view.shows_seconds)
    cues = [*((LAST, cue) for cue in last[-1:]), *((NEXT, cue) for cue in soon[:1])]
    return [  # in order of importance
        *(style.colour(line, "dim") for line in textwrap.wrap(words, columns)),
        *([beside] if _seen(beside) <= columns else [auction, contacts]),
        *others,
        *textwrap.wrap(_state(runner, view.shows_seconds)[0], columns),
        *textwrap.wrap(view.message, columns),
        *press_lines(shown, columns),
        _pace(runner, view, style),
        *(fitting(columns, *(f"{head}  {words}" for words in wordings)) for head, wordings in cues),
        phrases.program_title(runner.unit.settings.program),
        *textwrap.wrap(view.why, columns),
    ]


def _contacts(runner: Runner) -> str:
    """Return the position of the switch and the pressed buttons, in words."""
    switch = str(SWITCHED_ON if runner.is_closed(SWITCH) else SWITCHED_OFF)
    held = [str(HELD[name]) for name in BUTTONS if runner.is_closed(BUTTONS[name])]
    return "  ".join((switch, *held))


def _state(runner: Runner, seconds: bool) -> tuple[str, ...]:
    """Return the status text and its short form."""
    unit = runner.unit
    if unit.state == "setup":
        return phrases.setup_hint(unit, runner.is_held("build")), phrases.setup_choice(unit)
    if unit.state == "over":
        return phrases.over_hint(unit), str(ENDED)
    parts = [str(STATES[unit.state])]
    auction = unit.auction_left(runner.now) if seconds else 0
    if auction:
        parts.append(AUCTION_LEFT.format(time=clock_text(auction)))
    clock = unit.clock.left_at(runner.now)
    if clock > 0:
        parts.append(CLOCK_LEFT.format(time=minutes(clock)))
    return ("   ".join(parts),)


def _pace(runner: Runner, view: View, style: Style) -> str:
    volume = runner.unit.settings.volume
    sound = str(MUTED) if view.is_muted else VOLUME.format(volume=volume) if volume else str(SILENT)
    if runner.is_paused:
        pace = style.colour(str(PAUSED), "warn")
    elif runner.speed != 1:
        pace = style.colour(NOT_REAL_TIME.format(speed=shortest(runner.speed, 3)), "warn")
    else:
        pace = str(REAL_TIME)
    return f"{sound}   {pace}"


def _cues(runner: Runner, seconds: bool) -> tuple[list[tuple[str, ...]], list[tuple[str, ...]]]:
    """Return the latest past and the next coming events, each in several wordings.

    seconds  whether to show when an auction will end
    """
    past = [change for change in runner.changes if change.what in CUES]
    coming = runner.upcoming(_LOOK_AHEAD_MS)
    coming = [cue for cue in coming if seconds or cue.kind not in sign.SECRET]
    soon = [
        (f"{clock_text(cue.ms)}  {CUES[cue.kind].format(value=phrases.event_value(cue.value))}",)
        for cue in coming[:_SHOWN]
    ]
    return [happened(change) for change in past[-_SHOWN:]], soon


def happened(change: Change) -> tuple[str, ...]:
    """Return an event with its time in words, and for long ones a short form too."""
    if change.why:
        button = str(change.value)
        wordings = phrases.refusal(button, change.why), str(REFUSED[button])
    else:
        wordings = (CUES[change.what].format(value=phrases.event_value(change.value)),)
        if change.what == "switched-on":
            wordings += (str(SWITCHED),)
    return tuple(f"{clock_text(change.ms)}  {words}" for words in wordings)


def clock_text(ms: int) -> str:
    """Return a time as minutes, seconds and tenths: "45:12.3"."""
    whole_minutes, rest = divmod(ms, 60_000)
    return f"{whole_minutes:02d}:{rest // 1000:02d}.{rest % 1000 // 100}"


def _seen(line: str) -> int:
    """Return the visible width of a line, without its colour codes."""
    return len(_COLOURING.sub("", line))


def fitting(width: int, *wordings: str) -> str:
    """Return the first wording that fits into `width` columns, else the last one."""
    return next((words for words in wordings if len(words) <= width), wordings[-1])


def cropped(line: str, columns: int) -> str:
    """Cut a line to `columns` visible characters, and keep its colour codes."""
    width, parts = 0, []
    for part in _COLOURING.split(line):
        if _COLOURING.fullmatch(part):
            parts.append(part)
        else:
            parts.append(part[: columns - width])
            width += len(parts[-1])
    return "".join(parts)


def hint(columns: int) -> str:
    """Return the longest list of the keys that fits into a line."""
    return fitting(columns, str(HINT), str(SHORT_HINT), str(SHORTEST_HINT))


def pages(columns: int, height: int) -> list[list[str]]:
    """Return the pages of the help: the controls of the unit, then all keys."""
    rows = [*_listed(phrases.USES, columns), "", *_listed(KEYS, columns)]
    room = max(1, height - 1)
    return [rows[place : place + room] for place in range(0, len(rows), room)]


def _listed(rows: Iterable[tuple[object, object]], columns: int) -> list[str]:
    """Return keys and their effects in two columns, or below each other if those do not fit."""
    keys = [(str(key), str(what)) for key, what in rows]
    indent = max(len(key) for key, _ in keys) + _GAP
    listed = []
    if indent > columns // 2:
        room = max(1, columns - _GAP)
        for key, what in keys:
            listed += textwrap.wrap(key, max(1, columns))
            listed += [" " * _GAP + line for line in textwrap.wrap(what, room)]
        return listed
    for key, what in keys:
        wrapped = textwrap.wrap(what, max(1, columns - indent))
        listed += [f"{key if row == 0 else '':<{indent}}{line}" for row, line in enumerate(wrapped)]
    return listed


# Large letters.

# The rows of each large letter.
_FORMS = {
    " ": ("  ",) * 5,
    ":": (" ", "#", " ", "#", " "),
    "!": ("#", "#", "#", " ", "#"),
    ".": (" ", " ", " ", " ", "#"),
    "'": ("#", "#", " ", " ", " "),
    "-": ("   ", "   ", "###", "   ", "   "),
    "0": ("####", "#  #", "#  #", "#  #", "####"),
    "1": (" ## ", "  # ", "  # ", "  # ", " ###"),
    "2": ("####", "   #", "####", "#   ", "####"),
    "3": ("####", "   #", " ###", "   #", "####"),
    "4": ("#  #", "#  #", "####", "   #", "   #"),
    "5": ("####", "#   ", "####", "   #", "####"),
    "6": ("####", "#   ", "####", "#  #", "####"),
    "7": ("####", "   #", "  # ", " #  ", " #  "),
    "8": ("####", "#  #", "####", "#  #", "####"),
    "9": ("####", "#  #", "####", "   #", "####"),
    "A": (" ## ", "#  #", "####", "#  #", "#  #"),
    "B": ("### ", "#  #", "### ", "#  #", "### "),
    "C": (" ###", "#   ", "#   ", "#   ", " ###"),
    "D": ("### ", "#  #", "#  #", "#  #", "### "),
    "E": ("###", "#  ", "###", "#  ", "###"),
    "F": ("###", "#  ", "###", "#  ", "#  "),
    "G": (" ###", "#   ", "# ##", "#  #", " ###"),
    "H": ("#  #", "#  #", "####", "#  #", "#  #"),
    "I": ("#", "#", "#", "#", "#"),
    "J": ("  #", "  #", "  #", "# #", " # "),
    "K": ("#  #", "# # ", "##  ", "# # ", "#  #"),
    "L": ("#  ", "#  ", "#  ", "#  ", "###"),
    "M": ("#   #", "## ##", "# # #", "#   #", "#   #"),
    "N": ("#   #", "##  #", "# # #", "#  ##", "#   #"),
    "O": (" ## ", "#  #", "#  #", "#  #", " ## "),
    "P": ("### ", "#  #", "### ", "#   ", "#   "),
    "Q": (" ## ", "#  #", "#  #", " ## ", "   #"),
    "R": ("### ", "#  #", "### ", "# # ", "#  #"),
    "S": (" ###", "#   ", " ## ", "   #", "### "),
    "T": ("###", " # ", " # ", " # ", " # "),
    "U": ("#  #", "#  #", "#  #", "#  #", " ## "),
    "V": ("#   #", "#   #", "#   #", " # # ", "  #  "),
    "W": ("#   #", "#   #", "# # #", "## ##", "#   #"),
    "X": ("#   #", " # # ", "  #  ", " # # ", "#   #"),
    "Y": ("# #", "# #", " # ", " # ", " # "),
    "Z": ("####", "  # ", " #  ", "#   ", "####"),
}


def large(words: str, width: int, ink: str = "#") -> list[str]:
    """Return words in large letters: five centred lines of at most `width` columns.

    If they do not fit, or a letter has no large form, they are one line with spaced letters.
    """
    # É uses the form of E, and a narrow space that of a space.
    signs = unicodedata.normalize("NFKD", words.upper().replace("\u2019", "'"))  # no text: forms
    plain = "".join(sign for sign in signs if not unicodedata.combining(sign))
    if plain and all(letter in _FORMS for letter in plain):
        rows = [" ".join(row) for row in zip(*(_FORMS[letter] for letter in plain), strict=True)]
        if len(rows[0]) <= width:
            return [row.replace("#", ink).center(width).rstrip() for row in rows]
    spread = " ".join(words)
    line = (spread if len(spread) <= width else words[:width]).center(width).rstrip()
    return ["", "", line, "", ""]
