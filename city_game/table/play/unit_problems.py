"""What is wrong with the unit, in words, and what would mend it."""

from typing import NamedTuple

from city_game.editions.program import described
from city_game.table.unit.table_unit import TableUnit
from city_unit.desktop.catalogue import _


class Problem(NamedTuple):
    """What is wrong, the button that mends it, and the name of what that does."""

    words: str
    label: str
    key: str
    cure: str


def problem(
    unit: TableUnit, program: str, is_paused: bool = False, paused_by: str = ""
) -> Problem | None:
    """Return what is wrong with the unit, or that it was switched off for a pause; None if nothing.

    program    that the game is played with
    is_paused  whether the players have switched it off
    paused_by  who of them did, "" if nobody knows
    """
    if not unit.online:
        return Problem(
            _("The unit is gone. The game waits for it."),
            _("Go on with another unit"),
            "f5",
            "another unit",
        )
    if unit.state == "off" and is_paused:
        return Problem(pause_in_words(paused_by), _("Go on"), "enter", "pause")
    if unit.state == "off":
        return Problem(_("The unit is switched off."), _("Switch it on"), "enter", "switch on")
    if unit.described.program == unit.program and not _does(unit, program):
        words = _("The unit runs the program {program}, not {wanted}.")
        words = words.format(program=unit.program, wanted=program)
        return Problem(
            words, _("Set it to {program}").format(program=program), "enter", "set program"
        )
    return None


def _does(unit: TableUnit, program: str) -> bool:
    """Return whether the unit's program will do: another one with permits also grants them."""
    if described(program).odds:
        return bool(unit.described.odds)
    return unit.program == program


def pause_in_words(paused_by: str) -> str:
    """Return that the game is paused, and by whom if that is known."""
    if not paused_by:
        return _("Pause: the hour stands.")
    return _("{name} has paused: the hour stands.").format(name=paused_by)
