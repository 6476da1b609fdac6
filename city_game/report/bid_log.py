"""All bids of a sale in the order of the unit's clock, which settles the last bid."""

from collections.abc import Sequence
from dataclasses import dataclass

from city_game.kernel.board import Board
from city_game.kernel.money import show
from city_game.kernel.state import Auction
from city_game.report.reasons import REASONS
from city_unit.desktop.catalogue import _
from city_unit.desktop.forms import number

CLOSE_MS = 100  # a difference that people at a table cannot tell: then the log has milliseconds


@dataclass(frozen=True)
class Bid:
    """A bid as it was called out; times in ms of the unit's clock.

    since   after the light went on
    left    before the light went out, negative after it; None if it was stopped
    within  by how much these may be wrong
    why     a reason's code if the bid did not count, else ""
    """

    player: int
    amount: int
    at: int
    since: int
    left: int | None
    within: int
    why: str


def bids(auction: Auction) -> list[Bid]:
    """Return all bids of a sale, those that did not count among them."""
    every = [*((*bid, "") for bid in auction.bids), *auction.refused]
    started, ended = auction.started or 0, auction.ended
    return [
        Bid(player, amount, at, at - started, None if ended is None else ended - at, within, why)
        for player, amount, at, within, why in sorted(every, key=lambda bid: bid[2])
    ]


def was_close(auction: Auction) -> bool:
    """Return whether the last bid that counts has another player's, or the light's end, near it."""
    if not auction.bids or auction.ended is None:
        return False
    player, _amount, at, *_rest = auction.bids[-1]
    others = [bid.at for bid in bids(auction) if bid.player != player]
    return any(abs(at - other) <= CLOSE_MS for other in (*others, auction.ended))


def bids_in_words(auction: Auction, board: Board, names: Sequence[str]) -> list[str]:
    """Return the bids of a sale as lines of a table, its head first."""
    if auction.ended is None:
        head = _("The bids for {district}; the light went on at {on} s and was stopped:")
    else:
        head = _("The bids for {district}; the light went on at {on} s and out at {out} s:")
    times = {"on": _seconds(auction.started), "out": _seconds(auction.ended)}
    deed = board.name_of(auction.thing)
    # All times are in seconds; the column of verdicts has no heading.
    times_of = (_("after on"), _("before out"), _("give or take"))
    rows: list[tuple[str, ...]] = [(_("who"), _("bid"), _("unit's clock"), *times_of, "")]
    for bid in bids(auction):
        verdict = str(REASONS[bid.why]) if bid.why else _("counts")
        if bid.why == "too-late" and bid.left and bid.left > 0:
            verdict = _("too close to count")
        stamps = map(_seconds, (bid.at, bid.since, bid.left, bid.within))
        rows.append((names[bid.player], show(bid.amount), *stamps, verdict))
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    lines = [
        "    " + "  ".join(word.ljust(width) for word, width in zip(row, widths, strict=True))
        for row in rows
    ]
    return ["  " + head.format(district=deed, **times), *(line.rstrip() for line in lines)]


def _seconds(ms: int | None) -> str:
    return "-" if ms is None else number(ms / 1000, 3)
