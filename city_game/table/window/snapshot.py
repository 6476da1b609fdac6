"""Makes a view of the game, the unit and the screen at this moment."""

import math

from city_game.kernel.board import Board, Card
from city_game.kernel.money import show
from city_game.kernel.sales import IN_SALE, JUDGED_IN
from city_game.kernel.state import Auction, State
from city_game.report.bid_log import bids
from city_game.seats import STRENGTHS
from city_game.table.paint.base import view as seen
from city_game.table.paint.cards.paint_lookup import bids_on_a_page
from city_game.table.paint.city.paint_board import space_name
from city_game.table.window.choice import MONEY_STEP, bid_pages
from city_game.table.window.screen import Screen
from city_unit.desktop.catalogue import _, lazy, of_file
from city_unit.facts import BUTTONS
from sim.face.disc import Look

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
BEAT_MS = 450  # of the pointer that blinks
LOG_LINES = 40  # more than any window has room for


def take(screen: Screen) -> seen.View:
    state = screen.session.state
    now = screen.session.unit.host_ms()
    outlined, pointed = _marks(screen)
    end = len(screen.session.log) - screen.log_back
    return seen.View(
        board=state.board,
        plots=tuple(
            _plot(state, deed, screen.motion.grown(deed, now)) for deed in range(len(state.owner))
        ),
        tokens=_tokens(screen),
        players=tuple(_player(screen, player) for player in range(state.players)),
        clock=_clock(screen),
        unit=_unit(screen),
        panel=seen.Panel(
            screen.decision.player,
            screen.title(),  # no text: a method
            screen.detail(),
            bool(screen.decision.options),
            tuple(screen.buttons()),
        ),
        log=tuple(screen.session.log[max(0, end - LOG_LINES) : end]),
        is_newest=not screen.log_back,
        outlined=outlined,
        pointed=pointed,
        is_bright=bool(pointed) and (screen.motion.is_calm or now % (2 * BEAT_MS) < BEAT_MS),
        dice=_dice(screen, now),
        draft=_draft(screen),
        over_city=_over_the_city(screen),
        deed_card=_deed_card(screen),
        lookup=_lookup(screen),
        toast=screen.toast(),
        volume=screen.volume,
        lets_phones_in=screen.invite() is not None,
        code=screen.small_code(),
        mouse=screen.mouse,
    )


def _plot(state: State, deed: int, grown: float) -> seen.Plot:
    look = state.edition.look(state, deed)
    return seen.Plot(
        owner=state.owner[deed],
        price=state.board.prices[deed],
        rent=state.edition.rent(state, deed),
        is_doubled=look.is_doubled,
        is_mortgaged=bool(state.mortgage[deed]),
        homes=look.homes,
        works=look.works,
        landmarks=look.landmarks,
        has_station=look.has_station,
        grown=grown,
    )


def _marks(screen: Screen) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """Return the deeds that are outlined, and those that are pointed at."""
    deeds = screen.choice.deeds()
    outlined, pointed = list(deeds), [screen.choice.deed()] if deeds else []
    deal = screen.deal or screen.session.state.deal
    if deal:
        outlined += [*deal.gives, *deal.asks]
    if screen.session.state.auction:
        outlined.append(screen.session.state.auction.deed)
    if screen.deal:
        pointed.append(screen.deal.aim % len(screen.layout.plots))
    elif screen.lookups.deed >= 0:
        pointed.append(screen.lookups.deed)
    return tuple(outlined), tuple(pointed)


def _tokens(screen: Screen) -> tuple[seen.Token, ...]:
    state = screen.session.state
    turn = -1 if state.phase == "over" else state.turn
    return tuple(
        seen.Token(player, screen.motion.places[player], player == turn)
        for player in range(state.players)
        if state.alive[player]
    )


def _dice(screen: Screen, now: float) -> tuple[seen.Die, ...]:
    motion, sides = screen.motion, screen.session.state.edition.sides
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


# The panel.


def _player(screen: Screen, player: int) -> seen.Player:
    session, state = screen.session, screen.session.state
    alive = state.alive[player]
    return seen.Player(
        name=session.names[player],
        seat=session.game.setup.seats[player],
        is_alive=alive,
        cash=state.cash[player],
        worth=state.edition.worth(state, player),
        notes=tuple(_notes(screen, player)),
        is_active=alive and player == screen.decision.player,
        floats=tuple(
            seen.Float(notes, age_ms)
            for whose, notes, age_ms in screen.motion.floats
            if whose == player
        ),
    )


def _notes(screen: Screen, player: int) -> list[str]:
    """Write the facts of a player beside money and deeds."""
    session, state = screen.session, screen.session.state
    notes = []
    if not session.is_human(player):
        notes.append(str(STRENGTHS[session.game.setup.seats[player]]))
    if not state.alive[player]:
        notes.append(_("bankrupt"))
    elif state.jailed[player]:
        notes.append(_("in jail"))
    notes += state.edition.words.player(state, player)
    if state.jail_cards[player]:
        notes.append(_("jail card"))
    invitation = screen.invite()
    if invitation and player in invitation.online:
        notes.append(_("telephone"))
    return notes


def _clock(screen: Screen) -> seen.Clock:
    unit, state = screen.session.unit, screen.session.state
    left = screen.session.left()
    return seen.Clock(
        seconds=None if left is None else int(left / 1000 + 0.999),
        is_urgent=left is not None and nearly_over(left, unit.left()),
        is_last_turn=state.hour_over,
        is_game_over=state.phase == "over",
    )


def nearly_over(left_ms: float, share: float) -> bool:
    """Return whether the hour is in its last minutes, and in its last tenth: a short hour is not
    urgent from the start."""
    return left_ms <= LAST_MS and share <= 0.1


def _unit(screen: Screen) -> seen.Unit:
    unit = screen.session.unit
    on = unit.state not in ("off", "")
    look = Look(unit.lamps, unit.tone, on, BUTTONS.get(screen.grip.part, 0))
    return seen.Unit(look, unit.online, unit.is_mine, screen.grip.stopping())


def _draft(screen: Screen) -> seen.Draft | None:
    deal = screen.deal
    if deal is None:
        return None
    gives, asks = tuple(deal.gives), tuple(deal.asks)
    return seen.Draft(deal.proposer, deal.partner, gives, asks, deal.pays, MONEY_STEP)


# The cards over the city.


def _over_the_city(
    screen: Screen,
) -> seen.End | seen.Sale | seen.Outcome | seen.ChanceCard | None:
    state, motion = screen.session.state, screen.motion
    if state.phase == "over":
        return None if screen.sees_city else _end(screen)
    if state.auction is not None and state.phase in IN_SALE:
        return _sale(screen, state.auction)
    if motion.sale:
        return _outcome(state, motion.sale)
    if motion.card >= 0:
        card = state.board.cards[motion.card]
        words = state.edition.words.cards.get(card.does) or CARD_DOES[card.does]
        does = words.format(amount=_amount(state.board, card))
        return seen.ChanceCard(of_file(card.text), does, space_name(state.board, card.deck))
    return None


def _end(screen: Screen) -> seen.End:
    state = screen.session.state
    worth = state.edition.worth
    worths = [worth(state, player) if state.alive[player] else 0 for player in range(state.players)]
    ranks = sorted(
        range(state.players),
        key=lambda player: -(worths[player] if state.alive[player] else -1),
    )
    return seen.End(
        winners=tuple(state.winners),
        ranks=tuple(seen.Rank(player, worths[player]) for player in ranks),
        history=screen.history(),
    )


def _sale(screen: Screen, auction: Auction) -> seen.Sale:
    unit = screen.session.unit
    started, ends = auction.started, screen.session.light.ends
    if screen.session.state.phase == "hammer":
        started = None
    share = None
    if started is not None and ends is not None:
        share = max(0.0, (ends - unit.now()) / max(1, ends - started))
    return seen.Sale(
        deed=auction.deed,
        leader=auction.leader(),
        highest=auction.highest(),
        has_started=started is not None,
        has_ended=auction.ended is not None,
        is_lit=bool(unit.lamps & 1),
        is_stray=unit.light_is_on,
        share=share,
        is_closing=ends is not None and ends - unit.now() <= unit.described.warning_ms,
        bids=tuple(bids(auction)[::-1]),
        passed=tuple(auction.passed),
        bidders=_bidders(screen, auction),
    )


def _bidders(screen: Screen, auction: Auction) -> tuple[seen.Bidder, ...]:
    return tuple(_bidder(screen, auction, player) for player in screen.session.humans())


def _bidder(screen: Screen, auction: Auction, player: int) -> seen.Bidder:
    state, amount = screen.session.state, screen.bidding.next(player)
    can = auction.leader() != player and amount <= state.cash[player]
    return seen.Bidder(
        player=player,
        key=screen.bid_keys[player],
        amount=amount,
        step=screen.bidding.step(player),
        can_bid=can and state.phase == "bidding",
    )


def _outcome(state: State, event: tuple) -> seen.Outcome:
    """Return the words for the event with which a sale ended, with the bids of that sale."""
    sold = event[0] == "sold"
    return seen.Outcome(
        deed=event[2] if sold else event[1],
        winner=event[1] if sold else -1,
        amount=event[3] if sold else 0,
        bids=tuple(bids(state.sales[-1])[::-1]),
    )


def _amount(board: Board, card: Card) -> str:
    """Return the meaning of a card's amount: money, steps, or a place."""
    if card.does == "move":
        return f"{card.amount:+}"
    if card.does == "knock down":
        return str(card.amount)
    if card.does == "go to":
        deed = board.deed_on[card.amount]
        if deed >= 0:
            return board.deeds[deed].name
        return space_name(board, board.kinds[card.amount])
    return show(card.amount)


def _deed_card(screen: Screen) -> seen.DeedCard | None:
    state, deed = screen.session.state, screen.lookups.deed
    if deed < 0:
        return None
    return seen.DeedCard(
        deed=deed,
        counted=state.edition.look(state, deed).counted,
        words=state.edition.words.deed(state, deed),
        lies_aside=state.phase in JUDGED_IN and not screen.notice(),
    )


def _lookup(screen: Screen) -> seen.Lookup | None:
    card = screen.lookups.card
    pages = screen.lookups.pages(screen.session.state, screen.layout)
    page = screen.lookups.page % max(1, pages)
    rules = screen.session.state.rules
    if card == "help":
        return seen.Lookup("help", page, pages)
    if card == "rules":
        switched = tuple(getattr(rules, switch.name) for switch in rules.switches)
        return seen.Lookup("rules", page, pages, switched)
    if card == "bids":
        return _page_of_bids(screen, page, pages)
    if card == "phones":
        return seen.Lookup("phones", page, pages, invitation=screen.invite())
    return None


def _page_of_bids(screen: Screen, page: int, pages: int) -> seen.Lookup:
    """Return a page of the bids of a sale; the latest sale is on the first."""
    if not pages:
        return seen.Lookup("bids", page, pages)
    sale, skip = bid_pages(screen.session.state, screen.layout)[page]
    latest = bids(sale)[::-1]
    return seen.Lookup(
        card="bids",
        page=page,
        pages=pages,
        sold=sale.deed,
        outcome=_how_it_ended(sale, screen.session.names),
        bids=tuple(latest[skip : skip + bids_on_a_page(screen.layout)]),
    )


def _how_it_ended(sale: Auction, names: list[str]) -> str:
    if sale.ended is None:
        return _("The light was stopped; the sale was held again.")
    if not sale.bids:
        return _("Nobody bids; it stays with the bank")
    return _("{name} has it for {amount}.").format(
        name=names[sale.leader()], amount=show(sale.highest())
    )
