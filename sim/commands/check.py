"""`city-unit check`: run scenarios and hold the unit to what they expect."""

import argparse
import importlib
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from xml.etree import ElementTree

from city_unit import host
from city_unit.trace import LAMPS
from sim import texts_lab
from sim.errors import UserError
from sim.files import write_whole
from sim.lab import checking, edges, expectations, faults, on_port
from sim.lab.checking import Case
from sim.lab.edges import Edges, spans
from sim.lab.expect_block import Failure

CPYTHON, MICROPYTHON = "cpython", "micropython"
_COLUMNS = 60
_AROUND_MS = 1000


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.formatter_class = argparse.RawDescriptionHelpFormatter
    parser.epilog = f"{expectations.__doc__}\n{faults.__doc__}"
    parser.add_argument("path", metavar="FILE|FOLDER", help="a scenario, or a folder of them")
    parser.add_argument("--on", metavar="BODY", default=CPYTHON, help=texts_lab.HELP_ON)
    parser.add_argument("--junit", metavar="OUT", help="write the results for a CI system as well")


def run(options: argparse.Namespace) -> int:
    slack_ms = 0 if options.on in (CPYTHON, MICROPYTHON) else on_port.SLACK_MS
    cases = [checking.load(str(path), slack_ms) for path in _files(options.path)]
    results = []
    with _body(options.on) as live:
        for case in cases:
            shown = live(case)
            failures = checking.judge(case, shown)
            results.append((case.path, failures))
            _tell(case, shown, failures)
    if options.junit:
        _write_junit(options.junit, results)
    return 1 if any(failures for _, failures in results) else 0


def _tell(case: Case, shown: Edges, failures: list[Failure]) -> None:
    word = texts_lab.FAILED if failures else texts_lab.PASSED
    print(word.format(path=case.path, count=len(case.checks), failed=len(failures)), flush=True)
    for failure in failures:
        print(texts_lab.EXPECTED.format(what=failure.expected))
        print(texts_lab.HAPPENED.format(what=failure.happened))
        print(_time_line(shown, failure.around_ms))


@contextmanager
def _body(name: str) -> Iterator[Callable[[Case], Edges]]:
    """Provide what has a body live through a case; raises UserError."""
    if name == CPYTHON:
        yield checking.run
        return
    if name == MICROPYTHON:
        yield _micropython
        return
    try:
        with host.connect(name) as unit:
            yield lambda case: _live(unit, case)
    except host.LinkError as error:
        raise UserError(str(error), 1) from error


def _micropython(case: Case) -> Edges:
    """Hand over to the firmware."""
    if case.faults.on_the_line:
        raise UserError(texts_lab.ONLY_CPYTHON.format(path=case.path))
    virtual = importlib.import_module("firmware.virtual.scenario")
    told = case.told
    try:
        lines = virtual.trace(
            told.program, told.seed, case.changes, case.start, told.end_ms, case.faults.late_ms
        )
    except virtual.NotThere:
        raise UserError(texts_lab.NO_MICROPYTHON, 1) from None
    except virtual.NotBuiltIn:
        raise UserError(
            texts_lab.NOT_BUILT_IN.format(path=case.path, name=told.program.name)
        ) from None
    except virtual.Failed as error:
        raise UserError(texts_lab.FIRMWARE_FAILED.format(path=case.path, why=error), 1) from None
    return edges.of_lines(lines, told.end_ms)


def _live(unit: host.Client, case: Case) -> Edges:
    if case.faults.names:
        names = ", ".join(case.faults.names)
        print(texts_lab.NO_FAULTS.format(path=case.path, faults=names), file=sys.stderr)
    try:
        lived = on_port.run(unit, case, _progress)
    except on_port.Refusal as error:
        raise UserError(texts_lab.NOT_DONE.format(path=case.path, why=error), 1) from None
    print(texts_lab.LATEST.format(path=case.path, late=lived.late_ms), file=sys.stderr)
    return lived.shown


def _progress(ms: int, end_ms: int) -> None:
    if sys.stderr.isatty():
        line = texts_lab.LIVING.format(now=min(ms, end_ms) / 1000, end=end_ms / 1000)
        sys.stderr.write(f"\r{line}" if ms < end_ms else "\r\x1b[K")
        sys.stderr.flush()


def _files(path: str) -> list[Path]:
    """Return the file, or the scenarios in the folder that expect something."""
    place = Path(path)
    if not place.is_dir():
        return [place]
    found = [file for file in sorted(place.rglob("*.toml")) if b"[[expect]]" in file.read_bytes()]
    if not found:
        raise UserError(texts_lab.NO_SCENARIOS.format(path=path))
    return found


def _time_line(shown: Edges, around_ms: int) -> str:
    """Return a picture in text of the second before and the second after a time."""
    start = max(0, around_ms - _AROUND_MS)
    step = 2 * _AROUND_MS / _COLUMNS
    rows = [
        (lamp, spans([(ms, int(on)) for ms, on in shown.lamps[lamp]], shown.end_ms))
        for lamp in LAMPS
    ]
    rows.append(("sound", spans(shown.tones, shown.end_ms)))
    lines = []
    for name, stretches in rows:
        cells = "".join(
            "#"
            if any(a < start + (n + 1) * step and b > start + n * step for a, b, _ in stretches)
            else "."
            for n in range(_COLUMNS)
        )
        if "#" in cells:
            lines.append(f"    {name:>14} {cells}")
    mark = int((around_ms - start) / step)
    lines.append(f"    {'':>14} {' ' * mark}^ {around_ms} ms")
    for ms, kind, _ in shown.events:
        if start <= ms <= start + 2 * _AROUND_MS:
            lines.append(f"    {ms:>11} ms {kind}")
    return "\n".join(lines)


def _write_junit(path: str, results: list[tuple[str, list[Failure]]]) -> None:
    failed = sum(1 for _, failures in results if failures)
    suite = ElementTree.Element(
        "testsuite", name="city-unit", tests=str(len(results)), failures=str(failed)
    )
    for name, failures in results:
        case = ElementTree.SubElement(suite, "testcase", classname="city-unit", name=name)
        if failures:
            told = [f"expected {one.expected}; happened: {one.happened}" for one in failures]
            ElementTree.SubElement(case, "failure", message=told[0]).text = "\n".join(told)
    write_whole(path, ElementTree.tostring(suite, "utf-8", xml_declaration=True))
    print(texts_lab.WRITTEN.format(path=path), file=sys.stderr)
