"""The cards that lie over the city: a deed, an auction, a deal, the end, the help."""

import pygame

from city_game import texts_table as texts
from city_game.board import HAZARDS
from city_game.money import show
from city_game.rules.rents import doubled, rent, worth
from city_game.rules.state import State
from city_game.table.layout import Box
from city_game.table.paint_board import colour_of
from city_game.table.paint_disc import glow
from city_game.table.paint_panel import button
from city_game.table.pens import (
    DARK,
    EDGE,
    FAINT,
    GOLD,
    GREEN,
    INK,
    PALE_INK,
    PANEL,
    PAPER,
    PAPER_EDGE,
    RED,
    SEATS,
    badge,
    ink_on,
    key_cap,
    panel,
    put,
    shade,
    shadow,
    width_of,
    wrapped,
    write,
)

CHANCE = (250, 204, 130)


def _lay(target, box: Box, colour=PANEL, edge=EDGE) -> None:
    """Put a card on the table, with its shadow."""
    put(target, shadow(round(box.width), round(box.height)), (box.middle[0], box.middle[1] + 6))
    panel(target, box, colour, edge, 12)


# A deed.


def deed_box(screen) -> Box:
    size = screen.layout.text
    city = screen.layout.city
    width = min(size * 17, city.width * 0.6)
    height = min(size * 25, city.height)
    plot = screen.layout.plots[screen.deed]
    # On the other half of the city than the district it is of.
    left = city.left if plot.middle[0] > city.middle[0] else city.right - width
    return Box(left, city.middle[1] - height / 2, width, height)


def paint_deed(target, screen) -> None:
    """Draw a deed: rents for each number of blocks, today's marked, and what would change it."""
    state, district = screen.session.state, screen.deed
    board = state.board
    deed = board.districts[district]
    box = deed_box(screen)
    size = round(min(screen.layout.text, box.height / 24))
    _lay(target, box, PAPER, PAPER_EDGE)
    colour = colour_of(board, deed.group)
    head = pygame.Rect(box.left + 6, box.top + 6, box.width - 12, size * 3.1)
    pygame.draw.rect(target, colour, head, border_radius=8)
    write(
        target,
        deed.name,
        (head.centerx, head.top + size * 1.1),
        round(size * 1.5),
        ink_on(colour),
        "center",
    )
    write(
        target,
        board.groups[deed.group].name,
        (head.centerx, head.top + size * 2.4),
        size,
        ink_on(colour),
        "center",
    )
    left, right = box.left + size, box.right - size
    top = head.bottom + size * 0.5
    owner = state.owner[district]
    if owner >= 0:
        put(target, badge(owner, round(size * 1.5)), (left + size * 0.7, top + size * 0.5))
        words = texts.DEED_OWNER.format(name=screen.session.names[owner])
        write(target, words, (left + size * 1.8, top), size, DARK)
    else:
        write(target, texts.DEED_OWNER.format(name=texts.BANK), (left, top), size, DARK)
    write(
        target,
        texts.DEED_PRICE.format(price=show(deed.price)),
        (right, top),
        size,
        DARK,
        "topright",
    )
    top += size * 1.8
    counted = state.industrial[district]
    if not state.hazard[district]:
        counted += state.residential[district]
    for blocks, amount in enumerate(deed.rents):
        row = pygame.Rect(left - 4, top - 2, right - left + 8, size * 1.24)
        now = blocks == counted
        if now:
            pygame.draw.rect(target, shade(PAPER, 0.14), row, border_radius=4)
            pygame.draw.polygon(
                target,
                DARK,
                [
                    (row.left - 5, row.top + 3),
                    (row.left + 2, row.centery),
                    (row.left - 5, row.bottom - 3),
                ],
            )
        words = texts.BLOCKS[min(blocks, 2)].format(count=blocks)
        ink = DARK if now else PALE_INK
        write(target, words, (left + 4, row.centery), size, ink, "midleft")
        write(target, show(amount), (right - 4, row.centery), size, ink, "midright")
        top += size * 1.24
    top += size * 0.5
    lines = [
        texts.DEED_BLOCKS.format(home=show(deed.residential), works=show(deed.industrial)),
        texts.DEED_SKYSCRAPER.format(price=show(board.groups[deed.group].skyscraper)),
        texts.DEED_NOW.format(rent=show(0 if state.mortgage[district] else rent(state, district))),
        *_notes(state, district),
    ]
    for words in lines:
        for line in wrapped(words, size, int(right - left)):
            if top < box.bottom - size:
                write(target, line, (left, top), size, DARK)
                top += size * 1.15
    screen.spot(box, "deed", screen.close_deed)


def _notes(state: State, district: int) -> list[str]:
    """Say what keeps the rent as it is, and what would change it."""
    notes = texts.DEED_NOTES
    said = []
    hazard = state.hazard[district]
    if state.mortgage[district]:
        said.append(notes["mortgaged"].format(price=show(state.mortgage[district])))
    if hazard:
        price = show(HAZARDS[hazard] * state.board.money.hazard_block)
        said.append(notes["hazard"].format(hazard=hazard, price=price))
    elif state.bonus[district]:
        said.append(notes["bonus"].format(bonus=state.bonus[district]))
    if doubled(state, district):
        said.append(notes["doubled"])
    elif state.owner[district] >= 0:
        said.append(notes["skyscraper"])
    rents = state.board.rents[district]
    blocks = state.residential[district] + state.industrial[district]
    if blocks >= len(rents) - 1:
        said.append(notes["full"])
    elif not hazard:
        factor = 2 if doubled(state, district) else 1
        rise = (rents[blocks + 1] - rents[blocks]) * factor
        said.append(notes["next"].format(rise=show(rise)))
    return said


# An auction.


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
    _lay(target, box, PANEL, GOLD)
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
        for line in wrapped(texts.WAITING_FOR_LIGHT, round(size * 1.2), int(box.right - left)):
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
        amount = screen.next_bid(player)
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
        screen.spot(place, f"bid {player}", lambda player=player: screen.bid(player, 1))


def _bids(target, screen, box: Box) -> None:
    """Draw the last bids with their stamps, counted from the start of the light."""
    session = screen.session
    auction = session.state.auction
    size = round(screen.layout.text * 0.9)
    top = box.top
    if any(session.is_human(player) for player in range(len(session.names))):
        for line in wrapped(texts.STEP.format(step=show(screen.step)), size, int(box.width)):
            write(target, line, (box.left, top), size, FAINT)
            top += size * 1.15
        top += 4
    room = int((box.bottom - top) // (size * 1.2))
    for player, amount, at, within in auction.bids[::-1][: max(0, room)]:
        put(target, badge(player, round(size * 1.1)), (box.left + size * 0.6, top + size * 0.5))
        words = texts.IN_TIME.format(
            amount=show(amount), at=f"{(at - auction.started) / 1000:.3f}", within=within
        )
        write(target, words, (box.left + size * 1.6, top), size, INK)
        top += size * 1.2


def paint_sale(target, screen) -> None:
    """Show how an auction ended: who has it, by how much in time, and who came too late."""
    event, session = screen.motion.sale, screen.session
    size = screen.layout.text
    city = screen.layout.city
    sold = event[0] == "sold"
    district = session.state.board.districts[event[2] if sold else event[1]]
    lines = _sale_lines(screen)
    width = min(size * 34, city.width)
    height = size * (8.2 + 1.3 * len(lines))
    box = Box(city.middle[0] - width / 2, city.middle[1] - height / 2, width, height)
    _lay(target, box, PANEL, GOLD)
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
    for line, ink in lines:
        write(target, line, (box.middle[0], top), size, ink, "midtop", box.width - size)
        top += size * 1.3
    screen.spot(box, "sale", screen.motion.skip)


def _sale_lines(screen) -> list[tuple[str, tuple[int, int, int]]]:
    """Return by how much the winning bid was in time, and each late one was late."""
    event, names = screen.motion.sale, screen.session.names
    lines = []
    if event[0] == "sold":
        left = f"{event[4] / 1000:.3f}"
        lines.append((texts.SOLD_BY.format(left=left, within=event[5]), FAINT))
    for _, player, amount, late, within in screen.motion.late:
        words = {"name": names[player], "amount": show(amount), "late": late, "within": within}
        lines.append((texts.LATE.format(**words), RED))
    return lines


# A deal.


def paint_deal(target, screen) -> None:
    """Draw the deal that is being put together."""
    draft, session = screen.deal, screen.session
    board = session.state.board
    size = screen.layout.text
    box = screen.layout.decision
    panel(target, box, PANEL, GOLD)
    inner = box.shrink(size * 0.6)
    words = texts.DEAL_TITLE.format(name=session.names[draft.proposer])
    write(target, words, (inner.left, inner.top), size, FAINT, room=inner.width)
    top = inner.top + size * 1.4
    chip = Box(inner.left, top, inner.width, size * 1.9)
    button(target, screen, chip, session.names[draft.partner], screen.next_partner, "tab")
    put(target, badge(draft.partner, round(size * 1.5)), (chip.right - size * 1.2, chip.middle[1]))
    top = chip.bottom + size * 0.4
    for title, districts, notes in (
        (texts.YOU_GIVE, draft.gives, max(0, draft.pays)),
        (texts.YOU_ASK, draft.asks, max(0, -draft.pays)),
    ):
        names = [board.districts[one].name for one in districts] + ([show(notes)] if notes else [])
        words = f"{title}: {', '.join(names) or texts.NOTHING}"
        for line in wrapped(words, size, int(inner.width))[:2]:
            write(target, line, (inner.left, top), size, INK)
            top += size * 1.15
    for line in wrapped(texts.DEAL_HELP, round(size * 0.86), int(inner.width))[:3]:
        write(target, line, (inner.left, top), round(size * 0.86), FAINT)
        top += size
    row = Box(inner.left, inner.bottom - size * 4.2, inner.width, size * 1.9)
    money = show(abs(draft.pays))
    pays = (texts.PAYS if draft.pays > 0 else texts.GETS).format(amount=money)
    pays = pays if draft.pays else texts.NO_MONEY
    third = size * 2.4
    button(
        target,
        screen,
        Box(row.left, row.top, third, row.height),
        texts.LESS,
        lambda: screen.change_money(-1),
        name="less money",
    )
    write(target, pays, row.middle, size, INK, "center")
    button(
        target,
        screen,
        Box(row.right - third, row.top, third, row.height),
        texts.MORE,
        lambda: screen.change_money(1),
        name="more money",
    )
    row = Box(inner.left, inner.bottom - size * 2, inner.width, size * 1.9)
    button(target, screen, row.column(0, 2, 6), texts.SEND_OFFER, screen.send_offer, "enter", True)
    button(target, screen, row.column(1, 2, 6), texts.CANCEL, screen.back, "esc")


# The end, and the help.


def paint_over(target, screen) -> None:
    session = screen.session
    state = session.state
    size = screen.layout.text
    city = screen.layout.city
    ranks = sorted(
        range(len(session.names)),
        key=lambda player: -(worth(state, player) if state.alive[player] else -1),
    )
    height = min(size * (8.5 + 2.6 * len(ranks)), city.height)
    width = min(size * 36, city.width)
    box = Box(city.middle[0] - width / 2, city.middle[1] - height / 2, width, height)
    _lay(target, box, PANEL, GOLD)
    names = [session.names[player] for player in state.winners]
    words = (texts.WINNER if len(names) == 1 else texts.WINNERS).format(names=" & ".join(names))
    write(target, words, (box.middle[0], box.top + size * 1.8), round(size * 2.2), GOLD, "center")
    top = box.top + size * 3.6
    most = max(1, worth(state, ranks[0]))
    for player in ranks:
        row = Box(box.left + size, top, box.width - 2 * size, size * 2.3)
        put(
            target,
            badge(player, round(size * 1.9), state.alive[player]),
            (row.left + size, row.middle[1]),
        )
        amount = worth(state, player) if state.alive[player] else 0
        left = row.left + size * 2.4
        write(target, session.names[player], (left, row.top), size, INK)
        words = texts.WORTH.format(
            amount=show(amount),
            cash=show(state.cash[player]),
            rents=show(amount - state.cash[player]),
        )
        write(
            target,
            words if state.alive[player] else texts.OUT,
            (row.right, row.top),
            size,
            FAINT,
            "topright",
        )
        bar = pygame.Rect(
            left, row.top + size * 1.25, (row.right - left) * amount / most, size * 0.7
        )
        pygame.draw.rect(target, SEATS[player][0], bar, border_radius=4)
        top += size * 2.6
    row = Box(box.left + size, box.bottom - size * 2.8, box.width - 2 * size, size * 2)
    button(target, screen, row.column(0, 2, 8), texts.EXPORT, screen.export, "x")
    button(target, screen, row.column(1, 2, 8), texts.AGAIN, screen.again, "enter", True)


def paint_card(target, screen) -> None:
    """Show the chance card that was just drawn; a click takes it away."""
    size = screen.layout.text
    city = screen.layout.city
    card = screen.session.state.board.cards[screen.motion.card]
    lines = wrapped(card.text, round(size * 1.25), round(size * 19))
    box = Box(0, 0, size * 23, size * (7 + 1.5 * len(lines)))
    left, top = city.middle[0] - box.width / 2, city.middle[1] - box.height / 2
    box = Box(left, top, box.width, box.height)
    _lay(target, box, PAPER, PAPER_EDGE)
    band = pygame.Rect(box.left + 6, box.top + 6, box.width - 12, size * 2.2)
    pygame.draw.rect(target, CHANCE, band, border_radius=8)
    write(target, texts.SPACES["chance"], band.center, round(size * 1.3), DARK, "center")
    top = band.bottom + size
    for line in lines:
        write(target, line, (box.middle[0], top), round(size * 1.25), DARK, "midtop")
        top += size * 1.5
    write(
        target,
        texts.CARD_DOES[card.does].format(amount=_amount(screen, card)),
        (box.middle[0], box.bottom - size * 1.6),
        size,
        PALE_INK,
        "center",
        box.width - size,
    )
    screen.spot(box, "card", screen.motion.skip)


def _amount(screen, card) -> str:
    """Return what a card's amount means: money, steps, or a place."""
    board = screen.session.state.board
    if card.does == "move":
        return f"{card.amount:+}"
    if card.does == "go to":
        standing = board.standing[card.amount]
        if standing >= 0:
            return board.districts[standing].name
        return texts.SPACES[board.kinds[card.amount]]
    return show(card.amount)


def paint_toast(target, screen) -> None:
    """Tell what is not part of the game: that the unit refuses, is gone, is back."""
    size = screen.layout.text
    city = screen.layout.city
    lines = wrapped(screen.toast(), round(size * 1.1), int(city.width * 0.8))
    wide = max(width_of(line, round(size * 1.1)) for line in lines) + size * 2.4
    box = Box(0, 0, wide, size * (1.3 * len(lines) + 0.9))
    box = Box(city.middle[0] - wide / 2, city.bottom - box.height - size * 0.5, wide, box.height)
    _lay(target, box, (72, 56, 18), GOLD)
    top = box.top + size * 0.55
    for line in lines:
        write(target, line, (box.middle[0], top), round(size * 1.1), INK, "midtop")
        top += size * 1.3


def paint_help(target, screen) -> None:
    size = screen.layout.text
    city = screen.layout.city
    height = min(size * (2.5 + 1.55 * len(texts.HELP_LINES)), city.height)
    width = min(size * 40, city.width)
    box = Box(city.middle[0] - width / 2, city.middle[1] - height / 2, width, height)
    _lay(target, box)
    top = box.top + size
    small = round(size * 0.95)
    for keys, does in texts.HELP_LINES:
        write(target, keys, (box.left + size, top), small, GOLD, room=size * 11)
        write(target, does, (box.left + size * 13, top), small, INK, room=box.width - size * 14)
        top += size * 1.55
    screen.spot(box, "help card", screen.toggle_help)
