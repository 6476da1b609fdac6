"""Draws the cards over the city: a sale, its outcome, a deed, a chance card, the final result."""

from collections.abc import Sequence

import pygame

from city_game.kernel.board import Board
from city_game.kernel.flow import standing
from city_game.kernel.money import show
from city_game.kernel.sales import JUDGED_IN, least_bid
from city_game.kernel.state import Auction
from city_game.seats import SEATS, STRENGTHS
from city_game.table.board import colour_of, space_name
from city_game.table.layout import CARD_WIDTHS, Layout
from city_game.table.picture import (
    HEAD,
    NOTHING,
    Button,
    Command,
    Ink,
    Pen,
    Spot,
    Spots,
    View,
    badge,
    glow,
    in_lines,
    shade,
    wrapped,
)
from city_game.words import REASONS, Bid, bids
from city_unit.desktop.catalogue import _, lazy, of_file
from city_unit.desktop.forms import all_of, milliseconds, seconds
from sim.face.geometry import Box
from sim.face.paint import text_width

STEPS = 5.9  # width of a person's step with its two buttons, in heights of letters
BIDDING = (11, 8.2)  # width of the bid button in a wide and a narrow row, in heights of letters
SALE_ROWS = 5  # latest bids on the card with a sale's outcome


def paint_auction(pen: Pen, layout: Layout, view: View, sale: Auction) -> Spots:
    """Draw the card of a sale; its own spot keeps clicks from the parts below."""
    size, board, rows = layout.text, view.state.board, view.state.players
    box = layout.beside(sale.deed, size * CARD_WIDTHS[0], size * (14.5 + 2.2 * rows))
    pen.lay(box, Ink.PANEL, Ink.GOLD)
    band, ink = pen.heading(box, size * 3, colour_of(board, board.deeds[sale.deed].group))
    at = (band.left + size, band.centery)
    pen.write(board.name_of(sale.thing), at, ink, "midleft", size=pen.head)
    price = show(least_bid(view.state) if sale.lot else board.deeds[sale.deed].price)
    at = (band.right - size, band.centery)
    pen.write(_("Price {price}").format(price=price), at, ink, "midright")
    spots = [Spot(box, NOTHING), Spot(Box(*band), Command("deed", sale.deed))]
    left, width = box.left + size, box.width - 2 * size
    _light(pen, Box(left, band.bottom + size * 0.6, width, size * 4), view, sale)
    top = band.bottom + size * 5.2
    spots += _bidders(pen, Box(left, top, width, rows * size * 2.2), view, sale)
    top += rows * size * 2.2 + size * 0.3
    below = Box(left, top, width, box.bottom - top - size * 0.5)
    if view.bidders:
        words = _(
            "A bid is binding. Shift and your key bid five steps; Ctrl and your key change the step"
        )
        lines = in_lines(words, size, int(width), 3)
        top = pen.write_lines(lines, (left, top + size * 0.2), Ink.FAINT, room=width)
        top += size * 0.4
        below = Box(left, top, width, below.bottom - top)
    paint_bids(pen, below, view.names, bids(sale)[::-1])
    return spots


def _light(pen: Pen, box: Box, view: View, sale: Auction) -> None:
    """Draw the lamp, the highest bid and the time left."""
    size = pen.size
    at = (box.left + size * 1.4, box.top + size * 1.6)
    is_lit = bool(view.look.lamps & 1)
    if is_lit:
        pen.put(glow(round(size * 3)), at)
    pygame.draw.circle(pen.target, (12, 12, 14), at, size * 1.15)
    pygame.draw.circle(pen.target, Ink.LIT if is_lit else (92, 34, 32), at, size)
    shine, radius = ((255, 220, 200), 0.5) if is_lit else ((130, 64, 58), 0.25)
    pygame.draw.circle(pen.target, shine, (at[0] - size * 0.3, at[1] - size * 0.3), size * radius)
    left = box.left + size * 3.6
    room = box.right - left
    if view.state.phase == "hammer" or sale.started is None:
        words = (
            view.game.decision.detail
            if view.game.table.light_is_on
            else _("Press AUCTION on the unit: the light starts the sale")
        )
        lines = in_lines(words, pen.head, int(room), 3)
        pen.write_lines(lines, (left, box.top + size * 0.4), Ink.BRIGHT, room=room, size=pen.head)
        return
    leader = sale.leader()
    if leader >= 0:
        pen.write(_("Highest bid"), (left, box.top), Ink.FAINT)
        pen.put(badge(leader, round(size * 1.8)), (left + size, box.top + size * 2))
        at = (left + size * 2.3, box.top + size * 2)
        pen.write(view.names[leader], at, Ink.BRIGHT, "midleft", room * 0.55, size=pen.head)
        at = (box.right, box.top + size * 1.6)
        pen.write(show(sale.highest()), at, Ink.GOLD, "midright", size=pen.large)
    else:
        pen.write(_("no bid yet"), (left, box.top + size), Ink.FAINT, size=pen.head)
    if sale.ended is not None:
        return
    bar = Box(left, box.bottom - size * 0.8, room, size * 0.6)
    at = (left, bar.middle[1])
    if not view.game.table.unit_online:
        pen.write(view.game.title, at, Ink.RED, "midleft")
    elif view.share is None:
        pen.write(_("until the light goes out"), at, Ink.FAINT, "midleft")
    else:
        pygame.draw.rect(pen.target, (18, 22, 32), pygame.Rect(bar), border_radius=6)
        filled = pygame.Rect(left, bar.top, room * view.share, bar.height)
        pygame.draw.rect(
            pen.target, Ink.RED if view.is_closing else Ink.GREEN, filled, border_radius=6
        )


def _bidders(pen: Pen, box: Box, view: View, sale: Auction) -> Spots:
    """Draw a row for each player: name, money, and for people the bid key and step.

    A narrow row has no money, which the panel shows too, and a very narrow one only the badge.
    """
    size, state = pen.size, view.state
    bidders = {bidder.player: bidder for bidder in view.bidders}
    spots: Spots = []
    leader = sale.leader()
    for player, name in enumerate(view.names):
        row, is_alive = box.row(player, state.players, size * 0.25), state.alive[player]
        middle, right, leads = row.middle[1], row.right, leader == player
        pen.panel(row, (64, 56, 32) if leads else (38, 47, 66), Ink.GOLD if leads else None, 6)
        width = size * BIDDING[row.width < size * 26]
        before = (width + size * (STEPS + 0.7)) if player in bidders else 0
        pen.put(badge(player, round(size * 1.4), is_alive), (row.left + size, middle))
        words, ink = name, Ink.BRIGHT
        if not is_alive:
            ink = Ink.FAINT
        elif player in sale.passed:
            words, ink = _("{name} has passed").format(name=name), Ink.FAINT
        at = (row.left + size * 2.2, middle)
        has_room = player not in bidders or row.width > size * 31.4
        room = size * 8.4 if has_room else right - before - size * 0.4 - at[0]
        if room > size * 2:
            pen.write(words, at, ink, "midleft", room)
        if has_room and row.width > size * 24:
            at = (row.left + size * 14, middle)
            pen.write(show(state.cash[player]), at, Ink.FAINT, "midright")
        if player not in bidders:
            seat = view.game.table.seats[player]
            words = str(STRENGTHS[seat]) if is_alive else _("bankrupt")
            pen.write(words, (right - size, middle), Ink.FAINT, "midright")
            continue
        # The amount the person's key bids, in their colour if it can bid, and their step.
        key, amount, step, can = bidders[player][1:]
        place = Box(right - width - 3, row.top + 3, width, row.height - 6)
        pen.panel(place, SEATS[player][0] if can else (48, 54, 66), None, 5)
        left, y = place.left + size * 0.4, place.middle[1]
        left += pen.key_cap(key, (left, y), can)
        words = _("Highest bid") if leads else show(amount)
        at = (left + size * 0.5, y)
        room = place.right - at[0] - size * 0.3
        pen.write(words, at, Ink.DARK if can else Ink.FAINT, "midleft", room)
        spots.append(Spot(place, Command("bid", player)))
        left = right - before
        for sign, does, x in (("−", "smaller step", left), ("+", "larger step", left + size * 4.4)):
            side = Box(x, row.top + 4, size * 1.5, row.height - 8)
            spots.append(pen.button(side, Button(sign, "", Command(does, player))))
        pen.write(show(step), (left + size * 2.95, middle), Ink.BRIGHT, "center", size * 2.8)
    return spots


def paint_outcome(pen: Pen, layout: Layout, view: View, event: tuple) -> Spots:
    """Draw the outcome of an auction: the buyer, and the latest bids with their times."""
    size, board, sale = layout.text, view.state.board, view.state.sales[-1]
    latest = bids(sale)[::-1]
    rows = min(SALE_ROWS, len(latest))
    box = layout.beside(sale.deed, size * CARD_WIDTHS[0], size * (8.2 + ROW * rows))
    pen.lay(box, Ink.PANEL, Ink.GOLD)
    band, ink = pen.heading(box, size * 3, colour_of(board, board.deeds[sale.deed].group))
    pen.write(board.name_of(sale.thing), band.center, ink, "center", size=pen.head)
    middle, room = band.bottom + size * 2, box.width - 2 * size
    if event[0] == "sold":
        _sold, winner, _thing, amount, *_rest = event
        pen.put(badge(winner, round(size * 2.4)), (box.left + size * 2, middle))
        words = _("goes to {name}").format(name=view.names[winner])
        at = (box.left + size * 3.8, middle)
        pen.write(words, at, Ink.BRIGHT, "midleft", box.width * 0.5, size=pen.head)
        pen.write(show(amount), (box.right - size, middle), Ink.GOLD, "midright", size=pen.large)
    else:
        words, at = _("Nobody bids; it stays with the bank"), (box.middle[0], middle)
        pen.write(words, at, Ink.BRIGHT, "center", room, size=pen.head)
    below = Box(box.left + size, middle + size * 2, room, rows * size * ROW + 1)
    paint_bids(pen, below, view.names, latest)
    return [Spot(box, Command("skip"))]


ROW = 1.3  # height of a bid's row, in heights of letters
NARROW_ROW = 29  # a row narrower than this shows figures only; heights of letters


def rows_in(box: Box, size: int) -> int:
    """Return how many bids fit into a box."""
    return max(0, int(box.height // (size * ROW)))


def paint_bids(pen: Pen, box: Box, names: Sequence[str], latest: Sequence[Bid]) -> None:
    """Draw the latest bids, as many as fit, and the number of earlier ones."""
    size, room = pen.size, rows_in(box, pen.size)
    if len(latest) <= room:
        paint_rows(pen, box, names, latest)
        return
    shown = max(0, room - 1)
    paint_rows(pen, box, names, latest[:shown])
    if room:
        words = _("and {count} earlier ones: F3, once the sale is over").format(
            count=len(latest) - shown
        )
        at = (box.left + size * 1.6, box.top + (shown + 0.5) * size * ROW)
        pen.write(words, at, Ink.FAINT, "midleft", box.right - at[0])


def paint_rows(pen: Pen, box: Box, names: Sequence[str], several: Sequence[Bid]) -> None:
    """Draw a row for each bid, from the top of the box."""
    size, is_narrow = pen.size, box.width < pen.size * NARROW_ROW
    amount_to = size * (9.4 if is_narrow else 11.6)
    for place, bid in enumerate(several):
        middle = Box(box.left, box.top + place * size * ROW, box.width, size * ROW).middle[1]
        ink = Ink.RED if bid.why else Ink.BRIGHT
        pen.put(badge(bid.player, round(size * 1.1)), (box.left + size * 0.6, middle))
        at, room = (box.left + size * 1.6, middle), size * (4 if is_narrow else 6.2)
        pen.write(names[bid.player], at, ink, "midleft", room)
        pen.write(show(bid.amount), (box.left + amount_to, middle), ink, "midright")
        at = (box.left + amount_to + size * 0.8, middle)
        words = _words(bid)
        if is_narrow:  # figures alone: + since the light went on, - until it went out
            ms, sign = abs(bid.since if bid.left is None else bid.left), "+"
            if bid.left is not None and bid.left >= 0:
                sign = "−"
            words = f"{sign}{seconds(ms, 3)} ±{milliseconds(bid.within)}"
        pen.write(words, at, Ink.RED if bid.why else Ink.FAINT, "midleft", box.right - at[0])


def _words(bid: Bid) -> str:
    """Return the time of a bid, relative to the end of the light or, while it is on, to its start.

    A refused bid has its reason too.
    """
    within = milliseconds(bid.within)
    if bid.left is None:
        words, ms = _("{time} after the light went on (±{within})"), bid.since
    elif bid.left > 0:
        words, ms = _("{time} before the light went out (±{within})"), bid.left
    else:
        words, ms = _("{time} after the light went out (±{within})"), -bid.left
    words = words.format(time=seconds(ms, 3), within=within)
    if not bid.why:
        return words
    why = str(REASONS[bid.why])
    if bid.why == "too-late":
        why = _("too close to count") if bid.left and bid.left > 0 else _("does not count")
    return f"{words}: {why}"


RENT_ROW = 1.24  # height of a rent's row, in heights of letters


def paint_deed(pen: Pen, layout: Layout, view: View) -> Spots:
    """Draw the open deed: price, owner, rents with the current one marked, and further facts."""
    state, deed, size, city = view.state, view.deed, layout.text, layout.city
    board = state.board
    if deed < 0:
        return []
    width, height = min(size * 17, city.width * 0.6), min(size * 25, city.height)
    if state.phase in JUDGED_IN and not view.game.problem:
        # During a sale it covers the panel, so that the bids stay visible.
        left, top = layout.decision.right - width, layout.players.top
        box = Box(left, top, width, min(height, layout.decision.bottom - top))
    else:  # on the half of the city without its plot
        is_right = layout.plots[deed].middle[0] > city.middle[0]
        left = city.left if is_right else city.right - width
        box = Box(left, city.middle[1] - height / 2, width, height)
    printed, owner = board.deeds[deed], view.plots[deed].owner
    counted = view.plots[deed].look.counted  # blocks that determine its current rent
    pen.lay(box, Ink.PAPER, Ink.PAPER_EDGE)
    band, ink = pen.heading(box, size * 3.1, colour_of(board, printed.group))
    room = band.width - size
    at = (band.centerx, band.top + size * 1.1)
    pen.write(printed.name, at, ink, "center", room, size=pen.head)
    at = (band.centerx, band.top + size * 2.4)
    pen.write(of_file(board.groups[printed.group].name), at, ink, "center", room)
    left, right, top = box.left + size, box.right - size, band.bottom + size * 0.5
    price = _("Price {price}").format(price=show(printed.price))
    pen.write(price, (right, top), Ink.DARK, "topright")
    words = _("Owner: {name}").format(name=view.names[owner] if owner >= 0 else _("the bank"))
    name_left = left
    if owner >= 0:
        pen.put(badge(owner, round(size * 1.5)), (left + size * 0.7, top + size * 0.5))
        name_left += size * 1.8
    pen.write(words, (name_left, top), Ink.DARK, room=(right - name_left) * 0.55)
    top += size * 1.8
    for blocks, amount in enumerate(printed.rents):
        row = pygame.Rect(left - 4, top - 2, right - left + 8, size * RENT_ROW)
        ink = Ink.PALE_INK
        if blocks == counted:
            ink = Ink.DARK
            pygame.draw.rect(pen.target, shade(Ink.PAPER, 0.14), row, border_radius=4)
            tip, tail = (row.left + 2, row.centery), row.left - 5
            corners = [(tail, row.top + 3), tip, (tail, row.bottom - 3)]
            pygame.draw.polygon(pen.target, Ink.DARK, corners)
        words = board.edition.words.row(board, deed, blocks)
        pen.write(words, (left + 4, row.centery), ink, "midleft")
        pen.write(show(amount), (right - 4, row.centery), ink, "midright")
        top += size * RENT_ROW
    top += size * 0.5
    for words in state.edition.words.deed(state, deed):
        for line in wrapped(words, size, int(right - left)):
            if top < box.bottom - size:
                pen.write(line, (left, top), Ink.DARK)
                top += size * 1.15
    return [Spot(box, Command("deed", -1))]


def paint_end(pen: Pen, layout: Layout, view: View) -> Spots:
    """Draw the final result: the winners, each player's worth as a bar, and its chart."""
    size, city, state = layout.text, layout.city, view.state
    ranks = [player for one in standing(state) for player in one.players]
    parts = {
        player: state.edition.words.parts(state, player) if state.alive[player] else {}
        for player in ranks
    }
    width = min(size * 38, city.width)
    height = min(size * (20 + 2.6 * len(ranks)), city.height)
    box = Box(city.middle[0] - width / 2, city.middle[1] - height / 2, width, height)
    pen.lay(box, Ink.PANEL, Ink.GOLD)
    words = _("{names} wins") if len(state.winners) == 1 else _("{names} share the win")
    words = words.format(names=all_of([view.names[player] for player in state.winners]))
    at = (box.middle[0], box.top + size * 1.8)
    pen.write(words, at, Ink.GOLD, "center", box.width - size, size=pen.large)
    left, right, top = box.left + size, box.right - size, box.top + size * 3.6
    most = max(1, sum(parts[ranks[0]].values()))
    for player in ranks:
        from_name, name, is_alive = left + size * 2.4, view.names[player], state.alive[player]
        at, worth = (left + size, top + size * 1.15), sum(parts[player].values())
        pen.put(badge(player, round(size * 1.9), is_alive), at)
        pen.write(name, (from_name, top), Ink.BRIGHT)
        words = _("bankrupt")
        if is_alive:
            made_of = all_of([f"{part} {show(notes)}" for part, notes in parts[player].items()])
            words = _("worth {amount}: {parts}").format(amount=show(worth), parts=made_of)
        room = right - from_name - text_width(name, size) - size
        pen.write(words, (right, top), Ink.FAINT, "topright", room)
        long = (right - from_name) * worth / most
        bar = pygame.Rect(from_name, top + size * 1.25, long, size * 0.7)
        pygame.draw.rect(pen.target, SEATS[player][0], bar, border_radius=4)
        top += size * 2.6
    foot = Box(left, box.bottom - size * 2.8, width - 2 * size, size * 2)
    chart = Box(left, top + size * 0.6, foot.width, foot.top - top - size * 1.4)
    if chart.height > size * 5:
        every = [point for points in view.history for point in points]
        last = max(turn for turn, _worth in every) or 1
        most = max(notes for _turn, notes in every) or 1
        pen.write(_("Everybody's worth, turn by turn"), (left, chart.top), Ink.FAINT)
        pen.write(show(most), (chart.right, chart.top), Ink.FAINT, "topright")
        top, height = chart.top + size * 1.2, chart.height - size * 1.2
        axes = pygame.Rect(left, top, chart.width, height)
        pygame.draw.rect(pen.target, Ink.EDGE, axes, 1)
        for player, points in enumerate(view.history):  # a line, which ends in the badge
            corners = [
                (left + (chart.width - size) * turn / last, top + height - height * notes / most)
                for turn, notes in points
            ]
            if len(corners) > 1:
                thick = max(2, round(size / 7))
                pygame.draw.lines(pen.target, SEATS[player][0], False, corners, thick)
            pen.put(badge(player, round(size * 1.1)), corners[-1])
    buttons = (
        Button(_("Export"), "x", Command("export")),
        Button(_("See the city"), "esc", Command("back")),
        Button(_("Another game"), "enter", Command("again"), True),
    )
    return [
        Spot(box, NOTHING),
        *(pen.button(foot.column(place, 3, 8), what) for place, what in enumerate(buttons)),
    ]


# A card of chance.

CHANCE = (250, 204, 130)


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


def card_does(board: Board, place: int) -> str:
    """Return the effect of a chance card, as text."""
    card = board.cards[place]
    if card.does == "move":
        amount = f"{card.amount:+}"
    elif card.does == "knock down":
        amount = str(card.amount)
    elif card.does == "go to":
        deed, kind = board.deed_on[card.amount], board.kinds[card.amount]
        amount = board.deeds[deed].name if deed >= 0 else space_name(board, kind)
    else:
        amount = show(card.amount)
    words = board.edition.words.cards.get(card.does) or CARD_DOES[card.does]
    return words.format(amount=amount)


def paint_card(pen: Pen, layout: Layout, view: View) -> Spots:
    """Draw the chance card just drawn; a click removes it."""
    size, city, board = layout.text, layout.city, view.state.board
    card = board.cards[view.drawn]
    lines = wrapped(of_file(card.text), pen.head, round(size * 21))
    width, height = size * 23, size * (7 + HEAD * len(lines))
    box = Box(city.middle[0] - width / 2, city.middle[1] - height / 2, width, height)
    pen.lay(box, Ink.PAPER, Ink.PAPER_EDGE)
    band, _ink = pen.heading(box, size * 2.2, CHANCE)
    pen.write(space_name(board, card.deck), band.center, Ink.DARK, "center", size=pen.head)
    at = (box.middle[0], band.bottom + size)
    pen.write_lines(lines, at, Ink.DARK, "midtop", size * 21, size=pen.head)
    at, does = (box.middle[0], box.bottom - size * 1.6), card_does(board, view.drawn)
    pen.write(does, at, Ink.PALE_INK, "center", box.width - size)
    return [Spot(box, Command("skip"))]
