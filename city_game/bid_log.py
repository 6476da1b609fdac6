"""Who really called out the last bid: all bids of a sale, in the order of the unit's clock."""

from dataclasses import dataclass

from city_game import texts
from city_game.board import Board
from city_game.money import show
from city_game.rules.state import Auction


@dataclass(frozen=True)
class Bid:
    """One bid as it was called out; times in ms of the unit's clock.

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
    every = [*((*one, "") for one in auction.bids), *auction.refused]
    started, ended = auction.started or 0, auction.ended
    return [
        Bid(player, amount, at, at - started, None if ended is None else ended - at, within, why)
        for player, amount, at, within, why in sorted(every, key=lambda one: one[2])
    ]


def tell_bids(auction: Auction, board: Board, names: list[str]) -> list[str]:
    """Return the bids of a sale as lines of a table, its head first."""
    head = texts.BIDS_CANCELLED if auction.ended is None else texts.BIDS_HEAD
    times = {"on": _seconds(auction.started), "out": _seconds(auction.ended)}
    district = board.districts[auction.district].name
    rows = [texts.BIDS_COLUMNS, *(_row(bid, names) for bid in bids(auction))]
    widths = [max(len(row[column]) for row in rows) for column in range(len(texts.BIDS_COLUMNS))]
    lines = [
        "    " + "  ".join(word.ljust(width) for word, width in zip(row, widths, strict=True))
        for row in rows
    ]
    return ["  " + head.format(district=district, **times), *(line.rstrip() for line in lines)]


def _row(bid: Bid, names: list[str]) -> tuple[str, ...]:
    verdict = texts.REASONS[bid.why] if bid.why else texts.BID_COUNTS
    if bid.why == "too-late" and bid.left and bid.left > 0:
        verdict = texts.BID_TOO_CLOSE
    times = (_seconds(bid.at), _seconds(bid.since), _seconds(bid.left), _seconds(bid.within))
    return (names[bid.player], show(bid.amount), *times, verdict)


def _seconds(ms: int | None) -> str:
    return "-" if ms is None else f"{ms / 1000:.3f}"
