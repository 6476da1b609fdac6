"""Deals by telephone: proposed in private, made at the table once both sides want them."""

from typing import NamedTuple

from city_game.kernel.actions import why_not
from city_game.kernel.deals import awaits_light
from city_game.kernel.deals import refusal as deal_refusal
from city_game.kernel.sales import JUDGED_IN
from city_game.kernel.state import Deal, State
from city_game.phones import requests
from city_game.phones.requests import Request
from city_game.report.reasons import refused
from city_game.report.words import EVENTS, deal_sides
from city_game.table.session import Session
from city_unit.desktop import catalogue
from city_unit.desktop.catalogue import _

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
            "offer", request.line.player, requests.whole(message.get("partner")),
            requests.deeds(message.get("gives")), requests.deeds(message.get("asks")),
            requests.whole(message.get("pays")), requests.whole(message.get("cards")),
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
