"""The effects of the chance cards of City, beside the usual effects."""

from city_game.editions.city import moves
from city_game.editions.city.board import MOST_BLOCKS
from city_game.editions.city.pieces import can_stand, room, stand
from city_game.editions.city.state import State
from city_game.kernel import cards
from city_game.kernel.debts import owe
from city_game.kernel.flow import proceed
from city_game.kernel.state import BANK


def _pay_per_block(state: State, player: int, amount: int) -> None:
    owned = state.owned[player]
    blocks = sum(state.residential[deed] + state.industrial[deed] for deed in owned)
    if blocks:
        owe(state, player, BANK, amount * blocks, "card")
    proceed(state)


def _planning(state: State, player: int, _amount: int) -> None:
    moves.permission(state, player)


def _auction(state: State, player: int, _amount: int) -> None:
    moves.may_auction(state, player)


def _knock_down(state: State, player: int, amount: int) -> None:
    """Take blocks from the player's fullest deed, homes first; all of them, if fewer.

    If the box cannot give change for a larger piece, the whole piece falls.
    """
    owned = state.owned[player]
    built = [deed for deed in owned if state.residential[deed] + state.industrial[deed]]
    if not built:
        proceed(state)
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
    proceed(state)


EFFECTS = {
    **cards.EFFECTS,
    "pay per block": _pay_per_block,
    "planning": _planning,
    "auction": _auction,
    "knock down": _knock_down,
}
