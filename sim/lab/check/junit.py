"""The results of checks as CI systems read them: JUnit's XML, a case for each expectation."""

from collections.abc import Sequence
from datetime import datetime
from xml.etree import ElementTree

from city_unit.desktop.catalogue import _
from sim.lab.check.checking import Result

_SIGNS = {code: None for code in range(32) if code not in (9, 10, 13)}  # that no XML may hold


def document(results: Sequence[Result], began: datetime) -> bytes:
    """Return the file.

    began  when the first scenario was begun, with its time zone
    """
    root = ElementTree.Element("testsuites", name="city-unit")
    suites = [_suite(result, began) for result in results]
    for key in ("tests", "failures", "errors", "skipped"):
        root.set(key, str(sum(int(suite.get(key, "0")) for suite in suites)))
    root.set("time", f"{sum(result.seconds for result in results):.3f}")
    root.extend(suites)
    return ElementTree.tostring(root, "utf-8", xml_declaration=True)


def _suite(result: Result, began: datetime) -> ElementTree.Element:
    """Return a scenario's suite; a scenario that could not be checked is a single case."""
    judged = result.judged
    suite = ElementTree.Element(
        "testsuite",
        name=_plain(result.path),
        tests=str(len(judged) + bool(result.error)),
        failures=str(len(result.broken)),
        errors=str(int(bool(result.error))),
        skipped=str(sum(expected.is_unseen for expected in judged)),
        time=f"{result.seconds:.3f}",
        timestamp=began.isoformat(timespec="seconds"),
    )
    if result.error:
        case = _case(suite, result.path, result.path, result.seconds)
        ElementTree.SubElement(case, "error", message=_plain(str(result.error)))
    share = result.seconds / max(1, len(judged))  # all were judged by one run
    for number, expected in enumerate(judged, 1):
        name = f"{number}. {expected.expectation.words}"
        case = _case(suite, result.path, name, share)
        if expected.expectation.line:
            case.set("file", _plain(result.path))
            case.set("line", str(expected.expectation.line))
        if expected.is_unseen:
            words = _("this instrument cannot see it")
            words = _("the observation ends before") if expected.found else words
            ElementTree.SubElement(case, "skipped", message=words)
        if failure := expected.failure:
            words = _("expected {expected}; happened: {happened}")
            words = _plain(words.format(expected=failure.expected, happened=failure.happened))
            ElementTree.SubElement(case, "failure", message=words).text = words
    return suite


def _case(suite: ElementTree.Element, path: str, name: str, seconds: float) -> ElementTree.Element:
    words = {"classname": _plain(path), "name": _plain(name), "time": f"{seconds:.3f}"}
    return ElementTree.SubElement(suite, "testcase", words)


def _plain(text: str) -> str:
    return text.translate(_SIGNS)
