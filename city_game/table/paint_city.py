"""What stands on the plots, and whose they are: drawn anew only when it has changed."""

import pygame

from city_game import texts_table as texts
from city_game.money import show
from city_game.rules.rents import doubled, rent
from city_game.rules.state import State
from city_game.seats import SEATS
from city_game.table.buildings import draw
from city_game.table.layout import PLATE, Layout
from city_game.table.pens import (
    DARK,
    INK,
    PALE_INK,
    PAPER,
    badge,
    put,
    shade,
    width_of,
    write,
)

BACK, FRONT = 0.47, 0.75  # where the two rows of buildings stand, as shares of the plot's height
FEWEST, MOST = 5.5, 8.6  # pieces that have room side by side: few are drawn wider


def standing(state: State, district: int) -> tuple:
    """Return all that is drawn on a plot, to be compared with what was drawn there."""
    group = state.board.group_of[district]
    return (
        state.owner[district],
        state.mortgage[district],
        state.made_of["residential"][district],
        state.made_of["industrial"][district],
        state.station[district],
        state.stadium[group] == district,
        state.skyscraper[group] == district,
        state.tower == district,
        state.bonus[district],
        state.hazard[district],
        rent(state, district),
        doubled(state, district),
    )


def paint_plot(target: pygame.Surface, layout: Layout, state: State, district: int) -> None:
    """Draw the buildings of one district and its owner's mark."""
    box = layout.plots[district]
    _back_row(target, box, state, district)
    _front_row(target, box, state, district)
    _plate(target, box, layout, state, district)


def _back_row(target, box, state: State, district: int) -> None:
    group = state.board.group_of[district]
    there = [state.bonus[district] or state.hazard[district]]
    there.append("stadium" if state.stadium[group] == district else "")
    there.append("station" if state.station[district] else "")
    there.append("skyscraper" if state.skyscraper[group] == district else "")
    there.append("tower" if state.tower == district else "")
    shown = [kind for kind in there if kind]
    if not shown:
        return
    slot = min(box.width / len(shown), box.width * 0.42)
    left = box.left + (box.width - slot * len(shown)) / 2
    ground = box.top + box.height * BACK
    for place, kind in enumerate(shown):
        tall = kind in ("skyscraper", "tower")
        width = round(slot * (0.62 if tall else 0.9))
        height = round(min(box.height * 0.5, slot * 1.7) if tall else min(slot, box.height * 0.4))
        middle = left + slot * (place + 0.5)
        put(target, draw(kind, width, height), (middle, ground), "midbottom")


def _front_row(target, box, state: State, district: int) -> None:
    """Draw the pieces as they were placed: of 3, 2 and 1 blocks, homes before factories."""
    row = [
        (name, floors, piece)
        for kind, name in (("residential", "home"), ("industrial", "works"))
        for floors in (3, 2, 1)
        for piece in range(state.made_of[kind][district][floors - 1])
    ]
    slot = box.width / max(FEWEST, len(row) + 0.6)
    tall = box.height * (1 + 0.25 * (slot * MOST / box.width - 1))
    ground = box.top + box.height * FRONT
    left = box.left + (box.width - slot * len(row)) / 2
    for name, floors, piece in row:
        height = round(tall * (0.1 + 0.1 * floors))
        sprite = draw(f"{name} {floors}", round(slot), height, district + piece)
        put(target, sprite, (left, ground + piece % 2), "bottomleft")
        left += slot


def _plate(target, box, layout: Layout, state: State, district: int) -> None:
    """Draw whose it is, and on a flag its rent; or a sign with its price."""
    owner = state.owner[district]
    if owner < 0:
        _flag(target, box, layout, show(state.board.prices[district]), PAPER, PALE_INK)
        return
    plate = box.height * PLATE
    colour = SEATS[owner][0]
    rect = pygame.Rect(box)
    pygame.draw.rect(target, shade(colour, 0.25), rect, 4, border_radius=4)
    pygame.draw.rect(target, colour, rect.inflate(-2, -2), 2, border_radius=4)
    size = round(min(plate * 0.82, layout.text * 1.2))
    put(target, badge(owner, size), (box.right - size * 0.62, box.bottom - plate / 2))
    words = show(rent(state, district))
    if state.mortgage[district]:
        _flag(target, box, layout, texts.MORTGAGED, DARK, INK)
    elif doubled(state, district):
        _flag(target, box, layout, texts.DOUBLED.format(rent=words), colour, DARK)
    else:
        _flag(target, box, layout, words, colour, DARK)


def _flag(target, box, layout: Layout, words: str, colour, ink) -> None:
    size = max(11, round(layout.text * 0.78))
    flag = pygame.Rect(0, 0, width_of(words, size) + size * 0.8, size * 1.35)
    flag.topleft = (round(box.left) + 4, round(box.top) + 4)
    pygame.draw.rect(target, shade(colour, 0.35), flag.move(1, 2), border_radius=4)
    pygame.draw.rect(target, colour, flag, border_radius=4)
    write(target, words, flag.center, size, ink, "center")
