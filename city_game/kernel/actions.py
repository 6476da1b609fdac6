"""The rules that all editions share: their actions and phases as two tables, and how one is done.

An action is a tuple, its name first. Its guard returns why it cannot be done now. The function
that does it runs only after the guard has found no reason, and so checks nothing again.
`why_not` calls the guard, and everything calls `why_not`.
"""

from collections.abc import Callable, Iterable, Iterator
from itertools import product
from typing import Any, NamedTuple

from city_game.kernel import deals, flow, luck, moves, sales
from city_game.kernel.sales import least_bid
from city_game.kernel.state import Illegal, State, fit


class Action(NamedTuple):
    """An action of the rules.

    fields       the names of its values, in files as well; `state.IS` checks each value
    do           does it
    why_not      returns a reason's code, "" if it can be done; it changes nothing
    is_undoable  whether it is a player's own step that reveals nothing, so the player can undo it
    of_own       whether its first value is a deed of the decider's
    notes_clock  whether a save notes the unit's remaining time at this moment
    is_own       whether the decider does it, and neither chance nor the unit nor the clock
    is_listed    whether its forms can be listed: not if it happens by itself or has too many
    """

    fields: tuple[str, ...]
    do: Callable[[Any, tuple], None]
    why_not: Callable[[Any, tuple], str] = lambda _state, _action: ""
    is_undoable: bool = False
    of_own: bool = False
    notes_clock: bool = False
    is_listed: bool = True
    is_own: bool = True


DEED = ("district",)
AT = ("at",)

# The actions of any edition. An edition takes the ones that it needs, and adds its own.
ACTIONS = {
    # Dice, and moving.
    "start roll": Action(("one", "other"), moves.start_roll, is_own=False),
    "roll": Action((), moves.roll, notes_clock=True),
    "dice": Action(("one", "other"), moves.dice, is_own=False),
    "move on": Action((), moves.move_on),
    "pay fine": Action((), moves.pay_fine, moves.why_not_pay_fine),
    "use card": Action((), moves.use_jail_card, moves.why_not_use_jail_card),
    "card": Action(("card",), moves.card, moves.why_not_card, is_own=False),
    "end turn": Action((), flow.end_turn, notes_clock=True),
    # Buying, and the auctions. The saves call the changes of the unit's light "light on" and
    # "light out", and so does this table.
    "buy": Action((), sales.buy, sales.why_not_buy),
    "put up": Action(("district", "amount"), sales.put_up, sales.why_not_put_up),
    "light on": Action(AT, sales.light_on, is_own=False),
    "bid": Action(sales.BID, sales.bid, sales.why_not_bid, is_own=False),
    "pass": Action(("player", "at"), sales.pass_on, sales.why_not_pass, is_own=False),
    "refused bid": Action(
        (*sales.BID, "why"),
        sales.refused_bid,
        sales.why_not_refuse_bid,
        is_listed=False,
        is_own=False,
    ),
    "light out": Action(AT, sales.light_out, sales.why_not_end, is_own=False),
    "cancelled": Action((), sales.cancelled, is_own=False),
    "interrupted": Action(
        AT, sales.interrupted, sales.why_not_interrupt, is_listed=False, is_own=False
    ),
    "settle": Action((), sales.settle, notes_clock=True, is_own=False),
    # Debts.
    "pay": Action((), flow.pay, flow.why_not_pay),
    "mortgage": Action(DEED, flow.mortgage, flow.why_not_mortgage, True, of_own=True),
    "lift": Action(DEED, flow.lift, flow.why_not_lift, True, of_own=True),
    "bankrupt": Action((), flow.bankrupt, flow.why_not_give_up),
    # Deals.
    "offer": Action(deals.OFFER, deals.offer, deals.refusal, is_listed=False, is_own=False),
    "accept": Action((), deals.accept, deals.why_not_answer),
    "decline": Action((), deals.decline),
    "deal light on": Action(
        AT, deals.light_on, deals.why_not_light_on, is_listed=False, is_own=False
    ),
    "deal light off": Action(
        (), deals.light_off, deals.why_not_light_off, is_listed=False, is_own=False
    ),
    "timed out": Action((), deals.timed_out, deals.why_not_answer, is_listed=False, is_own=False),
    # The unit's hour.
    "hour ended": Action(AT, flow.hour_ended, flow.why_not_end_hour, is_listed=False, is_own=False),
    "new hour": Action(AT, flow.new_hour, is_listed=False, is_own=False),
}

HOUR = ("hour ended", "new hour")

# phase: the actions that have a meaning in it; where an edition has more, it says so
PHASES = {
    "start roll": ("start roll", *HOUR),
    "dice": ("dice", *HOUR),
    "leaving jail": ("move on", *HOUR),
    "unsold": ("put up", "buy", "offer", *HOUR),
    "hammer": ("light on", *HOUR),
    "bidding": ("bid", "pass", "refused bid", "light out", "cancelled", "interrupted", *HOUR),
    "settling": ("bid", "refused bid", "settle", *HOUR),
    "chance": ("card", *HOUR),
    "deal": ("accept", "decline", "deal light on", "deal light off", "timed out", *HOUR),
    "over": (),
}


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
