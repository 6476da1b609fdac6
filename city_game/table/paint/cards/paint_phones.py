"""How telephones come to the table: a code for their cameras, and the address in letters."""

import pygame

from city_game.table.paint.base.drawing import (
    FAINT,
    GOLD,
    INK,
    badge,
    head,
    in_lines,
    write,
    write_lines,
)
from city_game.table.paint.base.view import Command, Invitation, Spot
from city_unit.desktop.catalogue import _
from sim.face.box import Box
from sim.face.paint import put

QUIET = 4  # squares of white around the code, which cameras want


def paint_invitation(
    target: pygame.Surface, box: Box, size: int, invitation: Invitation, names: tuple[str, ...]
) -> None:
    """Draw the code as large as there is room, and below it the address and who has come."""
    below = size * (4.4 + (1.9 if names else 0))
    side = min(box.height - below, box.width)
    left = box.middle[0] - side / 2
    _code(target, Box(left, box.top, side, side), invitation.squares)
    top = box.top + side + size * 0.9
    middle = box.middle[0]
    write(target, invitation.address, (middle, top), head(size), GOLD, "center", box.width)
    words = _("Telephones in this home network scan it, or open the address. Nobody else can come.")
    if invitation.is_only_here:
        words = _("Only a browser on this computer can open the address.")
    lines = in_lines(words, size, int(box.width), 2)
    at = (middle, top + size * 1.35)
    write_lines(target, lines, at, size, FAINT, "center", box.width, 1.15)
    foot = Box(box.left, box.bottom - size * 1.8, box.width, size * 1.8)
    _who(target, foot, size, invitation, names)


def paint_small(target: pygame.Surface, box: Box, size: int, invitation: Invitation) -> Spot:
    """Draw the code at the top of a box, smaller, with what makes it large; return its spot."""
    side = min(box.width, box.height - size * 1.3)
    left = box.middle[0] - side / 2
    _code(target, Box(left, box.top, side, side), invitation.squares)
    words = _("F4: the code, larger")
    at = (box.middle[0], box.top + side + size * 0.7)
    write(target, words, at, size, FAINT, "center", box.width)
    return Spot(box, "code", Command("phones"))


def _who(
    target: pygame.Surface, box: Box, size: int, invitation: Invitation, names: tuple[str, ...]
) -> None:
    """Draw the players who may have a telephone; where it has come, the name is bright."""
    seats = [player for player in range(len(names)) if player in invitation.people]
    for place, player in enumerate(seats):
        cell = box.column(place, len(seats), size * 0.4)
        came = player in invitation.online
        shape = badge(player, round(size * 1.3), came)
        put(target, shape, (cell.left + size * 0.8, cell.middle[1]))
        at, room = (cell.left + size * 1.8, cell.middle[1]), cell.width - size * 1.8
        write(target, names[player], at, size, INK if came else FAINT, "midleft", room)


def _code(target: pygame.Surface, box: Box, squares: tuple[tuple[bool, ...], ...]) -> None:
    count = len(squares) + 2 * QUIET
    pitch = max(1, int(box.width // count))
    side = pitch * count
    left, top = round(box.middle[0] - side / 2), round(box.middle[1] - side / 2)
    pygame.draw.rect(target, (255, 255, 255), pygame.Rect(left, top, side, side))
    for row, cells in enumerate(squares, QUIET):
        for column, dark in enumerate(cells, QUIET):
            if dark:
                square = pygame.Rect(left + column * pitch, top + row * pitch, pitch, pitch)
                pygame.draw.rect(target, (0, 0, 0), square)
