"""The bids of a sale as rows, the latest first: who, how much, and when by the unit's clock."""

from city_game import texts_table as texts
from city_game.bid_log import Bid, bids
from city_game.money import show
from city_game.rules.state import Auction
from city_game.table.layout import Box
from city_game.table.pens import FAINT, INK, RED, badge, put, write
from city_game.texts import REASONS

ROW = 1.3  # the height of a row, in letters


def room_for(box: Box, size: int) -> int:
    """Return how many rows fit into a box."""
    return max(0, int(box.height // (size * ROW)))


def paint_bids(target, screen, box: Box, auction: Auction, size: int) -> None:
    """Draw as many of the latest bids as there is room for, and say how many there are before."""
    latest, room = bids(auction)[::-1], room_for(box, size)
    if len(latest) <= room:
        _rows(target, screen, box, latest, size)
        return
    shown = max(0, room - 1)
    _rows(target, screen, box, latest[:shown], size)
    if room:
        words = texts.MORE_BIDS.format(count=len(latest) - shown)
        at = (box.left + size * 1.6, box.top + (shown + 0.5) * size * ROW)
        write(target, words, at, round(size * 0.94), FAINT, "midleft", box.right - at[0])


def paint_page_of_bids(target, screen, box: Box, auction: Auction, size: int, skip: int) -> None:
    """Draw a page full of bids, after the latest `skip`."""
    latest = bids(auction)[::-1]
    _rows(target, screen, box, latest[skip : skip + room_for(box, size)], size)


def _rows(target, screen, box: Box, several: list[Bid], size: int) -> None:
    for place, bid in enumerate(several):
        top = box.top + place * size * ROW
        _row(target, screen, Box(box.left, top, box.width, size * ROW), bid, size)


def _row(target, screen, row: Box, bid: Bid, size: int) -> None:
    ink = RED if bid.why else INK
    middle = row.middle[1]
    put(target, badge(bid.player, round(size * 1.1)), (row.left + size * 0.6, middle))
    name = screen.session.names[bid.player]
    write(target, name, (row.left + size * 1.6, middle), size, ink, "midleft", size * 6.2)
    at = (row.left + size * 11.6, middle)
    write(target, show(bid.amount), at, size, ink, "midright")
    at, small = (row.left + size * 12.4, middle), round(size * 0.94)
    room = row.right - at[0]
    write(target, _words(bid), at, small, RED if bid.why else FAINT, "midleft", room)


def _words(bid: Bid) -> str:
    if not bid.why:
        return _when(bid)
    why = REASONS[bid.why]
    if bid.why == "too-late":
        why = texts.TOO_CLOSE if bid.left and bid.left > 0 else texts.DOES_NOT_COUNT
    return f"{_when(bid)}: {why}"


def _when(bid: Bid) -> str:
    """Say when a bid was made: from the end of the light, or from its start while it is on."""
    if bid.left is None:
        return texts.BID_SINCE.format(since=f"{bid.since / 1000:.3f}", within=bid.within)
    words = texts.BID_BEFORE if bid.left > 0 else texts.BID_AFTER
    return words.format(time=f"{abs(bid.left) / 1000:.3f}", within=bid.within)
