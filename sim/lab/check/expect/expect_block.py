"""An `[[expect]]` block as it is read: its times, each within the run, and its tolerance."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import NamedTuple

from city_unit.desktop.catalogue import _
from city_unit.desktop.errors import at
from city_unit.desktop.toml_reader import REQUIRED, Table, time_ms
from sim.engine.edges import Edges
from sim.engine.scenario import Scenario


@dataclass(frozen=True)
class Failure:
    """The expected and the actual course of things in words, and the time around which to look."""

    expected: str
    happened: str
    around_ms: int


class Expectation(NamedTuple):
    """The expectation of a block.

    words  the expectation, as people read it
    sees   the signals that an instrument must see for it: lamps, "tone", kinds of events and
           the names of their values
    check  takes the edges of a unit and returns their failure, None if they meet the expectation
    line   of the file on which the block begins, 0 if it is of no file
    since  the first ms of the run that the expectation covers
    """

    words: str
    sees: frozenset[str]
    check: Callable[[Edges], "Failure | None"]
    line: int = 0
    since: int = 0


class Slack(NamedTuple):
    """The tolerance where a file gives none, in ms.

    at_ms      by how much an instant, and the ends of a span, may be off
    length_ms  by how much a length may be off: of a tone, of half a blink
    """

    at_ms: int = 0
    length_ms: int = 0


class Block:
    """A block, and the scenario to which it belongs.

    tolerance  of the file, in ms, 0 if it gives none
    off        by how many ms an `at`, and the ends of a span, may be off
    loose      by how many ms a length may be off
    since      the first ms that the block covers
    """

    def __init__(self, table: Table, scenario: Scenario, slack: Slack) -> None:
        self.table = table
        self.scenario = scenario
        tolerance: int | None = table.take("tolerance", self._part_of_the_run, None)
        self._taken: tuple[int, int] | None = None
        self.since = 0
        self.tolerance = tolerance or 0
        self.off = slack.at_ms if tolerance is None else tolerance
        self.loose = slack.length_ms if tolerance is None else tolerance

    def moment(self, key: str, default: object = REQUIRED) -> int:
        """Take a time of the run; raises UserError, also if it lies after the run's end."""
        return self.table.take(key, self._time_of_the_run, default)

    def instant(self) -> int:
        """Take an `at`; raises UserError, also if its tolerance makes it any time of the run."""
        ms = self.moment("at")
        if self._is_all(ms, ms):
            words = _("tolerance: with it any time of the run will do")
            raise self.table.error("tolerance", words)
        self.since = max(0, ms - self.off)
        return ms

    def span(self) -> tuple[int, int]:
        """Take a span, the whole run if none is given; raises UserError.

        That is a mistake too if its tolerance makes a part of the run all of it.
        """
        start, end = self._span()
        if end - start < self.scenario.end_ms and self._is_all(start, end):
            raise self.table.error("tolerance", _("tolerance: with it the span is the whole run"))
        self.since = max(0, start - self.off)
        return start, end

    def certain_span(self) -> tuple[int, int]:
        """Take a span; return the part of it that is certain, though its ends may be off."""
        start, end = self._span()
        if self.tolerance and 2 * self.tolerance >= end - start:
            raise self.table.error("tolerance", _("tolerance: it leaves nothing of the span"))
        middle = (start + end) // 2
        self.since = min(start + self.off, middle)
        return self.since, max(end - self.off, middle)

    def _span(self) -> tuple[int, int]:
        if self._taken is None:  # a key that is taken twice would be named twice as a hint
            self._taken = self.moment("from", 0), self.moment("to", self.scenario.end_ms)
        start, end = self._taken
        if end < start:
            raise self.table.error("to", _("to: is before from"))
        if end == start:
            key = next((key for key in ("to", "from") if key in self.table), None)
            words = _("the span is empty, it begins and ends at {ms} ms").format(ms=start)
            raise self.table.error(key, at(key, words) if key else words)
        return start, end

    def _is_all(self, start: int, end: int) -> bool:
        """Return whether the tolerance of the file makes a span the whole run."""
        off = self.tolerance
        return off > 0 and start - off <= 0 and end + off >= self.scenario.end_ms

    def _part_of_the_run(self, value: object) -> int:
        ms, end_ms = time_ms(value), self.scenario.end_ms
        if ms and ms >= end_ms:
            words = _('"{time}" is as long as the run, {end} ms, or longer')
            raise ValueError(words.format(time=value, end=end_ms))
        return ms

    def _time_of_the_run(self, value: object) -> int:
        ms, end_ms = time_ms(value), self.scenario.end_ms
        if ms > end_ms:
            if self.scenario.steps[-1].verb == "end":
                words = _('"{time}" is never reached, the run ends at {end} ms')
            else:
                words = _(
                    '"{time}" is never reached, the run ends at {end} ms; a step "end" would end '
                    "it later"
                )
            raise ValueError(words.format(time=value, end=end_ms))
        return ms
