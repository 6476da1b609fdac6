"""The rules as two tables: the actions, each with all that is known of it, and their phases.

An action is a tuple, its name first. Its guard says why it cannot be done now; what does it
is asked only after the guard has found no reason, and so need not look again.
"""

from collections.abc import Callable
from typing import NamedTuple

from city_game.kernel import building, cards, clock, deals, debts, flow, moves, planning, sales
from city_game.kernel.state import State


def _no_reason(_state: State, _action: tuple) -> str:
    return ""


class Action(NamedTuple):
    """An action of the rules.

    fields       what its values are called, in files as well; `arguments.IS` says what they may be
    do           does it
    why_not      returns a reason's code, "" if it can be done; it changes nothing
    is_undoable  whether it is a player's own step that reveals nothing, and so can be taken back
    notes_clock  whether it is a moment at which a save notes what the unit's clock has left
    """

    fields: tuple[str, ...]
    do: Callable[[State, tuple], None]
    why_not: Callable[[State, tuple], str] = _no_reason
    is_undoable: bool = False
    notes_clock: bool = False


_DEED = ("district",)
_AT = ("at",)

ACTIONS = {
    # Dice, and moving.
    "start roll": Action(("one", "other"), moves.start_roll),
    "roll": Action((), moves.roll, notes_clock=True),
    "dice": Action(("one", "other"), moves.dice),
    "move on": Action((), moves.move_on),
    "pay fine": Action((), moves.pay_fine, moves.why_not_pay_fine),
    "use card": Action((), moves.use_jail_card, moves.why_not_use_jail_card),
    "travel": Action(_DEED, moves.travel, moves.why_not_travel),
    "stay": Action((), moves.stay),
    "card": Action(("card",), cards.card, cards.why_not_card),
    "place": Action(
        ("piece", "district"), planning.place, planning.why_not_place, is_undoable=True
    ),
    "end turn": Action((), flow.leave_turn, notes_clock=True),
    # Buying, and the auctions. What the unit's light does is called "light on" and "light out"
    # in the saves, and so here.
    "buy": Action((), sales.buy, sales.why_not_buy),
    "put up": Action(("district", "amount"), sales.put_up, sales.why_not_put_up),
    "leave": Action((), sales.leave_it),
    "light on": Action(_AT, sales.light_on, sales.why_not_hammer),
    "bid": Action(sales.BID, sales.bid, sales.why_not_bid),
    "pass": Action(("player", "at"), sales.pass_on, sales.why_not_pass),
    "refused bid": Action((*sales.BID, "why"), sales.refused_bid, sales.why_not_refuse_bid),
    "light out": Action(_AT, sales.light_out, sales.why_not_end),
    "cancelled": Action((), sales.cancelled, sales.why_not_hammer),
    "interrupted": Action(_AT, sales.interrupted, sales.why_not_interrupt),
    "settle": Action((), sales.settle, sales.why_not_hammer, notes_clock=True),
    # Debts.
    "pay": Action((), debts.pay, debts.why_not_pay),
    "dodge": Action((), debts.dodge, debts.why_not_dodge),
    "mortgage": Action(_DEED, debts.mortgage, debts.why_not_mortgage, is_undoable=True),
    "lift": Action(_DEED, debts.lift, debts.why_not_lift, is_undoable=True),
    "bankrupt": Action((), debts.bankrupt, debts.why_not_give_up),
    # Building.
    "press": Action((), building.press, building.why_not_press),
    "permit": Action(("permit",), building.permit, building.why_not_permit, notes_clock=True),
    "refused": Action((), building.refused),
    "build": Action(
        ("district", "kind", "blocks"), building.build, building.why_not_build, is_undoable=True
    ),
    "done": Action((), building.done),
    "station": Action(_DEED, building.station, building.why_not_station, is_undoable=True),
    "stadium": Action(_DEED, building.stadium, building.why_not_stadium, is_undoable=True),
    "skyscraper": Action(_DEED, building.skyscraper, building.why_not_skyscraper, is_undoable=True),
    "tower": Action(_DEED, building.tower, building.why_not_tower, is_undoable=True),
    "clear": Action(_DEED, building.clear, building.why_not_clear, is_undoable=True),
    # Deals.
    "offer": Action(deals.OFFER, deals.offer, deals.refusal),
    "accept": Action((), deals.accept, deals.why_not_answer),
    "decline": Action((), deals.decline, deals.why_not_decline),
    "deal light on": Action(_AT, deals.light_on, deals.why_not_light_on),
    "deal light off": Action((), deals.light_off, deals.why_not_light_off),
    "timed out": Action((), deals.timed_out, deals.why_not_answer),
    # The unit's hour.
    "hour ended": Action(_AT, clock.hour_ended, clock.why_not_end_hour),
    "new hour": Action(_AT, clock.new_hour),
}

# Done on the player's own turn, before the roll or after the move, without a permit.
_OWN_TURN = ("clear", "lift", "mortgage", "stadium", "skyscraper", "tower", "offer")
_HOUR = ("hour ended", "new hour")

# phase: the actions that have a meaning in it
PHASES = {
    "start roll": ("start roll", *_HOUR),
    "roll": ("roll", *_OWN_TURN, *_HOUR),
    "jail": ("roll", *_OWN_TURN, "pay fine", "use card", *_HOUR),
    "dice": ("dice", *_HOUR),
    "leaving jail": ("move on", *_HOUR),
    "unsold": ("put up", "buy", "offer", *_HOUR),
    "auction space": ("leave", "put up", "offer", *_HOUR),
    "hammer": ("light on", *_HOUR),
    "bidding": ("bid", "pass", "refused bid", "light out", "cancelled", "interrupted", *_HOUR),
    "settling": ("bid", "refused bid", "settle", *_HOUR),
    "chance": ("card", *_HOUR),
    "planning": ("place", *_HOUR),
    "debt": ("dodge", "pay", "bankrupt", "mortgage", "offer", *_HOUR),
    "travel": ("stay", "travel", "offer", *_HOUR),
    "manage": ("end turn", *_OWN_TURN, "press", *_HOUR),
    "permit": ("permit", "refused", *_HOUR),
    "build": ("done", "build", "offer", *_HOUR),
    "station": ("done", "station", "offer", *_HOUR),
    "deal": ("accept", "decline", "deal light on", "deal light off", "timed out", *_HOUR),
    "over": (),
}
