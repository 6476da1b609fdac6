"""Dice, jail, and where a player comes to stand."""

from city_game.rules.debts import owe
from city_game.rules.flow import proceed
from city_game.rules.luck import cards, draw_on
from city_game.rules.planning import placings
from city_game.rules.rents import rent, stadiums
from city_game.rules.state import BANK, Illegal, State

TRIES = 3  # at a double, before the fine must be paid


def start_roll(state: State, action: tuple) -> None:
    """Take one player's roll for the start; the highest starts, tied ones roll again."""
    _, one, other = action
    player = state.tied[len(state.start_rolls)]
    state.start_rolls.append(one + other)
    state.events.append(("start rolled", player, one, other))
    draw_on(state)
    if len(state.start_rolls) < len(state.tied):
        return
    best = max(state.start_rolls)
    state.tied = [
        player for player, roll in zip(state.tied, state.start_rolls, strict=True) if roll == best
    ]
    state.start_rolls = []
    if len(state.tied) > 1:
        return
    state.turn = state.decider = state.tied[0]
    state.phase = "roll"
    state.events.append(("starts", state.turn))


def roll(state: State, _action: tuple) -> None:
    state.phase = "dice"
    state.decider = BANK
    state.pressed = False


def pay_fine(state: State, _action: tuple) -> None:
    """Buy oneself out of jail before the roll."""
    player = state.turn
    fine = state.board.money.jail_fine
    if state.cash[player] < fine:
        raise Illegal("not-enough-money")
    state.cash[player] -= fine
    state.events.append(("paid", player, BANK, fine, "fine"))
    _leave_jail(state)


def use_jail_card(state: State, _action: tuple) -> None:
    """Leave jail by a card, which goes under the pile."""
    mine = state.jail_cards[state.turn]
    if not mine:
        raise Illegal("no-jail-card")
    state.pile.append(mine.pop(0))
    state.events.append(("jail card used", state.turn))
    _leave_jail(state)


def _leave_jail(state: State) -> None:
    state.jailed[state.turn] = 0
    state.phase = "roll"
    state.events.append(("left jail", state.turn))


def dice(state: State, action: tuple) -> None:
    """Move by what the dice show."""
    _, one, other = action
    player = state.turn
    state.rolls += 1
    draw_on(state)
    state.events.append(("rolled", player, one, other))
    double = one == other
    if state.jailed[player]:
        _try_to_leave(state, double, one + other)
        return
    state.doubles = state.doubles + 1 if double else 0
    if state.doubles == 3:
        go_to_jail(state)
        proceed(state)
        return
    advance(state, one + other)


def _try_to_leave(state: State, double: bool, steps: int) -> None:
    player = state.turn
    state.doubles = 0
    if double:
        state.doubles = int(state.rules.jail_double_rolls_again)
        _leave_jail(state)
        advance(state, steps)
    elif state.jailed[player] < TRIES:
        state.jailed[player] += 1
        proceed(state)
    else:
        _leave_jail(state)
        owe(state, player, BANK, state.board.money.jail_fine, "fine")
        if state.debts:
            state.steps_owed = steps
            proceed(state)
            return
        advance(state, steps)


def move_on(state: State, _action: tuple) -> None:
    """Go what the last failed try rolled, now that the fine is paid."""
    steps = state.steps_owed
    state.steps_owed = 0
    advance(state, steps)


def advance(state: State, steps: int) -> None:
    """Go forwards, past GO or not, and meet what is there."""
    player = state.turn
    place = state.place[player] + steps
    if place >= state.board.size:
        place -= state.board.size
        collect_salary(state, player)
    state.place[player] = place
    arrive(state, True)


def collect_salary(state: State, player: int) -> None:
    """Pay for passing GO, or landing on it, and for each stadium."""
    board_money = state.board.money
    amount = board_money.salary + board_money.stadium_income * stadiums(state, player)
    state.cash[player] += amount
    state.events.append(("salary", player, amount))


def go_to_jail(state: State) -> None:
    player = state.turn
    state.place[player] = state.board.jail
    state.jailed[player] = 1
    state.stopped = True
    state.travel = False
    state.doubles = 0
    state.events.append(("jailed", player))


def arrive(state: State, may_travel: bool) -> None:
    """Meet the space that the player stands on."""
    player = state.turn
    space = state.place[player]
    district = state.board.standing[space]
    if district < 0:
        state.events.append(("arrived", player, space))
        ARRIVALS[state.board.kinds[space]](state, player, space)
        return
    state.events.append(("landed", player, district))
    state.travel = may_travel and state.station[district] and _elsewhere(state, district)
    owner = state.owner[district]
    if owner < 0:
        state.phase = "unsold"
        state.decider = player
        return
    if owner != player and not state.mortgage[district]:
        owe(state, player, owner, rent(state, district), "rent", district)
    proceed(state)


def _elsewhere(state: State, district: int) -> bool:
    return any(there and at != district for at, there in enumerate(state.station))


def travel(state: State, action: tuple) -> None:
    """Go by station to another station's district, and meet what is there."""
    district = action[1]
    player = state.turn
    space = state.board.space_of[district]
    if not state.station[district] or space == state.place[player]:
        raise Illegal("no-station")
    state.travel = False
    state.events.append(("travelled", player, district))
    if space < state.place[player] and state.rules.travel_passes_go:
        collect_salary(state, player)
    state.place[player] = space
    arrive(state, False)


def stay(state: State, _action: tuple) -> None:
    state.travel = False
    proceed(state)


def _nothing(state: State, _player: int, _space: int) -> None:
    proceed(state)


def _draw_card(state: State, _player: int, _space: int) -> None:
    if not cards(state):  # all are kept in somebody's hand
        proceed(state)
        return
    state.phase = "chance"
    state.decider = BANK


def may_auction(state: State, player: int, _space: int = 0) -> None:
    if BANK not in state.owner:
        proceed(state)
        return
    state.phase = "auction space"
    state.decider = player


def permission(state: State, player: int, _space: int = 0) -> None:
    """Have the player place a bonus or a hazard, if any can be placed."""
    if next(placings(state, player), None) is None:
        state.events.append(("permission lapsed", player))
        proceed(state)
        return
    state.phase = "planning"
    state.decider = player


def _tax(state: State, player: int, space: int) -> None:
    industrial = state.industrial
    if any(industrial[district] for district in state.owned[player]):
        owe(state, player, BANK, state.board.taxes[space], "tax")
    else:
        state.events.append(("untaxed", player))
    proceed(state)


def _parking(state: State, player: int, _space: int) -> None:
    if state.dodge != player:
        state.events.append(("dodge card taken", player, state.dodge))
        state.dodge = player
    proceed(state)


def _jail(state: State, _player: int, _space: int) -> None:
    go_to_jail(state)
    proceed(state)


ARRIVALS = {
    "go": _nothing,
    "jail": _nothing,
    "chance": _draw_card,
    "auction": may_auction,
    "planning": permission,
    "tax": _tax,
    "parking": _parking,
    "go to jail": _jail,
}
