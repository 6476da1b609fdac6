"""Invariants of every state of a game."""

from city_game.editions.city.board import MOST_BLOCKS
from city_game.editions.city.pieces import State, room
from tests.city_game.play import BOARD


def check_deeds(state: State) -> None:
    for deed, owner in enumerate(state.owner):
        assert room(state, deed) >= 0
        assert not (state.bonus[deed] and state.hazard[deed])
        assert owner == -1 or state.alive[owner]
        for player in range(state.players):
            assert (deed in state.owned[player]) == (owner == player)
        assert owner >= 0 or not state.mortgage[deed]
    for player in range(state.players):
        for group, members in enumerate(BOARD.members):
            held = sum(state.owner[deed] == player for deed in members)
            assert state.held[player][group] == held
    for group, members in enumerate(BOARD.members):
        assert state.stadium[group] in (-1, *members)
        assert state.skyscraper[group] in (-1, *members)


def check_pieces(state: State) -> None:
    pieces = state.board.pieces
    for kind in ("residential", "industrial"):
        for size in range(3):
            standing = sum(made[size] for made in state.made_of[kind])
            assert standing + state.box_blocks[kind][size] == getattr(pieces, kind)[size]
            assert state.box_blocks[kind][size] >= 0
        for deed, (ones, twos, threes) in enumerate(state.made_of[kind]):
            assert ones + 2 * twos + 3 * threes == state.blocks[kind][deed] <= MOST_BLOCKS
    assert sum(state.station) + state.box_stations == pieces.stations
    assert sum(at >= 0 for at in state.stadium) <= pieces.stadiums
    assert sum(at >= 0 for at in state.skyscraper) <= pieces.skyscrapers
    for kind, count in pieces.bonuses.items():
        assert state.bonus.count(kind) + state.box_bonuses[kind] == count
    for kind, count in pieces.hazards.items():
        assert state.hazard.count(kind) + state.box_hazards[kind] == count


def check_cards(state: State) -> None:
    held = [card for cards in state.jail_cards for card in cards]
    assert sorted(state.unseen + state.pile + held) == list(range(len(BOARD.cards)))
    assert state.dodge == -1 or state.alive[state.dodge]
