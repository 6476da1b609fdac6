"""What is looked up at the table: a card over the city, or a deed."""

from city_game.kernel.state import Auction, State
from city_game.table.paint.base.layout import Layout
from city_game.table.paint.cards.paint_lookup import bids_on_a_page, pages_of


class Lookups:
    """What lies open.

    card  "help", "rules", "bids", "phones", "" for nothing
    page  of the card, from 0 on
    deed  the deed that is shown, -1 for none
    """

    def __init__(self) -> None:
        self.card = ""
        self.page = 0
        self.deed = -1

    def turn_over(self, card: str) -> None:
        """Open a card at its first page, or close it."""
        self.card = "" if self.card == card else card
        self.page = 0

    def close(self) -> None:
        """Close all that is open."""
        self.card, self.deed = "", -1

    def close_deed(self) -> None:
        self.deed = -1

    def turn_page(self, by: int, pages: int) -> None:
        """Turn the card's pages, of which there are so many, and begin again after the last."""
        self.page = (self.page + by) % max(1, pages)

    def look_at_next(self, by: int, deeds: int) -> None:
        """Show another deed, `by` deeds on."""
        self.deed = (self.deed + by) % deeds

    def pages(self, state: State, layout: Layout) -> int:
        """Return how many pages the open card has; bids have none before the first sale."""
        if self.card == "bids":
            return len(bid_pages(state, layout))
        return pages_of(self.card, layout, state.edition)


def bid_pages(state: State, layout: Layout) -> list[tuple[Auction, int]]:
    """Return for each page of bids its sale, and how many later bids are on the pages before.

    The latest sale comes first; one of many bids takes several pages.
    """
    room = bids_on_a_page(layout)
    return [
        (sale, skip)
        for sale in reversed(state.sales)
        for skip in range(0, max(1, len(sale.bids) + len(sale.refused)), room)
    ]
