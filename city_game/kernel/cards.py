"""What the chance cards do."""

from city_game.editions.board import MOST_BLOCKS
from city_game.kernel import flow, luck, moves
from city_game.kernel.debts import owe
from city_game.kernel.pieces import can_stand, room, stand
from city_game.kernel.state import BANK, State


def why_not_card(state: State, action: tuple) -> str:
    return "" if action[1] in luck.cards(state) else "not-on-top"


def card(state: State, action: tuple) -> None:
    """Draw a card: any that is unseen, then the pile in its order."""
    drawn = action[1]
    state.draws += 1
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
    owned = state.owned[player]
    blocks = sum(state.residential[deed] + state.industrial[deed] for deed in owned)
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


def _knock_down(state: State, player: int, amount: int) -> None:
    """Take blocks from the player's fullest deed, homes first; all that are there, if fewer.

    Where the box cannot give change for a larger piece, that piece falls whole.
    """
    owned = state.owned[player]
    built = [deed for deed in owned if state.residential[deed] + state.industrial[deed]]
    if not built:
        flow.proceed(state)
        return
    prices = state.board.prices
    full = max(built, key=lambda deed: (MOST_BLOCKS - room(state, deed), prices[deed]))
    for kind, blocks in state.blocks.items():
        falls = min(amount, blocks[full])
        if not falls:
            continue
        while not can_stand(state, kind, full, -falls):
            falls += 1
        stand(state, kind, full, -falls)
        amount = max(0, amount - falls)
        state.events.append(("knocked down", player, full, falls, kind))
    flow.proceed(state)


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
    "knock down": _knock_down,
}
