"""What is wrong with the unit, in words, and what would mend it."""

from collections.abc import Callable

from city_game import texts_table as texts
from city_game.table.session import Session

UNFIT = ("championship", "timed", "world")  # programs without permits, or with another clock

Cures = list[tuple[str, str, Callable[[], object]]]  # of each: label, key, what it does


def notice(session: Session) -> str:
    """Return what is wrong with the unit; "" if nothing is, or if it does not matter any more."""
    unit = session.unit
    if session.state.phase == "over":
        return ""
    if not unit.online:
        return texts.NOTICE_GONE
    if unit.state == "off":
        return texts.NOTICE_OFF
    return texts.NOTICE_PROGRAM.format(program=unit.program) if unit.program in UNFIT else ""


def cures(session: Session, another_unit: Callable[[], object]) -> Cures:
    """Return what would mend it, nothing if nothing is wrong."""
    unit = session.unit
    if not notice(session):
        return []
    if not unit.online:
        return [(texts.OTHER, "f5", another_unit)]
    if unit.state == "off":
        return [(texts.SWITCH_ON, "enter", lambda: unit.ask("switch on"))]
    return [(texts.SET_PROGRAM, "enter", lambda: unit.ask("program city"))]
