"""The rules as one table: in each phase, the actions that have a meaning and what does them.

An action is a tuple, its name first. One that has no row in the phase, or that
the rules refuse, raises `Illegal` with a reason and changes nothing.
"""

from city_game.rules import building, cards, clock, deals, debts, flow, luck, moves, planning, sales
from city_game.rules.legal import LEGAL
from city_game.rules.state import Illegal, State


def _end_turn(state: State, _action: tuple) -> None:
    flow.end_turn(state)


# Done on one's own turn, before the roll or after the move, without a permit.
OWN_TURN = {
    "stadium": building.stadium,
    "skyscraper": building.skyscraper,
    "tower": building.tower,
    "clear": building.clear,
    "lift": debts.lift,
    "mortgage": debts.mortgage,
    "offer": deals.offer,
}

# phase: {action: what does it}
PHASES = {
    "start roll": {"start roll": moves.start_roll},
    "roll": {"roll": moves.roll, **OWN_TURN},
    "jail": {
        "roll": moves.roll,
        "pay fine": moves.pay_fine,
        "use card": moves.use_jail_card,
        **OWN_TURN,
    },
    "dice": {"dice": moves.dice},
    "leaving jail": {"move on": moves.move_on},
    "unsold": {"buy": sales.buy, "put up": sales.put_up, "offer": deals.offer},
    "auction space": {"put up": sales.put_up, "leave": sales.leave_it, "offer": deals.offer},
    "hammer": {"light on": sales.light_on},
    "bidding": {
        "bid": sales.bid,
        "refused bid": sales.refused_bid,
        "light out": sales.light_out,
        "cancelled": sales.cancelled,
    },
    "settling": {"bid": sales.bid, "refused bid": sales.refused_bid, "settle": sales.settle},
    "chance": {"card": cards.card},
    "planning": {"place": planning.place},
    "debt": {
        "pay": debts.pay,
        "dodge": debts.dodge,
        "mortgage": debts.mortgage,
        "bankrupt": debts.bankrupt,
        "offer": deals.offer,
    },
    "travel": {"travel": moves.travel, "stay": moves.stay, "offer": deals.offer},
    "manage": {"press": building.press, "end turn": _end_turn, **OWN_TURN},
    "permit": {"permit": building.permit, "refused": building.refused},
    "build": {"build": building.build, "done": building.done, "offer": deals.offer},
    "station": {"station": building.station, "done": building.done, "offer": deals.offer},
    "deal": {"accept": deals.accept, "decline": deals.decline, "timed out": deals.timed_out},
    "over": {},
}
for _phase, _rows in PHASES.items():
    if _phase != "over":
        _rows["hour ended"] = clock.hour_ended
        _rows["new hour"] = clock.new_hour

CHANCE = luck.CHANCE  # the phases in which chance acts, or the unit


def apply(state: State, action: tuple) -> None:
    """Do an action; raises Illegal with the reason if the rules do not allow it."""
    do = PHASES[state.phase].get(action[0])
    if do is None:
        raise Illegal("not-now")
    do(state, action)


def legal_actions(state: State) -> list[tuple]:
    """Return what may be done now: of bids the least of each player, of openings the least.

    Deals are too many to list (`deals.refusal` judges one), and so are the
    unit's times: the light goes on and out here at the last time that is known.
    """
    return LEGAL[state.phase](state)


__all__ = ["CHANCE", "PHASES", "Illegal", "apply", "legal_actions"]
