"""The order of a game: the next step, the next turn, the end."""

from collections.abc import Sequence
from typing import Any, NamedTuple

from city_game.kernel.state import BANK, Auction, State


def proceed(state: State) -> None:
    """Go on to the first that is pending."""
    for is_pending in state.edition.pending:
        if is_pending(state):
            return


def debts(state: State) -> bool:
    if not state.debts:
        return False
    state.phase, state.decider = "debt", state.debts[0][0]
    return True


def estate(state: State) -> bool:
    if not state.estate:
        return False
    open_auction(state, state.estate.pop(0))
    return True


def stop(state: State) -> bool:
    """End the turn of a player sent to jail or out of the game; return whether it ended."""
    if not state.stopped and state.alive[state.turn]:
        return False
    end_turn(state)
    return True


def steps(state: State) -> bool:
    if not state.steps_owed:
        return False
    state.phase, state.decider = "leaving jail", state.turn
    return True


def manage(state: State) -> bool:
    """Open the part of the turn in which the player builds, trades, or ends it."""
    state.phase, state.decider = "manage", state.turn
    return True


# Debts come before sales, sales before the rest of the move, and then the player's own actions.
PENDING = (debts, estate, stop, steps, manage)


def open_auction(state: State, *sale: Any) -> None:
    """Put a deed, or a lot, under the hammer (see `Auction`); the unit's light starts it."""
    state.auction = auction = Auction(*sale)
    state.phase, state.decider = "hammer", BANK
    state.events.append(("put up", auction.opener, auction.thing, auction.opening))


def end_turn(state: State, _action: tuple = ()) -> None:
    """Hand the dice on: to the same player after a double, else to the next player."""
    player = state.turn
    again = state.doubles and not state.stopped and state.alive[player]
    if state.edition.is_last_turn(state) and not (again and state.rules.finish_doubles):
        end_game(state)
        return
    if not again:
        state.doubles = 0
        state.turns += 1
        place = state.order.index(player)
        later = state.order[place + 1 :] + state.order[:place]
        state.turn = player = next(other for other in later if state.alive[other])
    state.stopped = False
    state.steps_owed = 0
    state.edition.begin_turn(state)
    state.phase, state.decider = ("jail" if state.jailed[player] else "roll"), player
    state.events.append(("rolls again" if again else "turn", player))


class Standing(NamedTuple):
    """A team in the order of wealth, the richest first; in most editions each player is one.

    place    1 for the richest; equal ones share it
    players  the seats of the team
    worth    of its richest player in notes, 0 for bankrupts
    """

    place: int
    players: Sequence[int]
    worth: int


def wealth(state: State) -> list[int]:
    """Return the wealth of each player in notes, 0 for bankrupts."""
    return [
        state.edition.worth(state, player) if state.alive[player] else 0
        for player in range(state.players)
    ]


def standing(state: State) -> list[Standing]:
    """Return the teams of a game, which may go on or be over, in the order of their wealth.

    A team that is out comes behind one that has nothing left.
    """
    worths, alive = wealth(state), state.alive
    best = [
        (max(worths[player] if alive[player] else -1 for player in team), team)
        for team in state.edition.teams(state)
    ]
    return sorted(
        Standing(1 + sum(other > worth for other, _team in best), team, max(0, worth))
        for worth, team in best
    )


def end_game(state: State) -> None:
    """Count the worth of each player; the richest win, with their teams."""
    first = [one.players for one in standing(state) if one.place == 1]
    state.winners = sorted(player for team in first for player in team)
    state.phase, state.decider = "over", BANK
    for player in range(state.players):
        if state.alive[player]:
            state.events.append(("worth", player, state.edition.worth(state, player)))
    for player in state.winners:
        state.events.append(("won", player))


# The unit's hour: it ends the game after the running turn.


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
