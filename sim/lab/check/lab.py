"""The lab as a Python library: run a scenario in virtual time and examine its trace.

    trace = lab.run(("0 s", "switch on"), ("1 s", "tap auction"), ("60 s", "end"))
    trace.expect(event="auction-started", at="1016 ms")
    assert trace.first("auction-ended").ms == 51_016
    trace.save("auction.vcd")

Times are strings with a unit, as in a scenario's file, and expectations are written like its
`[[expect]]` blocks. In pytest, use the fixture `city_unit_trace`.
"""

from collections.abc import Mapping
from pathlib import Path
from typing import Any, NamedTuple

from city_unit.desktop import toml_reader
from city_unit.desktop.catalogue import _, lazy
from city_unit.desktop.errors import UserError
from city_unit.desktop.toml_reader import Table, time_ms
from city_unit.facts import LAMPS
from sim.engine.trace import spans
from sim.lab import export, picture
from sim.lab.check import checking, expectations
from sim.lab.check.checking import Case, Judged

_PYTHON = lazy("the scenario")  # in messages in place of a file name
_ALIASES = {"from_": "from", "is_": "is"}  # Python reserves these words


class Event(NamedTuple):
    """An event of the unit: time, kind and fields."""

    ms: int
    kind: str
    fields: dict[str, Any]


class Tone(NamedTuple):
    """A tone: start and end in ms, and pitch."""

    start: int
    end: int
    hz: int


class Trace:
    """The trace of a scenario; times are ms from its start."""

    def __init__(self, case: Case) -> None:
        self.case = case
        self.shown = checking.run(case)

    @property
    def events(self) -> list[Event]:
        return [Event(*event) for event in self.shown.events]

    @property
    def tones(self) -> list[Tone]:
        return [Tone(*span) for span in spans(self.shown.tones, self.shown.end_ms)]

    def of(self, kind: str) -> list[Event]:
        """Return all events of a kind."""
        return [event for event in self.events if event.kind == kind]

    def first(self, kind: str, after_ms: int = -1) -> Event:
        """Return the first event of a kind after a time; raises AssertionError."""
        __tracebackhide__ = True
        found = next((event for event in self.of(kind) if event.ms > after_ms), None)
        words = _("{kind} does not occur after {ms} ms").format(kind=kind, ms=after_ms)
        assert found is not None, words
        return found

    def is_lit(self, lamp: str, at: "int | str") -> bool:
        """Return whether a lamp is lit at a time, in ms or as a string with a unit."""
        __tracebackhide__ = True
        ms = time_ms(at) if isinstance(at, str) else at
        words = _("{lamp} is not a lamp; the lamps are {lamps}")
        assert lamp in LAMPS, words.format(lamp=lamp, lamps=", ".join(LAMPS))
        return bool(([0] + [lit for when, lit in self.shown.lamps[lamp] if when <= ms])[-1])

    def expect(self, **expected: Any) -> None:
        """Assert an expectation, with the keys of an `[[expect]]` block.

        Write `from_` and `is_` for `from` and `is`, which are reserved in Python. Raises
        AssertionError that describes what happened instead, UserError for an invalid expectation.
        """
        __tracebackhide__ = True
        block = {_ALIASES.get(key, key): value for key, value in expected.items()}
        table = Table({"expect": [block]}, _("the expectation"))
        (expectation,) = expectations.read(table, self.case.scenario)
        judged = Judged(expectation, expectation.judge(self.shown))
        for failure in judged.failures[:1]:
            drawn = picture.in_text(self.shown, failure.around_ms)
            raise AssertionError("\n".join([*judged.in_words(), drawn]))

    def check(self) -> None:
        """Assert all expectations of the file; raises AssertionError with all failures."""
        __tracebackhide__ = True
        broken = checking.broken(self.case, self.shown)
        lines = [line for each in broken for line in each.in_words()]
        assert not broken, "\n".join([self.case.path, *lines])

    def save(self, path: "str | Path") -> None:
        """Export the trace in the format of the suffix, see `sim.lab.export`; raises UserError."""
        title = picture.title(self.case.path, self.case.scenario.program)
        export.save(str(path), self.shown, title)


def run(*steps: "tuple[str, str] | Mapping[str, str]", **settings: Any) -> Trace:
    """Run steps in virtual time; raises UserError for an invalid step or setting.

    steps     pairs (time, action), or mappings with the keys of a `[[steps]]` block
    settings  the other keys of a scenario: program, seed, and the table faults
    """
    blocks = [
        dict(step) if isinstance(step, Mapping) else {"at": step[0], "do": step[1]}
        for step in steps
    ]
    table = Table({**settings, "steps": blocks}, str(_PYTHON))
    return Trace(checking.of_table(table, str(_PYTHON)))


def run_file(path: "str | Path") -> Trace:
    """Run a scenario file in virtual time; raises UserError."""
    return Trace(checking.of_table(toml_reader.load(str(path)), str(path)))


__all__ = ["Event", "Tone", "Trace", "UserError", "run", "run_file"]
