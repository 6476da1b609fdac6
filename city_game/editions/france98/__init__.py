"""France 98: the classic rules with two twelve-sided dice, and with stands and stadiums.

Apart from throws of up to 24 the book follows the classic rules, with other names (F98 12 to 59).
The names of its two decks (F98 53) are not used.
"""

from dataclasses import replace

from city_game.editions.classic import EDITION as CLASSIC
from city_game.kernel.edition import Refusal, Source
from city_unit.desktop.catalogue import lazy

EDITION = replace(
    CLASSIC,
    name="france98",
    title=lazy("France 98"),
    package=__name__,
    board="fairground",
    sides=12,  # F98 57
    sources=(Source(lazy("the book of Monopoly France 98")),),
    # This book calls houses stands and hotels stadiums (F98 49).
    words=CLASSIC.words._replace(
        events={
            **CLASSIC.words.events,
            "house built": lazy("{player} builds a stand in {district} for {amount}."),
            "hotel built": lazy("{player} builds a stadium in {district} for {amount}."),
            "house placed": lazy("{player} puts the stand in {district}."),
            "hotel placed": lazy("{player} puts the stadium in {district}."),
        },
        refusals={
            **CLASSIC.words.refusals,
            "hotel-there": Refusal(
                lazy("a stadium stands there"),
                lazy("A street has room for one stadium, and no more."),
            ),
            "unevenly": Refusal(
                lazy("a group is built and sold evenly"),
                lazy("No street of a group is more than one stand ahead of another."),
            ),
            "none-left": Refusal(
                lazy("the bank does not have enough of them left"),
                lazy("When the stands have run out, players wait until others sell some."),
            ),
            "no-street": Refusal(
                lazy("nothing can be built there"),
                lazy("Stands and stadiums are built on streets."),
            ),
        },
        options={
            **CLASSIC.words.options,
            "build": lazy("Build a stand or a stadium"),
            "sell": lazy("Sell a stand"),
        },
        details={
            **CLASSIC.words.details,
            "manage": lazy("Stands and stadiums are built on whole groups, evenly."),
        },
        lots={"house": lazy("One of the last stands"), "hotel": lazy("One of the last stadiums")},
    ),
)
