"""`city-unit check`: run scenarios and hold the unit to what they expect."""

import argparse
import sys
from pathlib import Path
from xml.etree import ElementTree

from city_unit.trace import LAMPS
from sim import texts_lab
from sim.errors import UserError
from sim.lab import checking, expectations
from sim.lab.edges import Edges, spans
from sim.lab.expectations import Failure

_COLUMNS = 60
_AROUND_MS = 1000


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.formatter_class = argparse.RawDescriptionHelpFormatter
    parser.epilog = expectations.__doc__
    parser.add_argument("path", metavar="FILE|FOLDER", help="a scenario, or a folder of them")
    parser.add_argument("--junit", metavar="OUT", help="write the results for a CI system as well")


def run(options: argparse.Namespace) -> int:
    cases = [checking.load(str(path)) for path in _files(options.path)]
    results = []
    for case in cases:
        shown, failures = checking.run(case)
        results.append((case.path, failures))
        word = texts_lab.FAILED if failures else texts_lab.PASSED
        print(word.format(path=case.path, count=len(case.checks), failed=len(failures)))
        for failure in failures:
            print(texts_lab.EXPECTED.format(what=failure.expected))
            print(texts_lab.HAPPENED.format(what=failure.happened))
            print(_time_line(shown, failure.around_ms))
    if options.junit:
        _write_junit(options.junit, results)
    return 1 if any(failures for _, failures in results) else 0


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
    unfinished = Path(f"{path}.part")
    try:
        ElementTree.ElementTree(suite).write(unfinished, "utf-8", xml_declaration=True)
        unfinished.replace(path)
    except OSError as error:
        raise UserError(f"{path}: {(error.strerror or str(error)).lower()}", 1) from None
    finally:
        unfinished.unlink(missing_ok=True)
    print(texts_lab.WRITTEN.format(path=path), file=sys.stderr)
