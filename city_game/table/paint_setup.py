"""The first screen: seats, buttons below them, and a row of buildings in the dusk."""

import pygame

from city_game import texts_table as texts
from city_game.table.buildings import draw
from city_game.table.layout import Box
from city_game.table.pens import (
    EDGE,
    FAINT,
    GOLD,
    INK,
    NIGHT,
    PANEL,
    RAISED,
    badge,
    key_cap,
    panel,
    put,
    wrapped,
    write,
)
from city_game.table.session import HUMAN

EMPTY = "empty"  # beside the kinds of players, what a seat can be
BUTTONS = 6  # the row of the buttons, below the seats
SKYLINE = (
    ("home 2", 1.5),
    ("works 1", 1.2),
    ("skyscraper", 2.9),
    ("home 3", 2.1),
    ("park", 1.0),
    ("home 1", 1.1),
    ("water tower", 1.6),
    ("works 2", 1.6),
    ("tower", 3.0),
    ("school", 1.2),
    ("wind farm", 1.7),
)


def paint_setup(target, setup) -> None:
    """Draw the seats and buttons, or the page that lies over them."""
    target.fill(NIGHT)
    _skyline(target, setup)
    size = setup.text
    width, height = setup.size
    box = Box(width / 2 - size * 21, height / 2 - size * 16, size * 42, size * 32)
    if setup.page:
        setup.spots = setup.page.draw(target, box, size)
        return
    head = (width / 2, box.top + size * 1.4)
    write(target, texts.SETUP_TITLE, head, round(size * 2.6), GOLD, "center")
    below = (width / 2, box.top + size * 3.9)
    write(target, texts.SETUP_HELP, below, round(size * 0.95), FAINT, "center")
    for row in range(6):
        top = box.top + size * (5.2 + row * 3.2)
        _seat(target, setup, Box(box.left, top, box.width, size * 2.8), row)
    foot = Box(box.left, box.top + size * 24.9, box.width, size * 5.6)
    _foot(target, setup, foot)
    if setup.message:
        _message(target, setup, foot.bottom + size * 0.2)


def _message(target, setup, top: float) -> None:
    """Say in whole what was wrong, on a ground on which it can be read."""
    small, width = round(setup.text * 0.95), setup.size[0]
    lines = wrapped(setup.message, small, round(width - 2 * setup.text))
    pitch = setup.text * 1.1
    panel(target, Box(0, top, width, pitch * len(lines) + 4), NIGHT, None, 0)
    for place, line in enumerate(lines):
        at = (width / 2, top + 2 + pitch * (place + 0.5))
        write(target, line, at, small, GOLD, "center")


def _foot(target, setup, box: Box) -> None:
    """Draw the buttons in two rows: the games above, what belongs to them below."""
    buttons = setup.buttons()
    size = setup.text
    above = 2 if setup.latest else 1
    place = 0
    for row, several in enumerate((buttons[:above], buttons[above:])):
        for column, (label, do) in enumerate(several):
            part = box.row(row, 2, size * 0.5).column(column, len(several), size)
            _button(target, setup, part, label, setup.place == [BUTTONS, place])
            setup.spot(part, label, do)
            place += 1


def _seat(target, setup, box: Box, row: int) -> None:
    """Draw who sits there, what they are called, and with which key they bid."""
    size = setup.text
    here = setup.place[0] == row
    panel(target, box, RAISED if here else PANEL)
    if setup.kinds[row] != EMPTY:  # players are known by their order among those who play
        player = sum(kind != EMPTY for kind in setup.kinds[:row])
        put(target, badge(player, round(size * 2.1)), (box.left + size * 1.7, box.middle[1]))
    kind = Box(box.left + size * 3.4, box.top + 5, size * 13, box.height - 10)
    words = texts.SEAT_KINDS[setup.kinds[row]]
    _button(target, setup, kind, words, here and setup.place[1] == 0)
    _arrows(target, kind, size)
    setup.spot(kind, f"kind {row}", lambda: setup.turn(row, 1))
    left = Box(kind.left, kind.top, kind.width / 4, kind.height)
    setup.spot(left, f"kind before {row}", lambda: setup.turn(row, -1))
    name = Box(kind.right + size, box.top + 5, size * 14, box.height - 10)
    _name(target, setup, name, row)
    if setup.kinds[row] == HUMAN:
        _key(target, setup, Box(name.right + size, name.top, size * 9, name.height), row)


def _name(target, setup, box: Box, row: int) -> None:
    size = setup.text
    typing = setup.place == [row, 1]
    panel(target, box, NIGHT, GOLD if typing else EDGE)
    words = setup.names[row] + ("|" if typing else "")
    ink = INK if setup.kinds[row] != EMPTY else FAINT
    at = (box.left + size * 0.6, box.middle[1])
    write(target, words, at, round(size * 1.1), ink, "midleft")
    setup.spot(box, f"name {row}", lambda: setup.go(row, 1))


def _key(target, setup, box: Box, row: int) -> None:
    size = setup.text
    at = (box.left + size * 0.5, box.middle[1])
    waits = setup.place == [row, 2]
    words = texts.PRESS_A_KEY if waits else texts.BID_KEY
    write(target, words, at, round(size * 0.9), GOLD if waits else FAINT, "midleft", size * 4.8)
    key_cap(target, setup.keys[row], (box.left + size * 5.5, box.middle[1]), size)
    if waits:
        pygame.draw.rect(target, GOLD, pygame.Rect(box), 1, border_radius=6)
    setup.spot(box, f"key {row}", lambda: setup.go(row, 2))


def _arrows(target, box: Box, text: int) -> None:
    """Draw an arrow at each end of a seat's kind: there are others, that way and this."""
    size = text * 0.34
    for x, way in ((box.left + text * 0.9, -1), (box.right - text * 0.9, 1)):
        y = box.middle[1]
        points = [(x + way * size, y), (x - way * size, y - size), (x - way * size, y + size)]
        pygame.draw.polygon(target, FAINT, points)


def _skyline(target, setup) -> None:
    """Draw a row of buildings along the bottom, in the dusk."""
    width, height = setup.size
    unit = max(24, width // 28)
    for place in range(width // unit + 1):
        kind, tall = SKYLINE[place * 7 % len(SKYLINE)]
        sprite = draw(kind, round(unit * 0.96), round(unit * tall), place)
        put(target, sprite, (place * unit + unit / 2, height), "midbottom")
    dusk = pygame.Surface((width, unit * 3))
    dusk.fill(NIGHT)
    dusk.set_alpha(120)
    target.blit(dusk, (0, height - unit * 3))


def _button(target, setup, box: Box, label: str, marked: bool) -> None:
    hovered = box.holds(setup.mouse)
    fill = (92, 74, 26) if marked else (58, 72, 100) if hovered else RAISED
    panel(target, box, fill, GOLD if marked else EDGE)
    room = box.width - setup.text
    write(target, label, box.middle, round(setup.text * 1.1), INK, "center", room)
