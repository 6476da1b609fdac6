"""A minimal edition with four-sided dice, eight spaces and a well of money.

A player at the well gets a note from every other player, which happens in no other edition.
"""

from city_game.kernel import actions, flow, moves
from city_game.kernel.actions import HOUR
from city_game.kernel.board import SPACES, BoardReader
from city_game.kernel.edition import Edition, Words
from city_game.kernel.flow import owe
from city_game.kernel.state import State
from city_game.kernel.switches import usual
from city_unit.desktop.catalogue import lazy, plazy


class Reader(BoardReader):
    spaces = (*SPACES, "well")


def well(state: State, player: int, _space: int) -> None:
    for other in range(state.players):
        if other != player and state.alive[other]:
            owe(state, other, player, 1, "card")
    flow.proceed(state)


EDITION = Edition(
    name="toy",
    title=lazy("Toy"),
    package=__name__,
    board="puddle",
    program="timed",
    seats_refusal=lambda seats, _rules: "" if seats in (2, 3) else "the toy is for two or three",
    sides=4,
    reader=Reader,
    switches=usual(deals_by_the_light=lazy("The toy has no time.")),
    actions=actions.ACTIONS,
    phases={
        **actions.PHASES,
        "roll": ("roll", "lift", "offer", *HOUR),
        "jail": ("roll", "pay fine", "use card", *HOUR),
        "debt": ("pay", "mortgage", "bankrupt", "offer", *HOUR),
        "manage": ("end turn", "lift", "offer", *HOUR),
    },
    arrivals={**moves.ARRIVALS, "well": well},
    effects=moves.EFFECTS,
    words=Words(
        how_to_play=(lazy("Who is the richest when the time is over wins."),),
        spaces={"well": lazy("Well")},
        arrived={
            "well": plazy("comes to a space", "the well"),
            "parking": plazy("comes to a space", "the bench"),
        },
    ),
)
