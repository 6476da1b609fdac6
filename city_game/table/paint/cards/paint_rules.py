"""The house rules as rows: yes or no, what that says, and why it is so unless changed."""

from collections.abc import Callable, Sequence

import pygame

from city_game.editions.house_rules import SWITCHES, Switch
from city_game.table.paint.base.drawing import (
    EDGE,
    FAINT,
    GOLD,
    INK,
    NIGHT,
    PANEL,
    RAISED,
    panel,
    wrapped,
    write,
)
from city_unit.desktop.catalogue import Lazy, _
from sim.face.box import Box
from sim.face.paint import Point

SMALLEST = 9  # px, of letters


def paint_switches(
    target: pygame.Surface,
    box: Box,
    size: int,
    switched: tuple[bool, ...],
    here: int = -1,
    shown: range = range(len(SWITCHES)),
) -> list[Box]:
    """Draw a row for each switch that is shown, the row `here` marked; return where the rows are.

    Where a row is marked, the page gives its reason; else each row gives its own.

    switched  how each is played, in the order of `SWITCHES`
    """
    rows = [box.row(row, len(shown), size * 0.3) for row in range(len(shown))]
    for row, place in zip(rows, shown, strict=True):
        switch, on, marked = SWITCHES[place], switched[place], place == here
        panel(target, row, RAISED if marked else PANEL, GOLD if marked else None, 6)
        _tick(target, (row.left + size * 1.1, row.middle[1]), size, on)
        words = _("yes") if on else _("no")
        write(target, words, (row.left + size * 2.1, row.middle[1]), size, INK, "midleft")
        left = row.left + size * 4.4
        room = Box(left, row.top, row.right - left - size * 6, row.height)
        _say(target, room, size, str(switch.says), "" if here >= 0 else reason(switch))
        if on != switch.default:
            at = (row.right - size * 0.6, row.middle[1])
            write(target, _("changed"), at, round(size * 0.9), GOLD, "midright")
    return rows


def _tick(target: pygame.Surface, at: Point, size: int, on: bool) -> None:
    box = pygame.Rect(0, 0, size * 1.2, size * 1.2)
    box.center = (round(at[0]), round(at[1]))
    pygame.draw.rect(target, NIGHT, box, border_radius=4)
    pygame.draw.rect(target, GOLD if on else EDGE, box, 2, border_radius=4)
    if on:
        points = [(-0.3, 0.0), (-0.08, 0.26), (0.34, -0.3)]
        corners = [(at[0] + x * size, at[1] + y * size) for x, y in points]
        pygame.draw.lines(target, GOLD, False, corners, max(2, round(size / 6)))


def reason(switch: Switch) -> str:
    """Return how a switch usually stands, and why."""
    usual = _("yes") if switch.default else _("no")
    return _("Usually {usual}. {why}").format(usual=usual, why=switch.why)


def _say(target: pygame.Surface, box: Box, size: int, says: str, why: str) -> None:
    """Write what the rule says, and why it is so if that is given, as large as the row allows."""

    def height(pixels: int) -> float:
        return len(_lines(says, pixels, box)) * pixels * 1.12 + len(_why(why, pixels, box)) * pixels

    pixels = _fitting(size, box.height - 4, height)
    top = box.middle[1] - height(pixels) / 2
    for line in _lines(says, pixels, box):
        write(target, line, (box.left, top), pixels, INK)
        top += pixels * 1.12
    for line in _why(why, pixels, box):
        write(target, line, (box.left, top), round(pixels * 0.88), FAINT)
        top += pixels


def _lines(text: str, pixels: int, box: Box) -> tuple[str, ...]:
    return wrapped(text, pixels, int(box.width))


def _why(text: str, pixels: int, box: Box) -> tuple[str, ...]:
    return wrapped(text, round(pixels * 0.88), int(box.width)) if text else ()


def _fitting(size: int, room: float, height: Callable[[int], float]) -> int:
    """Return the largest letters, up to `size` px, with which a text is no higher than `room`."""
    sizes = range(size, SMALLEST, -1)
    return next((pixels for pixels in sizes if height(pixels) <= room), SMALLEST)


def paint_sentences(
    target: pygame.Surface, box: Box, size: int, sentences: Sequence[Lazy | str]
) -> None:
    """Write sentences below each other, each with a dot, as large as the box allows."""

    def parts(pixels: int) -> list[tuple[str, ...]]:
        room = int(box.width - pixels * 1.2)
        return [wrapped(str(sentence), pixels, room) for sentence in sentences]

    def height(pixels: int) -> float:
        return sum(len(lines) * pixels * 1.1 + pixels * 0.4 for lines in parts(pixels))

    pixels = _fitting(size, box.height, height)
    top = box.top
    for lines in parts(pixels):
        pygame.draw.circle(target, GOLD, (box.left + 4, top + pixels * 0.45), 3)
        for line in lines:
            write(target, line, (box.left + pixels * 1.2, top), pixels, INK)
            top += pixels * 1.1
        top += pixels * 0.4
