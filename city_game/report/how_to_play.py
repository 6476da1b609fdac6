"""The rules of play by telephone; the words of an edition say how that edition is played."""

from city_unit.desktop.catalogue import lazy

ON_A_TELEPHONE = (
    lazy("In an auction the large button bids as soon as a finger is on it, and binds you."),
    lazy("With a secret maximum the table bids for you, each time no more than it must."),
    lazy("A deal that you propose is seen by the other side alone until it is agreed."),
    lazy("A telephone that sleeps, falls or is closed keeps its seat: open the page again."),
)
