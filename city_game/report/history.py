"""Who was worth what over time: a game's steps played again."""

from city_game.game import Game


def worths(game: Game) -> list[list[tuple[int, int]]]:
    """Return for each player (turn, worth in notes) after each turn, the bankruptcy the last."""
    replayed = Game(game.setup)
    points: list[list[tuple[int, int]]] = [[] for _ in game.setup.names]
    turns = -1
    for action in game.actions:
        replayed.do(action)
        state = replayed.state
        if state.turns != turns or state.phase == "over":
            turns = state.turns
            ended = turns + (state.phase == "over")  # no turn begins after the last
            for player, series in enumerate(points):
                if state.alive[player]:
                    series.append((ended, state.edition.worth(state, player)))
                elif series[-1][1]:
                    series.append((ended, 0))
    return points
