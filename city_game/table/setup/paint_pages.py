"""The pages behind the setup: house rules to be switched, and saved games to be chosen."""

import pygame

from city_game.table.paint.base.drawing import (
    EDGE,
    FAINT,
    GOLD,
    INK,
    NIGHT,
    PANEL,
    RAISED,
    head,
    key_cap,
    large,
    panel,
    wrapped,
    write,
)
from city_game.table.paint.base.view import Command, Spot, Spots
from city_game.table.paint.cards.paint_phones import paint_invitation
from city_game.table.paint.cards.paint_rules import paint_switches
from city_game.table.setup.layout import Layout
from city_game.table.setup.view import Games, Phones, Rules, Saved
from city_unit.desktop.catalogue import _
from sim.face.box import Box

SHOWN = 8  # saved games at once
LINE = 1.3  # the height of a line that says why, in letters


def paint_page(target: pygame.Surface, layout: Layout, page: Rules | Games | Phones) -> Spots:
    """Draw a page; return where it can be clicked."""
    box, size, pitch = layout.box, layout.text, layout.pitch
    middle = box.middle[0]
    write(target, page.title, (middle, box.top + pitch * 1.4), large(size), GOLD, "center")
    help_at = (middle, box.top + pitch * 3.6)
    write(target, page.help, help_at, size, FAINT, "center", box.width)
    foot = Box(box.left, box.bottom - pitch * 2.6, box.width, pitch * 2.4)
    bottom = _say_why(target, foot, size, page.said)
    body = Box(box.left, box.top + pitch * 4.8, box.width, bottom - box.top - pitch * 4.8)
    spots: Spots = []
    if isinstance(page, Rules):
        spots = _rules(target, body, size, page)
    elif isinstance(page, Phones):
        paint_invitation(target, body, size, page.invitation, ())
    else:
        spots = _games(target, body, size, page)
    panel(target, foot, RAISED, EDGE)
    key_cap(target, "esc", (foot.left + size * 0.6, foot.middle[1]), size)
    write(target, _("Back"), foot.middle, head(size), INK, "center")
    return [*spots, Spot(foot, _("Back"), Command("leave"))]


def _say_why(target: pygame.Surface, foot: Box, size: int, said: str) -> float:
    """Write above the foot why something cannot be done; return where that begins."""
    lines = wrapped(said, size, int(foot.width)) if said else ()
    top = foot.top - size * (0.6 + LINE * len(lines))
    if lines:
        panel(target, Box(foot.left, top, foot.width, foot.top - top), NIGHT, None, 0)
    for place, line in enumerate(lines):
        at = (foot.middle[0], top + size * (0.3 + LINE * (place + 0.5)))
        write(target, line, at, size, GOLD, "center")
    return top


def _rules(target: pygame.Surface, body: Box, size: int, page: Rules) -> Spots:
    boxes = paint_switches(target, body, size, page.switches, page.switched, page.here)
    return [
        Spot(box, f"rule {page.switches[place].name}", Command("rule", place))
        for place, box in enumerate(boxes)
    ]


def _games(target: pygame.Surface, body: Box, size: int, page: Games) -> Spots:
    spots: Spots = []
    for row, game in enumerate(page.games):
        place = page.first + row
        box = body.row(row, SHOWN, size * 0.4)
        _game(target, box, size, game, place == page.here)
        spots.append(Spot(box, f"game {place}", Command("game", place)))
    if not page.games:
        write(target, _("No game has been saved yet."), body.middle, size, FAINT, "center")
    return spots


def _game(target: pygame.Surface, row: Box, size: int, game: Saved, marked: bool) -> None:
    panel(target, row, RAISED if marked else PANEL, GOLD if marked else None)
    left, middle = row.left + size * 0.8, row.middle[1]
    ink = INK if game.is_readable else FAINT
    write(target, game.name, (left, middle), size, ink, "midleft", row.width * 0.27)
    left = row.left + row.width * 0.3
    at, room = (left, row.top + row.height * 0.32), row.right - left - size * 0.6
    write(target, game.players, at, head(size), ink, "midleft", room)
    at = (left, row.top + row.height * 0.76)
    write(target, game.how_far, at, size, FAINT, "midleft", room)
