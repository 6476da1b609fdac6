"""What happened, in words: the events of the rules as sentences of the log."""

from collections.abc import Callable, Iterable
from typing import Any

from city_game.editions.board import Board
from city_game.editions.money import show
from city_game.kernel.state import Auction, State
from city_game.report.bid_log import CLOSE_MS, was_close
from city_game.report.reasons import REASONS
from city_unit.desktop.catalogue import _, lazy, ngettext, nlazy, of_file, plazy
from city_unit.desktop.forms import all_of, seconds

# event: what its values are; each name says how it is written
FIELDS = {
    "start rolled": ("player", "first", "second"),
    "starts": ("player",),
    "turn": ("player",),
    "rolls again": ("player",),
    "rolled": ("player", "first", "second"),
    "landed": ("player", "district"),
    "arrived": ("player", "space"),
    "travelled": ("player", "district"),
    "salary": ("player", "amount"),
    "jailed": ("player",),
    "left jail": ("player",),
    "jail card used": ("player",),
    "rent": ("player", "district", "amount"),
    "paid": ("player", "creditor", "amount", "why"),
    "untaxed": ("player",),
    "received": ("player", "amount"),
    "dodged": ("player", "district", "amount"),
    "dodge card taken": ("player", "holder"),
    "mortgaged": ("player", "district", "amount"),
    "lifted": ("player", "district", "amount"),
    "bankrupt": ("player", "creditor"),
    "starts anew": ("player", "creditor"),
    "bought": ("player", "district", "amount"),
    "put up": ("opener", "district", "amount"),
    "light on": ("district", "at"),
    "bid": ("player", "amount", "at"),
    "passed": ("player",),
    "too late": ("player", "amount", "late", "within"),
    "bid refused": ("player", "amount", "reason"),
    "light out": ("district", "at"),
    "cancelled": ("district",),
    "interrupted": ("district",),
    "sold": ("player", "district", "amount", "left", "within"),
    "unsold": ("district",),
    "card": ("player", "card"),
    "knocked down": ("player", "district", "count", "kind"),
    "permission lapsed": ("player",),
    "placed": ("player", "piece", "district"),
    "granted": ("player", "permit"),
    "built": ("player", "district", "count", "kind", "amount"),
    "station built": ("player", "district"),
    "landmark built": ("player", "piece", "district"),
    "cleared": ("player", "hazard", "district"),
    "offered": ("player", "partner", "gives", "asks", "amount", "cards"),
    "agreed": ("player", "partner"),
    "declined": ("player", "partner"),
    "timed out": ("player", "partner"),
    "hour ended": ("at",),
    "new hour": ("at",),
    "worth": ("player", "amount"),
    "won": ("player",),
}

# event: its sentence; the names in braces are fields of `FIELDS`
EVENTS = {
    "start rolled": lazy("{player} rolls {first} and {second} for the start."),
    "starts": lazy("{player} starts."),
    "turn": lazy("It is {player}'s turn."),
    "rolls again": lazy("{player} rolls again."),
    "rolled": lazy("{player} rolls {first} and {second}."),
    "landed": lazy("{player} lands on {district}."),
    "arrived": lazy("{player} comes to {space}."),
    "travelled": lazy("{player} takes the train to {district}."),
    "salary": lazy("{player} passes GO and gets {amount}."),
    "jailed": lazy("{player} goes to jail."),
    "left jail": lazy("{player} leaves jail."),
    "jail card used": lazy("{player} uses a card to leave jail."),
    "rent": lazy("{player} owes a rent of {amount} at {district}."),
    "paid": lazy("{player} pays {amount} to {creditor} ({why})."),
    "untaxed": lazy("{player} owns no factory, and pays no tax."),
    "received": lazy("{player} gets {amount} from the bank."),
    "dodged": lazy("{player} dodges the rent of {amount} at {district}."),
    "dodge card taken": lazy("{player} takes the rent dodge card from {holder}."),
    "mortgaged": lazy("{player} mortgages {district} for {amount}."),
    "lifted": lazy("{player} lifts the mortgage of {district} for {amount}."),
    "bankrupt": lazy("{player} is bankrupt; all goes to {creditor}."),
    "starts anew": lazy(
        "{player} cannot pay: all goes to {creditor}, the rest is waived, and {player} plays on."
    ),
    "bought": lazy("{player} buys {district} for {amount}."),
    "put up": lazy("{district} comes under the hammer; {opener} opens at {amount}."),
    "light on": lazy("The light is on: bids for {district}, please."),
    "bid": lazy("{player} bids {amount}."),
    "passed": lazy("{player} passes."),
    "too late": lazy(
        "{player}'s bid of {amount} came {late} after the light went out (give or take {within}) "
        "and does not count."
    ),
    "long too late": lazy(
        "{player}'s bid of {amount} came after the light went out and does not count."
    ),
    "too close": lazy(
        "{player}'s bid of {amount} came {late} before the light went out, give or take "
        "{within}: too close to count."
    ),
    "bid refused": lazy("{player}'s bid of {amount} does not count: {reason}."),
    "light out": lazy("The light is out: the sale of {district} has ended."),
    "cancelled": lazy("The sale of {district} was cancelled; it is held again."),
    "interrupted": lazy(
        "The sale of {district} was interrupted; it goes on with its bids and the time left."
    ),
    "sold": lazy(
        "{district} goes to {player} for {amount}, bid {left} before the light went out (give or "
        "take {within})."
    ),
    "sold plainly": lazy("{district} goes to {player} for {amount}."),
    "sold by passes": lazy("Nobody else wants to bid: {district} goes to {player} for {amount}."),
    "unsold": lazy("Nobody bids for {district}; it stays with the bank."),
    "card": lazy("{player} draws a card: {card}"),
    "knocked down": lazy("{player} loses {blocks} in {district}."),
    "permission lapsed": lazy("{player} may place a building, but there is nothing to place."),
    "placed": lazy("{player} places {piece} in {district}."),
    "granted": lazy("The unit grants {player} a permit: {permit}."),
    "built": lazy("{player} builds {blocks} in {district} for {amount}."),
    "station built": lazy("{player} builds a station in {district}."),
    "landmark built": lazy("{player} builds {piece} in {district}."),
    "cleared": lazy("{player} clears {hazard} from {district}."),
    "offered": lazy("{player} offers {partner} a deal: {gives} for {asks}."),
    "agreed": lazy("{player} and {partner} have a deal."),
    "declined": lazy("{player} declines {partner}'s deal."),
    "timed out": lazy("The light is out before {partner} answers {player}; there is no deal."),
    "hour ended": lazy("The hour is over: the game ends after this turn."),
    "new hour": lazy("Another hour begins."),
    "worth": lazy("{player} is worth {amount}."),
    "won": lazy("{player} wins."),
}

SALE_ENDS = ("sold", "unsold", "cancelled")  # the events with which a sale ends
PEOPLE = ("player", "partner", "creditor", "holder", "opener")
TIMES = ("at", "late", "left", "within")

# What files and the state call by a name of their own, as the sentences above say it.
WHY_PAID = {
    "rent": plazy("paid for", "rent"),
    "tax": plazy("paid for", "tax"),
    "fine": plazy("paid for", "fine"),
    "card": plazy("paid for", "card"),
}
ARRIVED_AT = {
    "go": plazy("comes to a space", "GO"),
    "chance": plazy("comes to a space", "chance"),
    "auction": plazy("comes to a space", "the auction space"),
    "planning": plazy("comes to a space", "planning permission"),
    "tax": plazy("comes to a space", "the industry tax"),
    "jail": plazy("comes to a space", "jail, just visiting"),
    "parking": plazy("comes to a space", "free parking"),
    "go to jail": plazy("comes to a space", '"Go to jail"'),
}
PERMITS = {
    "1": lazy("1 block"),
    "2": lazy("2 blocks"),
    "3": lazy("3 blocks"),
    "station": lazy("a station"),
}
BLOCKS = {
    "residential": nlazy("{count} home", "{count} homes"),
    "industrial": nlazy("{count} factory", "{count} factories"),
}
PIECES = {
    "school": plazy("places, builds", "a school"),
    "park": plazy("places, builds", "a park"),
    "wind farm": plazy("places, builds", "a wind farm"),
    "water tower": plazy("places, builds", "a water tower"),
    "power station": plazy("places, builds", "a power station"),
    "sewage works": plazy("places, builds", "a sewage works"),
    "prison": plazy("places, builds", "a prison"),
    "rubbish dump": plazy("places, builds", "a rubbish dump"),
    "stadium": plazy("places, builds", "a stadium"),
    "skyscraper": plazy("places, builds", "a skyscraper"),
    "tower": plazy("places, builds", "the tower"),
}
CLEARED = {
    "power station": plazy("clears", "the power station"),
    "sewage works": plazy("clears", "the sewage works"),
    "prison": plazy("clears", "the prison"),
    "rubbish dump": plazy("clears", "the rubbish dump"),
}


def latest_in_words(state: State, names: list[str], most: int | None = None) -> list[str]:
    """Return what has happened, a sentence for each event, the latest last; `most` at most.

    Times are in it only where they were close; `bid_log` has them all.
    """
    events = state.events if most is None else state.events[max(0, len(state.events) - most) :]
    sales = reversed(state.sales)
    lines = []
    for event in reversed(events):
        sale = next(sales) if event[0] in SALE_ENDS else None
        lines.append(in_words(event, state.board, names, sale))
    return lines[::-1]


def in_words(event: tuple, board: Board, names: list[str], sale: Auction | None = None) -> str:
    """Return an event as a sentence; of a `sale` that ended, with times only if they were close."""
    kind = event[0]
    values = dict(zip(FIELDS[kind], event[1:], strict=True))
    if kind == "too late" and values["late"] < 0:
        kind, values["late"] = "too close", -values["late"]
    elif kind == "too late" and values["late"] > CLOSE_MS:
        kind = "long too late"
    elif kind == "sold" and sale is not None and not was_close(sale):
        kind = "sold by passes" if sale.was_decided else "sold plainly"
    if kind == "offered":
        values["gives"], values["asks"] = deal_sides(board, *event[3:])
    written = {field: _written(field, value, board, names) for field, value in values.items()}
    if "kind" in values:
        written["blocks"] = BLOCKS[values["kind"]].format(count=values["count"])
    return EVENTS[kind].format(**written)


def deal_sides(
    board: Board, gives: Iterable[int], asks: Iterable[int], pays: int, cards: int
) -> tuple[str, str]:
    """Return what each side of a deal gives, in words: districts, money, jail cards."""
    sides = [[board.deeds[deed].name for deed in side] for side in (gives, asks)]
    if pays:
        sides[pays < 0].append(show(abs(pays)))
    if cards:
        jail_cards = ngettext("{count} jail card", "{count} jail cards", abs(cards))
        sides[cards > 0].append(jail_cards.format(count=abs(cards)))
    return (all_of(sides[0]) or _("nothing"), all_of(sides[1]) or _("nothing"))


# field: how its value is written; not here: players, times, and what is written as it is
WRITTEN: dict[str, Callable[[Any, Board], object]] = {
    "amount": lambda notes, _board: show(notes),
    "district": lambda deed, board: board.deeds[deed].name,
    "space": lambda space, board: ARRIVED_AT[board.kinds[space]],
    "permit": lambda permit, _board: PERMITS[permit],
    "card": lambda card, board: of_file(board.cards[card].text),
    "reason": lambda code, _board: REASONS[code],
    "why": lambda why, _board: WHY_PAID[why],
    "piece": lambda piece, _board: PIECES[piece],
    "hazard": lambda hazard, _board: CLEARED[hazard],
}


def _written(field: str, value: Any, board: Board, names: list[str]) -> str:
    if field in PEOPLE:
        return names[value] if value >= 0 else _("the bank")
    if field in TIMES:
        return seconds(value, 3)
    return str(WRITTEN[field](value, board)) if field in WRITTEN else str(value)
