"""What the rulebook leaves open, decided: all of it, here.

Each switch can be set otherwise, for one game, by its name. What is decided
without a switch stands in `DECISIONS`. The source of every line here is
"assumption"; what the rulebook does say is not ours to switch, with two exceptions:
`stations_anywhere` and `deals_by_the_light` are as the book says, but were off in earlier
versions, and games that began so can still be gone on with.
"""

from city_game.kernel.switches import Switch
from city_unit.desktop.catalogue import lazy

SWITCHES = (
    Switch(
        "opening_is_a_bid",
        True,
        lazy("The opening amount of an auction is a bid of the player who sets it."),
        lazy("Everybody else must go above it, so somebody must stand behind it."),
    ),
    Switch(
        "doubtful_bids_count",
        True,
        lazy("A bid counts by its best estimate, even if the light may have gone out before it."),
        lazy(
            "The estimate errs in favour of nobody; the log says that it was too close to be sure."
        ),
    ),
    Switch(
        "passes_end_auctions",
        True,
        lazy(
            "When nobody is left who wants to bid, an auction ends before its light would go out."
        ),
        lazy("The book gives an auction up to 50 seconds, and so does not ask to wait for nobody."),
    ),
    Switch(
        "sales_go_on",
        True,
        lazy("A sale that the table's end interrupts goes on with its bids and the time left."),
        lazy("Nobody gains by a cut of the power; otherwise it is held again, maxima kept."),
    ),
    Switch(
        "stations_anywhere",
        True,
        lazy("A station may be built on any district, not only on one's own."),
        lazy("The book lets the builder choose the district; of blocks it says one's own."),
    ),
    Switch(
        "travel_passes_go",
        True,
        lazy("Who travels by station goes forwards round the track, and takes the salary at GO."),
        lazy("The book names reaching the salary sooner as a use of stations."),
    ),
    Switch(
        "jail_double_rolls_again",
        False,
        lazy("The double that leaves jail also gives another roll."),
        lazy("The double is spent on leaving, as at most tables."),
    ),
    Switch(
        "deals_by_the_light",
        True,
        lazy(
            "A deal is offered by pressing AUCTION, and must be agreed before the light goes out."
        ),
        lazy("The book gives a deal the time of an auction."),
    ),
    Switch(
        "mortgage_freely",
        False,
        lazy("Districts may be mortgaged on one's turn without a debt."),
        lazy("The book speaks of a rent or tax that cannot be paid."),
    ),
    Switch(
        "reshuffle",
        False,
        lazy(
            "Chance cards are shuffled again when all were drawn, instead of coming in the same "
            "order."
        ),
        lazy("A card drawn goes under the pile, so the order repeats."),
    ),
    Switch(
        "estate_keeps_buildings",
        True,
        lazy("Deeds auctioned after a bankruptcy keep their buildings."),
        lazy("Deals keep them too, and nothing says that they are cleared."),
    ),
    Switch(
        "until_one_is_left",
        False,
        lazy("The game is played until one player is left; the unit's hour does not end it."),
        lazy("The book names both ways; by the hour one knows when the evening ends."),
    ),
    Switch(
        "nobody_is_out",
        False,
        lazy(
            "A player who cannot pay gives all to the creditor, owes nothing more, and plays on "
            "until the hour ends."
        ),
        lazy(
            "The book has bankrupts leave; it is on where an hour is shorter than the box's, "
            "in which nobody comes to sit and wait. A debt carried on would take every salary."
        ),
    ),
    Switch(
        "fine_ends_turn",
        False,
        lazy("Who pays to leave jail before the roll plays on in the next turn, not in this one."),
        lazy("The book's words can be read both ways; so nobody is skipped who has paid."),
    ),
    Switch(
        "debtors_may_give",
        True,
        lazy("Whoever owes may give things away in a deal, even before going bankrupt."),
        lazy("The book sets no limit to deals; without it the creditor gets all that is left."),
    ),
    Switch(
        "stadium_keeps_hazards_out",
        False,
        lazy("No hazard is placed in a district with a stadium."),
        lazy("Our book names the bonus buildings alone as a protection; other sources add this."),
    ),
    Switch(
        "finish_doubles",
        True,
        lazy("When the hour ends, the running turn goes on through its doubles."),
        lazy("A double is part of the turn."),
    ),
)

DECISIONS = (
    lazy("Bids, deals and prices are multiples of 10k, and nobody bids money they lack."),
    lazy(
        "Whoever cannot open at 10k opens without a bid; an auction without bids leaves all "
        "as it was."
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
