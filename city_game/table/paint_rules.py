"""The house rules as rows: yes or no, what that says, and why it is so unless changed."""

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
    reason = texts.RULE_WHY.format(usual=usual, why=switch.why)
    for pixels in range(size, 8, -1):
        says = wrapped(_sentence(switch.says), pixels, int(box.width))
        why = wrapped(reason, round(pixels * 0.88), int(box.width))
        height = len(says) * pixels * 1.12 + len(why) * pixels * 1.0
        if height <= box.height - 4:
            break
    top = box.middle[1] - height / 2
    for line in says:
        write(target, line, (box.left, top), pixels, INK)
        top += pixels * 1.12
    for line in why:
        write(target, line, (box.left, top), round(pixels * 0.88), FAINT)
        top += pixels


def _sentence(words: str) -> str:
    return words[:1].upper() + words[1:] + "."


def paint_sentences(target, box: Box, size: int, sentences: tuple[str, ...]) -> None:
    """Write sentences below each other, each with a dot, as large as the box allows."""
    for pixels in range(size, 8, -1):
        lines = [wrapped(one, pixels, int(box.width - pixels * 1.2)) for one in sentences]
        height = sum(len(one) * pixels * 1.1 + pixels * 0.4 for one in lines)
        if height <= box.height:
            break
    top = box.top
    for one in lines:
        pygame.draw.circle(target, GOLD, (box.left + 4, top + pixels * 0.45), 3)
        for line in one:
            write(target, line, (box.left + pixels * 1.2, top), pixels, INK)
            top += pixels * 1.1
        top += pixels * 0.4
