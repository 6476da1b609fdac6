"""The unit's hour: it ends the game after the running turn."""

from city_game.rules.state import Illegal, State


def hour_ended(state: State, action: tuple) -> None:
    if state.hour_over:
        raise Illegal("hour-over-already")
    state.hour_over = True
    state.events.append(("hour ended", action[1]))


def new_hour(state: State, action: tuple) -> None:
    """The players have switched the unit off and on, for another hour."""
    state.hour_over = False
    state.events.append(("new hour", action[1]))
