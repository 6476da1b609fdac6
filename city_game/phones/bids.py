"""Bids by telephone: the large button, the secret maximum and the pass; what became of a bid."""

from city_game.kernel.money import show
from city_game.kernel.sales import least_bid
from city_game.kernel.state import State
from city_game.phones import messages
from city_game.phones.line import Line, Verdict
from city_game.phones.said import Said
from city_game.report.reasons import REASONS, refused
from city_game.table.play.auctioneer import Claim, Limit
from city_game.table.play.session import Session
from city_unit.desktop import catalogue
from city_unit.desktop.catalogue import _
from city_unit.desktop.forms import milliseconds

LARGEST_STEP = 1000  # notes


def bid(said: Said) -> str:
    """Take a press of the large button: an amount that was seen, and the telephone's time."""
    session, line, message = said.session, said.line, said.message
    amount, stamp = messages.whole(message.get("amount")), messages.number(message.get("at"))
    if amount is None or stamp is None or not said.is_of_this_sale():
        return refused("no-auction")
    press = line.clock.press(stamp, said.came)
    claim = Claim(
        line.player,
        amount,
        int(session.unit.at(press.at)),
        session.unit.within() + int(press.within + 0.999),
        lambda claim, why: _judged(session, line, claim, why),
    )
    line.verdict = None
    with catalogue.spoken(said.language):
        session.auctioneer.claim(claim)
    return ""


def limit(said: Said) -> str:
    """Have the table bid for the player up to a secret maximum; 0 takes it back."""
    session, player, message = said.session, said.line.player, said.message
    most, step = messages.whole(message.get("amount")), messages.whole(message.get("step"))
    if most is None or step is None or most < 0 or not 0 < step <= LARGEST_STEP:
        return refused("no-such-thing")
    if not said.is_of_this_sale():
        return refused("no-auction")
    if most > session.state.cash[player]:
        return refused("not-enough-money")
    if most and (why := _limit_refused(session.state, player, most)):
        return why
    session.auctioneer.limits.set(session.state, player, Limit(most, step))
    return ""


def give_up(said: Said) -> str:
    """Pass: the player's maximum is taken back with it."""
    session, player = said.session, said.line.player
    if not said.is_of_this_sale():
        return refused("no-auction")
    session.auctioneer.limits.set(session.state, player, Limit(0, 1))
    return said.act(("pass", player, int(session.unit.now())))


def shown_verdict(session: Session, line: Line) -> dict | None:
    """Return the verdict on a telephone's last bid, as long as it matters to that player."""
    verdict, auction = line.verdict, session.state.auction
    if verdict is None or auction is None or verdict.sale != len(session.state.sales):
        return None
    if verdict.counts and auction.highest() > verdict.amount:
        return None
    return {"amount": verdict.amount, "counts": verdict.counts, "words": verdict.words}


def _limit_refused(state: State, player: int, most: int) -> str:
    """Return in words why a maximum would bid nothing, "" if it may."""
    auction, least = state.auction, least_bid(state)
    assert auction is not None
    if player in auction.passed:
        return _("You have passed: a bid of your own takes the pass back.")
    if most < least:
        return _("The highest bid is {highest}: your maximum is {least} at least.").format(
            highest=show(auction.highest()), least=show(least)
        )
    return ""


def _judged(session: Session, line: Line, claim: Claim, why: str) -> None:
    """Note what became of a bid, for the telephone that made it."""
    with catalogue.spoken(line.language or catalogue.speaking()):
        words = _why_it_does_not_count(session, claim, why) if why else ""
    line.verdict = Verdict(len(session.state.sales), claim.amount, words, not why)


def _why_it_does_not_count(session: Session, claim: Claim, why: str) -> str:
    auction = session.state.auction
    if auction is None or why != "bid-too-low" or not auction.bids:
        return str(REASONS[why])
    first = next((bid for bid in auction.bids if bid.amount >= claim.amount), auction.bids[-1])
    words = {
        "name": session.names[first.player],
        "time": milliseconds(abs(claim.at - first.at)),
        "within": milliseconds(claim.within + first.within),
    }
    if claim.is_close_to(first.at, first.within):
        return _("{name} was {time} earlier, give or take {within}: too close to be sure.").format(
            **words
        )
    return _("{name} was {time} earlier, give or take {within}.").format(**words)
