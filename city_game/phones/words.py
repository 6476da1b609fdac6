"""The texts of the telephones' page, in the language of the moment; its English is the key."""

from city_unit.desktop import catalogue
from city_unit.desktop.catalogue import lazy, pgettext

PAGE = (
    # The line, and the seat.
    lazy("City game"),
    lazy("The table does not answer; trying again…"),
    lazy("The game has not begun. Keep this page open."),
    lazy("Another telephone has taken over your seat. If it should not have, take it back below."),
    lazy("Take over the seat of {name}? The other telephone is put out, and is told so."),
    lazy("{name} proposes a deal"),
    lazy("It is for you to decide"),
    lazy("Who are you?"),
    lazy("has a telephone: take the seat over?"),
    lazy("Leave this seat"),
    lazy("Leave this seat? It is free for another telephone then."),
    lazy("How to play"),
    lazy("Language"),
    lazy("Pause"),
    lazy("Go on"),
    lazy("Only watch"),
    lazy("Referee"),
    lazy("Call the referee"),
    lazy("The referee is called: take it back"),
    lazy("Play"),
    # The sale.
    lazy("Printed price {price}, bare rent {rent}"),
    lazy("The light is not on yet."),
    lazy("Nobody has bid yet."),
    lazy("You lead with {amount}."),
    lazy("{name} leads with {amount}."),
    lazy("Bid"),
    lazy("You lead"),
    lazy("On its way"),
    lazy("The light is out"),
    lazy("more than you have"),
    # To translators: stands on the button that bids, below the amount.
    lazy("a touch bids, and binds you"),
    # To translators: stands on the button that bids, after a pass.
    lazy("a touch takes your pass back, bids, and binds you"),
    lazy("Your {amount} counts."),
    lazy("Your {amount} does not count: {why}"),
    lazy("Each press adds"),
    lazy("My secret maximum, in millions"),
    lazy("Set it"),
    lazy("Take it back"),
    lazy("The table bids for you up to {amount}; nobody sees it."),
    lazy("You are overtaken: your maximum of {amount} is too low now."),
    lazy("A sum is written as 1.5 or 0.25 (millions), or as 250k."),
    lazy("I bid no more"),
    lazy("You have passed"),
    lazy("A player who neither bids nor passes keeps the light on until its end."),
    lazy("All wait for you: bid or pass."),
    lazy("Sold to you: {district}, {amount}"),
    lazy("Sold to {name}: {district}, {amount}"),
    lazy("{name}: {amount}"),
    lazy("at {seconds} s, give or take {within} ms"),
    lazy("Give or take: how well the clocks of the unit and of the telephones are known."),
    # To translators: seconds.
    lazy("{count} s"),
    # The hand.
    lazy("Just now"),
    lazy("Before that, the latest first"),
    lazy("Back"),
    lazy("Opening bid: {amount}"),
    lazy("Open with {amount}: it binds you"),
    lazy("the bank"),
    lazy("{amount} are lacking."),
    lazy("You owe {name} {amount}"),
    lazy("Your deeds"),
    lazy("Beside each: what a visitor owes today."),
    lazy("None yet."),
    lazy("Jail cards: {count}"),
    lazy("Homes {homes}, factories {works}"),
    lazy("All players"),
    lazy("Worth is cash and today's rents; whoever is worth the most at the end wins."),
    lazy("You win!"),
    lazy("{name} wins."),
    lazy("Worth {amount}"),
    lazy("Cash {amount}"),
    lazy("bankrupt"),
    lazy("in jail"),
    lazy("jail card"),
    lazy("with a telephone"),
    lazy("at the table"),
    lazy("a bot"),
    lazy("last turn"),
    # Deals.
    lazy("Propose a deal"),
    lazy("Propose it"),
    # To translators: the head of a list of players; the chosen player is the other side of a deal.
    lazy("With"),
    lazy("You give"),
    lazy("You get"),
    lazy("and money, in millions"),
    lazy("no deeds"),
    lazy("and jail cards"),
    # To translators: jail cards.
    lazy("you give {count}"),
    lazy("you get {count}"),
    lazy("no cards"),
    lazy("You proposed to {name}"),
    lazy("{name} proposes, and only you see it"),
    lazy("You give: {what}"),
    lazy("You get: {what}"),
    lazy("Agree"),
    lazy("No"),
    lazy("{name} gives:"),
    # To translators: of a district in a deal; "group" is the name of its colour.
    lazy("price {price}, rent {rent}; {group}, {of} in all"),
    lazy("{name} completes {group}: its rents can go up."),
    lazy("{name} has all of {group} no more."),
    # Out of the game.
    lazy("You are out of the game"),
    lazy("You can watch, bet on the winner, or be a referee of this table."),
    lazy("Who will win? Your bet stands once it is made, and all see it at the end."),
    lazy("You bet on {name}. All see it at the end."),
    # The map, and the changes that were missed.
    lazy("Map"),
    lazy("You: {place}"),
    # To translators: the map in words, for a reader of the screen.
    lazy("{name} owns: {what}"),
    lazy("While you were away"),
    lazy("and {count} before these"),
    lazy("Your cash went from {before} to {after}."),
    lazy("I have read it"),
    # The referee.
    lazy("Tables"),
    lazy(
        "A referee sees each table's clock and last bids. What lay too close together for the "
        "clocks stands in gold: that is to be ruled on."
    ),
    lazy("The game has not begun."),
    lazy("The table does not answer."),
    lazy("The hour has {time} left."),
    lazy("There is no clock."),
    lazy("The unit's clock is known to {within} ms."),
    lazy("The unit is gone."),
    lazy("Another table, by the address that it shows"),
    lazy("Look at it"),
    lazy("Look no more"),
    lazy("{one} and {other} are {ms} ms apart."),
    lazy("{name} was within {ms} ms of the light's end."),
)

# Said after the edition's own words on how it is played.
ON_A_TELEPHONE = (
    lazy("In an auction the large button bids as soon as a finger is on it, and binds you."),
    lazy("With a secret maximum the table bids for you, each time no more than it must."),
    lazy("A deal that you propose is seen by the other side alone until it is agreed."),
    lazy("A telephone that sleeps, falls or is closed keeps its seat: open the page again."),
)


def page_words() -> dict[str, str]:
    """Return all texts of the page by their English."""
    with catalogue.spoken(catalogue.ENGLISH):
        keys = [str(text) for text in PAGE]
    return {key: str(text) for key, text in zip(keys, PAGE, strict=True)}


def money_words() -> dict[str, str]:
    """Return how sums are written, as `city_unit.desktop.forms.money` does it."""
    return {
        "thousands": pgettext("how this language writes: thousands of money", "{number}k"),
        "millions": pgettext("how this language writes: millions of money", "{number}M"),
        "mark": pgettext("how this language writes: the decimal mark", "."),
        "group": pgettext("how this language writes: what groups thousands", ","),
    }
