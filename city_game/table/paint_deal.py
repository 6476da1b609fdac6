"""The deal that is being put together, in the place of the decision."""

from city_game import texts_table as texts
from city_game.money import show
from city_game.table.deal_draft import MONEY_STEP
from city_game.table.layout import Box
from city_game.table.paint_panel import button
from city_game.table.pens import (
    FAINT,
    GOLD,
    INK,
    PANEL,
    badge,
    panel,
    put,
    wrapped,
    write,
)


def paint_deal(target, screen) -> None:
    """Draw the deal that is being put together."""
    draft, session = screen.deal, screen.session
    board = session.state.board
    size = screen.layout.text
    box = screen.layout.decision
    panel(target, box, PANEL, GOLD)
    inner = box.shrink(size * 0.6)
    words = texts.DEAL_TITLE.format(name=session.names[draft.proposer])
    write(target, words, (inner.left, inner.top), size, FAINT, room=inner.width)
    top = inner.top + size * 1.4
    chip = Box(inner.left, top, inner.width, size * 1.9)
    button(target, screen, chip, session.names[draft.partner], screen.next_partner, "tab")
    put(target, badge(draft.partner, round(size * 1.5)), (chip.right - size * 1.2, chip.middle[1]))
    top = chip.bottom + size * 0.4
    for title, districts, notes in (
        (texts.YOU_GIVE, draft.gives, max(0, draft.pays)),
        (texts.YOU_ASK, draft.asks, max(0, -draft.pays)),
    ):
        names = [board.districts[one].name for one in districts] + ([show(notes)] if notes else [])
        words = f"{title}: {', '.join(names) or texts.NOTHING}"
        for line in wrapped(words, size, int(inner.width))[:2]:
            write(target, line, (inner.left, top), size, INK)
            top += size * 1.15
    for line in wrapped(texts.DEAL_HELP, round(size * 0.86), int(inner.width))[:3]:
        write(target, line, (inner.left, top), round(size * 0.86), FAINT)
        top += size
    row = Box(inner.left, inner.bottom - size * 4.2, inner.width, size * 1.9)
    _money(target, screen, row)
    row = Box(inner.left, inner.bottom - size * 2, inner.width, size * 1.9)
    button(target, screen, row.column(0, 2, 6), texts.SEND_OFFER, screen.send_offer, "enter", True)
    button(target, screen, row.column(1, 2, 6), texts.CANCEL, screen.back, "esc")


def _money(target, screen, row: Box) -> None:
    """Draw what is paid, and the buttons that change it."""
    draft, size = screen.deal, screen.layout.text
    words = texts.PAYS if draft.pays > 0 else texts.GETS
    words = words.format(amount=show(abs(draft.pays))) if draft.pays else texts.NO_MONEY
    write(target, words, (row.middle[0], row.top - size * 0.7), size, INK, "center")
    for place, by in enumerate((-10, -1, 1, 10)):
        sum_ = ("+" if by > 0 else "") + show(by * MONEY_STEP).replace("-", texts.LESS)
        box = row.column(place, 4, size * 0.3)
        button(target, screen, box, sum_, lambda by=by: screen.change_money(by), name=f"money {by}")
