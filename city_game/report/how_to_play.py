"""How the game is played, in a few sentences: for the table's card of help, and the telephones'."""

from city_unit.desktop.catalogue import lazy

HOW_TO_PLAY = (
    lazy("Who is worth the most when the hour is over wins: cash and the day's rents count."),
    lazy("On your turn you roll the dice, walk round the track, and do what the space says."),
    lazy("An unsold district can be bought at its price; if not, it is auctioned."),
    lazy("In an auction all bid until the unit's light goes out; the highest bid has it."),
    lazy("After the move BUILD draws a permit: so many blocks, on any of your districts."),
    lazy("Each block raises the rent; homes beside a hazard do not count, factories do."),
    lazy("A skyscraper doubles a whole group, the tower all you have; stadiums pay at GO."),
    lazy("Who lands on your district pays its rent; who cannot pay mortgages, deals, or is out."),
    lazy(
        "A deal may be offered at any time of your turn; the other one says yes or no before the "
        "light goes out."
    ),
)
ON_A_TELEPHONE = (
    lazy("In an auction the large button bids as soon as a finger is on it, and binds you."),
    lazy("With a secret maximum the table bids for you, each time no more than it must."),
    lazy("A deal that you propose is seen by the other side alone until it is agreed."),
    lazy("A telephone that sleeps, falls or is closed keeps its seat: open the page again."),
)
