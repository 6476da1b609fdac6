"""The state of a game of City, beside the state of any game."""

from city_game.editions.city.board import Board
from city_game.kernel import state
from city_game.kernel.state import BANK


class State(state.State):
    """One game of City.

    pressed  whether BUILD was pressed since the last roll
    permit   blocks that may still be built
    travel   whether the player stands on a station, to be used
    by_train  whether the player is arriving by station
    dodge    the holder of the rent dodge card; BANK is free parking
    """

    __slots__ = (
        "blocks",
        "bonus",
        "box_blocks",
        "box_bonuses",
        "box_hazards",
        "box_stations",
        "by_train",
        "dodge",
        "hazard",
        "industrial",
        "made_of",
        "permit",
        "pressed",
        "residential",
        "skyscraper",
        "stadium",
        "station",
        "tower",
        "travel",
    )
    board: Board

    def lay_out(self) -> None:
        board, pieces = self.board, self.board.pieces
        deeds = len(board.deeds)
        self.dodge = BANK
        self.residential = [0] * deeds
        self.industrial = [0] * deeds
        self.bonus = [""] * deeds
        self.hazard = [""] * deeds
        self.station = [False] * deeds
        self.stadium = [-1] * len(board.groups)  # the deed where it stands
        self.skyscraper = [-1] * len(board.groups)
        self.tower = -1
        self.blocks = {"residential": self.residential, "industrial": self.industrial}
        # By pieces of 1, 2 and 3 blocks, as they were placed.
        self.made_of = {kind: [(0, 0, 0)] * deeds for kind in self.blocks}
        self.box_blocks = {
            "residential": list(pieces.residential),
            "industrial": list(pieces.industrial),
        }
        self.box_stations = pieces.stations
        self.box_bonuses = dict(pieces.bonuses)
        self.box_hazards = dict(pieces.hazards)
        self.pressed = False
        self.permit = 0
        self.travel = False
        self.by_train = False
