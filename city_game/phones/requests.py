"""Requests of a telephone: read as from an enemy, made into checked values, and done.

A method that does something returns in words why it was not done, "" if it was.
"""

import json
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from city_game.kernel.actions import why_not
from city_game.kernel.money import show
from city_game.kernel.sales import JUDGED_IN, least_bid
from city_game.kernel.state import State
from city_game.phones.line import Line, Verdict
from city_game.report.reasons import REASONS, refused
from city_game.table.auctioneer import Claim, Limit
from city_game.table.session import CALLS, Session
from city_game.table.view import decide
from city_unit.desktop import catalogue
from city_unit.desktop.catalogue import _
from city_unit.desktop.forms import milliseconds

MOST_DISTRICTS = 40  # of a list; more than on any board
LARGEST = 10**9


def read(text: str | bytes) -> dict[str, Any]:
    """Return a message, {} if it is none; a number in it is no larger than any that is needed."""
    try:
        message = json.loads(text)
    except (ValueError, RecursionError):
        return {}
    return message if isinstance(message, dict) else {}


def whole(value: object) -> int | None:
    """Return a whole number, None for anything else."""
    return value if type(value) is int and abs(value) < LARGEST else None


def number(value: object) -> float | None:
    """Return a number of ms, None for anything else, for NaN, and from 1e15 on."""
    if type(value) not in (int, float):
        return None
    assert isinstance(value, (int, float))
    return float(value) if abs(value) < 1e15 else None  # false for nan as well


def word(value: object, longest: int = 64) -> str:
    """Return a text, "" for anything else."""
    return value if isinstance(value, str) and len(value) <= longest else ""


def action(value: object) -> tuple:
    """Return an action of the rules as it may have been meant, () for anything else."""
    if not isinstance(value, list) or not 0 < len(value) <= 8 or not isinstance(value[0], str):
        return ()
    return tuple(
        tuple(part) if isinstance(part, list) and len(part) <= MOST_DISTRICTS else part
        for part in value
    )


def deeds(value: object) -> tuple[int, ...] | None:
    if not isinstance(value, list) or len(value) > MOST_DISTRICTS:
        return None
    return tuple(value) if all(type(part) is int for part in value) else None


LARGEST_STEP = 1000  # notes


@dataclass
class Request:
    """A message of a telephone with a seat, beside the game that it is about.

    came      when it arrived, in ms of this computer's clock
    language  the table's, in which its log is written; refusals are in the telephone's
    """

    session: Session
    line: Line
    message: dict
    came: float
    language: str

    @property
    def state(self) -> State:
        return self.session.state

    def act(self, wanted: tuple) -> str:
        """Do an action of the rules."""
        if why := why_not(self.state, wanted):
            return refused(why, self.state.edition)
        with catalogue.spoken(self.language):
            self.session.do(wanted)
        return ""

    # A turn: actions of the rules, the unit's buttons, a pause.

    def choose(self) -> str:
        """Do an action of the rules, if it is for the player to decide.

        Deals have a way of their own; what chance and the unit do, and bids with a time in them,
        nobody says.
        """
        wanted = action(self.message.get("action"))
        rule = self.state.edition.actions.get(wanted[0]) if wanted else None
        if rule is None or not rule.is_own:
            return refused("no-such-thing")
        if self.state.decider != self.line.player:
            return self._not_yours(self.state.decider)
        return self._game_has_moved_on() or self.act(wanted)

    def call(self) -> str:
        """Do an action that is an option of this player's now, and the table's to do."""
        calls = word(self.message.get("calls"))
        decision = decide(self.session.table())
        decides = self.session.gathers or decision.player == self.line.player
        if not decides or calls not in CALLS:
            return self._not_yours(decision.player)
        if not any(option.calls == calls for option in decision.options):
            return refused("not-now")
        if moved_on := self._game_has_moved_on():
            return moved_on
        with catalogue.spoken(self.language):
            CALLS[calls](self.session)
        return ""

    def pause(self) -> str:
        """Pause, or go on: anybody may have to see to the door."""
        if why := self.session.pause_refused():
            return why
        with catalogue.spoken(self.language):
            self.session.pause(self.line.player)
        return ""

    def call_referee(self) -> str:
        """Call the referee, or take the call back."""
        called = self.line.player in self.session.callers
        if self.message.get("on") is called:
            return ""  # a second telephone of this seat, or a stale page
        if not (called or self.session.has_referee()):
            return _("No referee looks at this table")
        with catalogue.spoken(self.language):
            self.session.call_referee(self.line.player)
        return ""

    def _game_has_moved_on(self) -> str:
        """Return in words that the game has gone on since the telephone looked, "" if it has not.

        Otherwise a telephone that repeats a step could do it twice: the table may have been killed
        after it did the step, and before it could answer.
        """
        seen = whole(self.message.get("step"))
        if seen is None or seen == len(self.session.game.actions):
            return ""
        return _("The game has moved on: look again.")

    def _not_yours(self, decider: int) -> str:
        """Return in words that another player decides, by name if anybody does."""
        if decider < 0:
            return _("It is not for you to decide now.")
        return _("{name} decides now.").format(name=self.session.names[decider])

    # A sale: the large button, the secret maximum and the pass.

    def bid(self) -> str:
        """Parse a press of the large button: an amount that was seen, and the telephone's time."""
        session, line, names = self.session, self.line, self.session.names
        amount, stamp = whole(self.message.get("amount")), number(self.message.get("at"))
        if amount is None or stamp is None or not self._is_of_this_sale():
            return refused("no-auction")

        def note(claim: Claim, why: str) -> None:
            with catalogue.spoken(line.language or catalogue.speaking()):
                words = _why_it_does_not_count(session.state, names, claim, why) if why else ""
            line.verdict = Verdict(len(session.state.sales), claim.amount, words, not why)

        press = line.clock.press(stamp, self.came)
        at = int(session.unit.at(press.at))
        within = session.unit.within() + int(press.within + 0.999)
        line.verdict = None
        with catalogue.spoken(self.language):
            session.auctioneer.claim(Claim(line.player, amount, at, within, note))
        return ""

    def limit(self) -> str:
        """Set the secret maximum up to which the table bids for the player; 0 removes it."""
        state, player = self.state, self.line.player
        most, step = whole(self.message.get("amount")), whole(self.message.get("step"))
        if most is None or step is None or most < 0 or not 0 < step <= LARGEST_STEP:
            return refused("no-such-thing")
        auction = state.auction
        if not self._is_of_this_sale() or auction is None:
            return refused("no-auction")
        if most > state.cash[player]:
            return refused("not-enough-money")
        if most and player in auction.passed:
            return _("You have passed: a bid of your own takes the pass back.")
        least = least_bid(state)
        if 0 < most < least:
            return _("The highest bid is {highest}: your maximum is {least} at least.").format(
                highest=show(auction.highest()), least=show(least)
            )
        self.session.auctioneer.limits.set(state, player, Limit(most, step))
        return ""

    def give_up(self) -> str:
        """Pass: the player's maximum is taken back with it."""
        if not self._is_of_this_sale():
            return refused("no-auction")
        self.session.auctioneer.limits.set(self.state, self.line.player, Limit(0, 1))
        return self.act(("pass", self.line.player, int(self.session.unit.now())))

    def _is_of_this_sale(self) -> bool:
        """Return whether it was meant for the sale that runs: it may have come much later."""
        sale = len(self.state.sales)
        return self.state.phase in JUDGED_IN and self.message.get("sale") == sale


def shown_verdict(state: State, verdict: Verdict | None) -> dict | None:
    """Return the verdict on a telephone's last bid, as long as it matters to that player."""
    auction = state.auction
    if verdict is None or auction is None or verdict.sale != len(state.sales):
        return None
    if verdict.counts and auction.highest() > verdict.amount:
        return None
    return {"amount": verdict.amount, "counts": verdict.counts, "words": verdict.words}


def _why_it_does_not_count(state: State, names: Sequence[str], claim: Claim, why: str) -> str:
    auction = state.auction
    if auction is None or why != "bid-too-low" or not auction.bids:
        return str(REASONS[why])
    first = next((bid for bid in auction.bids if bid.amount >= claim.amount), auction.bids[-1])
    words = _("{name} was {time} earlier, give or take {within}.")
    if claim.is_close_to(first.at, first.within):
        words = _("{name} was {time} earlier, give or take {within}: too close to be sure.")
    return words.format(
        name=names[first.player],
        time=milliseconds(abs(claim.at - first.at)),
        within=milliseconds(claim.within + first.within),
    )
