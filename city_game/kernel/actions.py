"""The rules that all editions share: a table of actions, a table of phases, and how they are used.

A game is always in one phase, such as "roll" or "debt", and one player, or the bank, decides. The
phase says which actions are possible. An action is a tuple: its name, then its values. Each
action has a guard and an effect. The guard returns the reason why the action is illegal in this
state, or "" if it is legal. `apply` runs the guard first, so the effect checks nothing again. It
changes the state, records events, and sets the next phase, usually with `flow.proceed`.
`why_not` also lets windows, bots and telephones test an action without trying it.
"""

from collections.abc import Callable, Iterable, Iterator
from itertools import product
from typing import Any, NamedTuple

from city_game.kernel import deals, flow, luck, moves, sales
from city_game.kernel.sales import least_bid
from city_game.kernel.state import Illegal, State, are_valid


class Action(NamedTuple):
    """An action of the rules.

    fields       the names of its values, also in files, where a deed is a "district";
                 `state.CHECKS` has the check of each
    do           applies the action to the state
    why_not      the guard: returns the code of a refusal, "" if the action is legal
    is_undoable  whether it is a player's own step that reveals nothing, so the player can undo it
    of_own       whether its first value must be a deed that the deciding player owns
    notes_clock  whether a save records the unit's remaining time with it
    is_own       whether the deciding player performs it, not chance, the unit or the clock
    is_listed    whether `legal_actions` lists it; not if it is automatic or has too many variants
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

# The actions that editions share. An edition uses the ones that it needs, and adds its own.
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
        sales.why_not_refused_bid,
        is_listed=False,
        is_own=False,
    ),
    "light out": Action(AT, sales.light_out, sales.why_not_light_out, is_own=False),
    "cancelled": Action((), sales.cancelled, is_own=False),
    "interrupted": Action(
        AT, sales.interrupted, sales.why_not_interrupt, is_listed=False, is_own=False
    ),
    "settle": Action((), sales.settle, notes_clock=True, is_own=False),
    # Debts.
    "pay": Action((), flow.pay, flow.why_not_pay),
    "mortgage": Action(DEED, flow.mortgage, flow.why_not_mortgage, True, of_own=True),
    "lift": Action(DEED, flow.lift, flow.why_not_lift, True, of_own=True),
    "bankrupt": Action((), flow.bankrupt, flow.why_not_bankrupt),
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

# phase: its possible actions; an edition adds or replaces phases
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
    """Return the code of the reason why an action is illegal now, "" if it is legal.

    Accepts any object as the action, since actions also come from files and telephones.
    """
    if type(action) is not tuple or not action or type(action[0]) is not str:
        return "not-now"
    rule = state.edition.allowed[state.phase].get(action[0])  # an `edition.Rule`
    if rule is None:
        return "not-now"
    if (rule.checks or action[1:]) and not are_valid(state, rule.checks, action[1:]):
        return "no-such-thing"
    if rule.of_own and state.owner[action[1]] != state.decider:
        return "not-yours"
    return rule.why_not(state, action)


def apply(state: State, action: tuple) -> None:
    """Perform an action. Raises Illegal with the reason, and changes nothing, if it is illegal."""
    reason = why_not(state, action)
    if reason:
        raise Illegal(reason)
    state.edition.actions[action[0]].do(state, action)


def legal_actions(state: State) -> list[tuple]:
    """Return the legal actions; for bids and opening bids only the lowest amount.

    Deals are not listed, because there are too many. An action with a time stamp is listed once,
    with the latest known time. Use `why_not` to test any other action.
    """
    return [
        action
        for name, rule in state.edition.allowed[state.phase].items()
        for action in _candidates(state, name)
        if not rule.why_not(state, action)
    ]


def _candidates(state: State, name: str) -> Iterator[tuple]:
    """Yield the variants of an action: all combinations of the values of its fields."""
    if not state.edition.actions[name].is_listed:
        return
    if name in VARIANTS:
        yield from VARIANTS[name](state)
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
    """Return the latest known time in the auction: just before its end, or of the last bid."""
    auction = state.auction
    assert auction is not None and auction.started is not None
    if auction.ended is not None:
        return auction.ended - 1
    return auction.bids[-1].at if auction.bids else auction.started


# The actions with a time stamp of the unit.
VARIANTS: dict[str, Callable[[State], Iterable[tuple]]] = {
    "light on": lambda _state: [("light on", 0)],
    "bid": lambda state: [
        ("bid", player, least_bid(state), _latest(state), 0) for player in range(state.players)
    ],
    "pass": lambda state: [("pass", player, _latest(state)) for player in range(state.players)],
    "light out": lambda state: [("light out", _latest(state) + 1)],
}
