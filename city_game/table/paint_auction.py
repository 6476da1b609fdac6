"""An auction while the light is on, and how it ended."""

import pygame

from city_game import texts_table as texts
from city_game.money import show
from city_game.seats import SEATS
from city_game.table.layout import Box
from city_game.table.paint_bids import ROW, paint_bids
from city_game.table.paint_board import colour_of
from city_game.table.paint_disc import glow
from city_game.table.paint_panel import button
from city_game.table.pens import (
    DARK,
    FAINT,
    GOLD,
    GREEN,
    INK,
    PANEL,
    RED,
    badge,
    ink_on,
    key_cap,
    lay,
    panel,
    put,
    wrapped,
    write,
)

SALE_ROWS = 5  # of the last bids, on the card that says who has it


def paint_auction(target, screen) -> None:
    session = screen.session
    state = session.state
    auction = state.auction
    size = screen.layout.text
    rows = len(session.names)
    city = screen.layout.city
    width = min(size * 34, city.width)
    height = min(size * (14.5 + 2.2 * rows), city.height)
    box = Box(city.middle[0] - width / 2, city.middle[1] - height / 2, width, height)
    lay(target, box, PANEL, GOLD)
    screen.spot(box, "sale", lambda: None)  # what is under the card is not clicked through it
    district = state.board.districts[auction.district]
    colour = colour_of(state.board, district.group)
    head = pygame.Rect(box.left + 6, box.top + 6, box.width - 12, size * 3)
    pygame.draw.rect(target, colour, head, border_radius=8)
    write(
        target,
        district.name,
        (head.left + size, head.centery),
        round(size * 1.7),
        ink_on(colour),
        "midleft",
    )
    write(
        target,
        texts.DEED_PRICE.format(price=show(district.price)),
        (head.right - size, head.centery),
        size,
        ink_on(colour),
        "midright",
    )
    heading, shown = Box(*head), auction.district
    screen.spot(heading, "deed of the sale", lambda: screen.show_deed(shown))
    _light(
        target, screen, Box(box.left + size, head.bottom + size * 0.6, width - 2 * size, size * 4)
    )
    top = head.bottom + size * 5.2
    _bidders(target, screen, Box(box.left + size, top, width - 2 * size, rows * size * 2.2))
    top += rows * size * 2.2 + size * 0.3
    _bids(
        target, screen, Box(box.left + size, top, width - 2 * size, box.bottom - top - size * 0.5)
    )


def _light(target, screen, box: Box) -> None:
    """Draw the lamp, the highest bid, and how much time is left."""
    session = screen.session
    auction, unit = session.state.auction, session.unit
    size = screen.layout.text
    at = (box.left + size * 1.4, box.top + size * 1.6)
    lit = bool(unit.lamps & 1)
    if lit:
        put(target, glow(round(size * 3)), at)
    pygame.draw.circle(target, (12, 12, 14), at, size * 1.15)
    pygame.draw.circle(target, (255, 74, 40) if lit else (92, 34, 32), at, size)
    pygame.draw.circle(
        target,
        (255, 220, 200) if lit else (130, 64, 58),
        (at[0] - size * 0.3, at[1] - size * 0.3),
        size * (0.5 if lit else 0.25),
    )
    left = box.left + size * 3.6
    if auction.started is None:
        words = texts.STRAY_LIGHT if unit.light_is_on else texts.WAITING_FOR_LIGHT
        for line in wrapped(words, round(size * 1.2), int(box.right - left)):
            write(target, line, (left, box.top + size * 0.6), round(size * 1.2), INK)
        return
    leader = auction.leader()
    if leader >= 0:
        write(target, texts.HIGHEST, (left, box.top), round(size * 0.9), FAINT)
        put(target, badge(leader, round(size * 1.8)), (left + size, box.top + size * 2))
        write(
            target,
            session.names[leader],
            (left + size * 2.3, box.top + size * 2),
            round(size * 1.3),
            INK,
            "midleft",
        )
        write(
            target,
            show(auction.highest()),
            (box.right, box.top + size * 1.6),
            round(size * 2.4),
            GOLD,
            "midright",
        )
    else:
        write(target, texts.NO_BID, (left, box.top + size), round(size * 1.5), FAINT)
    _time_left(target, screen, Box(left, box.bottom - size * 0.8, box.right - left, size * 0.6))


def _time_left(target, screen, box: Box) -> None:
    session = screen.session
    unit, auction = session.unit, session.state.auction
    if auction.ended is not None:
        return
    if not unit.online:
        write(
            target, texts.NOTICE_GONE, (box.left, box.middle[1]), screen.layout.text, RED, "midleft"
        )
        return
    if unit.ends is None:
        write(
            target,
            texts.SECRET_TIME,
            (box.left, box.middle[1]),
            screen.layout.text,
            FAINT,
            "midleft",
        )
        return
    part = max(0.0, (unit.ends - unit.now()) / max(1, unit.ends - auction.started))
    pygame.draw.rect(target, (18, 22, 32), pygame.Rect(box), border_radius=6)
    filled = pygame.Rect(box.left, box.top, box.width * part, box.height)
    colour = RED if unit.ends - unit.now() <= 5000 else GREEN
    pygame.draw.rect(target, colour, filled, border_radius=6)


def _bidders(target, screen, box: Box) -> None:
    """Draw a row for each player: money, and for people the key that bids."""
    session = screen.session
    state = session.state
    size = screen.layout.text
    for player, name in enumerate(session.names):
        row = box.row(player, len(session.names), size * 0.25)
        leads = state.auction.leader() == player
        panel(target, row, (64, 56, 32) if leads else (38, 47, 66), GOLD if leads else None, 6)
        put(
            target,
            badge(player, round(size * 1.4), state.alive[player]),
            (row.left + size, row.middle[1]),
        )
        write(target, name, (row.left + size * 2.2, row.middle[1]), size, INK, "midleft", size * 8)
        write(
            target,
            show(state.cash[player]),
            (row.left + size * 15, row.middle[1]),
            size,
            FAINT,
            "midright",
        )
        if not session.is_human(player) or not state.alive[player]:
            write(
                target,
                session.game.setup.seats[player],
                (row.right - size, row.middle[1]),
                size,
                FAINT,
                "midright",
            )
            continue
        amount = screen.bidding.next()
        can = state.phase == "bidding" and not leads and amount <= state.cash[player]
        wide = size * 11
        place = Box(row.right - wide - 3, row.top + 3, wide, row.height - 6)
        panel(target, place, SEATS[player][0] if can else (48, 54, 66), None, 5)
        left = place.left + size * 0.4
        left += key_cap(
            target, screen.bid_keys[player], (left, place.middle[1]), round(size * 0.9), can
        )
        words = show(amount) if not leads else texts.HIGHEST
        write(
            target,
            words,
            (left + size * 0.5, place.middle[1]),
            round(size * 1.05),
            DARK if can else FAINT,
            "midleft",
        )
        screen.spot(place, f"bid {player}", lambda player=player: screen.bidding.bid(player))


def _bids(target, screen, box: Box) -> None:
    """Draw the last bids with their stamps, counted from the start of the light."""
    session = screen.session
    auction = session.state.auction
    size = round(screen.layout.text * 0.9)
    top = box.top
    if any(session.is_human(player) for player in range(len(session.names))):
        _step(target, screen, Box(box.left, top, box.width, size * 1.5), size)
        top += size * 1.9
    paint_bids(target, screen, Box(box.left, top, box.width, box.bottom - top), auction, size)


def _step(target, screen, row: Box, size: int) -> None:
    """Draw by how much a bid goes above the last one, and what changes that."""
    left = row.left
    for label, name, by in ((texts.LESS, "smaller step", -1), (texts.MORE, "larger step", 1)):
        box = Box(left, row.top, size * 1.9, row.height)
        button(target, screen, box, label, lambda by=by: screen.bidding.change_step(by), name=name)
        left += size * 2.2
    words = texts.STEP.format(step=show(screen.bidding.step))
    put_at = write(target, words, (left + size * 0.3, row.middle[1]), size, INK, "midleft")
    left = put_at.right + size * 0.6
    write(target, texts.STEP_HELP, (left, row.middle[1]), size, FAINT, "midleft", row.right - left)


def paint_sale(target, screen) -> None:
    """Show how an auction ended: who has it, and the last bids, each with its time."""
    event, session = screen.motion.sale, screen.session
    size = screen.layout.text
    city = screen.layout.city
    sold = event[0] == "sold"
    district = session.state.board.districts[event[2] if sold else event[1]]
    sale = session.state.sales[-1]
    rows = min(SALE_ROWS, len(sale.bids) + len(sale.refused))
    width = min(size * 36, city.width)
    height = size * (8.2 + ROW * rows)
    box = Box(city.middle[0] - width / 2, city.middle[1] - height / 2, width, height)
    lay(target, box, PANEL, GOLD)
    colour = colour_of(session.state.board, district.group)
    head = pygame.Rect(box.left + 6, box.top + 6, box.width - 12, size * 3)
    pygame.draw.rect(target, colour, head, border_radius=8)
    write(target, district.name, head.center, round(size * 1.7), ink_on(colour), "center")
    middle = head.bottom + size * 2
    if sold:
        put(target, badge(event[1], round(size * 2.4)), (box.left + size * 2, middle))
        words = texts.SOLD.format(name=session.names[event[1]])
        at = (box.left + size * 3.8, middle)
        write(target, words, at, round(size * 1.4), INK, "midleft", box.width * 0.5)
        at = (box.right - size, middle)
        write(target, show(event[3]), at, round(size * 2.2), GOLD, "midright")
    else:
        write(target, texts.UNSOLD, (box.middle[0], middle), round(size * 1.3), INK, "center")
    top = middle + size * 2
    below = Box(box.left + size, top, box.width - 2 * size, rows * size * ROW + 1)
    paint_bids(target, screen, below, sale, size)
    screen.spot(box, "sale", screen.motion.skip)
