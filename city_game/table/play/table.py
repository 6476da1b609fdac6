"""A game at the table at one moment, as plain values: all decisions and views are made from it."""

from typing import NamedTuple

from city_game.kernel.sales import still_in
from city_game.kernel.state import State
from city_unit.desktop.catalogue import _

NOBODY = -1
BID_KEYS = "fjvnrk"  # of the players; far apart on any keyboard of letters


class Problem(NamedTuple):
    """A fault, the button that mends it, and the name of that button's action."""

    words: str
    label: str
    key: str
    cure: str


class Table(NamedTuple):
    """The state of the rules, and the facts that are not in it.

    state      the rules' own object, which changes with each step
    moment     its steps, phase, decider and events: two tables of other moments differ
    people     the persons in the game, a bankrupt no more
    online     the players with a telephone
    gathers    whether the game, and its hour, wait for people that have no telephone yet
    is_paused, paused_by  whether the unit is off for a pause, and the player that asked for it,
               NOBODY if that is not known
    unit_state    "" while the unit has never been heard
    other_program  the unit's program, if the game cannot be played with it, else ""
    light_ends    when the sale's light goes out, ms of the unit's clock; None if that is secret
    warning_ms    before that the light is about to go out
    can_undo   whether the last step was a person's own, and can be taken back
    limits     in a sale of each player: the secret maximum up to which the table bids, 0 for none
    unjudged   in a sale of each player: the highest bid that is not judged yet, 0 for none
    """

    state: State
    moment: tuple[int, str, int, int]
    names: tuple[str, ...]
    seats: tuple[str, ...]
    people: tuple[int, ...]
    online: frozenset[int]
    gathers: bool
    is_paused: bool
    paused_by: int
    unit_online: bool
    unit_state: str
    other_program: str
    light_is_on: bool
    light_ends: float | None
    warning_ms: int
    can_undo: bool
    limits: tuple[int, ...]
    unjudged: tuple[int, ...]

    @property
    def steps(self) -> int:
        return self.moment[0]

    @property
    def missing(self) -> tuple[int, ...]:
        """Return the people for whose telephones the game waits."""
        waits_for = (player for player in self.people if player not in self.online)
        return tuple(waits_for) if self.gathers else ()

    def can_pass(self) -> bool:
        """Return whether a person is left at the table's own keyboard who might still bid."""
        if self.state.phase != "bidding" or not self.state.rules.passes_end_auctions:
            return False
        left = still_in(self.state)
        return any(player in left and player not in self.online for player in self.people)

    def problem(self) -> Problem | None:
        """Return the fault of the unit, or that it was switched off for a pause; None if none."""
        if self.state.phase == "over":
            return None
        if not self.unit_online:
            words = _("The unit is gone. The game waits for it.")
            return Problem(words, _("Go on with another unit"), "f5", "another unit")
        if self.unit_state == "off":
            if self.is_paused:
                by = self.names[self.paused_by] if self.paused_by >= 0 else ""
                return Problem(pause_in_words(by), _("Go on"), "enter", "pause")
            words = _("The unit is switched off.")
            return Problem(words, _("Switch it on"), "enter", "switch on")
        if self.other_program:
            program = self.state.edition.program
            words = _("The unit runs the program {program}, not {wanted}.")
            words = words.format(program=self.other_program, wanted=program)
            label = _("Set it to {program}").format(program=program)
            return Problem(words, label, "enter", "set program")
        return None


def pause_in_words(paused_by: str) -> str:
    """Return that the game is paused, and by which player, "" if that is not known."""
    if not paused_by:
        return _("Pause: the hour stands.")
    return _("{name} has paused: the hour stands.").format(name=paused_by)
