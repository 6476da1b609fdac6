"""A live unit as a body that runs scenarios. `bodies` imports it only for the port of a unit."""

import functools
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from city_unit import host
from city_unit.desktop.catalogue import _
from city_unit.desktop.command import Progress
from city_unit.desktop.errors import UNCHECKED, UserError
from city_unit.facts import SWITCH
from city_unit.programs import PROGRAMS
from sim.engine.scenario import Scenario, Step
from sim.engine.trace import Trace
from sim.lab import reserve
from sim.lab.check.checking import Case
from sim.lab.reserve import switch_off

_LEAD_MS = 200
_PATIENCE_S = 5.0
_POLL_S = 0.02
_AFTER_MS = 300  # for the last reports to arrive


@contextmanager
def body(port: str, force: bool) -> Iterator[Callable[[Case], tuple[Trace, float]]]:
    """Reserve the unit at a port; provide a function that runs a case on it; raises UserError.

    The function returns the trace, and the largest lateness of an edge in ms.

    force  use the unit even if it is not idle
    """
    try:
        with host.connect(port) as unit, reserve.reserved(unit, force):
            yield functools.partial(_run, unit)
    except (reserve.InUse, host.LinkError) as error:
        raise UserError(str(error), UNCHECKED) from error


def _run(unit: host.Client, case: Case) -> tuple[Trace, float]:
    """Run a case on a live unit, and leave it switched off."""
    program = case.scenario.program.name
    try:
        unit.wait_online(_PATIENCE_S)
        switch_off(unit)
        try:
            unit.send(f"program {program}")
        except host.Refused:
            words = _(
                '{path}: the unit has no program "{name}"; every unit has {there}; to give an '
                "emulated one another, use `city-unit play --program FILE`"
            )
            there = ", ".join(built_in.name for built_in in PROGRAMS)
            words = words.format(path=case.path, name=program, there=there)
            raise UserError(words, UNCHECKED) from None
        unit.send("watch on")
        unit.poll()  # drop earlier events
        shown, late_ms = _played(unit, case.scenario)
        switch_off(unit)
    except host.LinkError as error:
        why = _("{path}: not checked: {why}").format(path=case.path, why=error)
        raise UserError(why, UNCHECKED) from None
    return shown, late_ms


def command(step: Step) -> str:
    """Return the command that performs a step over the link, "" for the end."""
    if step.verb == "end":
        return ""
    if step.contact == SWITCH:
        return "switch on" if step.verb == "press" else "switch off"
    length = f" {step.length}" if step.verb == "hold" else ""
    return f"{step.verb} {step.button}{length}"


def _played(unit: host.Client, scenario: Scenario) -> tuple[Trace, float]:
    """Run a scenario on a live unit in real time; raises host.LinkError.

    Return the trace, and the largest lateness of an edge in ms. The steps are sent as commands. The
    unit's clock at the first switch-on is time 0, so effects of the switch are exact. Effects of a
    button are late by the transmission time of its command; hence the default tolerance.
    """
    end_ms = scenario.end_ms
    zero = unit.now() + _LEAD_MS
    steps = list(scenario.steps)
    switch_on: int | None = None  # the time of the first step that switches on
    is_zero_known = False
    since = 0  # number of events received before the latest step
    edges: list[host.Edge] = []
    events: list[host.Event] = []
    requests = []

    def is_due(step: Step, now: float) -> bool:
        """Return whether a step is due, by time or by the event it waits for."""
        if not step.when:
            return step.at <= now
        times = [event.ms for event in events[since:] if event.kind == step.when]
        return bool(times) and times[0] - zero + step.after <= now

    line = Progress()
    while (now := unit.now() - zero) < end_ms + _AFTER_MS:
        while steps and is_due(steps[0], now):
            step = steps.pop(0)
            since = len(events)
            text = command(step)
            if text == "switch on" and switch_on is None:
                switch_on = step.at
            if text:
                requests.append(unit.ask(text))
        patience_s = _POLL_S
        if steps and not (steps[0].when and steps[0].at <= now):
            patience_s = min(max(0.0, steps[0].at - now) / 1000, _POLL_S)
        for news in unit.poll(patience_s):
            if isinstance(news, host.Edge):
                edges.append(news)
            elif isinstance(news, host.Event):
                events.append(news)
                if news.kind == "switched-on" and not is_zero_known:
                    zero, is_zero_known = float(news.ms - (switch_on or 0)), True
            elif isinstance(news, (host.Disconnected, host.Restarted, host.Missed)):
                raise host.LinkError(_("the unit was lost during the scenario"))
        ms = min(max(0, int(now)), end_ms)
        words = _("{now:.0f} of {end:.0f} s").format(now=ms / 1000, end=end_ms / 1000)
        line.show(words, 1 if ms >= end_ms else ms / end_ms)
    for request in requests:
        request.result()
    shown = Trace.empty(end_ms)
    for edge in edges:
        ms = edge.due_ms - round(zero)
        if ms <= end_ms:
            value = edge.value if edge.what == "tone" else int(bool(edge.value))
            shown.add(ms, edge.what, value)
    for event in events:
        ms = event.ms - round(zero)
        if 0 <= ms <= end_ms:
            shown.events.append((ms, event.kind, dict(event.fields)))
    return shown, max((edge.late_us for edge in edges), default=0) / 1000
