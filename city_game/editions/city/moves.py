"""Where a player comes to stand in City: stations, tax, permission, parking, the auction space."""

from city_game.editions.city.planning import placings
from city_game.editions.city.state import State
from city_game.kernel import moves
from city_game.kernel.debts import settled
from city_game.kernel.flow import proceed
from city_game.kernel.state import BANK


def roll(state: State, action: tuple) -> None:
    moves.roll(state, action)
    state.pressed = False


def begin_turn(state: State) -> None:
    state.travel = state.pressed = False


def landed(state: State, deed: int) -> bool:
    """Note whether the player may go on by station."""
    is_there = state.station[deed] and not state.by_train
    state.travel = is_there and any(there and at != deed for at, there in enumerate(state.station))
    return False


def travels(state: State) -> bool:
    """Let a player on a station travel, if the journey is pending; return whether it is."""
    if not state.travel:
        return False
    state.phase = "travel"
    state.decider = state.turn
    return True


def why_not_travel(state: State, action: tuple) -> str:
    deed = action[1]
    here = state.board.space_of[deed] == state.place[state.turn]
    return "no-station" if here or not state.station[deed] else ""


def travel(state: State, action: tuple) -> None:
    """Go by station to another station's deed, and resolve its space."""
    deed = action[1]
    player = state.turn
    space = state.board.space_of[deed]
    state.events.append(("travelled", player, deed))
    if space < state.place[player] and state.rules.travel_passes_go:
        moves.collect_salary(state, player)
    state.place[player] = space
    state.by_train = True
    moves.arrive(state)
    state.by_train = False


def stay(state: State, _action: tuple) -> None:
    state.travel = False
    proceed(state)


def may_auction(state: State, player: int, _space: int = 0) -> None:
    if BANK not in state.owner:
        proceed(state)
        return
    state.phase = "auction space"
    state.decider = player


def leave_it(state: State, _action: tuple) -> None:
    """Auction nothing, from the auction space."""
    proceed(state)


def permission(state: State, player: int, _space: int = 0) -> None:
    """Have the player place a bonus or a hazard, if any can be placed."""
    if next(placings(state), None) is None:
        state.events.append(("permission lapsed", player))
        proceed(state)
        return
    state.phase = "planning"
    state.decider = player


def tax(state: State, player: int, space: int) -> None:
    industrial = state.industrial
    if any(industrial[deed] for deed in state.owned[player]):
        moves.pay_tax(state, player, space)
        return
    state.events.append(("untaxed", player))
    proceed(state)


def parking(state: State, player: int, _space: int) -> None:
    if state.dodge != player:
        state.events.append(("dodge card taken", player, state.dodge))
        state.dodge = player
    proceed(state)


# The rent dodge card.


def may_dodge(state: State, debtor: int, why: str) -> bool:
    return why == "rent" and state.dodge == debtor


def why_not_dodge(state: State, _action: tuple) -> str:
    debt = state.debts[0]
    return "" if may_dodge(state, debt.debtor, debt.why) else "no-dodge-card"


def dodge(state: State, _action: tuple) -> None:
    """Pay no rent, for the rent dodge card."""
    debt = state.debts[0]
    state.dodge = BANK
    state.events.append(("dodged", debt.debtor, debt.deed, debt.amount))
    settled(state)
