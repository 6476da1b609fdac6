"""An `[[expect]]` block as it is read: its times, each within the run, and its tolerance."""

from collections.abc import Callable
from dataclasses import dataclass

from sim.lab.edges import Edges
from sim.scenario import Scenario
from sim.toml_reader import REQUIRED, Table, time_ms


@dataclass(frozen=True)
class Failure:
    """What was expected, beside what happened, and the time around which to look."""

    expected: str
    happened: str
    around_ms: int


Check = Callable[[Edges], "Failure | None"]


class Block:
    """A block, and the scenario to which it belongs.

    off    by how many ms an `at`, and the ends of a span, may be off
    loose  the same for what lasts: it is what the file says, whatever the body is granted
    """

    def __init__(self, table: Table, told: Scenario, slack_ms: int) -> None:
        self.table = table
        self.told = told
        self.off = table.take("tolerance", time_ms, slack_ms)
        self.loose = self.off if "tolerance" in table else 0

    def moment(self, key: str, default: object = REQUIRED) -> int:
        """Take a time of the run; raises UserError, also if it lies after the run's end."""
        return self.table.take(key, self._time_of_the_run, default)

    def span(self) -> tuple[int, int]:
        """Take a span, the whole run if none is given; raises UserError."""
        start, end = self.moment("from", 0), self.moment("to", self.told.end_ms)
        if end < start:
            raise self.table.error("to", "to: is before from")
        return start, end

    def certain_span(self) -> tuple[int, int]:
        """Take a span; return the part of it that is certain, though its ends may be off."""
        start, end = self.span()
        if self.loose and 2 * self.loose >= end - start:
            raise self.table.error("tolerance", "tolerance: it leaves nothing of the span")
        middle = (start + end) // 2
        return min(start + self.off, middle), max(end - self.off, middle)

    def _time_of_the_run(self, value: object) -> int:
        ms, end_ms = time_ms(value), self.told.end_ms
        if ms > end_ms:
            last = self.told.steps[-1].verb
            way = "" if last == "end" else '; a step "end" would end it later'
            raise ValueError(f'"{value}" is never reached, the run ends at {end_ms} ms{way}')
        return ms
