"""The rules that all editions share, as two tables: the actions, and the phases they belong to.

An action is a tuple, its name first. Its guard returns why it cannot be done now. The function
that does it runs only after the guard has found no reason, and so checks nothing again.
"""

from collections.abc import Callable
from typing import Any, NamedTuple

from city_game.kernel import deals, debts, flow, moves, sales
from city_game.kernel.state import State


def _no_reason(_state: State, _action: tuple) -> str:
    return ""


class Action(NamedTuple):
    """An action of the rules.

    fields       the names of its values, in files as well; `arguments.IS` checks each value
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
    why_not: Callable[[Any, tuple], str] = _no_reason
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
    "pay": Action((), debts.pay, debts.why_not_pay),
    "mortgage": Action(DEED, debts.mortgage, debts.why_not_mortgage, True, of_own=True),
    "lift": Action(DEED, debts.lift, debts.why_not_lift, True, of_own=True),
    "bankrupt": Action((), debts.bankrupt, debts.why_not_give_up),
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
