"""The house rules as rows: yes or no, what that says, and why it is so unless changed."""

from collections.abc import Callable

import pygame

from city_game import texts_table as texts
from city_game.house_rules import SWITCHES, HouseRules, Switch
from city_game.table.layout import Box
from city_game.table.pens import (
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

SMALLEST = 9  # px, of letters


def paint_switches(target, box: Box, size: int, rules: HouseRules, here: int = -1) -> list[Box]:
    """Draw a row for each switch, the one `here` marked; return where the rows are."""
    rows = [box.row(place, len(SWITCHES), size * 0.3) for place in range(len(SWITCHES))]
    for place, (row, switch) in enumerate(zip(rows, SWITCHES, strict=True)):
        marked = place == here
        panel(target, row, RAISED if marked else PANEL, GOLD if marked else None, 6)
        on = getattr(rules, switch.name)
        _tick(target, (row.left + size * 1.1, row.middle[1]), size, on)
        words = texts.RULE_YES if on else texts.RULE_NO
        write(target, words, (row.left + size * 2.1, row.middle[1]), size, INK, "midleft")
        left = row.left + size * 4.4
        _say(target, Box(left, row.top, row.right - left - size * 6, row.height), size, switch)
        if on != switch.default:
            at = (row.right - size * 0.6, row.middle[1])
            write(target, texts.RULE_CHANGED, at, round(size * 0.9), GOLD, "midright")
    return rows


def _tick(target, at: tuple[float, float], size: int, on: bool) -> None:
    box = pygame.Rect(0, 0, size * 1.2, size * 1.2)
    box.center = (round(at[0]), round(at[1]))
    pygame.draw.rect(target, NIGHT, box, border_radius=4)
    pygame.draw.rect(target, GOLD if on else EDGE, box, 2, border_radius=4)
    if on:
        points = [(-0.3, 0.0), (-0.08, 0.26), (0.34, -0.3)]
        corners = [(at[0] + x * size, at[1] + y * size) for x, y in points]
        pygame.draw.lines(target, GOLD, False, corners, max(2, round(size / 6)))


def _say(target, box: Box, size: int, switch: Switch) -> None:
    """Write what the rule says, and why it is so, as large as the row allows."""
    usual = texts.RULE_YES if switch.default else texts.RULE_NO
    says, why = _sentence(switch.says), texts.RULE_WHY.format(usual=usual, why=switch.why)

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
    return wrapped(text, round(pixels * 0.88), int(box.width))


def _fitting(size: int, room: float, height: Callable[[int], float]) -> int:
    """Return the largest letters, up to `size` px, with which a text is no higher than `room`."""
    sizes = range(size, SMALLEST, -1)
    return next((pixels for pixels in sizes if height(pixels) <= room), SMALLEST)


def _sentence(words: str) -> str:
    return words[:1].upper() + words[1:] + "."


def paint_sentences(target, box: Box, size: int, sentences: tuple[str, ...]) -> None:
    """Write sentences below each other, each with a dot, as large as the box allows."""

    def parts(pixels: int) -> list[tuple[str, ...]]:
        return [wrapped(one, pixels, int(box.width - pixels * 1.2)) for one in sentences]

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
