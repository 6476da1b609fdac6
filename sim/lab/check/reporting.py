"""Implements `city-unit check`: runs the checks, prints and writes their results.

`run` either judges the file of a device, or checks scenarios: on a body that runs them, or against
what an instrument recorded. In a folder only files with expectations are checked; the others are
named or counted.
"""

import argparse
import math
import sys
import time
from collections.abc import Callable, Iterable, Sequence
from contextlib import ExitStack, suppress
from datetime import datetime, timezone
from pathlib import Path
from xml.etree import ElementTree

from city_unit.desktop import toml_reader
from city_unit.desktop.catalogue import _, ngettext
from city_unit.desktop.errors import FAILURE, SUCCESS, UserError, nearest
from city_unit.desktop.files import ask_before_overwriting, require_folders, write_whole
from city_unit.desktop.forms import number
from sim.engine import scenario
from sim.engine.trace import Trace
from sim.lab import lateness_plot, picture
from sim.lab.check import bodies, checking, device, relations
from sim.lab.check.checking import Case, Result
from sim.lab.check.expectations import Slack
from sim.lab.instrument import BUZZER, alignment, digital, witness
from sim.lab.instrument.witness import Options, Witnessed
from sim.lab.picture import Picture

_MOST_NAMED = 5  # skipped files that are listed
_KEYS = ("program", "seed", "steps", "expect", "faults")
_LIKENESS = 0.7  # similarity above which an unknown key may be a misspelling of these


# Steps of a person or over a line are not exact to the millisecond.
SLACK_OF_CAPTURE = Slack(at_ms=20, length_ms=2)
SLACK_OF_SOUND = Slack(at_ms=20, length_ms=6)


Observe = Callable[[Case], "Trace | Witnessed"]


def run(options: argparse.Namespace) -> int:
    plot = None if options.plot == "none" else options.plot
    if options.junit and Path(options.junit).suffix.lower() != ".xml":
        words = _("{path}: the name for --junit must end in .xml")
        raise UserError(words.format(path=options.junit))
    require_folders(options.junit)
    picture.refuse(options.picture, plot)
    ask_before_overwriting(options.force, options.picture, plot)
    if options.glitch_us is not None and not 0 <= options.glitch_us <= 100_000:
        raise UserError(_("--glitch-us must be from 0 to 100000"))
    if options.on != "chip":
        _refuse(options, ("image",), _("{options}: only with --on chip"))
    began = datetime.now(timezone.utc)
    if len(options.paths) == 1 and options.paths[0] != "-" and device.is_device(options.paths[0]):
        results = [_check_device(options.paths[0], options)]
    else:
        _refuse(
            options,
            ("serial", "analyser", "seconds", "rate", "retries"),
            _("{options}: only for the file of a device"),
        )
        paths = _scenarios(options.paths)
        instrument = _instrument(options, paths)
        if options.picture and len(paths) != 1:
            raise UserError(_("--picture needs a single scenario"))
        results = _check(paths, instrument, options)
    if len(results) > 1:
        passed = sum(result.code == SUCCESS for result in results)
        failed = sum(result.code == FAILURE for result in results)
        words = _("passed: {passed}, failed: {failed}, not checked: {unchecked}")
        unchecked = len(results) - passed - failed
        print(words.format(passed=passed, failed=failed, unchecked=unchecked))
    if options.junit:
        write_whole(options.junit, _junit(results, began))
        print(_("wrote {path}").format(path=options.junit), file=sys.stderr)
    return max((result.code for result in results), default=SUCCESS)


def _scenarios(paths: list[str]) -> list[str]:
    """Return the files to check, including those in folders; print which others are skipped."""
    checked: list[str] = []
    skipped: list[str] = []
    for path in paths:
        if not Path(path).is_dir():
            checked.append(path)
            continue
        there = [str(file) for file in sorted(Path(path).rglob("*")) if not file.is_dir()]
        count = len(checked)
        for file in (file for file in there if file.lower().endswith(".toml")):
            # Check scenarios with expectations, and files that may be meant as such.
            try:
                names = toml_reader.load(file).names()
                is_scenario = any(nearest(name, _KEYS, _LIKENESS) for name in names)
                is_checked = is_scenario and "device" not in names
                if is_checked and "expect" not in names:
                    scenario.load(file)
                    is_checked = False
            except UserError:  # which the check will report
                is_checked = True
            (checked if is_checked else skipped).append(file)
        if len(checked) == count:
            words = _("{path}: no scenario with [[expect]] blocks in this folder")
            raise UserError(words.format(path=path))
    if skipped:
        words = ngettext(
            "skipped: {count} file that is not a scenario with expectations{names}",
            "skipped: {count} files that are not scenarios with expectations{names}",
            len(skipped),
        )
        names = f" ({', '.join(skipped)})" if len(skipped) <= _MOST_NAMED else ""
        print(words.format(count=len(skipped), names=names))
    return checked


def _refuse(options: argparse.Namespace, names: Iterable[str], words: str) -> None:
    """Raise UserError with `words` if any of these options is given."""
    absent = (None, False, [], "none")  # `--plot none` asks for nothing
    given = [name for name in names if getattr(options, name) not in absent]
    if given:
        named = ", ".join(f"--{name.replace('_', '-')}" for name in given)
        raise UserError(words.format(options=named))


def _check_device(path: str, options: argparse.Namespace) -> Result:
    """Check a device by its file, and print the measurements and limits."""
    _refuse(
        options,
        ("on", "image", "pin", "buzzer", "align", "glitch_us", "clock_error"),
        _(
            "{options}: only for a scenario of the unit; a device's file has its own lines and "
            "limits"
        ),
    )
    words = _("{options}: a device has no due times; use --picture instead")
    _refuse(options, ("plot",), words)
    if not (options.serial or options.analyser):
        _refuse(
            options,
            ("seconds", "rate", "retries"),
            _("{options}: only for a live source, --serial or --analyser"),
        )
    seconds = 10.0 if options.seconds is None else options.seconds
    rate = options.rate or 1_000_000
    if not 0 < seconds <= 86_400 or not 1000 <= rate <= 1_000_000_000:
        raise UserError(_("--seconds must be above 0 and at most 86400, --rate from 1000 to 1e9"))
    source = device.Source(
        options.capture, options.recording, options.serial, options.analyser, seconds, rate
    )
    began = time.monotonic()
    try:
        described = device.load(path)
        report = device.check(described, source, options.retries or 0)
    except UserError as error:
        return _unchecked(path, error, began)
    seconds = time.monotonic() - began
    result = report.result._replace(seconds=seconds, allows_unseen=options.allow_unseen)
    signals = report.signals
    _print_result(result, lambda ms: device.shown(signals, ms - 1000, ms + 1000), signals.end_ms)
    for note in signals.notes:
        print(f"  {note}")
    if options.retries:
        print(_("  measured again: {count}").format(count=report.retries))
    if options.picture:
        title = f"{Path(path).name}, {described.name}"
        begin_ms = math.floor(signals.begin_ms)
        _save(options.picture, picture.timeline(device.shown(signals), title, begin_ms))
    return result


def _save(path: str, drawn: Picture) -> None:
    write_whole(path, picture.text(drawn))
    print(_("wrote {path}").format(path=path), file=sys.stderr)


def _instrument(options: argparse.Namespace, paths: list[str]) -> Observe | None:
    """Return a function that reads the given instrument's file, None without one."""
    of_captures = ("pin", "buzzer", "align", "glitch_us")
    if not options.capture:
        words = _("{options}: only with --capture")
        _refuse(options, of_captures, words)
    if not (options.capture or options.recording):
        words = _("{options}: only with --capture or --recording")
        _refuse(options, ("clock_error", "plot", "allow_unseen"), words)
        return None
    if options.capture and options.recording:
        raise UserError(_("use --capture or --recording, not both"))
    if options.buzzer:
        options.pin.append(f"{BUZZER}={options.buzzer}")
    if options.on:
        raise UserError(_("--on runs the scenario; an instrument has recorded it already"))
    if len(paths) != 1:
        raise UserError(_("an instrument recorded one scenario: give a single file"))
    glitch_us = 20.0 if options.glitch_us is None else options.glitch_us
    limit_ppm = alignment.LIMIT_PPM
    if options.clock_error is not None:
        limit_ppm = 0.0
        with suppress(ValueError):
            limit_ppm = 1e6 * relations.part(options.clock_error)
        if not 0 < limit_ppm <= alignment.MOST_PPM:
            words = _('--clock-error {text}: write it as "500 ppm" or "1 %", at most 2 %')
            raise UserError(words.format(text=options.clock_error))
    how = Options(tuple(digital.read_pins(options.pin)), options.align, glitch_us, limit_ppm)

    def observe(case: Case) -> Witnessed:
        if case.faults.names:
            words = _("{path}: faults have no effect on a recorded unit; ignored: {faults}")
            faults = ", ".join(case.faults.names)
            print(words.format(path=case.path, faults=faults), file=sys.stderr)
        if options.capture:
            return witness.of_capture(options.capture, case.scenario, how)
        beeps, seconds = witness.heard(options.recording)
        return witness.of_sound(options.recording, beeps, seconds, case.scenario, how)

    return observe


def _check(
    paths: list[str], instrument: Observe | None, options: argparse.Namespace
) -> list[Result]:
    """Check all files that can be checked, and print each result immediately."""
    name = options.on or bodies.CPYTHON
    slack = bodies.slack(name)
    if instrument:
        slack = SLACK_OF_CAPTURE if options.capture else SLACK_OF_SOUND
    cases: list[Case | Result] = []
    for path in paths:
        try:
            cases.append(checking.load(path, slack))
        except UserError as error:
            cases.append(_unchecked(path, error))
    if not any(isinstance(case, Case) for case in cases):
        return [case for case in cases if isinstance(case, Result)]
    with ExitStack() as stack:
        try:
            body = bodies.body(name, options.force, options.image)
            observe = instrument or stack.enter_context(body)
        except UserError as error:  # the body is not available
            _print_error(error)
            return [
                Result(case.path, [], error) if isinstance(case, Case) else case for case in cases
            ]
        return [
            _judge(case, observe, slack, options) if isinstance(case, Case) else case
            for case in cases
        ]


def _unchecked(path: str, error: UserError, began: float | None = None) -> Result:
    """Print an error, and return it as the result of a file."""
    _print_error(error)
    return Result(path, [], error, 0.0 if began is None else time.monotonic() - began)


def _judge(case: Case, observe: Observe, slack: Slack, options: argparse.Namespace) -> Result:
    began = time.monotonic()
    try:
        found = observe(case)
    except UserError as error:
        return _unchecked(case.path, error, began)
    expected = case.expectations
    if isinstance(found, Trace):
        seen, shown, judged = None, found, checking.judge(expected, found)
    else:
        seen, shown = found, found.shown
        judged = checking.judge(expected, shown, seen.sees, seen.begins_ms, seen.ends_ms)
    result = Result(case.path, judged, None, time.monotonic() - began, options.allow_unseen)
    _print_result(result, lambda ms: shown, seen.ends_ms if seen else math.inf)
    title = picture.title(case.path, case.scenario.program)
    if seen:
        for note in seen.notes:
            print(f"  {note}")
        source = options.capture or options.recording
        plot = options.plot or f"{source}.lateness.svg"
        if plot != "none":
            fit, end_ms = seen.fit, seen.due.end_ms
            edges = [
                lateness_plot.Edge(mark.kind.rpartition(" ")[0], due, fit.line.at(mark.ms) - due)
                for mark, due in fit.pairs
                if due is not None
            ]
            drift = None
            if fit.is_corrected and fit.drift_ppm is not None:
                drift = 0.0, fit.drift_ppm / 1e6 * end_ms
            failed = [judged.failures[0].around_ms for judged in result.broken]
            lates = lateness_plot.Plot(edges, end_ms, slack.at_ms, seen.notes, failed, drift)
            try:
                _save(plot, lateness_plot.draw(lates, title))
            except UserError as error:  # the capture's folder may be read-only
                _print_error(error)
    if options.picture:
        _save(options.picture, picture.timeline(shown, title, due=seen.due if seen else None))
    return result


def _print_result(result: Result, near: Callable[[int], Trace], ends_ms: float) -> None:
    """Print the outcome: failed and unjudged expectations, and all measurements.

    near     returns the trace around a time
    ends_ms  when the observation ended
    """
    broken = result.broken
    count = len(result.judged)
    unseen = [judged for judged in result.judged if judged.is_unseen]
    if broken:
        words = _("FAIL  {path} (expectations: {failed} of {count} not met)")
    elif result.is_unseen:
        words = _("none  {path} (expectations: 0 of {count} could be judged)")
    elif result.is_cut:
        words = _("cut   {path} (expectations: {seen} of {count} could be judged)")
    elif result.code:
        words = _(
            "part  {path} (expectations: {seen} of {count} could be judged; use --allow-unseen to "
            "pass without the others)"
        )
    elif unseen:
        words = _("pass  {path} (expectations: {seen} of {count} could be judged)")
    else:
        words = _("pass  {path} (expectations: {count})")
    seen = count - len(unseen)
    line = words.format(path=result.path, count=count, failed=len(broken), seen=seen)
    print(line, flush=True)
    for judged in broken:
        for line in judged.in_words():
            print(f"  {line}")
        if judged.found and judged.found.failed > 1:
            print(_("  {count} failures in total").format(count=number(judged.found.failed)))
        around_ms = judged.failures[0].around_ms
        print(picture.in_text(near(around_ms), around_ms))
    for judged in unseen:
        if judged.found is None:
            words = _("  not visible to this instrument: {what}")
        else:
            words = _("  unknown, since the observation ends at {end} s: {what}")
        end = number(ends_ms / 1000, 1) if judged.found else ""
        print(words.format(what=judged.expectation.words, end=end))
    for row in checking.table(result.judged):
        print(f"  {row}")


def _print_error(error: UserError) -> None:
    sys.stdout.flush()  # keep the order of output and errors
    print(f"city-unit: {error}", file=sys.stderr)


_SIGNS = {code: None for code in range(32) if code not in (9, 10, 13)}  # not allowed in XML


def _junit(results: Sequence[Result], began: datetime) -> bytes:
    """Return the results in JUnit's format: a suite per file, a case per expectation.

    A file that could not be checked is a case with an error.
    """
    root = ElementTree.Element("testsuites", name="city-unit")

    def add(to: ElementTree.Element, kind: str, **attributes: str) -> ElementTree.Element:
        plain = {key: text.translate(_SIGNS) for key, text in attributes.items()}
        return ElementTree.SubElement(to, kind, plain)

    for result in results:
        judged, path = result.judged, result.path
        counts = {
            "tests": len(judged) + bool(result.error),
            "failures": len(result.broken),
            "errors": int(bool(result.error)),
            "skipped": sum(expected.is_unseen for expected in judged),
        }
        suite = add(root, "testsuite", name=path, **{key: str(n) for key, n in counts.items()})
        suite.set("time", f"{result.seconds:.3f}")
        suite.set("timestamp", began.isoformat(timespec="seconds"))
        if result.error:
            case = add(suite, "testcase", classname=path, name=path, time=suite.get("time", ""))
            add(case, "error", message=str(result.error))
        share = f"{result.seconds / max(1, len(judged)):.3f}"  # one run judges all
        for place, expected in enumerate(judged, 1):
            name = f"{place}. {expected.expectation.words}"
            case = add(suite, "testcase", classname=path, name=name, time=share)
            if expected.expectation.line:
                case.set("file", suite.get("name", ""))
                case.set("line", str(expected.expectation.line))
            if expected.is_unseen:
                words = _("this instrument cannot see it")
                words = _("the observation ends before") if expected.found else words
                add(case, "skipped", message=words)
            for failure in expected.failures[:1]:
                words = _("expected {expected}; happened: {happened}")
                words = words.format(expected=expected.expectation.words, happened=failure.happened)
                failed = add(case, "failure", message=words)
                failed.text = failed.get("message")
    for key in ("tests", "failures", "errors", "skipped"):
        root.set(key, str(sum(int(suite.get(key, 0)) for suite in root)))
    root.set("time", f"{sum(result.seconds for result in results):.3f}")
    return ElementTree.tostring(root, "utf-8", xml_declaration=True)
