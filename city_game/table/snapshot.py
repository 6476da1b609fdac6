"""The parts of the window's view beside the game itself: motion, cards, the things chosen."""

import math

from city_game.kernel.board import Board
from city_game.kernel.flow import standing
from city_game.kernel.money import show
from city_game.kernel.sales import JUDGED_IN
from city_game.kernel.state import State
from city_game.report.bid_log import bids
from city_game.table import picture as seen
from city_game.table.board import space_name
from city_game.table.choice import MONEY_STEP, Bidding, Choice, Draft, Lookups, bid_pages
from city_game.table.layout import Layout
from city_game.table.lookup import bids_on_a_page
from city_game.table.motion import Motion
from city_game.table.view import Plot, View
from city_unit.desktop.catalogue import _, lazy, of_file

CARD_DOES = {
    "receive": lazy("Receive {amount}"),
    "pay": lazy("Pay {amount}"),
    "receive from each": lazy("Receive {amount} from each player"),
    "pay each": lazy("Pay {amount} to each player"),
    "move": lazy("Move {amount} spaces"),
    "go to": lazy("Go to {amount}"),
    "jail": lazy("Go to jail"),
    "leave jail": lazy("Leave jail free: keep this card"),
}
LAST_MS = 5 * 60 * 1000


# Things that move, and the thing that is pointed at.


def plots(game: View, motion: Motion, now: float) -> tuple[Plot, ...]:
    """Return the plots, those that were just built on at the height that they have by now."""
    grown = {deed: motion.grown(deed, now) for deed in motion.growing}
    if not grown:
        return game.plots
    return tuple(plot._replace(grown=grown.get(deed, 1.0)) for deed, plot in enumerate(game.plots))


def marks(
    state: State, choice: Choice, draft: Draft | None, lookups: Lookups
) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """Return the deeds that are outlined, and those that are pointed at."""
    deeds = choice.deeds()
    outlined, pointed = list(deeds), [choice.deed()] if deeds else []
    deal = draft or state.deal
    if deal:
        outlined += [*deal.gives, *deal.asks]
    if state.auction:
        outlined.append(state.auction.deed)
    if draft:
        pointed.append(draft.aim % len(state.owner))
    elif lookups.deed >= 0:
        pointed.append(lookups.deed)
    return tuple(outlined), tuple(pointed)


def tokens(state: State, motion: Motion) -> tuple[seen.Token, ...]:
    turn = -1 if state.phase == "over" else state.turn
    return tuple(
        seen.Token(player, motion.places[player], player == turn)
        for player in range(state.players)
        if state.alive[player]
    )


def dice(motion: Motion, sides: int, now: float) -> tuple[seen.Die, ...]:
    if motion.dice is None:
        return ()
    left = motion.rolling(now)
    if not left:
        return tuple(seen.Die(face, 0, 0.0) for face in motion.dice)
    high = 0.5 * left * abs(math.sin(left * 3 * math.pi))  # three bounces, ever lower
    ways = ((0, -540), (3, 450))
    return tuple(
        seen.Die(int(now / 60 + ahead) % sides + 1, round(turn * left), high)
        for ahead, turn in ways
    )


def clock(state: State, left_ms: float | None, share: float) -> seen.Clock:
    """Return the clock with the time left of the hour, which is this share of the whole."""
    return seen.Clock(
        seconds=None if left_ms is None else int(left_ms / 1000 + 0.999),
        is_urgent=left_ms is not None and nearly_over(left_ms, share),
        is_last_turn=state.hour_over,
        is_game_over=state.phase == "over",
    )


def nearly_over(left_ms: float, share: float) -> bool:
    """Return whether the hour is in its last minutes, and in its last tenth: a short hour is not
    urgent from the start."""
    return left_ms <= LAST_MS and share <= 0.1


# The cards over the city.


def chance_card(board: Board, place: int) -> seen.ChanceCard:
    """Return the card that was drawn; its amount is money, steps, blocks or a place."""
    card = board.cards[place]
    amount = show(card.amount) if card.does not in ("move", "knock down", "go to") else ""
    if card.does == "move":
        amount = f"{card.amount:+}"
    elif card.does == "knock down":
        amount = str(card.amount)
    elif card.does == "go to":
        deed = board.deed_on[card.amount]
        kind = board.kinds[card.amount]
        amount = board.deeds[deed].name if deed >= 0 else space_name(board, kind)
    words = board.edition.words.cards.get(card.does) or CARD_DOES[card.does]
    text = of_file(card.text)
    return seen.ChanceCard(text, words.format(amount=amount), space_name(board, card.deck))


def end(game: View, history: tuple[tuple[tuple[int, int], ...], ...]) -> seen.End:
    """Return the end; `history` has each player's worth over the game."""
    state = game.table.state
    count = state.edition.words.parts
    return seen.End(
        winners=tuple(state.winners),
        ranks=tuple(
            seen.Rank(player, tuple(count(state, player).items()) if state.alive[player] else ())
            for one in standing(state)
            for player in one.players
        ),
        history=history,
    )


def sale_card(game: View, now: float, is_lit: bool, bidding: Bidding, keys: str) -> seen.SaleCard:
    """Return the card of the sale at `now` of the unit's clock; `keys` are those that bid."""
    table, sale = game.table, game.sale
    assert sale is not None
    started = None if table.state.phase == "hammer" else sale.started
    share = None
    if started is not None and sale.ends is not None:
        share = max(0.0, (sale.ends - now) / max(1, sale.ends - started))
    bidders = []
    for player in table.people:
        amount = bidding.next(player)
        can = sale.leader != player and amount <= table.state.cash[player]
        can = can and table.state.phase == "bidding"
        bidders.append(seen.Bidder(player, keys[player], amount, bidding.step(player), can))
    return seen.SaleCard(
        sale=sale,
        has_started=started is not None,
        is_lit=is_lit,
        is_stray=table.light_is_on,
        share=share,
        is_closing=sale.ends is not None and sale.ends - now <= table.warning_ms,
        bidders=tuple(bidders),
    )


def outcome(state: State, event: tuple) -> seen.Outcome:
    """Return the card for the event with which a sale ended, with the bids of that sale."""
    sold = event[0] == "sold"
    return seen.Outcome(
        deed=state.sales[-1].deed,
        lot=state.sales[-1].lot,
        winner=event[1] if sold else -1,
        amount=event[3] if sold else 0,
        bids=tuple(bids(state.sales[-1])[::-1]),
    )


def deed_card(game: View, deed: int) -> seen.DeedCard:
    state = game.table.state
    return seen.DeedCard(
        deed=deed,
        counted=state.edition.look(state, deed).counted,
        words=state.edition.words.deed(state, deed),
        lies_aside=state.phase in JUDGED_IN and not game.problem,
    )


def draft(deal: Draft) -> seen.Draft:
    gives, asks = tuple(deal.gives), tuple(deal.asks)
    return seen.Draft(deal.proposer, deal.partner, gives, asks, deal.pays, MONEY_STEP)


def lookup(
    game: View, lookups: Lookups, layout: Layout, invitation: seen.Invitation | None
) -> seen.Lookup | None:
    """Return the card that is open, None for none."""
    state, card = game.table.state, lookups.card
    if not card:
        return None
    pages = lookups.pages(state, layout)
    page = lookups.page % max(1, pages)
    if card == "rules":
        switched = tuple(getattr(state.rules, switch.name) for switch in state.rules.switches)
        return seen.Lookup("rules", page, pages, switched)
    if card == "bids" and pages:
        sale, skip = bid_pages(state, layout)[page]
        latest = bids(sale)[::-1]
        words = _("{name} has it for {amount}.")
        if sale.ended is None:
            words = _("The light was stopped; the sale was held again.")
        elif not sale.bids:
            words = _("Nobody bids; it stays with the bank")
        winner = game.table.names[sale.leader()] if sale.bids else ""
        return seen.Lookup(
            card="bids",
            page=page,
            pages=pages,
            sold=sale.thing,
            outcome=words.format(name=winner, amount=show(sale.highest())),
            bids=tuple(latest[skip : skip + bids_on_a_page(layout)]),
        )
    return seen.Lookup(card, page, pages, invitation=invitation if card == "phones" else None)
