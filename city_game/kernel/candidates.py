"""Possible actions: for each action the values worth a look, which the guards then filter."""

from collections.abc import Callable, Iterable, Iterator
from itertools import product

from city_game.kernel import luck
from city_game.kernel.sales import least_bid
from city_game.kernel.state import State


def candidates(state: State, name: str) -> Iterator[tuple]:
    """Yield the forms of an action: all combinations of the values that its fields may have."""
    if not state.edition.actions[name].is_listed:
        return
    if name in FORMS:
        yield from FORMS[name](state)
        return
    edition = state.edition
    values = [
        (edition.values.get(field) or VALUES[field])(state)
        for field in edition.actions[name].fields
    ]
    for combination in product(*values):
        yield (name, *combination)


def _deeds(state: State) -> range:
    return range(len(state.owner))


VALUES: dict[str, Callable[[State], Iterable]] = {
    "one": lambda state: range(1, state.edition.sides + 1),
    "other": lambda state: range(1, state.edition.sides + 1),
    "district": _deeds,
    "card": luck.cards,
    "amount": lambda state: (state.board.money.least_bid,),
}


def _bids(state: State) -> Iterator[tuple]:
    least, at = least_bid(state), _latest(state)
    for player in range(state.players):
        yield ("bid", player, least, at, 0)


def _passes(state: State) -> Iterator[tuple]:
    for player in range(state.players):
        yield ("pass", player, _latest(state))


def _latest(state: State) -> int:
    """Return the last time in the auction that is known, before its end."""
    auction = state.auction
    assert auction is not None and auction.started is not None
    if auction.ended is not None:
        return auction.ended - 1
    return auction.bids[-1].at if auction.bids else auction.started


# The actions that have a time of the unit's in them.
FORMS: dict[str, Callable[[State], Iterable[tuple]]] = {
    "light on": lambda _state: [("light on", 0)],
    "bid": _bids,
    "pass": _passes,
    "light out": lambda state: [("light out", _latest(state) + 1)],
}
