"""The bids of a sale as rows, the latest first: who, how much, and when by the unit's clock."""

import pygame

from city_game.kernel.money import show
from city_game.report.bid_log import Bid
from city_game.report.reasons import REASONS
from city_game.table.paint.base.drawing import FAINT, INK, RED, badge, write
from city_unit.desktop.catalogue import _
from city_unit.desktop.forms import milliseconds, seconds
from sim.face.box import Box
from sim.face.paint import put

Names = tuple[str, ...]

ROW = 1.3  # the height of a row, in letters
NARROW_ROW = 29  # heights of letters: in a row that is narrower there is no room for words


def room_for(box: Box, size: int) -> int:
    """Return how many rows fit into a box."""
    return max(0, int(box.height // (size * ROW)))


def paint_bids(
    target: pygame.Surface, box: Box, size: int, names: Names, latest: tuple[Bid, ...]
) -> None:
    """Draw as many of the latest bids as there is room for, and say how many there are before."""
    room = room_for(box, size)
    if len(latest) <= room:
        paint_rows(target, box, size, names, latest)
        return
    shown = max(0, room - 1)
    paint_rows(target, box, size, names, latest[:shown])
    if room:
        words = _("and {count} before these: F3, once the sale is over").format(
            count=len(latest) - shown
        )
        at = (box.left + size * 1.6, box.top + (shown + 0.5) * size * ROW)
        write(target, words, at, size, FAINT, "midleft", box.right - at[0])


def paint_rows(
    target: pygame.Surface, box: Box, size: int, names: Names, several: tuple[Bid, ...]
) -> None:
    """Draw a row for each bid, from the top of the box."""
    for place, bid in enumerate(several):
        top = box.top + place * size * ROW
        _row(target, Box(box.left, top, box.width, size * ROW), size, names[bid.player], bid)


def _row(target: pygame.Surface, row: Box, size: int, name: str, bid: Bid) -> None:
    ink = RED if bid.why else INK
    middle = row.middle[1]
    put(target, badge(bid.player, round(size * 1.1)), (row.left + size * 0.6, middle))
    is_narrow = row.width < size * NARROW_ROW
    width = size * (4 if is_narrow else 6.2)
    write(target, name, (row.left + size * 1.6, middle), size, ink, "midleft", width)
    amount_to = size * (9.4 if is_narrow else 11.6)
    write(target, show(bid.amount), (row.left + amount_to, middle), size, ink, "midright")
    at = (row.left + amount_to + size * 0.8, middle)
    words = _figures(bid) if is_narrow else _words(bid)
    write(target, words, at, size, RED if bid.why else FAINT, "midleft", row.right - at[0])


def _figures(bid: Bid) -> str:
    """Return when a bid was made in figures alone: + from the start of the light, - to its end."""
    ms, sign = (
        (bid.since, "+") if bid.left is None else (abs(bid.left), "+" if bid.left < 0 else "−")
    )
    return f"{sign}{seconds(ms, 3)} ±{milliseconds(bid.within)}"


def _words(bid: Bid) -> str:
    if not bid.why:
        return _when(bid)
    why = str(REASONS[bid.why])
    if bid.why == "too-late":
        why = _("too close to count") if bid.left and bid.left > 0 else _("does not count")
    return f"{_when(bid)}: {why}"


def _when(bid: Bid) -> str:
    """Say when a bid was made: from the end of the light, or from its start while it is on."""
    within = milliseconds(bid.within)
    if bid.left is None:
        words, ms = _("{time} after the light went on (±{within})"), bid.since
    elif bid.left > 0:
        words, ms = _("{time} before the light went out (±{within})"), bid.left
    else:
        words, ms = _("{time} after the light went out (±{within})"), -bid.left
    return words.format(time=seconds(ms, 3), within=within)
