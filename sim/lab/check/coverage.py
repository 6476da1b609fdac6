"""Which states and transitions of the unit a folder of scenarios goes through, and which not."""

from collections.abc import Iterable
from typing import NamedTuple

from city_unit.facts import BUTTONS
from city_unit.transitions import TRANSITIONS
from sim.engine import virtual
from sim.engine.scenario import Scenario

Row = tuple[str, str]  # a state, and an event in it


class Covered(NamedTuple):
    """By how many scenarios each row of the table was used, and each refusal of a button."""

    rows: dict[Row, int]
    refusals: dict[Row, int]

    @property
    def states(self) -> dict[str, int]:
        """By how many scenarios each state was seen: its row or refusal that most of them used."""
        return {
            state: max(
                count
                for (there, _what), count in (*self.rows.items(), *self.refusals.items())
                if there == state
            )
            for state in TRANSITIONS
        }


def measure(scenarios: Iterable[Scenario]) -> Covered:
    """Let the core live through scenarios and count the rows and refusals that they use."""
    rows = {(state, what): 0 for state, there in TRANSITIONS.items() for what in there}
    presses = [f"press {button}" for button in BUTTONS]
    refusals = {
        (state, press): 0
        for state, there in TRANSITIONS.items()
        for press in presses
        if press not in there and state != "off"
    }
    for scenario in scenarios:
        for row in virtual.used(scenario):
            for counted in (rows, refusals):
                if row in counted:
                    counted[row] += 1
    return Covered(rows, refusals)
