"""A scenario on a live unit, in real time: its steps are commands, its times the unit's own.

The unit's clock at the first switch-on is time 0, so that the effects of the switch
are exact. The effects of a button are later by the time that the command takes to
come: the tolerance is `SLACK_MS` where a scenario gives none.
"""

from collections.abc import Callable
from typing import NamedTuple

from city_unit import host
from city_unit.desktop.catalogue import _
from sim.engine.edges import Edges, none_yet
from sim.engine.scenario import Step
from sim.lab.capture.loan import switch_off
from sim.lab.check.checking import Case
from sim.lab.check.on_line import command

SLACK_MS = 20
_LEAD_MS = 200
_PATIENCE_S = 5.0
_POLL_S = 0.02
_AFTER_MS = 300  # until the last news has come


class Lived(NamedTuple):
    """The edges of a live unit, and by how many ms its latest edge was later than due."""

    shown: Edges
    late_ms: float


class NoProgram(Exception):
    """The unit does not have the scenario's program."""


def run(unit: host.Client, case: Case, progress: Callable[[int, int], None]) -> Lived:
    """Have a unit live through a case, and leave it switched off.

    progress  takes the ms that have passed, and those that there are
    Raises NoProgram, and host.LinkError.
    """
    unit.wait_online(_PATIENCE_S)
    switch_off(unit)
    try:
        unit.send(f"program {case.scenario.program.name}")
    except host.Refused as refused:
        raise NoProgram from refused
    unit.send("watch on")
    unit.poll()  # drops the events before the run
    lived = _Life(unit, case).run(progress)
    switch_off(unit)
    return lived


class _Life:
    def __init__(self, unit: host.Client, case: Case) -> None:
        self._unit = unit
        self._steps = list(case.scenario.steps)
        self._end_ms = case.scenario.end_ms
        self._zero = unit.now() + _LEAD_MS
        self._switch_on: int | None = None  # when the step was that began it all
        self._is_zero_known = False
        self._since = 0  # the events that had come when the last step was done
        self._asked: list[host.Request] = []
        self._edges: list[host.Edge] = []
        self._events: list[host.Event] = []

    def run(self, progress: Callable[[int, int], None]) -> Lived:
        while (now := self._unit.now() - self._zero) < self._end_ms + _AFTER_MS:
            self._do_what_is_due(now)
            self._take(self._unit.poll(self._patience(now)))
            progress(max(0, int(now)), self._end_ms)
        for request in self._asked:
            request.result()
        return Lived(self._shown(), self._late_ms())

    def _do_what_is_due(self, now: float) -> None:
        while self._steps and self._is_due(self._steps[0], now):
            step: Step = self._steps.pop(0)
            self._since = len(self._events)
            text = command(step)
            if text == "switch on" and self._switch_on is None:
                self._switch_on = step.at
            if text:
                self._asked.append(self._unit.ask(text))

    def _is_due(self, step: Step, now: float) -> bool:
        """Return whether a step is due: by the clock, or by the unit's own event."""
        if not step.when:
            return step.at <= now
        comes = [event.ms for event in self._events[self._since :] if event.kind == step.when]
        return bool(comes) and comes[0] - self._zero + step.after <= now

    def _patience(self, now: float) -> float:
        """Return how long to wait, in seconds, so that the next step is in time."""
        step = self._steps[0] if self._steps else None
        if step is None or (step.when and step.at <= now):
            return _POLL_S
        return min(max(0.0, step.at - now) / 1000, _POLL_S)

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

    def _late_ms(self) -> float:
        return max((edge.late_us for edge in self._edges), default=0) / 1000
