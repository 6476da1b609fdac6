"""The house rules as rows: yes or no, what that says, and why it is so unless changed."""

from collections.abc import Sequence
from typing import TypeVar

import pygame

from city_game.kernel.switches import Switch
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
    write_lines,
)
from city_unit.desktop.catalogue import Lazy, _
from sim.face.box import Box
from sim.face.paint import Colour, Point

T = TypeVar("T")

PITCH = 1.15  # from line to line, in heights of letters
# Heights of letters: before a rule's words, and behind them where it may say that it is changed.
BEFORE, BEHIND, END = 4.4, 6.0, 0.6
AIR = 0.9  # heights of letters, above and below the words of a row


def paged(items: Sequence[T], heights: Sequence[float], room: float) -> list[list[T]]:
    """Return the items in pages: as many on each as there is room for."""
    pages: list[list[T]] = [[]]
    left = room
    for item, height in zip(items, heights, strict=True):
        if height > left and pages[-1]:
            pages.append([])
            left = room
        pages[-1].append(item)
        left -= height
    return pages


def paint_switches(
    target: pygame.Surface,
    box: Box,
    size: int,
    switches: tuple[Switch, ...],
    switched: tuple[bool, ...],
    here: int,
) -> list[Box]:
    """Draw a line for each switch, the line `here` marked; return where they are.

    switched  how each is played
    """
    rows = [box.row(row, len(switches), size * 0.3) for row in range(len(switches))]
    for place, (row, switch) in enumerate(zip(rows, switches, strict=True)):
        on, marked = switched[place], place == here
        panel(target, row, RAISED if marked else PANEL, GOLD if marked else None, 6)
        _answer(target, row, size, on, INK)
        left = row.left + size * BEFORE
        room = row.right - left - size * BEHIND
        write(target, str(switch.says), (left, row.middle[1]), size, INK, "midleft", room)
        if on != switch.default:
            at = (row.right - size * END, row.middle[1])
            write(target, _("changed"), at, size, GOLD, "midright", size * (BEHIND - 1))
    return rows


def paint_reasons(
    target: pygame.Surface,
    box: Box,
    size: int,
    switches: tuple[Switch, ...],
    switched: tuple[bool, ...],
    shown: list[int],
) -> None:
    """Draw what some switches say, each with its reason; what is changed is answered in gold."""
    top = box.top
    for place in shown:
        switch, on = switches[place], switched[place]
        row = Box(box.left, top, box.width, _height(switch, size, box.width))
        _answer(target, row, size, on, INK if on == switch.default else GOLD)
        says, why = _lines(switch, size, box.width - size * (BEFORE + END))
        at = (row.left + size * BEFORE, top + size * AIR / 2)
        below = write_lines(target, says, at, size, INK, pitch=PITCH)
        write_lines(target, why, (at[0], below), size, FAINT, pitch=PITCH)
        top = row.bottom


def _answer(target: pygame.Surface, row: Box, size: int, on: bool, ink: Colour) -> None:
    _tick(target, (row.left + size * 1.1, row.middle[1]), size, on)
    words = _("yes") if on else _("no")
    at = (row.left + size * 2.1, row.middle[1])
    write(target, words, at, size, ink, "midleft", size * (BEFORE - 2.2))


def switch_pages(box: Box, size: int, switches: tuple[Switch, ...]) -> list[list[int]]:
    """Return which switches have room on each page, with their reasons."""
    heights = [_height(switch, size, box.width) for switch in switches]
    return paged(range(len(switches)), heights, box.height)


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


def _height(switch: Switch, size: int, width: float) -> float:
    """Return how high a rule's row is, with its reason and the air around it."""
    says, why = _lines(switch, size, width - size * (BEFORE + END))
    return size * (PITCH * len(says + why) + AIR)


def _lines(switch: Switch, size: int, room: float) -> tuple[tuple[str, ...], tuple[str, ...]]:
    return wrapped(str(switch.says), size, int(room)), wrapped(reason(switch), size, int(room))


DOT, APART = 1.2, 0.4  # heights of letters: before a sentence, and between two


def sentence_pages(
    box: Box, size: int, sentences: Sequence[Lazy | str]
) -> list[list[tuple[str, ...]]]:
    """Return the lines of sentences, as many of these on a page as there is room for."""
    room = int(box.width - size * DOT)
    parts = [wrapped(str(sentence), size, room) for sentence in sentences]
    return paged(parts, [size * (len(lines) * PITCH + APART) for lines in parts], box.height)


def paint_sentences(
    target: pygame.Surface, box: Box, size: int, sentences: Sequence[tuple[str, ...]]
) -> None:
    """Write sentences, each in its lines, below each other and each with a dot."""
    top = box.top
    for lines in sentences:
        pygame.draw.circle(target, GOLD, (box.left + 4, top + size * 0.35), max(3, size // 6))
        at = (box.left + size * DOT, top)
        top = write_lines(target, lines, at, size, INK, pitch=PITCH) + size * APART
