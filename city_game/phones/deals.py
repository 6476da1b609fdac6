"""Deals by telephone: proposed in private, made at the table once both sides want them."""

from city_game.phones import messages
from city_game.phones.proposals import Proposal, Proposals
from city_game.phones.said import Said, act
from city_game.report.reasons import refused
from city_game.rules.deals import awaits_light
from city_game.rules.deals import refusal as deal_refusal
from city_game.rules.engine import why_not
from city_game.rules.state import Deal
from city_game.table.play.session import Session
from city_unit.desktop.catalogue import _


class Deals:
    """The deals that players put to each other by telephone.

    proposals  those that wait for an answer
    """

    def __init__(self) -> None:
        self.proposals = Proposals()
        self._agreed: Deal | None = None  # that both sides want, and waits for the light

    def propose(self, said: Said) -> str:
        """Propose a deal: to another telephone in private, to whoever has none at the table."""
        message = said.message
        action = (
            "offer", said.line.player, messages.whole(message.get("partner")),
            messages.districts(message.get("gives")), messages.districts(message.get("asks")),
            messages.whole(message.get("pays")), messages.whole(message.get("cards")),
        )  # fmt: skip
        why = deal_refusal(said.session.state, action)
        if why:
            return refused(why)
        if action[2] not in said.session.remote():
            return said.act(action)
        self.proposals.make(action)
        return ""

    def reply(self, said: Said) -> str:
        """Agree to a proposal, turn it down, or take back the player's own."""
        player = said.line.player
        proposal = self.proposals.find(said.message.get("number"))
        if proposal is None or player not in (proposal.proposer, proposal.partner):
            return refused("no-deal")
        if said.message.get("agree") is not True:
            self.proposals.drop(proposal)
            return ""
        if player != proposal.partner:
            return refused("no-deal")
        return self._agree(said, proposal)

    def _agree(self, said: Said, proposal: Proposal) -> str:
        """Make a deal: what all see of it is that it was made."""
        why = why_not(said.session.state, proposal.action())
        if why == "not-now":
            return _("Deals are made on somebody's turn: agree again in a moment.")
        self.proposals.drop(proposal)
        if why:
            return refused(why)
        said.act(proposal.action())
        self._agreed = said.session.state.deal
        self.conclude(said.session, said.language)
        return ""

    def conclude(self, session: Session | None, language: str) -> None:
        """Make the deal that both sides want, as soon as the light is on for it."""
        agreed = self._agreed
        if session is None or agreed is None or awaits_light(session.state):
            return
        self._agreed = None
        if session.state.deal is agreed:
            act(session, ("accept",), language)
