"""Cards over the city: a sale and how it ended, a deed, the end of the game, a card of chance."""

import pygame

from city_game.kernel.board import Board
from city_game.kernel.money import show
from city_game.report.bid_log import Bid
from city_game.report.reasons import REASONS
from city_game.seats import SEATS, STRENGTHS
from city_game.table.board import colour_of
from city_game.table.drawing import (
    DARK,
    EDGE,
    FAINT,
    GOLD,
    GREEN,
    HEAD,
    INK,
    LIT,
    PALE_INK,
    PANEL,
    PAPER,
    PAPER_EDGE,
    RED,
    badge,
    button,
    glow,
    head,
    heading,
    in_lines,
    ink_on,
    key_cap,
    large,
    lay,
    panel,
    shade,
    wrapped,
    write,
    write_lines,
)
from city_game.table.layout import CARD_WIDTHS, Layout
from city_game.table.picture import (
    NOTHING,
    Bidder,
    Button,
    ChanceCard,
    Command,
    DeedCard,
    End,
    Outcome,
    Rank,
    SaleCard,
    Spot,
    Spots,
    View,
)
from city_game.table.view import Player
from city_unit.desktop.catalogue import _, of_file
from city_unit.desktop.forms import all_of, milliseconds, seconds
from sim.face.box import Box
from sim.face.paint import put, text_width

STEPS = 5.9  # heights of letters, that a person's step takes with its two buttons
BIDDING = (11, 8.2)  # heights of letters, of the button that bids: with room, and without
SALE_ROWS = 5  # of the last bids, on the card that names the buyer


def paint_auction(target: pygame.Surface, layout: Layout, view: View, card: SaleCard) -> Spots:
    """Draw the card of a sale; the parts under it are not clicked through it."""
    size = layout.text
    rows = len(view.players)
    box = layout.beside(card.sale.deed, size * CARD_WIDTHS[0], size * (14.5 + 2.2 * rows))
    width = box.width
    lay(target, box, PANEL, GOLD)
    band = _heading(target, layout, view, box, card)
    spots = [Spot(box, "sale", NOTHING)]
    name = "deed of the sale"  # no text: a spot's name
    spots.append(Spot(band, name, Command("deed", card.sale.deed)))
    left, wide = box.left + size, width - 2 * size
    _light(target, Box(left, band.bottom + size * 0.6, wide, size * 4), layout, view, card)
    top = band.bottom + size * 5.2
    spots += _bidders(target, Box(left, top, wide, rows * size * 2.2), layout, view, card)
    top += rows * size * 2.2 + size * 0.3
    below = Box(left, top, wide, box.bottom - top - size * 0.5)
    _bids(target, below, layout, view, card)
    return spots


def _heading(target: pygame.Surface, layout: Layout, view: View, box: Box, card: SaleCard) -> Box:
    """Draw the name and the printed price of the thing for sale; return where."""
    size, deed = layout.text, view.board.deeds[card.sale.deed]
    colour = colour_of(view.board, deed.group)
    band = heading(target, box, size * 3, colour)
    ink, at = ink_on(colour), (band.left + size, band.centery)
    name = view.board.name_of(card.sale.lot or card.sale.deed)
    write(target, name, at, head(size), ink, "midleft")
    price = card.sale.least if card.sale.lot else deed.price
    words, at = _("Price {price}").format(price=show(price)), (band.right - size, at[1])
    write(target, words, at, size, ink, "midright")
    return Box(*band)


def _light(target: pygame.Surface, box: Box, layout: Layout, view: View, card: SaleCard) -> None:
    """Draw the lamp, the highest bid, and how much time is left."""
    size = layout.text
    _lamp(target, (box.left + size * 1.4, box.top + size * 1.6), size, card.is_lit)
    left = box.left + size * 3.6
    if not card.has_started:
        words = (
            _("A light is still on from before the sale; AUCTION puts it out first")
            if card.is_stray
            else _("Press AUCTION on the unit: the light starts the sale")
        )
        room = box.right - left
        lines = in_lines(words, head(size), int(room), 3)
        write_lines(target, lines, (left, box.top + size * 0.4), head(size), INK, room=room)
        return
    if card.sale.leader >= 0:
        name = view.players[card.sale.leader].name
        write(target, _("Highest bid"), (left, box.top), size, FAINT)
        put(target, badge(card.sale.leader, round(size * 1.8)), (left + size, box.top + size * 2))
        at = (left + size * 2.3, box.top + size * 2)
        write(target, name, at, head(size), INK, "midleft", (box.right - left) * 0.55)
        at = (box.right, box.top + size * 1.6)
        write(target, show(card.sale.highest), at, large(size), GOLD, "midright")
    else:
        write(target, _("no bid yet"), (left, box.top + size), head(size), FAINT)
    bar = Box(left, box.bottom - size * 0.8, box.right - left, size * 0.6)
    _time_left(target, bar, size, view.unit.is_online, card)


def _lamp(target: pygame.Surface, at: tuple[float, float], size: int, lit: bool) -> None:
    if lit:
        put(target, glow(round(size * 3)), at)
    pygame.draw.circle(target, (12, 12, 14), at, size * 1.15)
    pygame.draw.circle(target, LIT if lit else (92, 34, 32), at, size)
    shine, radius = ((255, 220, 200), 0.5) if lit else ((130, 64, 58), 0.25)
    spot = (at[0] - size * 0.3, at[1] - size * 0.3)
    pygame.draw.circle(target, shine, spot, size * radius)


def _time_left(target: pygame.Surface, box: Box, size: int, online: bool, card: SaleCard) -> None:
    if card.sale.has_ended:
        return
    at = (box.left, box.middle[1])
    if not online:
        write(target, _("The unit is gone. The game waits for it."), at, size, RED, "midleft")
    elif card.share is None:
        write(target, _("until the light goes out"), at, size, FAINT, "midleft")
    else:
        pygame.draw.rect(target, (18, 22, 32), pygame.Rect(box), border_radius=6)
        filled = pygame.Rect(box.left, box.top, box.width * card.share, box.height)
        pygame.draw.rect(target, RED if card.is_closing else GREEN, filled, border_radius=6)


def _bidders(target: pygame.Surface, box: Box, layout: Layout, view: View, card: SaleCard) -> Spots:
    """Draw a row for each player: money, and for people the key that bids."""
    size = layout.text
    bidders = {bidder.player: bidder for bidder in card.bidders}
    spots: Spots = []
    for index, player in enumerate(view.players):
        row = box.row(index, len(view.players), size * 0.25)
        leads = card.sale.leader == index
        panel(target, row, (64, 56, 32) if leads else (38, 47, 66), GOLD if leads else None, 6)
        has_room = index not in bidders or row.width > size * 31.4
        wide = size * BIDDING[row.width < size * 26]
        before = (wide + size * (STEPS + 0.7)) if index in bidders else 0
        _bidder(target, row, size, index, player, index in card.sale.passed, has_room, before)
        if index in bidders:
            spots.append(_bid_button(target, row, size, bidders[index], leads, wide))
            spots += _step(target, row, layout, view, bidders[index], row.right - before)
        else:
            words = str(STRENGTHS[player.seat]) if player.is_alive else _("bankrupt")
            write(target, words, (row.right - size, row.middle[1]), size, FAINT, "midright")
    return spots


def _bidder(
    target: pygame.Surface,
    row: Box,
    size: int,
    index: int,
    player: Player,
    has_passed: bool,
    has_room: bool,
    before: float,
) -> None:
    """Draw the bidders, and their money; without room for it, that stands in the panel.

    before  how much of the row's right end has the buttons
    """
    middle = row.middle[1]
    put(target, badge(index, round(size * 1.4), player.is_alive), (row.left + size, middle))
    words, ink = player.name, INK
    if not player.is_alive:
        ink = FAINT
    elif has_passed:
        words, ink = _("{name} has passed").format(name=player.name), FAINT
    at = (row.left + size * 2.2, middle)
    room = size * 8.4 if has_room else row.right - before - size * 0.4 - at[0]
    if room > size * 2:  # else the badge says it
        write(target, words, at, size, ink, "midleft", room)
    if has_room and row.width > size * 24:
        at = (row.left + size * 14, middle)
        write(target, show(player.cash), at, size, FAINT, "midright")


def _bid_button(
    target: pygame.Surface, row: Box, size: int, bidder: Bidder, leads: bool, wide: float
) -> Spot:
    """Draw the bid of a person's key now, in their colour if it can bid."""
    can = bidder.can_bid
    place = Box(row.right - wide - 3, row.top + 3, wide, row.height - 6)
    panel(target, place, SEATS[bidder.player][0] if can else (48, 54, 66), None, 5)
    left, middle = place.left + size * 0.4, place.middle[1]
    left += key_cap(target, bidder.key, (left, middle), size, can)
    words = _("Highest bid") if leads else show(bidder.amount)
    at = (left + size * 0.5, middle)
    room = place.right - at[0] - size * 0.3
    write(target, words, at, size, DARK if can else FAINT, "midleft", room)
    return Spot(place, f"bid {bidder.player}", Command("bid", bidder.player))


def _step(
    target: pygame.Surface, row: Box, layout: Layout, view: View, bidder: Bidder, left: float
) -> Spots:
    """Draw by how much a person's bids go above the last bid, and the keys that change it."""
    size, player = layout.text, bidder.player
    top, high = row.top + 4, row.height - 8
    spots: Spots = []
    for sign, name, at in (("−", "smaller step", left), ("+", "larger step", left + size * 4.4)):
        box = Box(at, top, size * 1.5, high)
        what = Button(sign, "", Command(name, player), name=f"{name} {player}")  # no text: a name
        spots.append(button(target, box, what, size, view.mouse))
    middle = (left + size * 2.95, row.middle[1])
    write(target, show(bidder.step), middle, size, INK, "center", size * 2.8)
    return spots


def _bids(target: pygame.Surface, box: Box, layout: Layout, view: View, card: SaleCard) -> None:
    """Draw the last bids with their stamps, and how people bid."""
    size = layout.text
    if card.bidders:
        words = _("A bid binds. Shift and your key: five steps; Ctrl and your key: another step")
        lines = in_lines(words, size, int(box.width), 3)
        at = (box.left, box.top + size * 0.2)
        top = write_lines(target, lines, at, size, FAINT, room=box.width) + size * 0.4
        box = Box(box.left, top, box.width, box.bottom - top)
    paint_bids(target, box, size, view.names, card.sale.bids)


def paint_outcome(target: pygame.Surface, layout: Layout, view: View, outcome: Outcome) -> Spots:
    """Show how an auction ended: the buyer, and the last bids, each with its time."""
    size = layout.text
    deed = view.board.deeds[outcome.deed]
    rows = min(SALE_ROWS, len(outcome.bids))
    height = size * (8.2 + ROW * rows)
    box = layout.beside(outcome.deed, size * CARD_WIDTHS[0], height)
    lay(target, box, PANEL, GOLD)
    colour = colour_of(view.board, deed.group)
    band = heading(target, box, size * 3, colour)
    name = view.board.name_of(outcome.lot or outcome.deed)
    write(target, name, band.center, head(size), ink_on(colour), "center")
    middle = band.bottom + size * 2
    if outcome.winner >= 0:
        _winner(target, box, middle, size, view, outcome)
    else:
        write(
            target,
            _("Nobody bids; it stays with the bank"),
            (box.middle[0], middle),
            head(size),
            INK,
            "center",
            box.width - 2 * size,
        )
    below = Box(box.left + size, middle + size * 2, box.width - 2 * size, rows * size * ROW + 1)
    paint_bids(target, below, size, view.names, outcome.bids)
    return [Spot(box, "sale", Command("skip"))]


def _winner(
    target: pygame.Surface, box: Box, middle: float, size: int, view: View, outcome: Outcome
) -> None:
    put(target, badge(outcome.winner, round(size * 2.4)), (box.left + size * 2, middle))
    words, at = (
        _("goes to {name}").format(name=view.names[outcome.winner]),
        (box.left + size * 3.8, middle),
    )
    write(target, words, at, head(size), INK, "midleft", box.width * 0.5)
    at = (box.right - size, middle)
    write(target, show(outcome.amount), at, large(size), GOLD, "midright")


Names = tuple[str, ...]

ROW = 1.3  # the height of a row, in letters
NARROW_ROW = 29  # heights of letters: in a row that is narrower there is no room for words


def room_for(box: Box, size: int) -> int:
    """Return how many rows fit into a box."""
    return max(0, int(box.height // (size * ROW)))


def paint_bids(
    target: pygame.Surface, box: Box, size: int, names: Names, latest: tuple[Bid, ...]
) -> None:
    """Draw as many of the latest bids as there is room for, and say how many there are before."""
    room = room_for(box, size)
    if len(latest) <= room:
        paint_rows(target, box, size, names, latest)
        return
    shown = max(0, room - 1)
    paint_rows(target, box, size, names, latest[:shown])
    if room:
        words = _("and {count} before these: F3, once the sale is over").format(
            count=len(latest) - shown
        )
        at = (box.left + size * 1.6, box.top + (shown + 0.5) * size * ROW)
        write(target, words, at, size, FAINT, "midleft", box.right - at[0])


def paint_rows(
    target: pygame.Surface, box: Box, size: int, names: Names, several: tuple[Bid, ...]
) -> None:
    """Draw a row for each bid, from the top of the box."""
    for place, bid in enumerate(several):
        top = box.top + place * size * ROW
        _row(target, Box(box.left, top, box.width, size * ROW), size, names[bid.player], bid)


def _row(target: pygame.Surface, row: Box, size: int, name: str, bid: Bid) -> None:
    ink = RED if bid.why else INK
    middle = row.middle[1]
    put(target, badge(bid.player, round(size * 1.1)), (row.left + size * 0.6, middle))
    is_narrow = row.width < size * NARROW_ROW
    width = size * (4 if is_narrow else 6.2)
    write(target, name, (row.left + size * 1.6, middle), size, ink, "midleft", width)
    amount_to = size * (9.4 if is_narrow else 11.6)
    write(target, show(bid.amount), (row.left + amount_to, middle), size, ink, "midright")
    at = (row.left + amount_to + size * 0.8, middle)
    words = _figures(bid) if is_narrow else _words(bid)
    write(target, words, at, size, RED if bid.why else FAINT, "midleft", row.right - at[0])


def _figures(bid: Bid) -> str:
    """Return when a bid was made in figures alone: + from the start of the light, - to its end."""
    ms, sign = (
        (bid.since, "+") if bid.left is None else (abs(bid.left), "+" if bid.left < 0 else "−")
    )
    return f"{sign}{seconds(ms, 3)} ±{milliseconds(bid.within)}"


def _words(bid: Bid) -> str:
    if not bid.why:
        return _when(bid)
    why = str(REASONS[bid.why])
    if bid.why == "too-late":
        why = _("too close to count") if bid.left and bid.left > 0 else _("does not count")
    return f"{_when(bid)}: {why}"


def _when(bid: Bid) -> str:
    """Say when a bid was made: from the end of the light, or from its start while it is on."""
    within = milliseconds(bid.within)
    if bid.left is None:
        words, ms = _("{time} after the light went on (±{within})"), bid.since
    elif bid.left > 0:
        words, ms = _("{time} before the light went out (±{within})"), bid.left
    else:
        words, ms = _("{time} after the light went out (±{within})"), -bid.left
    return words.format(time=seconds(ms, 3), within=within)


RENT_ROW = 1.24  # the height of a rent's row, in letters


def deed_box(layout: Layout, card: DeedCard) -> Box:
    """Return where the deed lies: in a sale beside its card, so that the bids stay free."""
    size, city = layout.text, layout.city
    width = min(size * 17, city.width * 0.6)
    height = min(size * 25, city.height)
    if card.lies_aside:
        left, top = layout.decision.right - width, layout.players.top
        return Box(left, top, width, min(height, layout.decision.bottom - top))
    plot = layout.plots[card.deed]
    # On that half of the city in which its deed does not lie.
    left = city.left if plot.middle[0] > city.middle[0] else city.right - width
    return Box(left, city.middle[1] - height / 2, width, height)


def paint_deed(target: pygame.Surface, layout: Layout, view: View) -> Spots:
    """Draw the deed that is looked at: its rents, today's marked, and what would change it."""
    card = view.deed_card
    if card is None:
        return []
    box = deed_box(layout, card)
    size = layout.text
    lay(target, box, PAPER, PAPER_EDGE)
    top = _deed_heading(target, box, size, view.board, card.deed) + size * 0.5
    _owner(target, box, top, size, view, card.deed)
    top = _rents(target, box, top + size * 1.8, size, view.board, card) + size * 0.5
    left, right = box.left + size, box.right - size
    for words in card.words:
        for line in wrapped(words, size, int(right - left)):
            if top < box.bottom - size:
                write(target, line, (left, top), size, DARK)
                top += size * 1.15
    return [Spot(box, "deed", Command("close deed"))]


def _deed_heading(target: pygame.Surface, box: Box, size: int, board: Board, deed: int) -> float:
    """Draw the deed's name and its group's; return where that ends."""
    printed = board.deeds[deed]
    colour = colour_of(board, printed.group)
    band = heading(target, box, size * 3.1, colour)
    ink, room = ink_on(colour), band.width - size
    at = (band.centerx, band.top + size * 1.1)
    write(target, printed.name, at, head(size), ink, "center", room)
    at = (band.centerx, band.top + size * 2.4)
    write(target, of_file(board.groups[printed.group].name), at, size, ink, "center", room)
    return band.bottom


def _owner(target: pygame.Surface, box: Box, top: float, size: int, view: View, deed: int) -> None:
    """Write whose it is, and its price."""
    left, right = box.left + size, box.right - size
    owner = view.plots[deed].owner
    words = _("Owner: {name}").format(name=view.names[owner] if owner >= 0 else _("the bank"))
    if owner >= 0:
        put(target, badge(owner, round(size * 1.5)), (left + size * 0.7, top + size * 0.5))
        left += size * 1.8
    room = (right - left) * 0.55
    write(target, words, (left, top), size, DARK, room=room)
    price = _("Price {price}").format(price=show(view.board.deeds[deed].price))
    write(target, price, (right, top), size, DARK, "topright")


def _rents(
    target: pygame.Surface, box: Box, top: float, size: int, board: Board, card: DeedCard
) -> float:
    """Draw a row for each rent; return where they end."""
    left, right = box.left + size, box.right - size
    for blocks, amount in enumerate(board.deeds[card.deed].rents):
        row = pygame.Rect(left - 4, top - 2, right - left + 8, size * RENT_ROW)
        now = blocks == card.counted
        if now:
            pygame.draw.rect(target, shade(PAPER, 0.14), row, border_radius=4)
            left_of, tip = row.left - 5, (row.left + 2, row.centery)
            corners = [(left_of, row.top + 3), tip, (left_of, row.bottom - 3)]
            pygame.draw.polygon(target, DARK, corners)
        words = board.edition.words.row(board, card.deed, blocks)
        ink = DARK if now else PALE_INK
        write(target, words, (left + 4, row.centery), size, ink, "midleft")
        write(target, show(amount), (right - 4, row.centery), size, ink, "midright")
        top += size * RENT_ROW
    return top


def _buttons() -> tuple[Button, ...]:
    return (
        Button(_("Export"), "x", Command("export")),
        Button(_("See the city"), "esc", Command("back")),
        Button(_("Another game"), "enter", Command("again"), True),
    )


def paint_over(target: pygame.Surface, layout: Layout, view: View, end: End) -> Spots:
    size, city = layout.text, layout.city
    rows = len(end.ranks)
    width, height = min(size * 38, city.width), min(size * (20 + 2.6 * rows), city.height)
    box = Box(city.middle[0] - width / 2, city.middle[1] - height / 2, width, height)
    lay(target, box, PANEL, GOLD)
    names = [view.names[player] for player in end.winners]
    words = (_("{names} wins") if len(names) == 1 else _("{names} share the win")).format(
        names=all_of(names)
    )
    at = (box.middle[0], box.top + size * 1.8)
    write(target, words, at, large(size), GOLD, "center", box.width - size)
    top = box.top + size * 3.6
    most = max(1, end.ranks[0].worth)
    for rank in end.ranks:
        row = Box(box.left + size, top, width - 2 * size, size * 2.3)
        _rank(target, row, size, view.players[rank.player], rank, most)
        top += size * 2.6
    foot = Box(box.left + size, box.bottom - size * 2.8, width - 2 * size, size * 2)
    chart = Box(foot.left, top + size * 0.6, foot.width, foot.top - top - size * 1.4)
    if chart.height > size * 5:
        _chart(target, chart, size, end)
    return [
        Spot(box, "over", NOTHING),
        *(
            button(target, foot.column(place, 3, 8), what, size, view.mouse)
            for place, what in enumerate(_buttons())
        ),
    ]


def _rank(
    target: pygame.Surface, row: Box, size: int, player: Player, rank: Rank, most: int
) -> None:
    """Draw a player's name, worth, and a bar as long as that."""
    at = (row.left + size, row.middle[1])
    put(target, badge(rank.player, round(size * 1.9), player.is_alive), at)
    left = row.left + size * 2.4
    write(target, player.name, (left, row.top), size, INK)
    words = _("bankrupt")
    if player.is_alive:
        parts = all_of([f"{name} {show(notes)}" for name, notes in rank.parts])
        words = _("worth {amount}: {parts}").format(amount=show(rank.worth), parts=parts)
    room = row.right - left - text_width(player.name, size) - size
    write(target, words, (row.right, row.top), size, FAINT, "topright", room)
    long = (row.right - left) * rank.worth / most
    bar = pygame.Rect(left, row.top + size * 1.25, long, size * 0.7)
    pygame.draw.rect(target, SEATS[rank.player][0], bar, border_radius=4)


def _chart(target: pygame.Surface, box: Box, size: int, end: End) -> None:
    """Draw a line for each player, with the player's shape where it ends."""
    every = [point for points in end.history for point in points]
    last, most = max(turn for turn, _worth in every) or 1, max(notes for _turn, notes in every) or 1
    write(target, _("Everybody's worth, turn by turn"), (box.left, box.top), size, FAINT)
    write(target, show(most), (box.right, box.top), size, FAINT, "topright")
    plot = Box(box.left, box.top + size * 1.2, box.width - size, box.height - size * 1.2)
    pygame.draw.rect(target, EDGE, pygame.Rect(box.left, plot.top, box.width, plot.height), 1)
    for player, points in enumerate(end.history):
        corners = [
            (plot.left + plot.width * turn / last, plot.bottom - plot.height * notes / most)
            for turn, notes in points
        ]
        if len(corners) > 1:
            pygame.draw.lines(target, SEATS[player][0], False, corners, max(2, round(size / 7)))
        put(target, badge(player, round(size * 1.1)), corners[-1])


# A card of chance.

CHANCE = (250, 204, 130)


def paint_card(target: pygame.Surface, layout: Layout, card: ChanceCard) -> Spots:
    """Show the chance card that was just drawn; a click takes it away."""
    size, city = layout.text, layout.city
    lines = wrapped(card.text, head(size), round(size * 21))
    wide, high = size * 23, size * (7 + HEAD * len(lines))
    box = Box(city.middle[0] - wide / 2, city.middle[1] - high / 2, wide, high)
    lay(target, box, PAPER, PAPER_EDGE)
    band = heading(target, box, size * 2.2, CHANCE)
    write(target, card.deck, band.center, head(size), DARK, "center")
    at = (box.middle[0], band.bottom + size)
    write_lines(target, lines, at, head(size), DARK, "midtop", size * 21)
    at = (box.middle[0], box.bottom - size * 1.6)
    write(target, card.does, at, size, PALE_INK, "center", box.width - size)
    return [Spot(box, "card", Command("skip"))]
