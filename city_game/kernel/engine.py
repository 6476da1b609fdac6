"""Legal actions, and their execution: `why_not` is the one guard, and everything calls it."""

from collections.abc import Callable, Iterable, Iterator
from itertools import product

from city_game.kernel import luck
from city_game.kernel.arguments import fit
from city_game.kernel.sales import least_bid
from city_game.kernel.state import Illegal, State


def why_not(state: State, action: tuple) -> str:
    """Return why an action, whatever it is, cannot be done now: a reason's code, "" if it can."""
    if type(action) is not tuple or not action or type(action[0]) is not str:
        return "not-now"
    rule = state.edition.allowed[state.phase].get(action[0])
    if rule is None:
        return "not-now"
    if (rule.checks or action[1:]) and not fit(state, rule.checks, action[1:]):
        return "no-such-thing"
    if rule.of_own and state.owner[action[1]] != state.decider:
        return "not-yours"
    return rule.why_not(state, action)


def apply(state: State, action: tuple) -> None:
    """Do an action; raises Illegal with the reason, and changes nothing, if it cannot be done."""
    reason = why_not(state, action)
    if reason:
        raise Illegal(reason)
    state.edition.actions[action[0]].do(state, action)


def legal_actions(state: State) -> list[tuple]:
    """Return the legal actions; of bids and of opening bids only the lowest.

    There are too many deals to list, and too many times: an action with a time of the unit
    is listed with the latest known time. Call `why_not` for any other action.
    """
    return [
        action
        for name, rule in state.edition.allowed[state.phase].items()
        for action in _candidates(state, name)
        if not rule.why_not(state, action)
    ]


def _candidates(state: State, name: str) -> Iterator[tuple]:
    """Yield the forms of an action: all combinations of the values that its fields may have."""
    if not state.edition.actions[name].is_listed:
        return
    if name in FORMS:
        yield from FORMS[name](state)
        return
    edition = state.edition
    action = edition.actions[name]
    values = [(edition.values.get(field) or VALUES[field])(state) for field in action.fields]
    if action.of_own:
        values[0] = sorted(state.owned[state.decider])
    for combination in product(*values):
        yield (name, *combination)


VALUES: dict[str, Callable[[State], Iterable]] = {
    "one": lambda state: range(1, state.edition.sides + 1),
    "other": lambda state: range(1, state.edition.sides + 1),
    "district": lambda state: range(len(state.owner)),
    "card": luck.cards,
    "amount": lambda state: (state.board.money.least_bid,),
}


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
    "bid": lambda state: [
        ("bid", player, least_bid(state), _latest(state), 0) for player in range(state.players)
    ],
    "pass": lambda state: [("pass", player, _latest(state)) for player in range(state.players)],
    "light out": lambda state: [("light out", _latest(state) + 1)],
}
