"""A deed: its rents, today's marked, and what would change it."""

import pygame

from city_game import texts_table as texts
from city_game.board import HAZARDS
from city_game.money import show
from city_game.rules.rents import doubled, rent
from city_game.rules.state import State
from city_game.table.layout import Box
from city_game.table.paint_board import colour_of
from city_game.table.pens import (
    DARK,
    PALE_INK,
    PAPER,
    PAPER_EDGE,
    badge,
    ink_on,
    lay,
    put,
    shade,
    wrapped,
    write,
)

SALE = ("bidding", "settling")


def deed_box(screen) -> Box:
    """Return where the deed lies: in a sale beside its card, so that the bids stay free."""
    layout = screen.layout
    size, city = layout.text, layout.city
    width = min(size * 17, city.width * 0.6)
    height = min(size * 25, city.height)
    if screen.session.state.phase in SALE and not screen.buttons():
        left, top = layout.decision.right - width, layout.players.top
        return Box(left, top, width, min(height, layout.decision.bottom - top))
    plot = layout.plots[screen.deed]
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
    lay(target, box, PAPER, PAPER_EDGE)
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
