"""Invariants of every state of a game, whatever its edition."""

from typing import Any

from city_game.editions.city.board import MOST_BLOCKS, room


def check(state: Any) -> None:
    """Money, deeds, cards and buildings are each in one place."""
    board = state.board
    assert min(state.cash) >= 0
    for deed, owner in enumerate(state.owner):
        assert owner == -1 or state.alive[owner]
        assert [deed in owned for owned in state.owned] == [
            owner == player for player in range(state.players)
        ]
        assert owner >= 0 or not state.mortgage[deed]
    for player in range(state.players):
        held = [sum(state.owner[deed] == player for deed in members) for members in board.members]
        assert state.held[player] == held
    cards = [card for hand in state.jail_cards for card in hand]
    assert sorted(state.unseen + state.pile + cards) == list(range(len(board.cards)))
    if hasattr(state, "houses"):  # 5 of them are a hotel
        hotels = state.houses.count(5)
        assert state.bank[0] + sum(state.houses) - 5 * hotels == board.pieces.houses
        assert state.bank[1] + hotels == board.pieces.hotels
    if hasattr(state, "made_of"):
        _check_city(state)


def _check_city(state: Any) -> None:
    pieces = state.board.pieces
    assert state.dodge == -1 or state.alive[state.dodge]
    for deed in range(len(state.owner)):
        assert room(state, deed) >= 0 and not (state.bonus[deed] and state.hazard[deed])
    for kind in ("residential", "industrial"):
        for size, printed in enumerate(getattr(pieces, kind)):
            standing = sum(made[size] for made in state.made_of[kind])
            assert standing + state.box_blocks[kind][size] == printed
            assert state.box_blocks[kind][size] >= 0
        for deed, (ones, twos, threes) in enumerate(state.made_of[kind]):
            assert ones + 2 * twos + 3 * threes == state.blocks[kind][deed] <= MOST_BLOCKS
    assert sum(state.station) + state.box_stations == pieces.stations
    for group, members in enumerate(state.board.members):
        assert {state.stadium[group], state.skyscraper[group]} <= {-1, *members}
    assert sum(at >= 0 for at in state.stadium) <= pieces.stadiums
    assert sum(at >= 0 for at in state.skyscraper) <= pieces.skyscrapers
    for kind, count in pieces.bonuses.items():
        assert state.bonus.count(kind) + state.box_bonuses[kind] == count
    for kind, count in pieces.hazards.items():
        assert state.hazard.count(kind) + state.box_hazards[kind] == count
