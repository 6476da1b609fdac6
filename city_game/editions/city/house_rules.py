"""All questions that the rulebook leaves open, each with our answer.

A game can set each switch otherwise, by its name. `DECISIONS` has the answers without a switch.
The source of every line here is "assumption". No switch changes a rule of the book, with two
exceptions: `stations_anywhere` and `deals_by_the_light` follow the book, but were off in earlier
versions, and games that began so can still continue.
"""

from city_game.kernel.switches import Switch, usual
from city_unit.desktop.catalogue import lazy

_USUAL = {switch.name: switch for switch in usual()}

SWITCHES = (
    _USUAL["opening_is_a_bid"],
    _USUAL["doubtful_bids_count"],
    _USUAL["passes_end_auctions"],
    _USUAL["sales_go_on"],
    Switch(
        "stations_anywhere",
        True,
        lazy("A station may be built on any district, not only on one's own."),
        lazy("The book lets the builder choose the district; of blocks it says one's own."),
    ),
    Switch(
        "travel_passes_go",
        True,
        lazy("A journey by station goes forwards round the track, with the salary at GO."),
        lazy("The book names reaching the salary sooner as a use of stations."),
    ),
    _USUAL["jail_double_rolls_again"],
    _USUAL["deals_by_the_light"],
    _USUAL["mortgage_freely"],
    _USUAL["reshuffle"],
    Switch(
        "estate_keeps_buildings",
        True,
        lazy("Deeds auctioned after a bankruptcy keep their buildings."),
        lazy("Deals keep them too, and nothing says that they are cleared."),
    ),
    _USUAL["until_one_is_left"],
    _USUAL["nobody_is_out"],
    _USUAL["fine_ends_turn"],
    _USUAL["debtors_may_give"],
    Switch(
        "stadium_keeps_hazards_out",
        False,
        lazy("No hazard is placed in a district with a stadium."),
        lazy("Our book names the bonus buildings alone as a protection; other sources add this."),
    ),
    _USUAL["finish_doubles"],
)

DECISIONS = (
    lazy("Bids, deals and prices are multiples of 10k, and nobody bids money they lack."),
    lazy(
        "A player who cannot open at 10k opens without a bid; an auction without bids leaves "
        "all as it was."
    ),
    lazy(
        "A rent, tax or fine that is due is paid at once, unless the rent dodge card leaves a "
        "choice or another debt stands before it."
    ),
    lazy(
        "Stadium, skyscraper, tower, clearing a hazard and lifting a mortgage need no permit, "
        "and are done on one's own turn, before the roll or after the move."
    ),
    lazy(
        "Neither blocks nor landmarks are built on a mortgaged district; a station may be. A "
        "district has one bonus or hazard, and one station."
    ),
    lazy(
        "Several hazards of a kind are in the box; when no piece can be placed, permission lapses."
    ),
    lazy(
        "A doubled rent needs the skyscraper, or the tower, to be the same owner's; being "
        "mortgaged does not stop it from doubling."
    ),
    lazy(
        "A mortgage stays with its deed in a deal, and in a bankruptcy to a player; the bank "
        "auctions deeds free of mortgage."
    ),
    lazy("Mortgaging pays the rent at that time, doubled if it is; lifting costs just that."),
    lazy(
        "After a bankruptcy the rent dodge card goes back to free parking, and other debts lapse."
    ),
    lazy(
        "A station takes who lands on it one journey far, also from another's district (rent "
        "paid first) and from one just bought or auctioned; arriving by station ends it."
    ),
    lazy(
        "A deal is offered when a player is to decide something, but neither in an auction "
        "nor while a bonus or hazard is placed; the light going out without an answer ends "
        "it."
    ),
    lazy("When every chance card is kept in somebody's hand, none is drawn."),
    lazy(
        "Landing on the jail space is only a visit. Sent to jail, the turn ends without building."
    ),
    lazy("A permit that the unit refuses does not use BUILD up, except past the hour."),
    lazy("A player in jail presses BUILD after each try at a double, as after any roll."),
    lazy("Equal worth at the end shares the win."),
    lazy(
        "The dice decide who starts, tied players roll again; the order of seats is the turn order."
    ),
)
