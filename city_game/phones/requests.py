"""Requests of telephones: parsed as untrusted input, validated, and performed.

A method that performs a request returns "" on success, else the reason as text for people.
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
from city_game.phones.client import Client, Verdict
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
    """Parse a message; return {} if it is invalid."""
    try:
        message = json.loads(text)
    except (ValueError, RecursionError):
        return {}
    return message if isinstance(message, dict) else {}


def whole(value: object) -> int | None:
    """Return an integer below `LARGEST`, None for anything else."""
    return value if type(value) is int and abs(value) < LARGEST else None


def number(value: object) -> float | None:
    """Return a number of ms below 1e15, None for anything else, and for NaN."""
    if type(value) not in (int, float):
        return None
    assert isinstance(value, (int, float))
    return float(value) if abs(value) < 1e15 else None  # the comparison is false for NaN


def word(value: object, longest: int = 64) -> str:
    """Return a string of at most `longest` characters, "" for anything else."""
    return value if isinstance(value, str) and len(value) <= longest else ""


def action(value: object) -> tuple:
    """Return a list in the form of an action of the rules, unvalidated; () for anything else."""
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
    """A message of a telephone with a seat, and the game that it is about.

    came      its arrival, in ms of this computer's clock
    language  the table's, for its log; refusals are in the telephone's language
    """

    session: Session
    client: Client
    message: dict
    came: float
    language: str

    @property
    def state(self) -> State:
        return self.session.state

    def act(self, wanted: tuple) -> str:
        if why := why_not(self.state, wanted):
            return refused(why, self.state.edition)
        with catalogue.spoken(self.language):
            self.session.do(wanted)
        return ""

    # A turn: actions of the rules, the unit's buttons, a pause.

    def choose(self) -> str:
        """Perform an action of the rules, if it is the player's to decide.

        Deals and bids have requests of their own. Draws and events of the unit cannot be requested.
        """
        wanted = action(self.message.get("action"))
        rule = self.state.edition.actions.get(wanted[0]) if wanted else None
        if rule is None or not rule.is_own:
            return refused("no-such-thing")
        if self.state.decider != self.client.player:
            return self._not_yours(self.state.decider)
        return self._game_has_moved_on() or self.act(wanted)

    def call(self) -> str:
        """Perform one of the table's own actions, if it is an option of the player now."""
        calls = word(self.message.get("calls"))
        decision = decide(self.session.table())
        decides = self.session.gathers or decision.player == self.client.player
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
        """Pause or resume the game; any player may."""
        if why := self.session.pause_refused():
            return why
        with catalogue.spoken(self.language):
            self.session.pause(self.client.player)
        return ""

    def call_referee(self) -> str:
        """Call the referee, or withdraw the call."""
        called = self.client.player in self.session.callers
        if self.message.get("on") is called:
            return ""  # a second telephone of this seat, or a stale page
        if not (called or self.session.has_referee()):
            return _("No referee is watching this table")
        with catalogue.spoken(self.language):
            self.session.call_referee(self.client.player)
        return ""

    def _game_has_moved_on(self) -> str:
        """Return a refusal if the game has changed since the telephone's last view, else "".

        Without this, a repeated request could be performed twice: the table may have been killed
        after it performed the request and before it responded.
        """
        seen = whole(self.message.get("step"))
        if seen is None or seen == len(self.session.game.actions):
            return ""
        return _("The game has moved on: look again.")

    def _not_yours(self, decider: int) -> str:
        """Return a refusal that names the player who decides, if any."""
        if decider < 0:
            return _("It is not your decision now.")
        return _("{name} decides now.").format(name=self.session.names[decider])

    # A sale: the large button, the secret maximum and the pass.

    def bid(self) -> str:
        """Claim a bid for a press of the large button: the amount on it, the telephone's time."""
        session, client, names = self.session, self.client, self.session.names
        amount, stamp = whole(self.message.get("amount")), number(self.message.get("at"))
        if amount is None or stamp is None or not self._is_of_this_sale():
            return refused("no-auction")

        def note(claim: Claim, why: str) -> None:
            with catalogue.spoken(client.language or catalogue.speaking()):
                words = _why_it_does_not_count(session.state, names, claim, why) if why else ""
            client.verdict = Verdict(len(session.state.sales), claim.amount, words, not why)

        press = client.clock.press(stamp, self.came)
        at = int(session.unit.at(press.at))
        within = session.unit.within() + int(press.within + 0.999)
        client.verdict = None
        with catalogue.spoken(self.language):
            session.auctioneer.claim(Claim(client.player, amount, at, within, note))
        return ""

    def limit(self) -> str:
        """Set the secret maximum up to which the table bids for the player; 0 removes it."""
        state, player = self.state, self.client.player
        most, step = whole(self.message.get("amount")), whole(self.message.get("step"))
        if most is None or step is None or most < 0 or not 0 < step <= LARGEST_STEP:
            return refused("no-such-thing")
        auction = state.auction
        if not self._is_of_this_sale() or auction is None:
            return refused("no-auction")
        if most > state.cash[player]:
            return refused("not-enough-money")
        if most and player in auction.passed:
            return _("You have passed: a bid of your own cancels the pass.")
        least = least_bid(state)
        if 0 < most < least:
            return _("The highest bid is {highest}: your maximum must be at least {least}.").format(
                highest=show(auction.highest()), least=show(least)
            )
        self.session.auctioneer.limits.set(state, player, Limit(most, step))
        return ""

    def give_up(self) -> str:
        """Pass, and remove the player's maximum."""
        if not self._is_of_this_sale():
            return refused("no-auction")
        self.session.auctioneer.limits.set(self.state, self.client.player, Limit(0, 1))
        return self.act(("pass", self.client.player, int(self.session.unit.now())))

    def _is_of_this_sale(self) -> bool:
        """Return whether the message is about the current sale; it may have arrived much later."""
        sale = len(self.state.sales)
        return self.state.phase in JUDGED_IN and self.message.get("sale") == sale


def shown_verdict(state: State, verdict: Verdict | None) -> dict | None:
    """Return the verdict on a telephone's last bid while it matters, else None."""
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


# Deals by telephone: proposed in private, made at the table once both sides agree.

MOST = 3  # open proposals of a player


class Proposal(NamedTuple):
    """A player's offer to another; as in the rules, `pays` and `cards` may be negative.

    number  identifies it to the telephones
    """

    number: int
    proposer: int
    partner: int
    gives: tuple[int, ...]
    asks: tuple[int, ...]
    pays: int
    cards: int

    def action(self) -> tuple:
        """Return the action of the rules that makes the offer."""
        return ("offer", *self[1:])


# A player who gives this much more than they get, and more than twice as much, must confirm.
MUCH = 300
AGAIN_MS = 1000.0  # a second press sooner than this does not confirm: nobody reads so fast
TOLD_MS = 30000.0  # how long a player sees that a deal was cancelled
# The reasons that cancel a proposal at once. A lack of money does not: it may be temporary.
LASTING = ("not-yours", "not-theirs", "no-jail-card", "out-of-the-game")


class Fallen(NamedTuple):
    """A cancelled deal, from the view of one of its players.

    why  the code of the reason, or "declined"
    who  the player whom the reason is about
    """

    other: int
    why: str
    who: int
    until: float


class Deals:
    """The private proposals between the players of one game.

    fallen  by player: the last cancelled deal, while the page shows it
    """

    def __init__(self, session: Session) -> None:
        self._session = session
        self._open: dict[int, Proposal] = {}  # unanswered proposals, by number
        self._count = 0
        self.fallen: dict[int, Fallen] = {}
        self._agreed: Deal | None = None  # accepted by both sides, but the light is not on yet
        self._asked: dict[int, tuple[tuple, float]] = {}  # by player: a deal to confirm, and when

    def seen_by(self, player: int) -> list[Proposal]:
        """Return the proposals that a player made or must answer.

        During an auction the latter are omitted: none may appear under a finger that is bidding.
        """
        answers = self._session.state.phase not in JUDGED_IN
        return [
            proposal
            for proposal in self._open.values()
            if player == proposal.proposer or (answers and player == proposal.partner)
        ]

    def reason(self, player: int) -> str:
        """Return why a player's last deal was cancelled, as text for people, or ""."""
        fallen = self.fallen.get(player)
        if fallen is None:
            return ""
        names = self._session.names
        other, who = names[fallen.other], names[fallen.who]
        if fallen.why == "declined":
            return EVENTS["declined"].format(player=who, partner=names[player])
        if fallen.why == "not-enough-money":
            return _("The deal with {other} is off: {name} no longer has the money.").format(
                other=other, name=who
            )
        return _("The deal with {other} is off: part of it is no longer available.").format(
            other=other
        )

    def propose(self, request: Request) -> str:
        """Propose a deal: in private to a telephone, at the table to a player without one.

        If a player has more than `MOST` open proposals, the oldest is dropped.
        """
        message = request.message
        action: tuple = (
            "offer", request.client.player, whole(message.get("partner")),
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
        mine = [each for each in self._open.values() if each.proposer == request.client.player]
        for oldest in mine[:-MOST]:
            del self._open[oldest.number]
        return ""

    def reply(self, request: Request) -> str:
        """Accept or decline a proposal, or withdraw the player's own."""
        player = request.client.player
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
            return self._fall(proposal, why, request.client.player)
        if ask := self._think_again(request, proposal.action()):
            return ask
        del self._open[proposal.number]
        request.act(proposal.action())  # the others only see that a deal was made
        self._agreed = request.state.deal
        self.conclude(request.language)
        return ""

    def conclude(self, language: str) -> None:
        """Make the deal that both sides accepted, as soon as the light for it is on.

        language  the table's, for its log
        """
        session, agreed = self._session, self._agreed
        if agreed is None or awaits_light(session.state):
            return
        self._agreed = None
        if session.state.deal is agreed and not why_not(session.state, ("accept",)):
            with catalogue.spoken(language):
                session.do(("accept",))

    def update(self) -> None:
        """Cancel proposals that are no longer possible; forget cancelled ones after `TOLD_MS`."""
        session = self._session
        for proposal in list(self._open.values()):
            why = deal_refusal(session.state, proposal.action())
            if why in LASTING:
                self._fall(proposal, why)
        if session.state.phase not in JUDGED_IN:  # nobody reads during an auction
            now = session.unit.host_ms()
            self.fallen = {who: fallen for who, fallen in self.fallen.items() if fallen.until > now}

    def _fall(self, proposal: Proposal, why: str, player: int = -1) -> str:
        """Cancel a proposal for both players; return the reason as text for `player`."""
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
        """Return a question for a player who gives much more than they get, else "".

        Also "" if the player confirms: the same question was asked long enough ago to be read.
        """
        state, player = request.state, request.client.player
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
        return _("You give {mine} for {theirs}: press again to do it anyway.").format(
            mine=mine, theirs=theirs
        )


def _value(state: State, deeds: tuple[int, ...], money: int, cards: int) -> int:
    """Estimate one side of a deal; negative money and cards belong to the other side."""
    worth = sum(max(state.board.prices[deed], state.edition.rent(state, deed)) for deed in deeds)
    return worth + max(0, money) + max(0, cards) * state.board.money.jail_fine
