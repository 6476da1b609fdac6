"""Draws the whole window of a game from a view and a layout.

`PARTS` lists the painters from bottom to top. The board and the cards have their own modules; this
one draws the panel at the right: clock, players, the decision or a deal, the unit and the log.
"""

import math
from collections.abc import Callable

import pygame

from city_game.game import HUMAN
from city_game.kernel.money import show
from city_game.kernel.sales import IN_SALE
from city_game.seats import STRENGTHS
from city_game.table.board import colour_of, paint_city
from city_game.table.cards import paint_auction, paint_card, paint_deed, paint_end, paint_outcome
from city_game.table.layout import Layout
from city_game.table.pages import paint_lookup, paint_small
from city_game.table.picture import (
    KEY_CAPS,
    MONEY_STEP,
    NARROWEST,
    Button,
    Command,
    Ink,
    Pen,
    Spots,
    View,
    badge,
    centred,
    in_lines,
    wrapped,
)
from city_unit.desktop.catalogue import _
from city_unit.desktop.forms import all_of, minutes
from sim.face import disc, geometry
from sim.face.geometry import Box
from sim.face.paint import text_width

TIME_WIDTH = 3.8  # width of the time, in heights of letters
AWAY = (255, 120, 100)
CODE_SHARE = 0.73  # share of the log's height for the small code


def paint_tools(pen: Pen, layout: Layout, view: View) -> Spots:
    """Draw the time left, and the small buttons from the right.

    Two are left out if there is too little room: a click shows a deed too, and F3 the bids.
    """
    box, size = layout.tools, layout.text
    middle, right = box.middle[1], box.right
    tools = [
        Button(_("Help"), "", Command("help")),
        Button(_("Rules"), "", Command("rules")),
        Button(_("Bids"), "", Command("bids")),
        Button(_("Deeds"), "", Command("browse deeds")),
        Button("", "", Command("sound")),
        Button("", "", Command("phones")),
    ]
    widths = {
        tool: text_width(tool.label, size) + size if tool.label else size * 1.9 for tool in tools
    }
    for dispensable in (tools[3], tools[2]):
        if sum(widths[tool] + size * 0.25 for tool in tools) > box.width - size * TIME_WIDTH:
            tools.remove(dispensable)
    spots: Spots = []
    for tool in tools:
        place = Box(right - widths[tool], box.top, widths[tool], box.height)
        spots.append(pen.button(place, tool))
        if tool.command.name == "sound":
            x = place.left + size * 0.2
            horn = [(0, -0.18), (0.3, -0.18), (0.62, -0.45), (0.62, 0.45), (0.3, 0.18), (0, 0.18)]
            points = [(x + across * size, middle + down * size) for across, down in horn]
            pygame.draw.polygon(pen.target, Ink.BRIGHT if view.volume else Ink.FAINT, points)
            for step in range(3):
                height = size * (0.35 + 0.25 * step)
                left = x + size * (0.85 + 0.3 * step)
                bar = pygame.Rect(left, middle - height / 2, max(2, size * 0.16), height)
                ink = Ink.BRIGHT if step < view.volume else Ink.EDGE
                pygame.draw.rect(pen.target, ink, bar, border_radius=1)
        elif tool.command.name == "phones":
            ink = Ink.BRIGHT if view.invitation else Ink.FAINT
            body = centred(place.middle, round(size * 0.8), round(size * 1.35))
            pygame.draw.rect(pen.target, ink, body, max(1, size // 8), border_radius=3)
            foot = (body.centerx, body.bottom - size * 0.24)
            pygame.draw.circle(pen.target, ink, foot, max(1, size // 10))
        right = place.left - size * 0.25
    words, colour = _("no clock"), Ink.FAINT
    if view.state.phase == "over":
        words = _("over")
    elif view.state.hour_over:
        words, colour = _("last turn"), Ink.RED
    elif view.seconds is not None:
        words, colour = minutes(1000 * view.seconds), Ink.RED if view.is_urgent else Ink.BRIGHT
    room = right - box.left
    if text_width(words, pen.large) <= room:
        pen.write(words, (box.left, middle), colour, "midleft", size=pen.large)
    else:
        lines = in_lines(words, size, int(room), 2)
        top = middle - (len(lines) - 1) * size * 0.5
        pen.write_lines(lines, (box.left, top), colour, "midleft", room)
    return spots


def paint_players(pen: Pen, layout: Layout, view: View) -> None:
    """Draw a row for each player: name, notes, deeds, money and worth; two lines if high enough."""
    room, size, state, table = layout.players, layout.text, view.state, view.game.table
    row_height = min(room.height / state.players, size * 2.6)
    for player, name in enumerate(view.names):
        is_alive, top = state.alive[player], room.top + player * row_height
        height = row_height - size * 0.25
        box, is_tall = Box(room.left, top, room.width, height), height > size * 2
        decides = is_alive and player == view.game.decision.player
        pen.panel(box, Ink.RAISED if decides else Ink.PANEL, Ink.GOLD if decides else None)
        at = (box.left + height * 0.5, top + height / 2)
        pen.put(badge(player, round(height * 0.72), is_alive), at)
        notes, left = [], box.left + height
        if table.seats[player] != HUMAN:
            notes.append(str(STRENGTHS[table.seats[player]]))
        if state.jailed[player] or not is_alive:
            notes.append(_("in jail") if is_alive else _("bankrupt"))
        notes += view.game.traits[player]
        notes += [_("jail card")] * bool(state.jail_cards[player])
        notes += [_("telephone")] * (player in table.online)
        middle = top + height * (0.32 if is_tall and notes else 0.5)
        ink = Ink.BRIGHT if is_alive else Ink.FAINT
        pen.write(name, (left, middle), ink, "midleft", box.width * 0.36)
        at, width = (left, top + height * 0.72), box.width * 0.36
        if not is_tall:
            name_width = text_width(name, size) + size * 0.6
            at, width = (left + name_width, middle), max(1, box.width * 0.5 - height - name_width)
        pen.write(", ".join(notes), at, Ink.FAINT, "midleft", width)
        # A pip for each deed, group by group; a complete group is underlined.
        groups, centre = view.state.board.members, top + height / 2
        cell = box.width * 0.25 / max(1, len(groups))
        for group, members in enumerate(groups):
            x = box.left + box.width * 0.5 + group * cell
            owned = [view.plots[deed].owner == player for deed in members]
            pip, half = min(cell * 0.72, height / (len(members) + 1.6)), len(members) / 2
            for place, is_owned in enumerate(owned):
                rect = pygame.Rect(x, centre + (place - half) * (pip + 1), pip, pip)
                ink = colour_of(view.state.board, group) if is_owned else (40, 49, 66)
                pygame.draw.rect(pen.target, ink, rect, border_radius=1)
            if all(owned):
                bottom = centre + half * (pip + 1) + 1
                pygame.draw.line(pen.target, Ink.BRIGHT, (x, bottom), (x + pip, bottom), 2)
        right, width = box.right - 6, box.width * 0.25 - 6
        middle = top + height * (0.32 if is_alive else 0.5)
        pixels = pen.head if is_tall else size
        cash = show(state.cash[player])
        pen.write(cash, (right, middle), Ink.GOLD, "midright", width, size=pixels)
        if is_alive:
            words = _("worth {amount}").format(amount=show(view.game.worths[player]))
            pen.write(words, (right, top + height * 0.77), Ink.FAINT, "midright", width)
        for player_paid, amount, age_ms in view.floats:
            if player_paid == player:
                at = (box.left + box.width * 0.73, middle - age_ms / 120)
                words = ("+" if amount > 0 else "") + show(amount)
                pill = pygame.Rect(0, 0, text_width(words, size) + size, size * 1.5)
                pill.midright = (round(at[0]), round(at[1]))
                pen.panel(pill, (22, 62, 40) if amount > 0 else (74, 26, 28), None, 8)
                pen.write(words, pill.center, Ink.GREEN if amount > 0 else Ink.RED, "center")


def paint_decision(pen: Pen, layout: Layout, view: View) -> Spots:
    """Draw the decision with its options in one column or two.

    An option without a letter shows its number. The first option spans both columns if its label is
    too long for two lines of one column.
    """
    if view.offer:
        return []
    box, size, title = layout.decision, layout.text, view.game.title
    player, has_options = view.game.decision.player, bool(view.game.decision.options)
    pen.panel(box, Ink.PANEL, Ink.GOLD if has_options else Ink.EDGE)
    inner = box.shrink(size * 0.6)
    top, left = inner.top, inner.left
    if player >= 0:
        pen.put(badge(player, round(size * 1.5)), (left + size * 0.75, top + size * 0.6))
        left += size * 2
    room = inner.right - left
    pixels = pen.head
    if len(wrapped(title, pixels, int(room))) > 2:
        pixels = size
    lines = in_lines(title, pixels, int(room), 3)
    ink = Ink.BRIGHT if has_options else Ink.FAINT
    top = pen.write_lines(lines, (left, top), ink, room=room, size=pixels)
    left, width = inner.left, inner.width
    if not view.buttons:
        if not view.detail:
            return []
        # Nobody decides: the latest event has the largest letters that fit.
        *before, latest = view.detail.split("\n")
        top += size * 0.3
        for pixels in (pen.large, pen.head, size):
            lines = wrapped(latest, pixels, int(width))
            height = len(lines) * pixels * 1.1
            if top + height <= inner.bottom or pixels == size:
                break
        earlier = in_lines(" ".join(before), size, int(width), 3) if before else ()
        if earlier and top + height + size * (1.1 * len(earlier) + 0.6) <= inner.bottom:
            top = pen.write_lines(earlier, (left, top), Ink.FAINT, room=width, pitch=1.1)
            top += size * 0.5
        pen.write_lines(lines, (left, top), Ink.BRIGHT, room=width, pitch=1.1, size=pixels)
        return []
    if view.detail:
        lines = in_lines(view.detail, size, int(width), 3)
        top = pen.write_lines(lines, (left, top + 2), Ink.FAINT, room=width, pitch=1.05)
    top += size * 0.4
    buttons = [
        what._replace(key=what.key or str(number)) for number, what in enumerate(view.buttons, 1)
    ]
    gap, room = size * 0.3, inner.bottom - top
    columns, rows, above = 1, len(buttons), 0
    if (room + gap) / rows < size * 1.75:
        columns, first = 2, buttons[0]
        key = str(KEY_CAPS.get(first.key, first.key))
        label_room = (width - gap) / 2 - text_width(key, size) - size * 2.4
        above = int(text_width(first.label, size) * NARROWEST > 2 * label_room * 0.8)
        rows = above - (above - len(buttons)) // 2
    height = min(size * 2.1, (room + gap) / rows - gap)
    spots = [pen.button(Box(left, top, width, height), what) for what in buttons[:above]]
    width = (width - gap * (columns - 1)) / columns
    for index, what in enumerate(buttons[above:]):
        column, row = divmod(index, rows - above)
        x, y = left + column * (width + gap), top + (row + above) * (height + gap)
        spots.append(pen.button(Box(x, y, width, height), what))
    return spots


def paint_log(pen: Pen, layout: Layout, view: View) -> Spots:
    """Draw the last lines of the log, newest at the bottom, below the small code if shown."""
    box = layout.log
    spots: Spots = []
    if view.has_code and view.invitation:
        height = box.height * CODE_SHARE
        place = Box(box.left, box.top, box.width, height)
        spots.append(paint_small(pen, place, view.invitation))
        box = Box(box.left, box.top + height, box.width, box.height - height)
    size = layout.text
    pen.panel(box, Ink.PANEL)
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
        ink = Ink.BRIGHT if newest else Ink.FAINT
        pen.write(words, (inner.left, top), ink, room=inner.width)
        top += line_height
    return spots


def paint_unit(pen: Pen, layout: Layout, view: View) -> None:
    """Draw the unit's disc, and above it the kind of unit, its loss, or a call of the referee.

    A ring closes round AUCTION while the hold stops the light.
    """
    circle, box = layout.circle, layout.disc
    words, colour = (_("Emulated unit") if view.is_mine else _("Unit at the port")), Ink.FAINT
    if not view.game.table.unit_online:
        words, colour = _("Unit not connected"), AWAY
    elif view.calls:
        words, colour = _("The referee is called"), Ink.GOLD
    pen.write(words, (box.left, box.top), colour, room=box.width)
    disc.draw(pen.target, view.look, circle)
    if view.stopping:
        reach, top = circle.radius * (geometry.BUTTON_RADIUS + 0.05), math.pi / 2
        ring = centred(circle.place(geometry.BUTTON), reach * 2, reach * 2)
        begin, thick = top - 2 * math.pi * view.stopping, max(3, round(reach / 6))
        pygame.draw.arc(pen.target, Ink.GOLD, ring, begin, top, thick)


STEPS = (-10, -1, 1, 10)  # the payment's buttons, in units of MONEY_STEP


def paint_deal(pen: Pen, layout: Layout, view: View) -> Spots:
    """Draw the deal being put together, and its keys if there is room."""
    if not view.offer:
        return []
    _offer, proposer, partner, gives, asks, pays, _cards = view.offer
    size, box, printed = layout.text, layout.decision, view.state.board.deeds
    pen.panel(box, Ink.PANEL, Ink.GOLD)
    inner = box.shrink(size * 0.6)
    left, width = inner.left, inner.width
    words = _("{name} offers a deal to").format(name=view.names[proposer])
    pen.write(words, (left, inner.top), Ink.FAINT, room=width)
    chip = Box(left, inner.top + size * 1.4, width, size * 1.9)
    to = Button(view.names[partner], "tab", Command("next partner"))
    spots = [pen.button(chip, to)]
    pen.put(badge(partner, round(size * 1.5)), (chip.right - size * 1.2, chip.middle[1]))
    row = Box(left, inner.bottom - size * 4.2, width, size * 1.9)
    top = chip.bottom + size * 0.4
    bottom = row.top - size * 1.3
    for title, deeds, notes in (
        (_("gives: {terms}"), gives, max(0, pays)),
        (_("asks for: {terms}"), asks, max(0, -pays)),
    ):
        names = [printed[deed].name for deed in deeds] + ([show(notes)] if notes else [])
        lines = in_lines(title.format(terms=all_of(names) or _("nothing")), size, int(width), 2)
        top = pen.write_lines(lines, (left, top), Ink.BRIGHT, room=width, pitch=1.15)
    room = int((bottom - top) // size)
    if room > 1:
        words = _(
            "Click districts on the map, or arrows and Space. Money: - and +; a million: N and M."
        )
        lines = in_lines(words, size, int(width), room)
        pen.write_lines(lines, (left, top), Ink.FAINT, room=width)
    words = _("pays {amount}") if pays > 0 else _("gets {amount}")
    words = words.format(amount=show(abs(pays))) if pays else _("no money")
    pen.write(words, (row.middle[0], row.top - size * 0.7), Ink.BRIGHT, "center")
    for place, steps in enumerate(STEPS):
        amount = show(steps * MONEY_STEP).replace("-", "−")
        label = ("+" if steps > 0 else "") + amount
        change = Button(label, "", Command("money", steps))
        spots.append(pen.button(row.column(place, 4, size * 0.3), change))
    row = Box(left, inner.bottom - size * 2, width, size * 1.9)
    offer = Button(_("Offer it"), "enter", Command("send offer"), True)
    cancel = Button(_("Cancel"), "esc", Command("back"))
    spots.append(pen.button(row.column(0, 2, 6), offer))
    spots.append(pen.button(row.column(1, 2, 6), cancel))
    return spots


def draw(
    target: pygame.Surface,
    layout: Layout,
    view: View,
    failed: Callable[[Exception], object] | None = None,
) -> Spots:
    """Draw everything; return the clickable spots, from bottom to top.

    failed  handles the error of a part that cannot be drawn, and the other parts are still drawn;
            None raises it
    """
    pen = Pen(target, layout.text, view.mouse)
    spots: Spots = []
    for paint in PARTS:
        try:
            spots += paint(pen, layout, view) or []
        except Exception as error:
            if failed is None:
                raise
            target.set_clip(None)
            failed(error)
    return spots


def paint_over_the_city(pen: Pen, layout: Layout, view: View) -> Spots:
    """Draw the final result, the sale, its outcome, or a chance card, if there is one."""
    if view.state.phase == "over":
        return paint_end(pen, layout, view) if view.history else []
    if view.state.auction and view.state.phase in IN_SALE:
        return paint_auction(pen, layout, view, view.state.auction)
    if view.sold:
        return paint_outcome(pen, layout, view, view.sold)
    return paint_card(pen, layout, view) if view.drawn >= 0 else []


def paint_toast(pen: Pen, layout: Layout, view: View) -> None:
    """Draw the current notice, such as the loss of the unit."""
    if not view.toast:
        return
    size, city = layout.text, layout.city
    lines = wrapped(view.toast, size, int(city.width * 0.8))
    width = max(text_width(line, size) for line in lines) + size * 2.4
    height = size * (1.3 * len(lines) + 0.9)
    # At the top where it would cover the buttons at the foot of a card.
    has_buttons = bool(view.card or view.history)
    top = layout.board.top if has_buttons else city.bottom - size * 0.5 - height
    box = Box(city.middle[0] - width / 2, top, width, height)
    pen.lay(box, (72, 56, 18), Ink.GOLD)
    pen.write_lines(lines, (box.middle[0], box.top + size * 0.55), Ink.BRIGHT, "midtop", pitch=1.3)


# From bottom to top.
PARTS: tuple[Callable[[Pen, Layout, View], Spots | None], ...] = (
    paint_city,
    paint_unit,
    paint_tools,
    paint_players,
    paint_decision,
    paint_deal,
    paint_log,
    paint_over_the_city,
    paint_deed,
    paint_lookup,
    paint_toast,
)
