"""The panel at the right: the clock, the players, the decision, the log."""

import pygame

from city_game.editions.money import show
from city_game.table.paint.base.drawing import (
    EDGE,
    FAINT,
    GOLD,
    GREEN,
    INK,
    PANEL,
    RAISED,
    RED,
    badge,
    button,
    panel,
    wrapped,
    write,
)
from city_game.table.paint.base.layout import Layout
from city_game.table.paint.base.view import Button, Clock, Command, Player, Spots, View
from city_game.table.paint.cards.paint_phones import paint_small
from city_game.table.paint.city.paint_board import colour_of
from city_unit.desktop.catalogue import _
from city_unit.desktop.forms import minutes
from sim.face.box import Box
from sim.face.paint import Colour, Point, put, text_width

TIME_WIDTH = 3.6  # heights of letters, that the time needs
CODE_SHARE = 0.73  # of the log's height, that the small code for telephones takes


def _tools(room: float, size: int) -> list[Button]:
    """Return the small buttons at the top, from the right; in little room those without a key go.

    Deeds are looked at by a click as well, and the bids by F3.
    """
    tools = [
        Button(_("Help"), "", Command("help")),
        Button(_("Rules"), "", Command("rules")),
        Button(_("Bids"), "", Command("bids")),
        Button(_("Deeds"), "", Command("browse deeds")),
        Button("", "", Command("sound"), name=_("Sound")),
        Button("", "", Command("phones"), name=_("Telephones")),
    ]
    for dispensable in ("browse deeds", "bids"):
        if sum(_tool_width(tool, size) + size * 0.25 for tool in tools) > room:
            tools = [tool for tool in tools if tool.command.name != dispensable]
    return tools


def _tool_width(tool: Button, size: int) -> float:
    return text_width(tool.label, size) + size if tool.label else size * 1.9


def paint_tools(target: pygame.Surface, layout: Layout, view: View) -> Spots:
    """Draw the time that is left, and the small buttons."""
    box, size = layout.tools, layout.text
    words, colour = _time(view.clock)
    right = box.right
    spots: Spots = []
    for tool in _tools(box.width - size * TIME_WIDTH, size):
        wide = _tool_width(tool, size)
        place = Box(right - wide, box.top, wide, box.height)
        spots.append(button(target, place, tool, size, view.mouse))
        if tool.command.name == "sound":
            _loudness(target, place, size, view.volume)
        elif tool.command.name == "phones":
            _telephone(target, place, size, bool(view.phones))
        right -= wide + size * 0.25
    left = Box(box.left, box.top, right - box.left, box.height)
    _write_time(target, left, size, words, colour)
    return spots


def _write_time(target: pygame.Surface, box: Box, size: int, words: str, colour: Colour) -> None:
    """Write the time as large as a clock's; words for which that is too large, in lines."""
    if text_width(words, round(size * 1.4)) <= box.width:
        at = (box.left, box.middle[1])
        write(target, words, at, round(size * 1.9), colour, "midleft", box.width)
        return
    small = round(size * 0.9)
    lines = wrapped(words, small, int(box.width))[:2]
    for place, line in enumerate(lines):
        at = (box.left, box.middle[1] + (place - (len(lines) - 1) / 2) * small * 1.1)
        write(target, line, at, small, colour, "midleft", box.width)


def _time(clock: Clock) -> tuple[str, Colour]:
    if clock.game_over:
        return _("over"), FAINT
    if clock.last_turn:
        return _("last turn"), RED
    if clock.seconds is None:
        return _("no clock"), FAINT
    return minutes(1000 * clock.seconds), RED if clock.urgent else INK


def _loudness(target: pygame.Surface, box: Box, size: int, volume: int) -> None:
    """Draw a loudspeaker, and a bar for each step of the volume."""
    x, y = box.left + size * 0.2, box.middle[1]
    horn = [(0, -0.18), (0.3, -0.18), (0.62, -0.45), (0.62, 0.45), (0.3, 0.18), (0, 0.18)]
    points = [(x + right * size, y + down * size) for right, down in horn]
    pygame.draw.polygon(target, INK if volume else FAINT, points)
    for step in range(3):
        high = size * (0.35 + 0.25 * step)
        bar = pygame.Rect(x + size * (0.85 + 0.3 * step), y - high / 2, max(2, size * 0.16), high)
        pygame.draw.rect(target, INK if step < volume else EDGE, bar, border_radius=1)


def _telephone(target: pygame.Surface, box: Box, size: int, lit: bool) -> None:
    """Draw a telephone, bright while some may come in."""
    body = pygame.Rect(0, 0, round(size * 0.8), round(size * 1.35))
    body.center = round(box.middle[0]), round(box.middle[1])
    pygame.draw.rect(target, INK if lit else FAINT, body, max(1, size // 8), border_radius=3)
    foot = (body.centerx, body.bottom - size * 0.24)
    pygame.draw.circle(target, INK if lit else FAINT, foot, max(1, size // 10))


def paint_players(target: pygame.Surface, layout: Layout, view: View) -> None:
    room, size = layout.players, layout.text
    row_height = min(room.height / len(view.players), size * 2.6)
    for index, player in enumerate(view.players):
        top = room.top + index * row_height
        box = Box(room.left, top, room.width, row_height - size * 0.25)
        panel(
            target,
            box,
            RAISED if player.active else PANEL,
            GOLD if player.active else None,
        )
        high = box.height
        at = (box.left + high * 0.5, box.middle[1])
        put(target, badge(index, round(high * 0.72), player.alive), at)
        _name(target, box, size, player)
        deeds = Box(box.left + box.width * 0.5, box.top, box.width * 0.25, high)
        _deeds(target, deeds, view, index)
        _money(target, box, size, player)


def _is_tall(box: Box, size: int) -> bool:
    """Return whether a player's row has room for a second line."""
    return box.height > size * 2


def _name(target: pygame.Surface, box: Box, size: int, player: Player) -> None:
    """Write a player's name, and what there is to know, below it or else beside it."""
    high, large = box.height, round(size * 1.08)
    left = box.left + high
    middle = box.top + high * (0.32 if _is_tall(box, size) and player.notes else 0.5)
    ink = INK if player.alive else FAINT
    write(target, player.name, (left, middle), large, ink, "midleft", box.width * 0.36)
    at, room = (left, box.top + high * 0.72), box.width * 0.36
    if not _is_tall(box, size):
        name_width = text_width(player.name, large) + size * 0.6
        at, room = (left + name_width, middle), max(1, box.width * 0.5 - high - name_width)
    write(target, ", ".join(player.notes), at, round(size * 0.86), FAINT, "midleft", room)


def _money(target: pygame.Surface, box: Box, size: int, player: Player) -> None:
    """Write what a player has and is worth, and let float away what was just paid."""
    tall = _is_tall(box, size)
    middle = box.top + box.height * (0.32 if player.alive else 0.5)
    cash = show(player.cash)
    large, small = (1.2, 0.86) if tall else (1.0, 0.8)
    write(target, cash, (box.right - 6, middle), round(size * large), GOLD, "midright")
    if player.alive:
        at = (box.right - 6, box.top + box.height * 0.77)
        words = _("worth {amount}").format(amount=show(player.worth))
        write(target, words, at, round(size * small), FAINT, "midright")
    for notes, age_ms in player.floats:
        _float(target, (box.left + box.width * 0.79, middle - age_ms / 120), notes, size)


def _float(target: pygame.Surface, at: Point, amount: int, size: int) -> None:
    """Draw what has just been paid or received, on a pill of its own."""
    words = ("+" if amount > 0 else "") + show(amount)
    pill = pygame.Rect(0, 0, text_width(words, size) + size, size * 1.5)
    pill.midright = (round(at[0]), round(at[1]))
    panel(target, pill, (22, 62, 40) if amount > 0 else (74, 26, 28), None, 8)
    write(target, words, pill.center, size, GREEN if amount > 0 else RED, "center")


def _deeds(target: pygame.Surface, box: Box, view: View, player: int) -> None:
    """Draw a pip for each deed, group by group; a whole group is underlined."""
    groups = view.board.members
    cell = box.width / max(1, len(groups))
    for group, members in enumerate(groups):
        x = box.left + group * cell
        mine = [view.plots[district].owner == player for district in members]
        colour = colour_of(view.board, group)
        pip = min(cell * 0.72, box.height / (len(members) + 1.6))
        for place, owned in enumerate(mine):
            rect = pygame.Rect(x, box.middle[1] + (place - len(members) / 2) * (pip + 1), pip, pip)
            pygame.draw.rect(target, colour if owned else (40, 49, 66), rect, border_radius=1)
        if all(mine):
            bottom = box.middle[1] + (len(members) / 2) * (pip + 1) + 1
            pygame.draw.line(target, INK, (x, bottom), (x + pip, bottom), 2)


def paint_decision(target: pygame.Surface, layout: Layout, view: View) -> Spots:
    """Draw who decides what, and the options."""
    box, size, shown = layout.decision, layout.text, view.panel
    panel(target, box, PANEL, GOLD if shown.mine else EDGE)
    inner = box.shrink(size * 0.6)
    top, left = inner.top, inner.left
    if shown.player >= 0:
        put(target, badge(shown.player, round(size * 1.5)), (left + size * 0.75, top + size * 0.6))
        left += size * 2
    large, small = round(size * 1.18), round(size * 0.92)
    for line in wrapped(shown.title, large, int(inner.right - left))[:2]:
        write(target, line, (left, top), large, INK if shown.mine else FAINT)
        top += size * 1.3
    most = 3 if shown.buttons else 9
    lines = wrapped(shown.detail, small, int(inner.width))[:most] if shown.detail else ()
    for line in lines:
        write(target, line, (inner.left, top + 2), small, FAINT)
        top += size * 1.05
    top += size * 0.4
    room = Box(inner.left, top, inner.width, inner.bottom - top)
    return _buttons(target, room, layout, view)


def _buttons(target: pygame.Surface, room: Box, layout: Layout, view: View) -> Spots:
    """Draw the options, in one column or two; an option without a letter has its number."""
    buttons = view.panel.buttons
    if not buttons:
        return []
    size = layout.text
    gap = size * 0.3
    columns = 1
    rows = len(buttons)
    if (room.height + gap) / rows < size * 1.75:
        columns, rows = 2, -(-len(buttons) // 2)
    high = min(size * 2.1, (room.height + gap) / rows - gap)
    wide = (room.width - gap * (columns - 1)) / columns
    spots: Spots = []
    for index, what in enumerate(buttons):
        column, row = divmod(index, rows)
        box = Box(room.left + column * (wide + gap), room.top + row * (high + gap), wide, high)
        numbered = what._replace(key=what.key or str(index + 1))
        spots.append(button(target, box, numbered, size, view.mouse))
    return spots


def paint_log(target: pygame.Surface, layout: Layout, view: View) -> Spots:
    """Draw the last lines of the log, the newest at the bottom, below the code for telephones."""
    box = layout.log
    spots: Spots = []
    if view.code:
        high = box.height * CODE_SHARE
        place = Box(box.left, box.top, box.width, high)
        spots.append(paint_small(target, place, layout.text, view.code))
        box = Box(box.left, box.top + high, box.width, box.height - high)
    size = round(layout.text * 0.86)
    panel(target, box, PANEL)
    inner = box.shrink(layout.text * 0.4)
    line_height = round(size * 1.16)
    room = int(inner.height // line_height)
    last = len(view.log) - 1
    lines = [
        (part, view.newest and index == last)
        for index, words in enumerate(view.log)
        for part in wrapped(words, size, int(inner.width))
    ][-room:]
    top = inner.bottom - len(lines) * line_height
    for words, newest in lines:
        write(target, words, (inner.left, top), size, INK if newest else FAINT)
        top += line_height
    return spots
