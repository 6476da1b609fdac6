"""What the chance cards do."""

from city_game.rules import flow, luck, moves
from city_game.rules.debts import owe
from city_game.rules.state import BANK, Illegal, State


def card(state: State, action: tuple) -> None:
    """Draw a card: any unseen one, then the pile in its order."""
    drawn = action[1]
    if drawn not in luck.cards(state):
        raise Illegal("not-on-top")
    luck.draw_on(state)
    (state.unseen if state.unseen else state.pile).remove(drawn)
    printed = state.board.cards[drawn]
    state.events.append(("card", state.turn, drawn))
    if printed.does != "leave jail":  # kept until used, then under the pile
        state.pile.append(drawn)
        EFFECTS[printed.does](state, state.turn, printed.amount)
        return
    state.jail_cards[state.turn].append(drawn)
    flow.proceed(state)


def _receive(state: State, player: int, amount: int) -> None:
    state.cash[player] += amount
    state.events.append(("received", player, amount))
    flow.proceed(state)


def _pay(state: State, player: int, amount: int) -> None:
    owe(state, player, BANK, amount, "card")
    flow.proceed(state)


def _pay_per_block(state: State, player: int, amount: int) -> None:
    blocks = sum(state.residential[one] + state.industrial[one] for one in state.owned[player])
    if blocks:
        owe(state, player, BANK, amount * blocks, "card")
    flow.proceed(state)


def _receive_from_each(state: State, player: int, amount: int) -> None:
    for other in range(state.players):
        if other != player and state.alive[other]:
            owe(state, other, player, amount, "card")
    flow.proceed(state)


def _pay_each(state: State, player: int, amount: int) -> None:
    for other in range(state.players):
        if other != player and state.alive[other]:
            owe(state, player, other, amount, "card")
    flow.proceed(state)


def _move(state: State, player: int, amount: int) -> None:
    if amount > 0:
        moves.advance(state, amount)
        return
    state.place[player] = (state.place[player] + amount) % state.board.size
    moves.arrive(state, True)


def _go_to(state: State, player: int, space: int) -> None:
    moves.advance(state, (space - state.place[player] - 1) % state.board.size + 1)


def _jail(state: State, _player: int, _amount: int) -> None:
    moves.go_to_jail(state)
    flow.proceed(state)


def _planning(state: State, player: int, _amount: int) -> None:
    moves.permission(state, player)


def _auction(state: State, player: int, _amount: int) -> None:
    moves.may_auction(state, player)


EFFECTS = {
    "receive": _receive,
    "pay": _pay,
    "pay per block": _pay_per_block,
    "receive from each": _receive_from_each,
    "pay each": _pay_each,
    "move": _move,
    "go to": _go_to,
    "jail": _jail,
    "planning": _planning,
    "auction": _auction,
}
