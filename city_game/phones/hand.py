"""The views that a telephone shows: the hand of a player, or the table as all may see it.

Each view is whole, plain data: a telephone that slept, fell or lost its network needs the
latest one and nothing else. Money is notes of 10k; times are ms that are left.
"""

from city_game.kernel.board import Board
from city_game.kernel.money import show
from city_game.kernel.sales import IN_SALE, least_bid, still_in
from city_game.kernel.state import BANK, Auction, State
from city_game.phones.deals import Proposal
from city_game.phones.line import Missed
from city_game.report.bid_log import bids
from city_game.report.words import arrived_at, deal_sides, events_in_words, latest_in_words
from city_game.seats import SEATS
from city_game.table.play.decisions import Decision, decide
from city_game.table.play.options import Option, target_detail
from city_game.table.play.session import Session
from city_unit.desktop.catalogue import _, of_file

# A player that comes back reads of these events: after each, somebody has other things than before.
MATTERS = frozenset(
    {
        "jailed", "rent", "paid", "received", "dodged", "mortgaged", "bankrupt", "starts anew",
        "bought", "sold", "knocked down", "placed", "built", "station built", "landmark built",
        "cleared", "agreed", "hour ended", "worth", "won",
    }
)  # fmt: skip
MISSED = 8  # of them, the latest
LINES = 40  # of the log; the page shows the last few, and the others when asked to
BIDS = 6  # the latest, that are shown
# Requests of a telephone to the table itself, beside the actions of the rules.
CALLS = ("auction", "build", "undo", "hour", "begin")


def table_view(session: Session, online: set[int]) -> dict:
    """Return what all may see."""
    state = session.state
    found = session.problem()
    decision = decide(session)
    return {
        "step": len(session.game.actions),
        "phase": state.phase,
        "turn": state.turn,
        "decider": decision.player,
        "title": found.words if found else decision.title,
        "detail": _won(session) if state.phase == "over" else "" if found else decision.detail,
        "players": [_player(session, player, online) for player in range(state.players)],
        "track": _track(state),
        "deal": _deal(state),
        "sale": _sale(session),
        "sold": _sold(state),
        "left": session.left(),
        "stands": session.is_paused,
        "last_turn": state.hour_over,
        "latest": _latest(session),
        "winners": list(state.winners),
        "unit": found.cure if found else "",
    }


def hand_view(session: Session, player: int, proposals: list[Proposal]) -> dict:
    """Return what only a player's own telephone shows."""
    state = session.state
    return {
        "deeds": [_deed(state, deed) for deed in sorted(state.owned[player])],
        "jail_cards": len(state.jail_cards[player]),
        "notes": state.edition.words.player(state, player),
        "owes": _owes(session, player),
        "options": _options(session, player),
        "proposals": [_proposal(session, proposal, player) for proposal in proposals],
        "bidding": _bidding(session, player),
        "at": _place(state, player),
    }


def _track(state: State) -> list[list]:
    """Return for each space its group's colour, "" for none, and its owner."""
    board = state.board
    return [
        ["", BANK] if deed < 0 else [_colour(board, deed), state.owner[deed]]
        for deed in board.deed_on
    ]


def _place(state: State, player: int) -> str:
    """Return the name of the space that a player stands on."""
    space = state.place[player]
    deed = state.board.deed_on[space]
    if deed >= 0:
        return state.board.deeds[deed].name
    return str(arrived_at(state.board, state.board.kinds[space]))


def _deal(state: State) -> dict | None:
    """Return the deeds of the deal that is to be answered, from the proposer to the partner."""
    deal = state.deal
    if deal is None:
        return None
    sides = {"from": deal.proposer, "to": deal.partner}
    return {**sides, "gives": list(deal.gives), "asks": list(deal.asks)}


def missed_view(session: Session, missed: Missed | None) -> dict | None:
    """Return the changes that a player missed without a telephone, None if nothing that matters."""
    if missed is None:
        return None
    state = session.state
    lines = events_in_words(state, session.names, missed.since, missed.until, MATTERS)
    if not lines:
        return None
    return {"lines": lines[-MISSED:], "earlier": len(lines[:-MISSED]), "cash": missed.cash}


def bets_view(session: Session, bets: dict[int, int]) -> list[str]:
    """Return at the end what those bet who were out, in words."""
    state, names = session.state, session.names
    if state.phase != "over":
        return []
    return [
        (
            _("{name} bet on {winner}, and was right.")
            if on in state.winners
            else _("{name} bet on {winner}, and was wrong.")
        ).format(name=names[player], winner=names[on])
        for player, on in bets.items()
    ]


def referee_view(session: Session) -> dict:
    """Return the part of this table that a referee of several tables looks at."""
    state = session.state
    sale = state.auction or (state.sales[-1] if state.sales else None)
    return {
        "unit_name": session.unit.client.about.name if session.unit.client.about else "",
        "unit_online": session.unit.online,
        "within": session.unit.within(),
        "bids": [] if sale is None else _bids(session, sale, 12),
        "sold": "" if sale is None else state.board.deeds[sale.deed].name,
    }


def _player(session: Session, player: int, online: set[int]) -> dict:
    state = session.state
    colour, shape = SEATS[player]
    return {
        "name": session.names[player],
        "colour": "#{:02x}{:02x}{:02x}".format(*colour),
        "shape": shape,
        "human": session.is_human(player),
        "online": player in online,
        "alive": state.alive[player],
        "cash": state.cash[player],
        "worth": state.edition.worth(state, player) if state.alive[player] else 0,
        "jailed": bool(state.jailed[player]),
        "jail_cards": len(state.jail_cards[player]),
        "notes": state.edition.words.player(state, player),
        "place": state.place[player],
        "deeds": [_owned(state, deed) for deed in sorted(state.owned[player])],
    }


def _owned(state: State, deed: int) -> dict:
    """Return what all may know of a deed that somebody owns, as far as a deal goes by it.

    of  how many deeds its group has
    """
    board = state.board
    group = board.group_of[deed]
    return {
        "id": deed,
        "name": board.deeds[deed].name,
        "colour": _colour(board, deed),
        "price": board.prices[deed],
        "rent": 0 if state.mortgage[deed] else state.edition.rent(state, deed),
        "group": of_file(board.groups[group].name),
        "of": board.sizes[group],
    }


def _colour(board: Board, deed: int) -> str:
    return board.groups[board.group_of[deed]].colour


def _blocks(pieces: tuple[int, ...]) -> int:
    """Return how many blocks pieces of 1, 2 and 3 come to."""
    return sum(size * count for size, count in enumerate(pieces, 1))


def _deed(state: State, deed: int) -> dict:
    board, look = state.board, state.edition.look(state, deed)
    return {
        "id": deed,
        "name": board.deeds[deed].name,
        "group": of_file(board.groups[board.group_of[deed]].name),
        "colour": _colour(board, deed),
        "rent": 0 if state.mortgage[deed] else state.edition.rent(state, deed),
        "mortgaged": bool(state.mortgage[deed]),
        "homes": _blocks(look.homes),
        "works": _blocks(look.works),
        "words": list(state.edition.words.deed(state, deed)),
    }


def _owes(session: Session, player: int) -> dict | None:
    """Return the first debt of a player; its reason stands in the words of the decision."""
    state = session.state
    mine = next((debt for debt in state.debts if debt.debtor == player), None)
    if mine is None:
        return None
    return {
        "amount": mine.amount,
        "creditor": mine.creditor,
        "lacking": max(0, mine.amount - state.cash[player]),
    }


def _options(session: Session, player: int) -> list[dict]:
    """Return a player's options now; nothing while another player decides, or in a pause."""
    decision: Decision = decide(session)
    decides = session.gathers or decision.player == player
    if not decides or session.is_paused:
        return []
    return [
        _option(session, option)
        for option in decision.options
        if option.action or option.targets or option.calls in CALLS
    ]


def _option(session: Session, option: Option) -> dict:
    board = session.state.board
    return {
        "label": option.label,
        "action": list(option.action) if option.action else None,
        "calls": option.calls,
        "targets": [
            {
                "id": deed,
                "name": board.deeds[deed].name,
                "colour": _colour(board, deed),
                "detail": target_detail(session, action),
                "action": list(action),
            }
            for deed, action in sorted(option.targets.items())
        ],
        "amount": option.has_amount,
    }


def _sale(session: Session) -> dict | None:
    state = session.state
    auction = state.auction
    if auction is None:
        return None
    ends = session.light.ends
    running = state.phase == "bidding"
    return {
        # Each sale has its own number, and a sale that is started anew has another one.
        "number": len(state.sales),
        "district": auction.deed,
        "name": state.board.deeds[auction.deed].name,
        "colour": _colour(state.board, auction.deed),
        "price": show(state.board.prices[auction.deed]),
        "rent": show(state.board.rents[auction.deed][0]),
        "opener": auction.opener,
        "leader": auction.leader(),
        "highest": auction.highest(),
        "least": least_bid(state),
        "left": max(0, round(ends - session.unit.now())) if running and ends else None,
        "whole": round(ends - auction.started) if ends and auction.started is not None else None,
        "warning": session.unit.described.warning_ms,
        "passed": list(auction.passed),
        "bids": _bids(session, auction, BIDS),
    }


def _sold(state: State) -> dict | None:
    """Return what became of the last sale, None if it was not sold, or another one runs."""
    if state.phase in IN_SALE or not state.sales or not state.sales[-1].bids:
        return None
    sale = state.sales[-1]
    return {
        "number": len(state.sales) - 1,
        "player": sale.leader(),
        "district": state.board.deeds[sale.deed].name,
        "amount": sale.highest(),
    }


def _bids(session: Session, auction: Auction, most: int) -> list[dict]:
    """Return the latest bids, the last first; with how well it is known when they were made."""
    latest = bids(auction)[::-1][:most]
    return [
        {
            "player": bid.player,
            "name": session.names[bid.player],
            "amount": bid.amount,
            "since": bid.since,
            "left": bid.left,
            "within": bid.within,
            "why": bid.why,
        }
        for bid in latest
    ]


def _bidding(session: Session, player: int) -> dict | None:
    state = session.state
    auction = state.auction
    if auction is None or not state.alive[player] or player == state.owner[auction.deed]:
        return None
    passes = state.rules.passes_end_auctions
    limit = session.auctioneer.limits.of(state, player)
    return {
        "limit": limit,
        "overtaken": auction.leader() != player and 0 < limit < least_bid(state),
        "waits": session.auctioneer.judge.waits_for(player),
        "leads": auction.leader() == player,
        "passed": player in auction.passed,
        "awaited": passes and state.phase == "bidding" and still_in(state) == [player],
        "can_pass": passes and state.phase == "bidding" and auction.leader() != player,
    }


def _proposal(session: Session, proposal: Proposal, player: int) -> dict:
    board = session.state.board
    gives, asks = deal_sides(board, proposal.gives, proposal.asks, proposal.pays, proposal.cards)
    mine = proposal.proposer == player
    return {
        "number": proposal.number,
        "mine": mine,
        "other": proposal.partner if mine else proposal.proposer,
        "you_give": gives if mine else asks,
        "you_get": asks if mine else gives,
        "gives": list(proposal.gives),
        "asks": list(proposal.asks),
    }


def _won(session: Session) -> str:
    """Return the names of the winners, a line for each; the last event of a game."""
    return "\n".join(_latest(session)[-len(session.state.winners) :])


def _latest(session: Session) -> list[str]:
    """Return the last events, in the language of this moment, the latest last."""
    return latest_in_words(session.state, session.names, LINES)
