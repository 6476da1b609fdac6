"""The state of a game of a championship, beside that of a classic game."""

from city_game.editions.classic import state


class State(state.State):
    """One table of a championship.

    ranks        the players that roll for the start, in the order that is known so far
    offered      by player: the deeds that were dealt and are still to be taken or refused
    ready        how many players have no more deals to make before play begins
    playing      whether play has been called
    round        the number of the round that is played, from 0 on
    last_place   of the player with the turn, in the order of play
    final_round  the number of the last round, -1 while it has not been called
    """

    __slots__ = (
        "final_round",
        "last_place",
        "offered",
        "playing",
        "ranks",
        "ready",
        "round",
    )

    def lay_out(self) -> None:
        super().lay_out()
        juniors = self.players // 2 if self.rules.partners_play_apart else self.players
        self.tied = list(range(juniors))
        self.ranks = [self.tied]
        self.offered: list[list[int]] = [[] for _ in range(self.players)]
        self.ready = self.round = self.last_place = 0
        self.playing = False
        self.final_round = -1

    def deals_deeds(self) -> bool:
        return False  # only when the dice have decided the order of play

    def full(self) -> int:
        return 4
