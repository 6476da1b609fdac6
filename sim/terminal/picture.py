"""The unit as lines of text: lamps, switch, what was and what comes. Pure; draws nothing."""

import re
import textwrap
from collections.abc import Iterable
from typing import NamedTuple

from city_unit.unit import SWITCH
from sim import telling
from sim import texts_terminal as texts
from sim.runner import BUTTONS, Change, Coming, Runner

WIDTH, HEIGHT = 64, 24
_KEYS_FIT = 80  # columns for all keys in two columns
_INSIDE = WIDTH - 4
_LOOK_AHEAD_MS = 30 * 60_000
_SHOWN = 4  # last and next cues
_KEYS_WIDTH = 42  # of a column

# Lit lamps and frames, where the terminal has them and where it has only ASCII.
_RICH = {"lit": "(●)", "dark": "( )", "corners": "╭╮╰╯", "edges": "─│"}
_PLAIN = {"lit": "(#)", "dark": "( )", "corners": "++++", "edges": "-|"}

COLOURS = {"auction": "\x1b[1;91m", "permit": "\x1b[1;93m", "warn": "\x1b[7m", "dim": "\x1b[2m"}
_RESET = "\x1b[0m"
_COLOURING = re.compile(r"(\x1b\[[0-9;]*m)")


class Style(NamedTuple):
    """What the terminal can show."""

    rich: bool = True
    colour: bool = True


class View(NamedTuple):
    """What is shown besides the unit itself.

    why      the line that says why there is no window, "" for none
    message  a line for the person
    keys     whether all keys are shown
    muted    whether the desktop keeps silent
    """

    why: str = ""
    message: str = ""
    keys: bool = False
    muted: bool = False


def lines(runner: Runner, view: View, style: Style, size: tuple[int, int]) -> list[str]:
    """Return the picture for a terminal of so many columns and lines, the last one with the keys.

    Where it does not fit, the essential part and a line that names the size it wants.
    """
    columns, height = size
    paint = Paint(style)
    if columns < WIDTH or height < HEIGHT or (view.keys and columns < _KEYS_FIT):
        picture = _small(runner, view, paint, columns, height)
    else:
        picture = _whole(runner, view, paint)
    return [_cropped(line, columns) for line in picture]


def _whole(runner: Runner, view: View, paint: "Paint") -> list[str]:
    name = runner.unit.settings.program.name
    return [
        f"{texts.TITLE}: {name}",
        view.why,
        *_disc(runner, paint),
        _state(runner),
        _time(runner, view, paint),
        "",
        *(_keys() if view.keys else _cues(runner, paint)),
        "",
        view.message,
        paint.colour(texts.HINT, "dim"),
    ]


def _small(runner: Runner, view: View, paint: "Paint", columns: int, height: int) -> list[str]:
    hint = texts.HINT if len(texts.HINT) <= columns else texts.SHORT_HINT
    small = texts.TOO_SMALL.format(columns, height, _KEYS_FIT if view.keys else WIDTH, HEIGHT)
    content = _key_rows() if view.keys else _essence(runner, view, paint, columns)
    body = [paint.colour(small, "dim"), *content, *[""] * height]  # the keys stay at the foot
    return [*body[: height - 1], paint.colour(hint, "dim")]


def _essence(runner: Runner, view: View, paint: "Paint", columns: int) -> list[str]:
    """Return what one cannot play without, the dearest first."""
    lamps = runner.lamps
    permits = [
        f"{paint.lamp(bool(lamps >> place & 1), 'permit')} {name}"
        for place, name in enumerate(texts.PERMITS, 1)
    ]
    coming = runner.coming(_LOOK_AHEAD_MS)[:1]
    told = [change for change in runner.changes if change.what in texts.CUES][-1:]
    return [
        f"{paint.lamp(bool(lamps & 1), 'auction')} {texts.AUCTION}    {_contacts(runner)}",
        "  ".join(permits),
        *textwrap.wrap(_state(runner), columns),
        *textwrap.wrap(view.message, columns),
        _time(runner, view, paint),
        *(f"{texts.LAST}  {_told(one)}" for one in told),
        *(f"{texts.NEXT}  {_soon(one)}" for one in coming),
        runner.unit.settings.program.name,
        *textwrap.wrap(view.why, columns),
    ]


def _cropped(line: str, columns: int) -> str:
    """Cut a line to so many characters; what only colours it is not counted, nor cut."""
    parts = _COLOURING.split(line)
    kept = []
    for part in parts:
        if not part.startswith("\x1b"):
            part = part[:columns]
            columns -= len(part)
        kept.append(part)
    return "".join(kept)


class Paint:
    """Marks and colours, as far as the terminal has them."""

    def __init__(self, style: Style) -> None:
        self._colours = style.colour
        self._marks = _RICH if style.rich else _PLAIN

    def lamp(self, lit: bool, colour: str) -> str:
        return self.colour(self._marks["lit"], colour) if lit else self._marks["dark"]

    def colour(self, text: str, colour: str) -> str:
        return f"{COLOURS[colour]}{text}{_RESET}" if self._colours and text else text

    def frame(self, rows: Iterable[tuple[str, int]]) -> list[str]:
        """Put a frame around rows of text, each with how wide it looks."""
        corners, (across, down) = self._marks["corners"], self._marks["edges"]
        bar = across * (WIDTH - 2)
        return [
            corners[0] + bar + corners[1],
            *(f"{down} {text}{' ' * (_INSIDE - width)} {down}" for text, width in rows),
            corners[2] + bar + corners[3],
        ]


def _disc(runner: Runner, paint: Paint) -> list[str]:
    lamps = runner.lamps
    auction = paint.lamp(bool(lamps & 1), "auction")
    permits = [paint.lamp(bool(lamps >> place & 1), "permit") for place in range(1, 5)]
    cell = _INSIDE // 4
    tone = texts.TONE.format(runner.tone) if runner.tone else ""
    return paint.frame(
        (
            (f"{' ' * 24}{auction} {texts.AUCTION}", 24 + 4 + len(texts.AUCTION)),
            ("", 0),
            ("".join(f"{' ' * 6}{lamp}{' ' * (cell - 9)}" for lamp in permits), 4 * cell),
            ("".join(f"{name:^{cell}}" for name in texts.PERMITS), 4 * cell),
            ("", 0),
            _plain(f"{_contacts(runner):<44}{tone}"),
        )
    )


def _contacts(runner: Runner) -> str:
    """Say where the switch is and which buttons are held."""
    switch = f"{texts.SWITCH}: {texts.ON if runner.is_closed(SWITCH) else texts.OFF}"
    held = [texts.HELD.format(name.upper()) for name in BUTTONS if runner.is_closed(BUTTONS[name])]
    return "  ".join((switch, *held))


def _plain(text: str) -> tuple[str, int]:
    return text[:_INSIDE], min(len(text), _INSIDE)


def _state(runner: Runner) -> str:
    unit = runner.unit
    if unit.state == "setup":
        return telling.setup(unit, runner.is_held("build"))
    if unit.state == "over":
        return telling.ended(unit)
    parts = [texts.STATES[unit.state]]
    auction = unit.auction_left(runner.now)
    if auction:
        parts.append(texts.AUCTION_LEFT.format(clock_text(auction)))
    clock = unit.clock.left_at(runner.now)
    if clock > 0:
        parts.append(texts.CLOCK_LEFT.format(clock_text(clock)))
    return "   ".join(parts)


def _time(runner: Runner, view: View, paint: Paint) -> str:
    volume = runner.unit.settings.volume
    sound = texts.MUTED if view.muted else texts.VOLUME.format(volume) if volume else texts.SILENT
    if runner.paused:
        pace = paint.colour(texts.PAUSED, "warn")
    elif runner.speed != 1:
        pace = paint.colour(texts.NOT_REAL_TIME.format(f"{runner.speed:g}"), "warn")
    else:
        pace = texts.REAL_TIME
    return f"{sound}   {pace}"


def _cues(runner: Runner, paint: Paint) -> list[str]:
    told = [change for change in runner.changes if change.what in texts.CUES][-_SHOWN:]
    coming = runner.coming(_LOOK_AHEAD_MS)[:_SHOWN]
    last, soon = [_told(one) for one in told], [_soon(one) for one in coming]
    return [*_column(texts.LAST, last, paint), *_column(texts.NEXT, soon, paint)]


def _told(change: Change) -> str:
    return f"{clock_text(change.ms)}  {cue_text(change)}"


def _soon(coming: Coming) -> str:
    return f"{clock_text(coming.ms)}  {texts.CUES[coming.kind].format(coming.value)}"


def _column(head: str, rows: list[str], paint: Paint) -> list[str]:
    """Return always as many lines, so that nothing jumps."""
    padded = [*rows, *[""] * (_SHOWN - len(rows))]
    heads = [paint.colour(f"{head:<6}", "dim"), *[" " * 6] * (_SHOWN - 1)]
    return [f"{first}{row}".rstrip() for first, row in zip(heads, padded, strict=True)]


def cue_text(change: Change) -> str:
    if change.why:
        return telling.refusal(str(change.value), change.why)
    return texts.CUES[change.what].format(change.value)


def clock_text(ms: int) -> str:
    """Return a time as minutes, seconds and tenths: "45:12.3"."""
    minutes, rest = divmod(ms, 60_000)
    return f"{minutes:02d}:{rest // 1000:02d}.{rest % 1000 // 100}"


def _keys() -> list[str]:
    """Return all keys in two columns, in as many lines as the cues have."""
    column = 2 * _SHOWN
    rows = _key_rows()
    rows += [""] * (2 * column - len(rows))
    pairs = zip(rows[:column], rows[column:], strict=True)
    return [f"{left:<{_KEYS_WIDTH}}{right}".rstrip() for left, right in pairs]


def _key_rows() -> list[str]:
    return [f"{key:<12}{what}" for key, what in texts.KEYS]
