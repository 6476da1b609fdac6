"""The whole window of a game as a picture: a function of a view and a layout.

The board and the cards have modules of their own; here is the panel at the right, with the clock,
the players, the decision or a deal, the unit and the log.
"""

import math
from collections.abc import Callable

import pygame

from city_game.game import HUMAN
from city_game.kernel.money import show
from city_game.seats import STRENGTHS
from city_game.table.board import colour_of, paint_city
from city_game.table.cards import paint_auction, paint_card, paint_deed, paint_outcome, paint_over
from city_game.table.drawing import (
    EDGE,
    FAINT,
    GOLD,
    GREEN,
    INK,
    KEY_CAPS,
    NARROWEST,
    PANEL,
    RAISED,
    RED,
    badge,
    button,
    centred,
    head,
    in_lines,
    large,
    lay,
    panel,
    wrapped,
    write,
    write_lines,
)
from city_game.table.layout import Layout
from city_game.table.lookup import paint_lookup, paint_small
from city_game.table.picture import (
    Button,
    ChanceCard,
    Clock,
    Command,
    Draft,
    End,
    Outcome,
    SaleCard,
    Spots,
    View,
)
from city_game.table.view import Player
from city_unit.desktop.catalogue import _
from city_unit.desktop.forms import all_of, minutes
from sim.face import disc, geometry
from sim.face.box import Box
from sim.face.paint import Colour, Point, put, text_width

TIME_WIDTH = 3.8  # heights of letters, that the time needs
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
            _telephone(target, place, size, bool(view.lets_phones_in))
        right -= wide + size * 0.25
    left = Box(box.left, box.top, right - box.left, box.height)
    _write_time(target, left, size, words, colour)
    return spots


def _write_time(target: pygame.Surface, box: Box, size: int, words: str, colour: Colour) -> None:
    """Write the time as large as a clock's; words for which that is too large, in lines."""
    if text_width(words, large(size)) <= box.width:
        write(target, words, (box.left, box.middle[1]), large(size), colour, "midleft")
        return
    lines = in_lines(words, size, int(box.width), 2)
    top = box.middle[1] - (len(lines) - 1) * size * 0.5
    write_lines(target, lines, (box.left, top), size, colour, "midleft", box.width)


def _time(clock: Clock) -> tuple[str, Colour]:
    if clock.is_game_over:
        return _("over"), FAINT
    if clock.is_last_turn:
        return _("last turn"), RED
    if clock.seconds is None:
        return _("no clock"), FAINT
    return minutes(1000 * clock.seconds), RED if clock.is_urgent else INK


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
    body = centred(box.middle, round(size * 0.8), round(size * 1.35))
    pygame.draw.rect(target, INK if lit else FAINT, body, max(1, size // 8), border_radius=3)
    foot = (body.centerx, body.bottom - size * 0.24)
    pygame.draw.circle(target, INK if lit else FAINT, foot, max(1, size // 10))


def paint_players(target: pygame.Surface, layout: Layout, view: View) -> None:
    room, size = layout.players, layout.text
    row_height = min(room.height / len(view.players), size * 2.6)
    colours = [colour_of(view.board, group) for group in range(len(view.board.members))]
    for index, player in enumerate(view.players):
        top = room.top + index * row_height
        box = Box(room.left, top, room.width, row_height - size * 0.25)
        decides = player.is_alive and index == view.panel.player
        panel(target, box, RAISED if decides else PANEL, GOLD if decides else None)
        high = box.height
        at = (box.left + high * 0.5, box.middle[1])
        put(target, badge(index, round(high * 0.72), player.is_alive), at)
        _name(target, box, size, player)
        deeds = Box(box.left + box.width * 0.5, box.top, box.width * 0.25, high)
        _deeds(target, deeds, view, index, colours)
        _money(target, box, size, player)
        middle = _money_at(box, player)
        for whose, notes, age_ms in view.floats:
            if whose == index:
                _float(target, (box.left + box.width * 0.73, middle - age_ms / 120), notes, size)


def _is_tall(box: Box, size: int) -> bool:
    """Return whether a player's row has room for a second line."""
    return box.height > size * 2


def _name(target: pygame.Surface, box: Box, size: int, player: Player) -> None:
    """Write a player's name, and the notes on them, below it or else beside it."""
    high, notes = box.height, _notes(player)
    left = box.left + high
    middle = box.top + high * (0.32 if _is_tall(box, size) and notes else 0.5)
    ink = INK if player.is_alive else FAINT
    write(target, player.name, (left, middle), size, ink, "midleft", box.width * 0.36)
    at, room = (left, box.top + high * 0.72), box.width * 0.36
    if not _is_tall(box, size):
        name_width = text_width(player.name, size) + size * 0.6
        at, room = (left + name_width, middle), max(1, box.width * 0.5 - high - name_width)
    write(target, ", ".join(notes), at, size, FAINT, "midleft", room)


def _notes(player: Player) -> list[str]:
    """Return the facts of a player beside money and deeds."""
    notes = [] if player.seat == HUMAN else [str(STRENGTHS[player.seat])]
    if not player.is_alive:
        notes.append(_("bankrupt"))
    elif player.is_jailed:
        notes.append(_("in jail"))
    notes += player.traits
    if player.jail_cards:
        notes.append(_("jail card"))
    return [*notes, _("telephone")] if player.has_phone else notes


def _money_at(box: Box, player: Player) -> float:
    return box.top + box.height * (0.32 if player.is_alive else 0.5)


def _money(target: pygame.Surface, box: Box, size: int, player: Player) -> None:
    """Write a player's money and worth."""
    tall = _is_tall(box, size)
    middle = _money_at(box, player)
    cash = show(player.cash)
    room = box.width * 0.25 - 6
    high = head(size) if tall else size
    write(target, cash, (box.right - 6, middle), high, GOLD, "midright", room)
    if player.is_alive:
        at = (box.right - 6, box.top + box.height * 0.77)
        words = _("worth {amount}").format(amount=show(player.worth))
        write(target, words, at, size, FAINT, "midright", room)


def _float(target: pygame.Surface, at: Point, amount: int, size: int) -> None:
    """Draw the amount that has just been paid or received, on a pill of its own."""
    words = ("+" if amount > 0 else "") + show(amount)
    pill = pygame.Rect(0, 0, text_width(words, size) + size, size * 1.5)
    pill.midright = (round(at[0]), round(at[1]))
    panel(target, pill, (22, 62, 40) if amount > 0 else (74, 26, 28), None, 8)
    write(target, words, pill.center, size, GREEN if amount > 0 else RED, "center")


def _deeds(
    target: pygame.Surface, box: Box, view: View, player: int, colours: list[Colour]
) -> None:
    """Draw a pip for each deed, group by group; a whole group is underlined."""
    groups, middle = view.board.members, box.middle[1]
    cell = box.width / max(1, len(groups))
    for group, members in enumerate(groups):
        x = box.left + group * cell
        mine = [view.plots[deed].owner == player for deed in members]
        pip = min(cell * 0.72, box.height / (len(members) + 1.6))
        for place, owned in enumerate(mine):
            rect = pygame.Rect(x, middle + (place - len(members) / 2) * (pip + 1), pip, pip)
            pygame.draw.rect(
                target, colours[group] if owned else (40, 49, 66), rect, border_radius=1
            )
        if all(mine):
            bottom = middle + (len(members) / 2) * (pip + 1) + 1
            pygame.draw.line(target, INK, (x, bottom), (x + pip, bottom), 2)


def paint_decision(target: pygame.Surface, layout: Layout, view: View) -> Spots:
    """Draw the decider, the decision, and the options; or the deal that is put together."""
    if view.draft:
        return _deal(target, layout, view, view.draft)
    box, size, shown = layout.decision, layout.text, view.panel
    panel(target, box, PANEL, GOLD if shown.is_mine else EDGE)
    inner = box.shrink(size * 0.6)
    top, left = inner.top, inner.left
    if shown.player >= 0:
        put(target, badge(shown.player, round(size * 1.5)), (left + size * 0.75, top + size * 0.6))
        left += size * 2
    room = inner.right - left
    pixels = head(size)
    if len(wrapped(shown.title, pixels, int(room))) > 2:
        pixels = size
    lines = in_lines(shown.title, pixels, int(room), 3)
    ink = INK if shown.is_mine else FAINT
    top = write_lines(target, lines, (left, top), pixels, ink, room=room)
    if shown.detail and not shown.buttons:
        _in_large(target, Box(inner.left, top, inner.width, inner.bottom - top), size, shown.detail)
        return []
    if shown.detail:
        lines = in_lines(shown.detail, size, int(inner.width), 3 if shown.buttons else 9)
        at = (inner.left, top + 2)
        top = write_lines(target, lines, at, size, FAINT, room=inner.width, pitch=1.05)
    top += size * 0.4
    below = Box(inner.left, top, inner.width, inner.bottom - top)
    return _buttons(target, below, layout, view)


def _in_large(target: pygame.Surface, box: Box, size: int, words: str) -> None:
    """Write the events, the latest in the largest letters that have room: all look on."""
    *before, latest = words.split("\n")
    top = box.top + size * 0.3
    for pixels in (large(size), head(size), size):
        lines = wrapped(latest, pixels, int(box.width))
        high = len(lines) * pixels * 1.1
        if top + high <= box.bottom or pixels == size:
            break
    above = in_lines(" ".join(before), size, int(box.width), 3) if before else ()
    if above and top + high + size * (1.1 * len(above) + 0.6) <= box.bottom:
        at = (box.left, top)
        top = write_lines(target, above, at, size, FAINT, room=box.width, pitch=1.1) + size * 0.5
    write_lines(target, lines, (box.left, top), pixels, INK, room=box.width, pitch=1.1)


def _buttons(target: pygame.Surface, room: Box, layout: Layout, view: View) -> Spots:
    """Draw the options, in one column or two; an option without a letter has its number.

    Of two columns the first option has both, if it says too much for one.
    """
    buttons = [
        what._replace(key=what.key or str(number))
        for number, what in enumerate(view.panel.buttons, 1)
    ]
    if not buttons:
        return []
    size = layout.text
    gap = size * 0.3
    columns, rows, above = 1, len(buttons), 0
    if (room.height + gap) / rows < size * 1.75:
        columns = 2
        above = int(_says_much(buttons[0], (room.width - gap) / 2, size))
        rows = above - (above - len(buttons)) // 2
    high = min(size * 2.1, (room.height + gap) / rows - gap)
    wide = (room.width - gap * (columns - 1)) / columns
    spots: Spots = []
    for index, what in enumerate(buttons):
        column, row = divmod(index - above, rows - above)
        box = Box(room.left + column * (wide + gap), room.top, wide, high)
        if index < above:
            column, row, box = 0, -1, box._replace(width=room.width)
        box = box._replace(top=room.top + (row + above) * (high + gap))
        spots.append(button(target, box, what, size, view.mouse))
    return spots


def _says_much(what: Button, wide: float, size: int) -> bool:
    """Return whether a button of this width has no room for its label in two lines."""
    key = str(KEY_CAPS.get(what.key, what.key))
    left = wide - text_width(key, size) - size * 2.4
    return text_width(what.label, size) * NARROWEST > 2 * left * 0.8


def paint_log(target: pygame.Surface, layout: Layout, view: View) -> Spots:
    """Draw the last lines of the log, the newest at the bottom, below the code for telephones."""
    box = layout.log
    spots: Spots = []
    if view.code:
        high = box.height * CODE_SHARE
        place = Box(box.left, box.top, box.width, high)
        spots.append(paint_small(target, place, layout.text, view.code))
        box = Box(box.left, box.top + high, box.width, box.height - high)
    size = layout.text
    panel(target, box, PANEL)
    inner = box.shrink(layout.text * 0.4)
    line_height = round(size * 1.16)
    room = int(inner.height // line_height)
    last = len(view.log) - 1
    lines = [
        (part, view.is_newest and index == last)
        for index, words in enumerate(view.log)
        for part in wrapped(words, size, int(inner.width))
    ][-room:]
    top = inner.bottom - len(lines) * line_height
    for words, newest in lines:
        ink = INK if newest else FAINT
        write(target, words, (inner.left, top), size, ink, room=inner.width)
        top += line_height
    return spots


AWAY = (255, 120, 100)


def paint_unit(target: pygame.Surface, layout: Layout, view: View) -> None:
    """Draw the disc as it looks, and above it whose it is and whether it is there."""
    unit, circle, box = view.unit, layout.circle, layout.disc
    words, colour = (_("Emulated unit") if unit.is_mine else _("Unit at the port")), FAINT
    if not unit.is_online:
        words, colour = _("Unit not there"), AWAY
    write(target, words, (box.left, box.top), layout.text, colour, room=box.width)
    disc.draw(target, unit.look, circle)
    if unit.stopping:
        middle = circle.place(geometry.BUTTON)
        reach = circle.radius * (geometry.BUTTON_RADIUS + 0.05)
        _close_ring(target, middle, reach, unit.stopping)


def _close_ring(target: pygame.Surface, middle: Point, radius: float, part: float) -> None:
    """Draw a ring that closes while the button is held."""
    box = centred(middle, radius * 2, radius * 2)
    top = math.pi / 2
    pygame.draw.arc(target, GOLD, box, top - 2 * math.pi * part, top, max(3, round(radius / 6)))


STEPS = (-10, -1, 1, 10)  # by how many steps the buttons change the payment


def _deal(target: pygame.Surface, layout: Layout, view: View, draft: Draft) -> Spots:
    """Draw the deal that is being put together."""
    size, box = layout.text, layout.decision
    panel(target, box, PANEL, GOLD)
    inner = box.shrink(size * 0.6)
    words = _("{name} offers a deal to").format(name=view.players[draft.proposer].name)
    write(target, words, (inner.left, inner.top), size, FAINT, room=inner.width)
    chip = Box(inner.left, inner.top + size * 1.4, inner.width, size * 1.9)
    partner = Button(view.players[draft.partner].name, "tab", Command("next partner"))
    spots = [button(target, chip, partner, size, view.mouse)]
    put(target, badge(draft.partner, round(size * 1.5)), (chip.right - size * 1.2, chip.middle[1]))
    row = Box(inner.left, inner.bottom - size * 4.2, inner.width, size * 1.9)
    top = chip.bottom + size * 0.4
    terms = Box(inner.left, top, inner.width, row.top - size * 1.3 - top)
    _terms(target, terms, size, view, draft)
    spots += _deal_money(target, row, size, view, draft)
    row = Box(inner.left, inner.bottom - size * 2, inner.width, size * 1.9)
    offer = Button(_("Offer it"), "enter", Command("send offer"), True)
    cancel = Button(_("Cancel"), "esc", Command("back"))
    spots.append(button(target, row.column(0, 2, 6), offer, size, view.mouse))
    spots.append(button(target, row.column(1, 2, 6), cancel, size, view.mouse))
    return spots


def _terms(target: pygame.Surface, box: Box, size: int, view: View, draft: Draft) -> None:
    """Write what each side gives, and as far as there is room how that is changed."""
    top = box.top
    printed = view.board.deeds
    for title, deeds, notes in (
        (_("gives: {terms}"), draft.gives, max(0, draft.pays)),
        (_("asks for: {terms}"), draft.asks, max(0, -draft.pays)),
    ):
        names = [printed[deed].name for deed in deeds] + ([show(notes)] if notes else [])
        words = title.format(terms=all_of(names) or _("nothing"))
        lines = in_lines(words, size, int(box.width), 2)
        top = write_lines(target, lines, (box.left, top), size, INK, room=box.width, pitch=1.15)
    room = int((box.bottom - top) // size)
    if room > 1:
        words = _(
            "Click districts on the map, or arrows and Space. Money: - and +; a million: N and M."
        )
        lines = in_lines(words, size, int(box.width), room)
        write_lines(target, lines, (box.left, top), size, FAINT, room=box.width)


def _deal_money(target: pygame.Surface, row: Box, size: int, view: View, draft: Draft) -> Spots:
    """Draw the payment, and the buttons that change it."""
    words = _("pays {amount}") if draft.pays > 0 else _("gets {amount}")
    words = words.format(amount=show(abs(draft.pays))) if draft.pays else _("no money")
    write(target, words, (row.middle[0], row.top - size * 0.7), size, INK, "center")
    spots: Spots = []
    for place, steps in enumerate(STEPS):
        amount = show(steps * draft.step).replace("-", "−")
        label = ("+" if steps > 0 else "") + amount
        change = Button(label, "", Command("money", steps), name=f"money {steps}")
        spots.append(button(target, row.column(place, 4, size * 0.3), change, size, view.mouse))
    return spots


def draw(
    target: pygame.Surface,
    layout: Layout,
    view: View,
    failed: Callable[[Exception], object] | None = None,
) -> Spots:
    """Draw everything; return the spots that can be clicked, those that lie above others later.

    failed  takes the error of a part that cannot be drawn: the other parts are drawn all the
            same. Without it the error is raised.
    """
    spots: Spots = []
    for paint in PARTS:
        try:
            spots += paint(target, layout, view) or []
        except Exception as error:
            if failed is None:
                raise
            target.set_clip(None)
            failed(error)
    return spots


def _over_the_city(target: pygame.Surface, layout: Layout, view: View) -> Spots:
    card = view.over_city
    if isinstance(card, End):
        return paint_over(target, layout, view, card)
    if isinstance(card, SaleCard):
        return paint_auction(target, layout, view, card)
    if isinstance(card, Outcome):
        return paint_outcome(target, layout, view, card)
    if isinstance(card, ChanceCard):
        return paint_card(target, layout, card)
    return []


def paint_toast(target: pygame.Surface, layout: Layout, view: View) -> None:
    """Tell the news beside the game: that the unit refuses, is gone, is back."""
    if not view.toast:
        return
    size, city = layout.text, layout.city
    lines = wrapped(view.toast, size, int(city.width * 0.8))
    wide = max(text_width(line, size) for line in lines) + size * 2.4
    height = size * (1.3 * len(lines) + 0.9)
    # A card with buttons at its foot is not to be covered there.
    has_buttons = view.lookup is not None or isinstance(view.over_city, End)
    top = layout.board.top if has_buttons else city.bottom - size * 0.5 - height
    box = Box(city.middle[0] - wide / 2, top, wide, height)
    lay(target, box, (72, 56, 18), GOLD)
    at = (box.middle[0], box.top + size * 0.55)
    write_lines(target, lines, at, size, INK, "midtop", pitch=1.3)


# The parts of the picture, those that lie above others later.
PARTS: tuple[Callable[[pygame.Surface, Layout, View], Spots | None], ...] = (
    paint_city,
    paint_unit,
    paint_tools,
    paint_players,
    paint_decision,
    paint_log,
    _over_the_city,
    paint_deed,
    paint_lookup,
    paint_toast,
)
