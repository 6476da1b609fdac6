"""Makes a view of the runner and the controls at this moment."""

import math

from city_unit.desktop import catalogue
from city_unit.facts import AUCTION, AUCTIONING, SWITCH
from city_unit.ticks import diff
from sim.engine.runner import Runner
from sim.face.disc import Look
from sim.play import sign, state_words
from sim.window.controls import Controls
from sim.window.paint import trace
from sim.window.paint.strip import FUTURE_S, PAST_S
from sim.window.paint.view import Choice, Mark, View

HOLD_STEPS = 30
# So near, a mark moves five times a second, else once a second. Ten were tried: a window that
# rests then woke 65 times a second, most of them for the picture of a pin that crept.
NEAR_S, NEAR_TICK_S = 10, 0.2


def take(
    runner: Runner, controls: Controls, has_sound: bool, hover: str, has_tip: bool = True
) -> View:
    unit = runner.unit
    look = Look(
        lamps=runner.lamps,
        tone=runner.tone,
        is_on=runner.is_closed(SWITCH),
        pressed=controls.fingers.pressed(),
        latched=controls.fingers.latched(),
        hold=_hold(runner),
    )
    shown = sign.with_offer(
        sign.read(unit, runner.now, controls.preferences.seconds), controls.large_offer()
    )
    hint = ""
    if unit.state == "setup":
        hint = state_words.setup(unit, controls.fingers.is_latched("build"))
    elif unit.state == "over":
        hint = state_words.ended(unit)
    return View(
        look=look,
        sign=shown,
        is_calm=controls.preferences.calm,
        has_tools=controls.shows_speed(),
        language=catalogue.speaking(),
        program=state_words.title(unit.settings.program),
        programs=tuple(
            Choice(state_words.title(program), state_words.about(program))
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
        marks=_marks(runner, controls.preferences.seconds),
        trace=trace.take(runner) if controls.shows_trace else (),
        panel=controls.panel,
        report=controls.report_rows if controls.panel == "report" else (),
        page=controls.page,
        page_rows=controls.page_rows,
        marker=controls.marker,
        chosen=unit.settings.programs.index(unit.settings.program),
        hint=hint,
        sentence=controls.said(),
        offer="" if shown.kind == "offer" else controls.offer(),
        hover=hover if hover != "take offer" or controls.offer() else "",
        has_tip=has_tip,
        focus=controls.focus if controls.focus in controls.stops() else "",
    )


def next_tick(view: View) -> float:
    """Return after how many seconds of the unit's time the picture is another."""
    near = any(abs(mark.seconds) <= NEAR_S for mark in view.marks)
    return NEAR_TICK_S if near else 1.0


def _hold(runner: Runner) -> float:
    """Return how much of the hold that cancels an auction has been done, 0 to 1, in steps."""
    unit = runner.unit
    if unit.state not in AUCTIONING or not runner.is_closed(AUCTION):
        return 0.0
    since = runner.pressed_at("auction")
    events = unit.events
    for number in range(events.count - 1, events.first() - 1, -1):
        at, kind, _, _ = events.get(number)
        if kind == "auction-started":
            if diff(since, at) < 0:
                return 0.0  # by this very press it was started
            break
    part = diff(runner.now, since) / unit.settings.program.cancel_hold_ms
    return min(1.0, round(part * HOLD_STEPS) / HOLD_STEPS)


def _marks(runner: Runner, seconds: bool) -> tuple[Mark, ...]:
    events = runner.unit.events
    marks = []
    for number in range(events.first(), events.count):
        at, kind, value, why = events.get(number)
        ago = diff(at, runner.now) / 1000
        if ago >= -PAST_S:
            marks.append(Mark(_rounded(ago), kind, "" if value is None else str(value), why or ""))
    for coming in runner.coming(FUTURE_S * 1000):
        if coming.kind in sign.SECRET and not seconds:
            continue
        marks.append(Mark(_rounded((coming.ms - runner.ms) / 1000), coming.kind, coming.value))
    return tuple(marks)


def _rounded(seconds: float) -> float:
    """Round so that the time line is drawn anew only when it has visibly moved."""
    if abs(seconds) > NEAR_S:
        return float(math.floor(seconds) if seconds < 0 else math.ceil(seconds))
    return round(seconds / NEAR_TICK_S) * NEAR_TICK_S
