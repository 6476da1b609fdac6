"""The view of a game on a telephone: the table as everybody sees it, and a player's own hand.

Each view is complete, plain data: a telephone that slept, crashed or lost its network needs only
the latest one. Money is in notes of 10k; times are ms left.
"""

from city_game.game import HUMAN
from city_game.kernel.board import Board
from city_game.kernel.money import show
from city_game.kernel.sales import IN_SALE, barred, least_bid, most_opening, still_in
from city_game.kernel.state import BANK, Auction, State
from city_game.phones.client import Missed
from city_game.phones.requests import Proposal
from city_game.seats import SEATS
from city_game.table.session import CALLS
from city_game.table.view import NO_DEED, GameView, Option, Table, target_detail
from city_game.words import arrived_at, bids, deal_sides, events_in_words, latest_in_words
from city_unit.desktop.catalogue import _, of_file

# The events that a returning player is shown: each changes what somebody owns, or ends something.
MATTERS = frozenset(
    {
        "jailed", "rent", "paid", "received", "dodged", "mortgaged", "bankrupt", "starts anew",
        "bought", "sold", "knocked down", "placed", "built", "station built", "landmark built",
        "cleared", "agreed", "hour ended", "worth", "won",
    }
)  # fmt: skip
MISSED = 8  # how many of them are shown
LINES = 40  # of the log; the page shows the last few, and the rest on demand
BIDS = 6  # the latest bids shown
REFEREE_BIDS = 12
BID = ("player", "amount", "since", "left", "within", "why")  # the attributes sent of a bid


def table_view(view: GameView, now: float, left: float | None) -> dict:
    """Return the public part of a view, without its title, which depends on the reader.

    now   the time by the unit's clock
    left  ms left of the hour, None without an hour
    """
    table, state = view.table, view.table.state
    latest = latest_in_words(state, table.names, LINES)
    won = latest[-len(state.winners) :]  # the last events of a game: a line for each winner
    deal = state.deal
    return {
        "step": table.steps,
        "phase": state.phase,
        "turn": state.turn,
        "decider": view.decision.player,
        "detail": "\n".join(won) if state.phase == "over" else view.detail,
        "players": [_player(view, player) for player in range(state.players)],
        "track": [
            ["", BANK] if deed < 0 else [_colour(state.board, deed), state.owner[deed]]
            for deed in state.board.deed_on
        ],
        "deal": deal
        and {
            "from": deal.proposer,
            "to": deal.partner,
            "gives": list(deal.gives),
            "asks": list(deal.asks),
        },
        "sale": state.auction and _sale(table, state.auction, now),
        "sold": _sold(state),
        "left": left,
        "stands": table.is_paused,
        "last_turn": state.hour_over,
        "latest": latest,
        "winners": list(state.winners),
        "unit": view.problem.cure if view.problem else "",
    }


def hand_view(view: GameView, player: int, proposals: list[Proposal]) -> dict:
    """Return the private part of a player's view."""
    table, state = view.table, view.table.state
    debt = next((debt for debt in state.debts if debt.debtor == player), None)
    space = state.place[player]
    deed = state.board.deed_on[space]
    return {
        "deeds": [_deed(view, deed) for deed in sorted(state.owned[player])],
        "jail_cards": len(state.jail_cards[player]),
        "notes": list(view.traits[player]),
        "owes": debt  # the decision's text gives the reason
        and {
            "amount": debt.amount,
            "creditor": debt.creditor,
            "lacking": max(0, debt.amount - state.cash[player]),
        },
        "options": [
            _option(state, option)
            for option in view.decision.options
            if option.action or option.targets or option.calls in CALLS
        ],
        "proposals": [_proposal(state.board, proposal, player) for proposal in proposals],
        "bidding": _bidding(table, player),
        "at": state.board.deeds[deed].name
        if deed >= 0
        else str(arrived_at(state.board, state.board.kinds[space])),
    }


def referee_view(table: Table, unit_name: str, within: int) -> dict:
    """Return the part of a view that only a referee sees.

    within  the uncertainty of the unit's time, in ms
    """
    state = table.state
    sale = state.auction or (state.sales[-1] if state.sales else None)
    return {
        "unit_name": unit_name,
        "unit_online": table.unit_online,
        "within": within,
        "bids": [] if sale is None else _bids(table, sale, REFEREE_BIDS),
        "sold": "" if sale is None else state.board.name_of(sale.thing),
    }


def missed_view(table: Table, missed: Missed | None) -> dict | None:
    """Return the events that a player missed without a telephone; None if none matters."""
    if missed is None:
        return None
    lines = events_in_words(table.state, table.names, missed.since, missed.until, MATTERS)
    if not lines:
        return None
    return {"lines": lines[-MISSED:], "earlier": len(lines[:-MISSED]), "cash": missed.cash}


def bets_view(table: Table, bets: dict[int, int]) -> list[str]:
    """Return the bets of bankrupt players as text, once the game is over."""
    state, names = table.state, table.names
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


def _player(view: GameView, player: int) -> dict:
    table, plots, (colour, shape) = view.table, view.plots, SEATS[player]
    state, board = table.state, table.state.board
    return {
        "name": table.names[player],
        "colour": "#{:02x}{:02x}{:02x}".format(*colour),
        "shape": shape,
        "human": table.seats[player] == HUMAN,
        "online": player in table.online,
        "alive": state.alive[player],
        "cash": state.cash[player],
        "worth": view.worths[player],
        "jailed": bool(state.jailed[player]),
        "jail_cards": len(state.jail_cards[player]),
        "notes": list(view.traits[player]),
        "place": state.place[player],
        # The public facts about a deed, for deals; `of` is the number of deeds in its group.
        "deeds": [
            {
                **_named(board, deed),
                "price": plots[deed].price,
                "rent": 0 if plots[deed].is_mortgaged else plots[deed].rent,
                "of": board.sizes[board.group_of[deed]],
            }
            for deed in sorted(state.owned[player])
        ],
    }


def _named(board: Board, deed: int) -> dict:
    return {
        "id": deed,
        "name": board.deeds[deed].name,
        "colour": _colour(board, deed),
        "group": of_file(board.groups[board.group_of[deed]].name),
    }


def _deed(view: GameView, deed: int) -> dict:
    """Return a deed as its owner sees it; homes and works are counted in blocks."""
    state, plot = view.table.state, view.plots[deed]
    homes, works = (
        sum(size * count for size, count in enumerate(pieces, 1))
        for pieces in (plot.look.homes, plot.look.works)
    )
    return {
        **_named(state.board, deed),
        "rent": 0 if plot.is_mortgaged else plot.rent,
        "mortgaged": plot.is_mortgaged,
        "homes": homes,
        "works": works,
        "words": list(state.edition.words.deed(state, deed)),
    }


def _colour(board: Board, deed: int) -> str:
    return board.groups[board.group_of[deed]].colour


def _option(state: State, option: Option) -> dict:
    board = state.board
    return {
        "label": option.label,
        "action": list(option.action) if option.action else None,
        "calls": option.calls,
        "targets": [
            {
                "id": deed,
                "name": option.label if deed == NO_DEED else board.deeds[deed].name,
                "colour": _colour(board, deed),
                "detail": "" if deed == NO_DEED else target_detail(state, action),
                "action": list(action),
            }
            for deed, action in sorted(option.targets.items())
        ],
        "amount": option.has_amount,
        "most": max(
            (most_opening(state, deed) for deed in option.targets if option.has_amount), default=0
        ),
        "binds": option.has_amount and state.rules.opening_is_a_bid,
    }


def _sale(table: Table, sale: Auction, now: float) -> dict:
    state, board, ends = table.state, table.state.board, table.light_ends
    least, running = least_bid(state), state.phase == "bidding"
    return {
        "number": len(state.sales),
        "district": sale.deed,
        "name": board.name_of(sale.thing),
        "colour": _colour(board, sale.deed),
        "price": show(least if sale.lot else board.prices[sale.deed]),
        "rent": show(board.rents[sale.deed][0]),
        "opener": sale.opener,
        "leader": sale.leader(),
        "highest": sale.highest(),
        "least": least,
        "left": max(0, round(ends - now)) if running and ends else None,
        "whole": round(ends - sale.started) if ends and sale.started is not None else None,
        "warning": table.warning_ms,
        "passed": sale.passed,
        "bids": _bids(table, sale, BIDS),
    }


def _sold(state: State) -> dict | None:
    """Return the result of the last sale; None if nothing was sold, or another sale is on."""
    if state.phase in IN_SALE or not state.sales or not state.sales[-1].bids:
        return None
    sale = state.sales[-1]
    return {
        "number": len(state.sales) - 1,
        "player": sale.leader(),
        "district": state.board.name_of(sale.thing),
        "amount": sale.highest(),
    }


def _bids(table: Table, sale: Auction, most: int) -> list[dict]:
    """Return the latest bids, newest first, each with the uncertainty of its time."""
    return [
        {"name": table.names[bid.player]} | {key: getattr(bid, key) for key in BID}
        for bid in bids(sale)[::-1][:most]
    ]


def _bidding(table: Table, player: int) -> dict | None:
    state, auction = table.state, table.state.auction
    if auction is None or not state.alive[player] or player in barred(state):
        return None
    leads, limit = auction.leader() == player, table.limits[player]
    passes = state.rules.passes_end_auctions and state.phase == "bidding"
    return {
        "limit": limit,
        "overtaken": not leads and 0 < limit < least_bid(state),
        "waits": table.unjudged[player],
        "leads": leads,
        "passed": player in auction.passed,
        "awaited": passes and still_in(state) == [player],
        "can_pass": passes and not leads,
    }


def _proposal(board: Board, proposal: Proposal, player: int) -> dict:
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
