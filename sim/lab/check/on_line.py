"""A scenario by commands over the link, in memory, through a line that loses and garbles.

The desktop's end is the one that every program uses. Time jumps to the next
moment: a step, a deadline of either end, or the arrival of data on the line.
"""

import random

from city_unit.drive import LONGEST_HOP
from city_unit.facts import OUTPUTS, SWITCH
from city_unit.host.core import Core
from city_unit.host.news import Event
from city_unit.link import Link
from city_unit.ticks import MASK, add, diff
from city_unit.trace import Recorder
from city_unit.unit import Unit
from sim.engine.edges import Edges
from sim.engine.scenario import Scenario, Step
from sim.lab.check.faults import Faults

_ANSWER_MS = 30_000  # a lossy line takes its time
_WAY_MS = 1  # that a line is under way
_RUBBISH = (
    b"AT\r\n",
    b"\xff\x00\x80*12345678\n",
    b">>> \r\nTraceback (most recent call last):\r\n",
    b"x" * 300,
)


def command(step: Step) -> str:
    """Return the desktop's command for a step; "" for the end."""
    if step.verb == "end":
        return ""
    if step.contact == SWITCH:
        return "switch on" if step.verb == "press" else "switch off"
    length = f" {step.length}" if step.verb == "hold" else ""
    return f"{step.verb} {step.button}{length}"


class Line:
    """A unit's line; `run` fills `seen`: events as they come to the desktop, the rest as shown."""

    def __init__(
        self, unit: Unit, scenario: Scenario, faults: Faults, start: int, seen: Edges
    ) -> None:
        self._scenario = scenario
        self._faults = faults
        self._start = start
        self._seen = seen
        self._random = random.Random(scenario.seed)
        self._link = Link(unit, 1, "0 memory unit")  # no text: on the line
        self._core = Core("lab", history=True)
        self._recorder = Recorder(unit, start, self._note)
        self._ms = 0
        self._switch = 0
        self._to_unit: list[tuple[int, bytes]] = []
        self._to_desktop: list[tuple[int, bytes]] = []

    def run(self) -> None:
        steps = list(self._scenario.steps)
        self._live()
        self._core.opened(0)
        while True:
            while steps and steps[0].at <= self._ms:
                step = steps.pop(0)
                if step.contact == SWITCH:  # it is slid at the unit, where no silence undoes it
                    self._switch = SWITCH if step.verb == "press" else 0
                elif step.verb != "end":
                    self._core.ask(command(step), self._ms + _ANSWER_MS)
            self._live()
            if self._ms >= self._scenario.end_ms:
                return
            times = [self._scenario.end_ms, self._ms + LONGEST_HOP]
            times += [step.at for step in steps[:1]]
            times += [at for at, _ in (*self._to_unit, *self._to_desktop)]
            due = self._link.next_due()
            if due is not None:
                times.append(self._ms + diff(due, self._now))
            core_due = self._core.next_due()
            if core_due is not None:
                times.append(int(core_due + 0.999))
            self._ms = max(self._ms + 1, min(times))

    def _live(self) -> None:
        """Step both ends, and pass on the data between them."""
        link, core, now = self._link, self._core, self._now
        stuck = self._faults.stuck if self._ms >= self._faults.stuck_ms else 0
        link.step(now, self._switch | stuck)
        for data in self._come(self._to_unit):
            link.receive(now, data)
        self._recorder.note(now)
        core.step(self._ms)
        for data in self._come(self._to_desktop):
            core.receive(self._ms, data)
        for line, end in ((self._to_desktop, link), (self._to_unit, core)):
            data = end.unsent
            if data:
                end.sent(len(data))
            for piece in data.splitlines(True):
                if self._random.randrange(100) < self._faults.loss:
                    continue
                if self._random.randrange(100) < self._faults.noise:
                    place = self._random.randrange(len(piece) + 1)
                    piece = piece[:place] + self._random.choice(_RUBBISH) + piece[place:]
                line.append((self._ms + _WAY_MS, piece))
        for news in core.news:
            if isinstance(news, Event):
                ms = diff(news.ms & MASK, self._now) + self._ms
                self._seen.events.append((ms, news.kind, dict(news.fields)))
        core.news.clear()

    def _note(self, ms: int, what: str, value: int, why: None) -> None:
        """Record a change of the unit itself; events come by the link."""
        if what in OUTPUTS:
            self._seen.add(ms, what, value, why)

    def _come(self, line: list[tuple[int, bytes]]) -> list[bytes]:
        come = [data for at, data in line if at <= self._ms]
        line[:] = [piece for piece in line if piece[0] > self._ms]
        return come

    @property
    def _now(self) -> int:
        return add(self._start, self._ms)
