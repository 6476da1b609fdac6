"""Collect everything that the window shows at one moment into a `View`.

A view is an immutable value, so the window is redrawn exactly when the view changes.
"""

import math
from dataclasses import dataclass, field

from city_unit.desktop import catalogue
from city_unit.facts import AUCTION, AUCTIONING, LAMPS, SWITCH
from city_unit.ticks import diff
from sim.engine.runner import Runner
from sim.engine.trace import spans
from sim.face.disc import Look
from sim.play import phrases, sign
from sim.play.sign import Sign
from sim.window.controls import WindowControls

HOLD_STEPS = 30
# Marks within 10 s move five times a second, others once a second. With ten times, a resting
# window woke 65 times a second, mostly to draw a mark that barely moved.
NEAR_S, NEAR_TICK_S = 10, 0.2
PAST_S, FUTURE_S = 600, 3600  # range of the time line
SPAN_MS = 10_000  # range of the live trace
FRAME_MS = 40  # real time between two frames of the live trace
TRACED = (*LAMPS, "tone")


@dataclass(frozen=True)
class Choice:
    """A program in the menu."""

    name: str
    about: str


@dataclass(frozen=True)
class Mark:
    """An event on the time line, `seconds` from now; negative if it is past."""

    seconds: float
    kind: str
    value: str = ""
    why: str = ""


@dataclass(frozen=True)
class Lane:
    """A lane of the live trace.

    name       name of a lamp, or "tone"
    stretches  spans `(start, end, value)` in which it was not 0, in ms from now (negative)
    """

    name: str
    stretches: tuple[tuple[int, int, int], ...] = ()


@dataclass(frozen=True)
class View:
    """Everything that the picture depends on, except its size.

    sign         the words for the whole table
    is_calm      whether to reduce motion: nothing large moves
    language     code of the current language
    has_permits  whether the program has permits; without them BUILD does nothing
    left_ms      the remaining time of the game, 0 without a clock
    is_over      whether the game's clock has run out
    marks        the events on the time line
    trace        the lanes of the live trace, () while the time line is shown
    panel        the open panel: "", "help", "tour", "program" or "report"
    report       the rows of the problem report
    marker       index of the marked row of the menu
    chosen       index of the current program in the menu
    page         index of the page of the help or the report
    page_rows    rows per page
    hint         the input that the unit waits for, "" if that is obvious
    sentence     the current message, "" for none
    offer        the offer that a key or a click accepts; "" for none, or if the sign shows it
    hover        the control under the mouse, named as by `Layout.part_at`
    focus        the control with the focus, named likewise; "" for none
    has_tip      whether a tip explains the control
    """

    look: Look = field(default_factory=Look)
    sign: Sign = field(default_factory=lambda: Sign("off", ""))
    is_calm: bool = False
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


def take(
    runner: Runner, controls: WindowControls, has_sound: bool, hover: str, has_tip: bool = True
) -> View:
    unit = runner.unit
    look = Look(
        lamps=runner.lamps,
        tone=runner.tone,
        is_on=runner.is_closed(SWITCH),
        pressed=controls.held.pressed(),
        latched=controls.held.latched(),
        hold=_hold(runner),
    )
    shown = sign.with_offer(
        sign.of_unit(unit, runner.now, controls.preferences.seconds), controls.offer_sign()
    )
    hint = ""
    if unit.state == "setup":
        hint = phrases.setup_hint(unit, controls.held.is_latched("build"))
    elif unit.state == "over":
        hint = phrases.over_hint(unit)
    marks = []
    for number in range(unit.events.first(), unit.events.count):
        at, kind, value, why = unit.events.get(number)
        ago = diff(at, runner.now) / 1000
        if ago >= -PAST_S:
            marks.append(Mark(_rounded(ago), kind, "" if value is None else str(value), why or ""))
    for coming in runner.upcoming(FUTURE_S * 1000):
        if coming.kind not in sign.SECRET or controls.preferences.seconds:
            comes = _rounded((coming.ms - runner.ms) / 1000)
            marks.append(Mark(comes, coming.kind, coming.value))
    return View(
        look=look,
        sign=shown,
        is_calm=controls.preferences.calm,
        language=catalogue.speaking(),
        program=phrases.program_title(unit.settings.program),
        programs=tuple(
            Choice(phrases.program_title(program), phrases.program_about(program))
            for program in unit.settings.programs
        ),
        has_permits=bool(unit.settings.program.odds),
        left_ms=math.ceil(unit.clock.left_at(runner.now) / 1000) * 1000,
        is_over=unit.state == "over",
        speed=runner.speed,
        is_paused=runner.is_paused,
        volume=unit.settings.volume,
        is_muted=controls.preferences.muted,
        has_sound=has_sound,
        marks=tuple(marks),
        trace=take_trace(runner) if controls.shows_trace else (),
        panel=controls.panel,
        report=controls.report_rows if controls.panel == "report" else (),
        page=controls.page,
        page_rows=controls.page_rows,
        marker=controls.marker,
        chosen=unit.settings.programs.index(unit.settings.program),
        hint=hint,
        sentence=controls.message(),
        offer="" if shown.kind == "offer" else controls.offer(),
        hover=hover if hover != "take offer" or controls.offer() else "",
        has_tip=has_tip,
        focus=controls.focus if controls.focus in controls.tab_stops() else "",
    )


def next_tick(view: View) -> float:
    """Return the seconds of the unit's time until the time line must be redrawn."""
    near = any(abs(mark.seconds) <= NEAR_S for mark in view.marks)
    return NEAR_TICK_S if near else 1.0


def _hold(runner: Runner) -> float:
    """Return the progress of the hold that cancels an auction, 0 to 1, in steps."""
    unit = runner.unit
    if unit.state not in AUCTIONING or not runner.is_closed(AUCTION):
        return 0.0
    since = runner.pressed_at("auction")
    for at, kind, _, _ in sign.newest_first(unit.events):
        if kind == "auction-started":
            if diff(since, at) < 0:
                return 0.0  # this press started the auction, so it cannot cancel it
            break
    part = diff(runner.now, since) / unit.settings.program.cancel_hold_ms
    return min(1.0, round(part * HOLD_STEPS) / HOLD_STEPS)


def _rounded(seconds: float) -> float:
    """Round so that the time line is redrawn only when it has moved visibly."""
    if abs(seconds) > NEAR_S:
        return float(math.floor(seconds) if seconds < 0 else math.ceil(seconds))
    return round(seconds / NEAR_TICK_S) * NEAR_TICK_S


def take_trace(runner: Runner) -> tuple[Lane, ...]:
    """Return the lanes of the live trace, up to the latest frame."""
    frame = max(1, round(FRAME_MS * runner.speed))
    now = runner.ms // frame * frame
    lanes = []
    for name in TRACED:
        changes = [(ms, value) for ms, what, value in runner.edges if what == name and ms <= now]
        stretches = (
            (max(start - now, -SPAN_MS), end - now, value)
            for start, end, value in spans(changes, now)
            if end > now - SPAN_MS
        )
        lanes.append(Lane(name, tuple(stretches)))
    return tuple(lanes)


def moves(lanes: tuple[Lane, ...]) -> bool:
    """Return whether these lanes move as time passes."""
    return any(lane.stretches for lane in lanes)
