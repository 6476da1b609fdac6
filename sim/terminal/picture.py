"""The unit as lines of text: the words for the table, the lamps, past and coming events. Pure."""

import textwrap
from typing import NamedTuple

from city_unit.desktop.catalogue import lazy, plazy
from city_unit.desktop.forms import minutes, shortest
from city_unit.desktop.lamp_words import WORDS
from city_unit.facts import AUCTIONING, BUTTONS, SWITCH
from sim.engine.runner import Change, Coming, Runner
from sim.play import sign, state_words
from sim.terminal import key_help
from sim.terminal.paint import INSIDE, WIDTH, Paint, Style, cropped, fitting, large

HEIGHT = 24  # of the whole picture, in lines
_LOOK_AHEAD_MS = 30 * 60_000
_MESSAGE_LINES = 2
_PRESS_LINES = 2
_SHOWN = 2  # last and next cues
_GAP = 2  # columns between a key and its effect
_LAMP, _APART = 4, 4  # columns of a lamp, and between it and the contacts
_BESIDE = 2  # columns between two lamps

TITLE = lazy("City Unit in the terminal: {program}")
TITLE_WHY = lazy("City Unit in the terminal: {program} ({why})")
AUCTION = lazy("AUCTION")
PERMITS = tuple(words.short for words in WORDS[1:])
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
TIMED = "{time}  {what}"

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
    "refused": "",  # in the words of the window
}

TOO_SMALL = lazy("{columns}x{lines} is small, {width}x{height} shows everything")
STOP = lazy("Shift+A, and 2 seconds later again: stop this auction")


class View(NamedTuple):
    """The contents of the picture beside the unit itself.

    why            the line that says why there is no window, "" for none
    message        a line for the person
    help           the page of the help that is shown, from 1 on; 0 for none
    is_muted       whether the desktop keeps silent
    shows_seconds  whether an auction shows how long it still runs
    """

    why: str = ""
    message: str = ""
    help: int = 0
    is_muted: bool = False
    shows_seconds: bool = False


def lines(runner: Runner, view: View, style: Style, size: tuple[int, int]) -> list[str]:
    """Return the picture for a terminal of so many columns and lines, the last one with the keys.

    Where it does not fit, the essential part and a line that names the size it wants.
    """
    columns, height = size
    paint = Paint(style)
    if view.help:
        picture = key_help.page(view.help, paint, columns, height)
    elif columns < WIDTH or height < HEIGHT:
        picture = _small(runner, view, paint, columns, height)
    else:
        message = textwrap.wrap(view.message, WIDTH)[:_MESSAGE_LINES]
        shown = sign.read(runner.unit, runner.now, view.shows_seconds)
        press = press_lines(shown, WIDTH)[:_PRESS_LINES]
        picture = [
            title(runner, view.why),
            *_disc(runner, paint),
            *(paint.large(row, shown) for row in large(shown.big, WIDTH, paint.ink)),
            shown.under.center(WIDTH).rstrip(),
            *press,
            *[""] * (_PRESS_LINES - len(press)),
            fitting(WIDTH, *_state(runner, view.shows_seconds)),
            _pace(runner, view, paint),
            *_cues(runner, view.shows_seconds, paint),
            *[""] * (_MESSAGE_LINES - len(message)),
            *message,
            paint.colour(key_help.hint(WIDTH), "dim"),
        ]
    return [cropped(line, columns) for line in picture]


def title(runner: Runner, why: str) -> str:
    program = state_words.title(runner.unit.settings.program)
    words = TITLE_WHY if why else TITLE
    return words.format(program=program, why=why)


def press_lines(shown: sign.Sign, width: int) -> list[str]:
    """Return the useful keys and their effects, in lines of at most `width` columns."""
    press = (str(STOP),) if shown.kind in AUCTIONING else shown.press
    joined = "   ".join(press)
    if len(joined) <= width:
        return [joined]
    return [row for words in press for row in textwrap.wrap(words, width)]


def _small(runner: Runner, view: View, paint: Paint, columns: int, height: int) -> list[str]:
    words = TOO_SMALL.format(columns=columns, lines=height, width=WIDTH, height=HEIGHT)
    small = [paint.colour(line, "dim") for line in textwrap.wrap(words, columns)]
    lamps = runner.lamps
    permits = [
        (f"{paint.lamp(bool(lamps >> place & 1), 'permit')} {name}", _LAMP + len(str(name)))
        for place, name in enumerate(PERMITS, 1)
    ]
    shown = sign.read(runner.unit, runner.now, view.shows_seconds)
    contacts = _contacts(runner)
    auction = f"{paint.lamp(bool(lamps & 1), 'auction')} {AUCTION}"
    fits = _LAMP + len(str(AUCTION)) + _APART + len(contacts) <= columns
    content = [  # the most important first
        *([f"{auction}{' ' * _APART}{contacts}"] if fits else [auction, contacts]),
        *_rows(permits, columns),
        *textwrap.wrap(_state(runner, view.shows_seconds)[0], columns),
        *textwrap.wrap(view.message, columns),
        *press_lines(shown, columns),
        _pace(runner, view, paint),
        *(_line(LAST, happened(change), columns) for change in _happened(runner)[-1:]),
        *(_line(NEXT, _soon(cue), columns) for cue in _coming(runner, view.shows_seconds)[:1]),
        state_words.title(runner.unit.settings.program),
        *textwrap.wrap(view.why, columns),
    ]
    body = [*small, *content, *[""] * height]  # the keys stay at the foot
    return [*body[: height - 1], paint.colour(key_help.hint(columns), "dim")]


def _rows(cells: list[tuple[str, int]], columns: int) -> list[str]:
    """Return texts side by side, in as few lines as have room for them, each with its width."""
    rows, room = [""], columns
    for text, width in cells:
        if rows[-1] and width + _BESIDE > room:
            rows, room = [*rows, ""], columns
        apart = " " * _BESIDE if rows[-1] else ""
        rows[-1] += apart + text
        room -= len(apart) + width
    return rows


def _line(head: object, wordings: tuple[str, ...], columns: int) -> str:
    return fitting(columns, *(f"{head}  {words}" for words in wordings))


def _disc(runner: Runner, paint: Paint) -> list[str]:
    lamps = runner.lamps
    auction = paint.lamp(bool(lamps & 1), "auction")
    places = range(1, len(PERMITS) + 1)
    permits = [paint.lamp(bool(lamps >> place & 1), "permit") for place in places]
    cell = INSIDE // len(PERMITS)
    width = cell * len(PERMITS)
    tone = TONE.format(hz=runner.tone) if runner.tone else ""
    below = f"{_contacts(runner):<44}{tone}"[:INSIDE]
    return paint.frame(
        (
            (f"{' ' * 24}{auction} {AUCTION}", 24 + 4 + len(str(AUCTION))),
            ("".join(f"{' ' * 6}{lamp}{' ' * (cell - 9)}" for lamp in permits), width),
            ("".join(f"{name!s:^{cell}}" for name in PERMITS), width),
            (below, len(below)),
        )
    )


def _contacts(runner: Runner) -> str:
    """Say where the switch is and which buttons are held."""
    switch = str(SWITCHED_ON if runner.is_closed(SWITCH) else SWITCHED_OFF)
    held = [str(HELD[name]) for name in BUTTONS if runner.is_closed(BUTTONS[name])]
    return "  ".join((switch, *held))


def _state(runner: Runner, seconds: bool) -> tuple[str, ...]:
    """Return the status text and its short form."""
    unit = runner.unit
    if unit.state == "setup":
        return state_words.setup(unit, runner.is_held("build")), state_words.choice(unit)
    if unit.state == "over":
        return state_words.ended(unit), str(ENDED)
    parts = [str(STATES[unit.state])]
    auction = unit.auction_left(runner.now) if seconds else 0
    if auction:
        parts.append(AUCTION_LEFT.format(time=clock_text(auction)))
    clock = unit.clock.left_at(runner.now)
    if clock > 0:
        parts.append(CLOCK_LEFT.format(time=minutes(clock)))
    return ("   ".join(parts),)


def _pace(runner: Runner, view: View, paint: Paint) -> str:
    volume = runner.unit.settings.volume
    sound = str(MUTED) if view.is_muted else VOLUME.format(volume=volume) if volume else str(SILENT)
    if runner.is_paused:
        pace = paint.colour(str(PAUSED), "warn")
    elif runner.speed != 1:
        pace = paint.colour(NOT_REAL_TIME.format(speed=shortest(runner.speed, 3)), "warn")
    else:
        pace = str(REAL_TIME)
    return f"{sound}   {pace}"


def _cues(runner: Runner, seconds: bool, paint: Paint) -> list[str]:
    indent = max(len(str(LAST)), len(str(NEXT))) + _GAP
    room = WIDTH - indent
    last = [fitting(room, *happened(change)) for change in _happened(runner)[-_SHOWN:]]
    soon = [fitting(room, *_soon(coming)) for coming in _coming(runner, seconds)[:_SHOWN]]
    return [*_column(str(LAST), last, indent, paint), *_column(str(NEXT), soon, indent, paint)]


def _happened(runner: Runner) -> list[Change]:
    return [change for change in runner.changes if change.what in CUES]


def _coming(runner: Runner, seconds: bool) -> list[Coming]:
    """Return the coming events, without an auction's end, which is a secret unless requested."""
    coming = runner.coming(_LOOK_AHEAD_MS)
    return [cue for cue in coming if seconds or cue.kind not in sign.SECRET]


def happened(change: Change) -> tuple[str, ...]:
    """Return a cue with its time, worded at length and, if that is long, in short."""
    time = clock_text(change.ms)
    return tuple(TIMED.format(time=time, what=what) for what in cue_texts(change))


def _soon(coming: Coming) -> tuple[str, ...]:
    what = CUES[coming.kind].format(value=state_words.carried(coming.value))
    return (TIMED.format(time=clock_text(coming.ms), what=what),)


def _column(head: str, rows: list[str], indent: int, paint: Paint) -> list[str]:
    """Return the same number of lines each time, so that nothing jumps."""
    padded = [*rows, *[""] * (_SHOWN - len(rows))]
    heads = [paint.colour(f"{head:<{indent}}", "dim"), *[" " * indent] * (_SHOWN - 1)]
    return [f"{first}{row}".rstrip() for first, row in zip(heads, padded, strict=True)]


def cue_texts(change: Change) -> tuple[str, ...]:
    if change.why:
        button = str(change.value)
        return state_words.refusal(button, change.why), str(REFUSED[button])
    words = CUES[change.what].format(value=state_words.carried(change.value))
    return (words, str(SWITCHED)) if change.what == "switched-on" else (words,)


def clock_text(ms: int) -> str:
    """Return a time as minutes, seconds and tenths: "45:12.3"."""
    whole_minutes, rest = divmod(ms, 60_000)
    return f"{whole_minutes:02d}:{rest // 1000:02d}.{rest % 1000 // 100}"
