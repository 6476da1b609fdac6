"""Requests of a telephone: read as from an enemy, made into checked values, and done.

A method that does something returns in words why it was not done, "" if it was.
"""

import json
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from city_game.kernel.actions import why_not
from city_game.kernel.deals import awaits_light
from city_game.kernel.deals import refusal as deal_refusal
from city_game.kernel.money import show
from city_game.kernel.sales import JUDGED_IN, least_bid
from city_game.kernel.state import Deal, State
from city_game.phones.line import Line, Verdict
from city_game.table.auctioneer import Claim, Limit
from city_game.table.session import CALLS, Session
from city_game.table.view import decide
from city_game.words import EVENTS, REASONS, deal_sides, refused
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
            return _("No referee is watching this table")
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


# Deals by telephone: proposed in private, made at the table once both sides want them.

MOST = 3  # that a player may have open at a time


class Proposal(NamedTuple):
    """An offer of a player to another: as in `rules.deals`, `pays` and `cards` may be below 0.

    number  by which the telephones know it
    """

    number: int
    proposer: int
    partner: int
    gives: tuple[int, ...]
    asks: tuple[int, ...]
    pays: int
    cards: int

    def action(self) -> tuple:
        """Return the action of the rules that offers it."""
        return ("offer", *self[1:])


# A player that gives this much more than they get, and more than twice as much, is asked again.
MUCH = 300
AGAIN_MS = 1000.0  # a second press before that is no answer: nobody has read the question yet
TOLD_MS = 30000.0  # for so long a player sees that a deal has fallen
# The reasons for which a proposal falls at once. Too little money is none: it may come back.
LASTING = ("not-yours", "not-theirs", "no-jail-card", "out-of-the-game")


class Fallen(NamedTuple):
    """A deal that is not made, as one of its players reads of it.

    why  the code of the reason; "declined"
    who  number of the player that the reason is about
    """

    other: int
    why: str
    who: int
    until: float


class Deals:
    """The deals that players of one game put to each other by telephone.

    fallen  by player: the last one that was not made, as long as the page shows it
    """

    def __init__(self, session: Session) -> None:
        self._session = session
        self._open: dict[int, Proposal] = {}  # those that wait for an answer, by number
        self._count = 0
        self.fallen: dict[int, Fallen] = {}
        self._agreed: Deal | None = None  # that both sides want, and waits for the light
        self._asked: dict[int, tuple[tuple, float]] = {}  # by player: the deal to think over

    def seen_by(self, player: int) -> list[Proposal]:
        """Return the proposals that a player made or must answer.

        In an auction those to be answered are left out: none may come up under a finger that bids.
        """
        answers = self._session.state.phase not in JUDGED_IN
        return [
            proposal
            for proposal in self._open.values()
            if player == proposal.proposer or (answers and player == proposal.partner)
        ]

    def reason(self, player: int) -> str:
        """Return in words why a player's deal was not made, "" if it was made."""
        fallen = self.fallen.get(player)
        if fallen is None:
            return ""
        names = self._session.names
        other, who = names[fallen.other], names[fallen.who]
        if fallen.why == "declined":
            return EVENTS["declined"].format(player=who, partner=names[player])
        if fallen.why == "not-enough-money":
            return _("The deal with {other} falls: {name} no longer has the money.").format(
                other=other, name=who
            )
        return _("The deal with {other} falls: not all of it is there any more.").format(
            other=other
        )

    def propose(self, request: Request) -> str:
        """Propose a deal: to another telephone in private, to a player without one at the table.

        Of more than `MOST` of a player the oldest is dropped.
        """
        message = request.message
        action: tuple = (
            "offer", request.line.player, whole(message.get("partner")),
            deeds(message.get("gives")), deeds(message.get("asks")),
            whole(message.get("pays")), whole(message.get("cards")),
        )  # fmt: skip
        why = deal_refusal(request.state, action)
        if why:
            return refused(why, request.state.edition)
        if ask := self._think_again(request, action):
            return ask
        if action[2] not in request.session.remote():
            return request.act(action)
        self._count += 1
        self._open[self._count] = Proposal(self._count, *action[1:])
        mine = [kept for kept in self._open.values() if kept.proposer == request.line.player]
        for kept in mine[:-MOST]:
            del self._open[kept.number]
        return ""

    def reply(self, request: Request) -> str:
        """Agree to a proposal, turn it down, or take back the player's own."""
        player = request.line.player
        number = request.message.get("number")
        proposal = self._open.get(number) if type(number) is int else None
        if proposal is None or player not in (proposal.proposer, proposal.partner):
            return refused("no-deal")
        if request.message.get("agree") is not True:
            del self._open[proposal.number]
            if player == proposal.partner:
                self._tell(proposal.proposer, proposal, "declined", player)
            return ""
        if player != proposal.partner:
            return refused("no-deal")
        why = why_not(request.state, proposal.action())
        if why == "not-now":
            return _("Deals are made on somebody's turn: agree again in a moment.")
        if why:
            return self._fall(proposal, why, request.line.player)
        if ask := self._think_again(request, proposal.action()):
            return ask
        del self._open[proposal.number]
        request.act(proposal.action())  # the others see only that a deal was made
        self._agreed = request.state.deal
        self.conclude(request.language)
        return ""

    def conclude(self, language: str) -> None:
        """Make the deal that both sides want, as soon as the light is on for it.

        language  the table's, in which its log is written
        """
        session, agreed = self._session, self._agreed
        if agreed is None or awaits_light(session.state):
            return
        self._agreed = None
        if session.state.deal is agreed and not why_not(session.state, ("accept",)):
            with catalogue.spoken(language):
                session.do(("accept",))

    def update(self) -> None:
        """Cancel proposals that can no longer be made; forget cancelled ones after `TOLD_MS`."""
        session = self._session
        for proposal in list(self._open.values()):
            why = deal_refusal(session.state, proposal.action())
            if why in LASTING:
                self._fall(proposal, why)
        if session.state.phase not in JUDGED_IN:  # under a light nobody reads
            now = session.unit.host_ms()
            self.fallen = {who: fallen for who, fallen in self.fallen.items() if fallen.until > now}

    def _fall(self, proposal: Proposal, why: str, player: int = -1) -> str:
        """Cancel a proposal for both players; return the text for one of them."""
        del self._open[proposal.number]
        lacks = proposal.pays > self._session.state.cash[proposal.proposer]
        who = proposal.proposer if lacks else proposal.partner
        for side in (proposal.proposer, proposal.partner):
            self._tell(side, proposal, why, who)
        return self.reason(player)

    def _tell(self, player: int, proposal: Proposal, why: str, who: int) -> None:
        other = proposal.partner if player == proposal.proposer else proposal.proposer
        until = self._session.unit.host_ms() + TOLD_MS
        self.fallen[player] = Fallen(other, why, who, until)

    def _think_again(self, request: Request, action: tuple) -> str:
        """Return in words that a player gives much more than they get, "" if not.

        Also "" if they were asked that before, long enough ago to have read it.
        """
        state, player = request.state, request.line.player
        _kind, proposer, _partner, gives, asks, pays, cards = action
        mine, theirs = deal_sides(state.board, gives, asks, pays, cards)
        if player != proposer:
            gives, asks, pays, cards, mine, theirs = asks, gives, -pays, -cards, theirs, mine
        given = _value(state, gives, pays, -cards)
        got = _value(state, asks, -pays, cards)
        if given - got < MUCH or given <= 2 * got:
            return ""
        asked, at = self._asked.get(player, ((), 0.0))
        if asked == action and request.came - at >= AGAIN_MS:
            del self._asked[player]
            return ""
        self._asked[player] = (action, at if asked == action else request.came)
        return _("You give {mine} for {theirs}: once more does it all the same.").format(
            mine=mine, theirs=theirs
        )


def _value(state: State, deeds: tuple[int, ...], money: int, cards: int) -> int:
    """Return about what one side of a deal is worth; money below 0 is paid by the other side."""
    worth = sum(max(state.board.prices[deed], state.edition.rent(state, deed)) for deed in deeds)
    return worth + max(0, money) + max(0, cards) * state.board.money.jail_fine
