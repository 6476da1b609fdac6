"""Defaults for an edition: the functions that it has unless it brings its own."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, NamedTuple

from city_game.kernel.money import show
from city_unit.desktop.catalogue import _

if TYPE_CHECKING:
    from city_game.kernel.board import Board
    from city_game.kernel.state import State


class Look(NamedTuple):
    """How a deed looks on the table.

    homes, works  pieces of 1, 2 and 3 blocks
    landmarks     other buildings there, by the painter's names for them
    has_station   whether a station stands on its space of the track
    is_doubled    whether its rent is doubled today
    counted       the index of the rent that counts today
    """

    homes: tuple[int, ...] = (0, 0, 0)
    works: tuple[int, ...] = (0, 0, 0)
    landmarks: tuple[str, ...] = ()
    has_station: bool = False
    is_doubled: bool = False
    counted: int = 0


def bare_rent(state: State, deed: int) -> int:
    return state.board.rents[deed][0]


def half_the_price(state: State, deed: int) -> int:
    return state.board.prices[deed] // 2


def as_lent(state: State, deed: int) -> int:
    return state.mortgage[deed]


def plain_salary(state: State, _player: int) -> int:
    return state.board.money.salary


def cash_and_prices(state: State, player: int) -> int:
    """Return cash and the prices of all deeds; of a mortgaged deed half."""
    total = state.cash[player]
    for deed in state.owned[player]:
        price = state.board.prices[deed]
        total += price // 2 if state.mortgage[deed] else price
    return total


def cash_and_loans(state: State, player: int) -> int:
    """Return the cash a player would have with everything mortgaged."""
    loan = state.edition.loan
    return state.cash[player] + sum(
        loan(state, deed) for deed in state.owned[player] if not state.mortgage[deed]
    )


def nothing(_state: State) -> None:
    pass


def nothing_there(_state: State, _deed: int) -> None:
    pass


def nothing_lost(_state: State, _debtor: int, _creditor: int) -> None:
    pass


def no_choice(_state: State, _debtor: int, _why: str) -> bool:
    return False


def no_refusal(_state: State, _action: tuple) -> str:
    return ""


def no_refusal_of_loan(_state: State, _deed: int) -> str:
    return ""


def one_is_left(state: State) -> bool:
    teams = state.edition.teams(state)
    return sum(any(state.alive[player] for player in team) for team in teams) == 1


def each_alone(state: State) -> Sequence[Sequence[int]]:
    return [(player,) for player in range(state.players)]


def hour_is_over(state: State) -> bool:
    return state.hour_over


def plain_look(_state: State, _deed: int) -> Look:
    return Look()


def nothing_to_give(_state: State, _player: int) -> None:
    pass


def worth_nothing(_state: State, _player: int) -> int:
    return 0


def no_prospect(_state: State, _action: tuple) -> float:
    return 0.0


def no_minds() -> Mapping[str, type]:
    return {}


# Words.


def parts_of_worth(state: State, player: int) -> Mapping[str, int]:
    cash = state.cash[player]
    return {_("cash"): cash, _("deeds"): state.edition.worth(state, player) - cash}


def no_words(_state: State) -> str:
    return ""


def nothing_combined(_values: Mapping[str, object]) -> Mapping[str, str]:
    return {}


def no_notes(_state: State, _player: int) -> list[str]:
    return []


def no_sums(_board: Board, _deed: int) -> Mapping[str, int]:
    return {}


def no_label(_state: State, _key: tuple, _targets: dict[int, tuple]) -> str:
    return ""


def no_target_detail(_state: State, _action: tuple) -> str | None:
    return None


def no_deed_words(state: State, deed: int) -> tuple[str, ...]:
    today = 0 if state.mortgage[deed] else state.edition.rent(state, deed)
    return (_("Now: {rent}").format(rent=show(today)),)


def row_of_rents(_board: Board, _deed: int, row: int) -> str:
    return _("rent") if not row else str(row)


def short_rents(board: Board, deed: int) -> str:
    """Return a sentence about the price and the rents of a deed that is for sale."""
    words = _("{district} costs {price}. Its rent: {rent}.")
    price, rent = show(board.prices[deed]), show(board.rents[deed][0])
    return words.format(district=board.deeds[deed].name, price=price, rent=rent)
