"""What might be done: for each action the values worth a look, which the guards then sift."""

from collections.abc import Callable, Iterable, Iterator
from itertools import product

from city_game.kernel import luck
from city_game.kernel.actions import ACTIONS
from city_game.kernel.sales import least_bid
from city_game.kernel.state import State

KINDS = ("residential", "industrial")
MOST_OF_A_PERMIT = 3
# What happens by itself, or has too many forms to list.
UNLISTED = (
    *("offer", "deal light on", "deal light off", "timed out"),
    *("refused bid", "refused", "interrupted", "hour ended", "new hour"),
)


def candidates(state: State, name: str) -> Iterator[tuple]:
    """Yield the forms of an action: all combinations of the values that its fields may have."""
    if name in UNLISTED:
        return
    if name in FORMS:
        yield from FORMS[name](state)
        return
    values = [VALUES[field](state) for field in ACTIONS[name].fields]
    for combination in product(*values):
        yield (name, *combination)


def _deeds(state: State) -> range:
    return range(len(state.owner))


VALUES: dict[str, Callable[[State], Iterable]] = {
    "one": lambda _state: range(1, 7),
    "other": lambda _state: range(1, 7),
    "district": _deeds,
    "card": luck.cards,
    "permit": lambda _state: luck.PERMITS,
    "kind": lambda _state: KINDS,
    "blocks": lambda _state: range(1, MOST_OF_A_PERMIT + 1),
    "piece": lambda state: (*state.box_bonuses, *state.box_hazards),
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
