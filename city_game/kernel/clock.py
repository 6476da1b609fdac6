"""The unit's hour: it ends the game after the running turn."""

from city_game.kernel.state import State


def why_not_end_hour(state: State, _action: tuple) -> str:
    if state.rules.until_one_is_left:
        return "until-one-is-left"
    return "hour-over-already" if state.hour_over else ""


def hour_ended(state: State, action: tuple) -> None:
    state.hour_over = True
    state.events.append(("hour ended", action[1]))


def new_hour(state: State, action: tuple) -> None:
    """The players have switched the unit off and on, for another hour."""
    state.hour_over = False
    state.events.append(("new hour", action[1]))
