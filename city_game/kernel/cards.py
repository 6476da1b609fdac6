"""The effects of cards in any edition."""

from city_game.kernel import flow, luck, moves
from city_game.kernel.debts import owe
from city_game.kernel.state import BANK, State


def why_not_card(state: State, action: tuple) -> str:
    return "" if action[1] in luck.cards(state) else "not-on-top"


def card(state: State, action: tuple) -> None:
    """Draw a card: any that is unseen, then the pile in its order."""
    drawn = action[1]
    state.draws += 1
    (state.unseen if drawn in state.unseen else state.pile).remove(drawn)
    printed = state.board.cards[drawn]
    state.events.append(("card", state.turn, drawn))
    if printed.does != "leave jail":  # kept until used, then under the pile
        state.pile.append(drawn)
        state.edition.effects[printed.does](state, state.turn, printed.amount)
        return
    state.jail_cards[state.turn].append(drawn)
    flow.proceed(state)


def receive(state: State, player: int, amount: int) -> None:
    state.cash[player] += amount
    state.events.append(("received", player, amount))
    flow.proceed(state)


def pay(state: State, player: int, amount: int) -> None:
    owe(state, player, BANK, amount, "card")
    flow.proceed(state)


def receive_from_each(state: State, player: int, amount: int) -> None:
    for other in state.others(player):
        owe(state, other, player, amount, "card")
    flow.proceed(state)


def pay_each(state: State, player: int, amount: int) -> None:
    for other in state.others(player):
        owe(state, player, other, amount, "card")
    flow.proceed(state)


def move(state: State, player: int, amount: int) -> None:
    if amount > 0:
        moves.advance(state, amount)
        return
    state.place[player] = (state.place[player] + amount) % state.board.size
    moves.arrive(state)


def go_to(state: State, player: int, space: int) -> None:
    moves.advance(state, (space - state.place[player] - 1) % state.board.size + 1)


EFFECTS = {
    "receive": receive,
    "pay": pay,
    "receive from each": receive_from_each,
    "pay each": pay_each,
    "move": move,
    "go to": go_to,
    "jail": moves.jail,
}
