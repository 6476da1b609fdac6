"""Dice, jail, moving, arriving on a space, and cards.

A move is a chain of three: `dice` or a card moves the player by `advance` or `go_to`, and `arrive`
applies the space. A space with a deed is for sale, free, or costs rent; any other has a function in
the edition's `arrivals`, and a card one in its `effects`. Each either sets a phase in which
somebody decides, or ends with `flow.proceed`.
"""

from city_game.kernel.flow import owe, proceed
from city_game.kernel.luck import cards
from city_game.kernel.state import BANK, State

TRIES = 3  # at a double, before the fine must be paid


def start_roll(state: State, action: tuple) -> None:
    """Record a player's roll for the start; the highest starts, tied players roll again."""
    if not (rolled := rolled_for_start(state, action)):
        return
    state.tied = [player for player in state.tied if rolled[player] == max(rolled.values())]
    if len(state.tied) > 1:
        return
    state.turn = state.decider = state.tied[0]
    state.phase = "roll"
    state.events.append(("starts", state.turn))


def rolled_for_start(state: State, action: tuple) -> dict[int, int]:
    """Record a roll for the start. Return the rolls by player once all tied players have rolled."""
    _, first, second = action
    player = state.tied[len(state.start_rolls)]
    state.start_rolls.append(first + second)
    state.events.append(("start rolled", player, first, second))
    state.draws += 1
    if len(state.start_rolls) < len(state.tied):
        return {}
    rolled = dict(zip(state.tied, state.start_rolls, strict=True))
    state.start_rolls = []
    return rolled


def roll(state: State, _action: tuple) -> None:
    state.phase, state.decider = "dice", BANK


def why_not_pay_fine(state: State, _action: tuple) -> str:
    return "not-enough-money" if state.cash[state.turn] < state.board.money.jail_fine else ""


def pay_fine(state: State, _action: tuple) -> None:
    """Pay to leave jail, before the roll."""
    player = state.turn
    fine = state.board.money.jail_fine
    state.cash[player] -= fine
    state.events.append(("paid", player, BANK, fine, "fine"))
    leave_jail(state)
    if state.rules.fine_ends_turn:
        state.stopped = True
        proceed(state)


def why_not_use_jail_card(state: State, _action: tuple) -> str:
    return "" if state.jail_cards[state.turn] else "no-jail-card"


def use_jail_card(state: State, _action: tuple) -> None:
    """Leave jail by a card, which goes under the pile."""
    state.pile.append(state.jail_cards[state.turn].pop(0))
    state.events.append(("jail card used", state.turn))
    leave_jail(state)


def leave_jail(state: State) -> None:
    state.jailed[state.turn] = 0
    state.phase = "roll"
    state.events.append(("left jail", state.turn))


def dice(state: State, action: tuple) -> None:
    """Move by the sum of the dice."""
    _, first, second = action
    player = state.turn
    state.rolls += 1
    state.draws += 1
    state.events.append(("rolled", player, first, second))
    double = first == second
    if not state.jailed[player]:
        state.doubles = state.doubles + 1 if double else 0
        if state.doubles == 3:
            jail(state)
            return
    elif double:
        state.doubles = int(state.rules.jail_double_rolls_again)
        leave_jail(state)
    else:
        state.doubles = 0
        if state.jailed[player] < TRIES:
            state.jailed[player] += 1
            proceed(state)
            return
        leave_jail(state)
        owe(state, player, BANK, state.board.money.jail_fine, "fine")
        if state.debts:
            state.steps_owed = first + second
            proceed(state)
            return
    advance(state, first + second)


def move_on(state: State, _action: tuple) -> None:
    """Move by the roll of the last failed try, now that the fine is paid."""
    steps = state.steps_owed
    state.steps_owed = 0
    advance(state, steps)


def advance(state: State, steps: int) -> None:
    """Move forwards, collect the salary at GO, and resolve the space reached."""
    player = state.turn
    place = state.place[player] + steps
    if place >= state.board.size:
        place -= state.board.size
        collect_salary(state, player)
    state.place[player] = place
    arrive(state)


def collect_salary(state: State, player: int) -> None:
    """Pay for passing GO, or landing on it."""
    amount = state.edition.salary(state, player)
    state.cash[player] += amount
    state.events.append(("salary", player, amount))


def go_to_jail(state: State) -> None:
    player = state.turn
    state.place[player] = state.board.jail
    state.jailed[player] = 1
    state.stopped = True
    state.doubles = 0
    state.events.append(("jailed", player))


def arrive(state: State) -> None:
    """Apply the rule of the space where the player stands."""
    player = state.turn
    space = state.place[player]
    deed = state.board.deed_on[space]
    if deed < 0:
        state.events.append(("arrived", player, space))
        state.edition.arrivals[state.board.kinds[space]](state, player, space)
        return
    state.events.append(("landed", player, deed))
    if state.edition.landed(state, deed):
        return
    owner = state.owner[deed]
    if owner < 0:
        state.phase, state.decider = "unsold", player
        return
    is_free = owner == player or state.mortgage[deed]
    if due := 0 if is_free else state.edition.rent(state, deed):
        owe(state, player, owner, due, "rent", deed)
    proceed(state)


def draw_card(state: State, _player: int, space: int) -> None:
    draw_from(state, state.board.kinds[space])


def draw_from(state: State, deck: str) -> None:
    state.deck = deck
    if not cards(state):  # players hold all of them
        proceed(state)
        return
    state.phase, state.decider = "chance", BANK


def pay_tax(state: State, player: int, space: int) -> None:
    owe(state, player, BANK, state.board.taxes[space], "tax")
    proceed(state)


def jail(state: State, _player: int = -1, _space: int = -1) -> None:
    """Send the player to jail, for a third double, by a space, or by a card."""
    go_to_jail(state)
    proceed(state)


ARRIVALS = {
    "go": proceed,
    "jail": proceed,
    "chance": draw_card,
    "tax": pay_tax,
    "parking": proceed,
    "go to jail": jail,
}


# The effects of cards.


def why_not_card(state: State, action: tuple) -> str:
    return "" if action[1] in cards(state) else "not-on-top"


def card(state: State, action: tuple) -> None:
    drawn = action[1]
    state.draws += 1
    (state.unseen if drawn in state.unseen else state.pile).remove(drawn)
    printed = state.board.cards[drawn]
    state.events.append(("card", state.turn, drawn))
    if printed.does != "leave jail":  # that card is held until used
        state.pile.append(drawn)
        state.edition.effects[printed.does](state, state.turn, printed.amount)
        return
    state.jail_cards[state.turn].append(drawn)
    proceed(state)


def receive(state: State, player: int, amount: int) -> None:
    state.cash[player] += amount
    state.events.append(("received", player, amount))
    proceed(state)


def pay(state: State, player: int, amount: int) -> None:
    owe(state, player, BANK, amount, "card")
    proceed(state)


def receive_from_each(state: State, player: int, amount: int) -> None:
    for other in state.others(player):
        owe(state, other, player, amount, "card")
    proceed(state)


def pay_each(state: State, player: int, amount: int) -> None:
    for other in state.others(player):
        owe(state, player, other, amount, "card")
    proceed(state)


def move(state: State, player: int, amount: int) -> None:
    if amount > 0:
        advance(state, amount)
        return
    state.place[player] = (state.place[player] + amount) % state.board.size
    arrive(state)


def go_to(state: State, player: int, space: int) -> None:
    advance(state, (space - state.place[player] - 1) % state.board.size + 1)


EFFECTS = {
    "receive": receive,
    "pay": pay,
    "receive from each": receive_from_each,
    "pay each": pay_each,
    "move": move,
    "go to": go_to,
    "jail": jail,
}
