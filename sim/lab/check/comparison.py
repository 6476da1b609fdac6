"""Compares any two of trace, capture and recording.

Two traces are compared to the millisecond. A capture or recording has its own clock and an unknown
start, so it is aligned with the other file first, and only the signals visible in both are
compared. Two recordings may be of different games; there the command compares the programs learned
from them instead, see `city-unit listen`.
"""

from collections.abc import Iterable, Sequence
from itertools import groupby, pairwise
from operator import itemgetter
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from city_unit.desktop.catalogue import _
from city_unit.desktop.errors import UserError, at
from city_unit.desktop.files import reason
from city_unit.facts import LAMPS
from city_unit.programs import PROGRAMS, Program
from sim.engine import program_file, virtual
from sim.engine import scenario as scenarios
from sim.engine.scenario import Scenario
from sim.engine.trace import UNKNOWN_HZ, Change, Changes, Events, Trace, clipped
from sim.lab.picture import Picture, timeline

if TYPE_CHECKING:
    from sim.lab.instrument.witness import Options

TRACE, CAPTURE, RECORDING = "trace", "capture", "recording"
_CAPTURES = (".vcd", ".sr", ".csv")
TOLERANCES_MS = {TRACE: 0, CAPTURE: 5, RECORDING: 10}


class Difference(NamedTuple):
    """An interval in ms in which a lamp or "tone" differs between two traces."""

    what: str
    start: int
    end: int


class Compared(NamedTuple):
    """Two traces in the time of the first, cut to their common part, and their differences.

    notes  remarks for people on the alignment
    """

    first: Trace
    second: Trace
    differences: list[Difference]
    notes: tuple[str, ...] = ()


def kind(path: str) -> str:
    """Return TRACE, CAPTURE or RECORDING by the suffix of a file."""
    suffix = Path(path).suffix.lower()
    if path == "-" or suffix in (".toml", ".jsonl", ""):
        return TRACE
    return CAPTURE if suffix in _CAPTURES else RECORDING


def read_trace(path: str, program: str | None, seed: int | None) -> tuple[Trace, Program]:
    """Run a scenario, or read a printed trace (.jsonl); return the trace and its program.

    Raises UserError.
    """
    if Path(path).suffix.lower() != ".jsonl":
        scenario = scenarios.load(path, program, seed)
        return virtual.run(scenario), scenario.program
    try:
        with open(path, encoding="utf-8") as file:
            shown = Trace.parse(file, 0)
        tracks = (*shown.lamps.values(), shown.tones, shown.events)
        if any(later[0] < one[0] for track in tracks for one, later in pairwise(track)):
            raise ValueError  # time goes backwards
    except OSError as error:
        raise UserError(at(path, reason(error))) from None
    except (ValueError, KeyError, TypeError, AttributeError, OverflowError, RecursionError):
        words = _("{path}: not a trace; `city-unit trace FILE` prints one")
        raise UserError(words.format(path=path)) from None
    end_ms = max((track[-1][0] for track in tracks if track), default=0)
    return shown._replace(end_ms=end_ms), _program(program)


def compare(
    first: str,
    second: str,
    program: str | None,
    seed: int | None,
    options: "Options",
    tolerance_ms: int | None = None,
) -> Compared:
    """Compare two files that are not both recordings; raises UserError.

    options       how to read a capture
    tolerance_ms  shorter differences are ignored; the default depends on the kinds of files
    """
    from sim.lab.instrument import witness  # here: two traces, and an export, do not need it

    kinds = [kind(first), kind(second)]
    if tolerance_ms is None:
        tolerance_ms = max(TOLERANCES_MS[one] for one in kinds)
    if kinds == [TRACE, TRACE]:
        one, other = (read_trace(path, program, seed)[0] for path in (first, second))
        if first.endswith(".jsonl") != second.endswith(".jsonl"):  # a printed trace has no end
            end_ms = max(one.end_ms, other.end_ms)
            one, other = one._replace(end_ms=end_ms), other._replace(end_ms=end_ms)
        return Compared(one, other, _differences(one, other, tolerance_ms))
    is_turned = kinds[1] == TRACE or kinds[0] == RECORDING
    base, seen = (second, first) if is_turned else (first, second)
    if kind(base) == TRACE:
        due, its_program = read_trace(base, program, seed)
    else:
        its_program = _program(program)
        due = witness.alone(base, Scenario(its_program, 0, (), 0), options)
    scenario = Scenario(its_program, 0, (), due.end_ms)
    if kind(seen) == CAPTURE:
        found = witness.of_capture(seen, scenario, options, due)
    else:
        beeps, seconds = witness.heard(seen)
        found = witness.of_sound(seen, beeps, seconds, scenario, options, due)
    one, other = common(due, found.shown, found.sees, round(found.begins_ms))
    if is_turned:
        one, other = other, one
    return Compared(one, other, _differences(one, other, tolerance_ms), found.notes)


def _program(name: str | None) -> Program:
    return program_file.find(name) if name else PROGRAMS[0]


def _differences(one: Trace, other: Trace, tolerance_ms: int) -> list[Difference]:
    found = find(one, other)
    return [stretch for stretch in found if stretch.end - stretch.start > tolerance_ms]


def common(one: Trace, other: Trace, sees: frozenset[str], begins_ms: int) -> tuple[Trace, Trace]:
    """Cut two traces to the signals and the time that an instrument observed.

    If either has a tone of unknown pitch, all pitches are ignored.
    """
    is_deaf = any(hz == UNKNOWN_HZ for shown in (one, other) for _ms, hz in shown.tones)
    end_ms = min(one.end_ms, other.end_ms)

    def cut(what: str, changes: Iterable[Change]) -> Changes:
        return Changes(clipped(changes if what in sees else (), begins_ms, end_ms))

    def part(shown: Trace) -> Trace:
        tones = ((ms, UNKNOWN_HZ if hz and is_deaf else hz) for ms, hz in shown.tones)
        lamps = {lamp: cut(lamp, shown.lamps[lamp]) for lamp in LAMPS}
        return Trace(lamps, cut("tone", tones), Events(), end_ms)

    return part(one), part(other)


def find(first: Trace, second: Trace) -> list[Difference]:
    """Return all differences in chronological order, including the excess of the longer trace."""
    end_ms = max(first.end_ms, second.end_ms)
    pairs = [(lamp, first.lamps[lamp], second.lamps[lamp]) for lamp in LAMPS]
    pairs.append(("tone", first.tones, second.tones))
    found = []
    for what, one, other in pairs:
        changes = [*((ms, 0, value) for ms, value in one), *((ms, 1, value) for ms, value in other)]
        values, since = [0, 0], None
        changes.sort(key=itemgetter(0))  # by time alone: of two in a millisecond the later counts
        for ms, group in groupby(changes, key=itemgetter(0)):
            for _ms, which, value in group:
                values[which] = value
            if values[0] != values[1] and since is None:
                since = ms
            elif values[0] == values[1] and since is not None:
                found.append(Difference(what, since, ms))
                since = None
        if since is not None and end_ms > since:
            found.append(Difference(what, since, end_ms))
    return sorted(found, key=lambda difference: (difference.start, difference.what))


def draw(found: Compared, names: tuple[str, str]) -> Picture:
    """Draw the second trace as bars, the first as a strip above them, and mark the differences."""
    title = f"{', '.join(Path(name).name for name in names)}: {in_words(found.differences)}"
    end_ms = max(found.first.end_ms, found.second.end_ms)
    return timeline(found.second, title, 0, end_ms, found.first, found.differences)


def in_words(differences: Sequence[Difference]) -> str:
    """Summarise the differences."""
    if not differences:
        return _("no difference")
    first = differences[0]
    words = _("{count} differences, {ms} ms in total; first: {what} from {start} to {end} ms")
    return words.format(
        count=len(differences),
        ms=sum(difference.end - difference.start for difference in differences),
        what=first.what,
        start=first.start,
        end=first.end,
    )
