"""The panel at the right: the clock, the players, the decision, the log."""

import pygame

from city_game import texts_table as texts
from city_game.money import show
from city_game.rules.rents import worth
from city_game.table.layout import Box
from city_game.table.paint_board import colour_of
from city_game.table.pens import (
    EDGE,
    FAINT,
    GOLD,
    GREEN,
    INK,
    PANEL,
    RAISED,
    RED,
    badge,
    key_cap,
    panel,
    put,
    width_of,
    wrapped,
    write,
)

LAST_MS = 5 * 60 * 1000


def button(target, screen, box: Box, label: str, do, key: str = "", marked=False, name="") -> None:
    """Draw a button and note that a click on it does `do`."""
    hovered = box.holds(screen.mouse)
    fill = (92, 74, 26) if marked else (58, 72, 100) if hovered else RAISED
    panel(target, box, fill, GOLD if marked else EDGE)
    size = screen.layout.text
    left = box.left + size * 0.5
    if key:
        left += key_cap(target, key, (left, box.middle[1]), round(size * 0.86)) + size * 0.5
        anchor, at = "midleft", (left, box.middle[1])
    else:
        anchor, at = "center", box.middle
    write(target, label, at, round(size * 1.02), INK, anchor, box.right - left - 6)
    screen.spot(box, name or label, do)


def nearly_over(left_ms: float, share: float) -> bool:
    """Return whether the hour is in its last minutes, and in its last tenth: a short one is not
    urgent from the start."""
    return left_ms <= LAST_MS and share <= 0.1


def paint_tools(target, screen) -> None:
    """Draw the time that is left, and the small buttons."""
    layout, session = screen.layout, screen.session
    box = layout.tools
    size = layout.text
    left = session.unit.clock_left()
    words, colour = texts.NO_CLOCK, FAINT
    if session.state.phase == "over":
        words = texts.GAME_ENDED
    elif session.state.hour_over:
        words, colour = texts.HOUR_OVER, RED
    elif left is not None:
        seconds = int(left / 1000 + 0.999)
        words = texts.LEFT.format(minutes=seconds // 60, seconds=seconds % 60)
        colour = RED if nearly_over(left, session.unit.left()) else INK
    big = round(size * 1.9)
    write(target, words, (box.left, box.middle[1]), big, colour, "midleft")
    right = box.right
    for label, do in (
        (texts.HELP, lambda: screen.look_up("help")),
        (texts.RULES, lambda: screen.look_up("rules")),
        (texts.BIDS, lambda: screen.look_up("bids")),
        (texts.DEEDS, screen.browse_deeds),
        (texts.SOUND, screen.turn_sound),
    ):
        wide = size * 2.6 if label == texts.SOUND else width_of(label, size) + size
        place = Box(right - wide, box.top, wide, box.height)
        button(target, screen, place, "" if label == texts.SOUND else label, do, name=label)
        if label == texts.SOUND:
            _loudness(target, place, size, screen.volume)
        right -= wide + size * 0.25


def _loudness(target, box: Box, size: int, volume: int) -> None:
    """Draw a loudspeaker, and a bar for each step of the volume."""
    x, y = box.left + size * 0.5, box.middle[1]
    horn = [(0, -0.18), (0.3, -0.18), (0.62, -0.45), (0.62, 0.45), (0.3, 0.18), (0, 0.18)]
    points = [(x + right * size, y + down * size) for right, down in horn]
    pygame.draw.polygon(target, INK if volume else FAINT, points)
    for step in range(3):
        high = size * (0.35 + 0.25 * step)
        bar = pygame.Rect(x + size * (0.85 + 0.3 * step), y - high / 2, max(2, size * 0.16), high)
        pygame.draw.rect(target, INK if step < volume else EDGE, bar, border_radius=1)


def paint_players(target, screen) -> None:
    layout, session = screen.layout, screen.session
    count = len(session.names)
    row_height = min(layout.players.height / count, layout.text * 2.6)
    for player in range(count):
        box = Box(
            layout.players.left,
            layout.players.top + player * row_height,
            layout.players.width,
            row_height - layout.text * 0.25,
        )
        _player(target, screen, box, player)


def _player(target, screen, box: Box, player: int) -> None:
    layout, session = screen.layout, screen.session
    state = session.state
    size = layout.text
    active = state.alive[player] and player == screen.decision.player
    panel(target, box, RAISED if active else PANEL, GOLD if active else None)
    high = box.height
    put(
        target,
        badge(player, round(high * 0.72), state.alive[player]),
        (box.left + high * 0.5, box.middle[1]),
    )
    left = box.left + high
    tall = high > size * 2
    notes = _notes(session, player)
    name_y = box.top + high * (0.32 if tall and notes else 0.5)
    write(
        target,
        session.names[player],
        (left, name_y),
        round(size * 1.08),
        INK if state.alive[player] else FAINT,
        "midleft",
        box.width * 0.36,
    )
    small = round(size * 0.8)
    at, room = (left, box.top + high * 0.72), box.width * 0.36
    if not tall:  # beside the name
        name_width = width_of(session.names[player], round(size * 1.08)) + size * 0.6
        at, room = (left + name_width, name_y), max(1, box.width * 0.5 - high - name_width)
    write(target, ", ".join(notes), at, small, FAINT, "midleft", room)
    _deeds(target, state, player, Box(box.left + box.width * 0.5, box.top, box.width * 0.25, high))
    money_y = box.top + high * (0.32 if tall else 0.5)
    write(
        target,
        show(state.cash[player]),
        (box.right - 6, money_y),
        round(size * 1.2),
        GOLD,
        "midright",
    )
    if tall and state.alive[player]:
        write(
            target,
            "worth " + show(worth(state, player)),
            (box.right - 6, box.top + high * 0.74),
            round(size * 0.78),
            FAINT,
            "midright",
        )
    for whose, notes_, age in screen.motion.floats:
        if whose == player:
            _float(target, (box.left + box.width * 0.79, money_y - age / 120), notes_, size)


def _float(target, at: tuple[float, float], amount: int, size: int) -> None:
    """Draw what has just been paid or received, on a pill of its own."""
    words = ("+" if amount > 0 else "") + show(amount)
    pill = pygame.Rect(0, 0, width_of(words, size) + size, size * 1.5)
    pill.midright = (round(at[0]), round(at[1]))
    panel(target, pill, (22, 62, 40) if amount > 0 else (74, 26, 28), None, 8)
    write(target, words, pill.center, size, GREEN if amount > 0 else RED, "center")


def _notes(session, player: int) -> list[str]:
    """Say what there is to know of a player beside money and deeds."""
    state = session.state
    notes = [texts.SEAT_NOTES["bot"].format(strength=session.game.setup.seats[player])]
    if not session.bots[player]:
        notes.clear()
    if not state.alive[player]:
        notes.append(texts.OUT)
    elif state.jailed[player]:
        notes.append(texts.IN_JAIL)
    if state.dodge == player:
        notes.append(texts.SEAT_NOTES["dodge"])
    if state.jail_cards[player]:
        notes.append(texts.SEAT_NOTES["jail card"])
    return notes


def _deeds(target, state, player: int, box: Box) -> None:
    """Draw a pip for each deed, group by group; a whole group is underlined."""
    groups = state.board.members
    cell = box.width / max(1, len(groups))
    for group, members in enumerate(groups):
        x = box.left + group * cell
        mine = [state.owner[district] == player for district in members]
        colour = colour_of(state.board, group)
        pip = min(cell * 0.72, box.height / (len(members) + 1.6))
        for place, owned in enumerate(mine):
            rect = pygame.Rect(x, box.middle[1] + (place - len(members) / 2) * (pip + 1), pip, pip)
            pygame.draw.rect(target, colour if owned else (40, 49, 66), rect, border_radius=1)
        if all(mine):
            bottom = box.middle[1] + (len(members) / 2) * (pip + 1) + 1
            pygame.draw.line(target, INK, (x, bottom), (x + pip, bottom), 2)


def paint_decision(target, screen) -> None:
    """Draw who decides what, and the options."""
    layout = screen.layout
    box = layout.decision
    size = layout.text
    mine = bool(screen.decision.options)
    panel(target, box, PANEL, GOLD if mine else EDGE)
    inner = box.shrink(size * 0.6)
    top = inner.top
    player = screen.decision.player
    left = inner.left
    if player >= 0:
        put(target, badge(player, round(size * 1.5)), (left + size * 0.75, top + size * 0.6))
        left += size * 2
    for line in wrapped(screen.title(), round(size * 1.18), int(inner.right - left))[:2]:
        write(target, line, (left, top), round(size * 1.18), INK if mine else FAINT)
        top += size * 1.3
    detail = screen.detail()
    most = 3 if screen.buttons() else 9
    for line in wrapped(detail, round(size * 0.92), int(inner.width))[:most] if detail else ():
        write(target, line, (inner.left, top + 2), round(size * 0.92), FAINT)
        top += size * 1.05
    top += size * 0.4
    _buttons(target, screen, Box(inner.left, top, inner.width, inner.bottom - top))


def _buttons(target, screen, room: Box) -> None:
    """Draw the options, in one column or two."""
    buttons = screen.buttons()
    if not buttons:
        return
    size = screen.layout.text
    gap = size * 0.3
    columns = 1
    rows = len(buttons)
    if (room.height + gap) / rows < size * 1.75:
        columns, rows = 2, -(-len(buttons) // 2)
    high = min(size * 2.1, (room.height + gap) / rows - gap)
    wide = (room.width - gap * (columns - 1)) / columns
    for index, (label, key, do, marked) in enumerate(buttons):
        column, row = divmod(index, rows)
        box = Box(room.left + column * (wide + gap), room.top + row * (high + gap), wide, high)
        button(target, screen, box, label, do, key or str(index + 1), marked)


def paint_log(target, screen) -> None:
    """Draw the last lines of the log, the newest at the bottom."""
    layout, session = screen.layout, screen.session
    box = layout.log
    size = round(layout.text * 0.86)
    panel(target, box, PANEL)
    inner = box.shrink(layout.text * 0.4)
    line_height = round(size * 1.16)
    room = int(inner.height // line_height)
    end = len(session.log) - screen.log_back
    lines: list[tuple[str, bool]] = []
    for index in range(end - 1, -1, -1):
        parts = wrapped(session.log[index], size, int(inner.width))
        lines[:0] = [(part, index == len(session.log) - 1) for part in parts]
        if len(lines) >= room:
            break
    lines = lines[-room:]
    top = inner.bottom - len(lines) * line_height
    for text, newest in lines:
        write(target, text, (inner.left, top), size, INK if newest else FAINT)
        top += line_height
