"""Legal actions, and their execution: `why_not` is the one guard, and everything calls it."""

from city_game.kernel.arguments import fit
from city_game.kernel.candidates import candidates
from city_game.kernel.state import Illegal, State


def why_not(state: State, action: tuple) -> str:
    """Return why an action, whatever it is, cannot be done now: a reason's code, "" if it can."""
    if type(action) is not tuple or not action or type(action[0]) is not str:
        return "not-now"
    rule = state.edition.allowed[state.phase].get(action[0])
    if rule is None:
        return "not-now"
    if (rule.fields or len(action) > 1) and not fit(state, rule.fields, action[1:]):
        return "no-such-thing"
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
        for action in candidates(state, name)
        if not rule.why_not(state, action)
    ]
