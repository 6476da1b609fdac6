"""A message of a telephone with a seat, beside the game that it is about."""

from typing import NamedTuple

from city_game.kernel.engine import why_not
from city_game.kernel.sales import JUDGED_IN
from city_game.phones import messages
from city_game.phones.line import Line
from city_game.report.reasons import refused
from city_game.table.play.session import Session
from city_unit.desktop import catalogue
from city_unit.desktop.catalogue import _


class Said(NamedTuple):
    """A message of a telephone with a seat.

    came      when it arrived, in ms of this computer's clock
    language  the table's, in which its log is written; refusals are in the telephone's
    """

    session: Session
    line: Line
    message: dict
    came: float
    language: str

    def act(self, action: tuple) -> str:
        """Do an action of the rules; return in words why not, "" if it was done."""
        return act(self.session, action, self.language)

    def game_has_moved_on(self) -> str:
        """Return in words that the game has gone on since the telephone looked, "" if it has not.

        Otherwise a telephone that repeats a step could do it twice: the table may have been killed
        after it did the step, and before it could answer.
        """
        seen = messages.whole(self.message.get("step"))
        if seen is None or seen == len(self.session.game.actions):
            return ""
        return _("The game has moved on: look again.")

    def is_of_this_sale(self) -> bool:
        """Return whether it was meant for the sale that runs: it may have come much later."""
        state = self.session.state
        return state.phase in JUDGED_IN and self.message.get("sale") == len(state.sales)


def act(session: Session, action: tuple, language: str) -> str:
    """Do an action of the rules, logged in a language; return in words why not, "" if done."""
    why = why_not(session.state, action)
    if why:
        return refused(why, session.state.edition)
    with catalogue.spoken(language):
        session.do(action)
    return ""
