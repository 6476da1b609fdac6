"""The deal that is being put together, in the place of the decision."""

import pygame

from city_game.kernel.money import show
from city_game.table.paint.base.drawing import (
    FAINT,
    GOLD,
    INK,
    PANEL,
    badge,
    button,
    in_lines,
    panel,
    write,
    write_lines,
)
from city_game.table.paint.base.layout import Layout
from city_game.table.paint.base.view import Button, Command, Draft, Spots, View
from city_unit.desktop.catalogue import _
from city_unit.desktop.forms import all_of
from sim.face.box import Box
from sim.face.paint import put

STEPS = (-10, -1, 1, 10)  # by how many steps the buttons change what is paid


def paint_deal(target: pygame.Surface, layout: Layout, view: View, draft: Draft) -> Spots:
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
    spots += _money(target, row, size, view, draft)
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


def _money(target: pygame.Surface, row: Box, size: int, view: View, draft: Draft) -> Spots:
    """Draw what is paid, and the buttons that change it."""
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
