"""Makes a view of what the runner and the controls are at this moment."""

import math

from city_unit.ticks import diff
from city_unit.unit import SWITCH, Unit
from sim import telling
from sim import texts_window as texts
from sim.runner import Runner
from sim.window import trace
from sim.window.controls import Controls
from sim.window.disc import Look
from sim.window.strip import FUTURE_S, PAST_S
from sim.window.view import Choice, Mark, View

NEAR_S = 10  # so near, a mark moves ten times a second, else once a second


def take(runner: Runner, controls: Controls, sound: bool, hover: str) -> View:
    unit = runner.unit
    look = Look(
        lamps=runner.lamps,
        tone=runner.tone,
        on=runner.is_closed(SWITCH),
        pressed=controls.fingers.pressed(),
        latched=controls.fingers.latched(),
    )
    return View(
        look=look,
        program=unit.settings.program.name,
        programs=tuple(
            Choice(program.name, telling.about(program)) for program in unit.settings.programs
        ),
        left_ms=math.ceil(unit.clock.left_at(runner.now) / 1000) * 1000,
        over=unit.state == "over",
        speed=runner.speed,
        paused=runner.paused,
        volume=unit.settings.volume,
        muted=controls.muted,
        sound=sound,
        marks=_marks(runner),
        trace=trace.take(runner) if controls.traced else (),
        panel=controls.panel,
        marker=controls.marker,
        hint=_hint(runner.unit, controls.fingers.is_latched("build")),
        sentence=controls.saying.now(),
        hover=hover,
    )


def _hint(unit: Unit, held: bool) -> str:
    if unit.state == "off":
        return texts.SWITCHED_OFF
    if unit.state == "setup":
        return telling.setup(unit, held)
    return telling.ended(unit) if unit.state == "over" else ""


def next_tick(view: View) -> float:
    """Return after how many seconds of the unit's time the picture is another."""
    near = any(abs(mark.seconds) <= NEAR_S for mark in view.marks)
    return 0.1 if near else 1.0


def _marks(runner: Runner) -> tuple[Mark, ...]:
    events = runner.unit.events
    marks = []
    for number in range(events.first(), events.count):
        at, kind, value, why = events.get(number)
        ago = diff(at, runner.now) / 1000
        if ago >= -PAST_S:
            marks.append(Mark(_rounded(ago), kind, "" if value is None else str(value), why or ""))
    for coming in runner.coming(FUTURE_S * 1000):
        marks.append(Mark(_rounded((coming.ms - runner.ms) / 1000), coming.kind, coming.value))
    return tuple(marks)


def _rounded(seconds: float) -> float:
    """Round so that the time line is drawn anew only when it has visibly moved."""
    if abs(seconds) > NEAR_S:
        return float(math.floor(seconds) if seconds < 0 else math.ceil(seconds))
    return round(seconds, 1)
