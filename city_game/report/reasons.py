"""Why an action was refused, in words: the reason, and the rule behind it with its source.

The keys are the codes with which the rules refuse (`why_not`). The rules are said in our own
words; their source is the rulebook, or an assumption of ours where the book is silent or a
house rule was chosen. A player reads the rule; `city-game rules` prints the sources as well.
An action that no player can ask for has no rule.

Beside them: how an edition is played, and by which books.
"""

from city_game.kernel.edition import BOOK, OURS, Edition, Refusal
from city_unit.desktop.catalogue import _, lazy
from city_unit.desktop.forms import all_of

SOURCES = {BOOK: lazy("the rulebook"), OURS: lazy("our assumption")}

REFUSALS = {
    "not-now": Refusal(
        lazy("that cannot be done now"),
        lazy("A turn has its order: the dice, what the space says, building."),
    ),
    "no-such-thing": Refusal(lazy("there is no such player, deed, card or number")),
    # Money and debts.
    "not-enough-money": Refusal(
        lazy("there is not enough money"),
        lazy("Nobody spends, bids or offers money they lack."),
        OURS,
    ),
    "can-pay": Refusal(
        lazy("the debt can be paid"),
        lazy("Mortgages and bankruptcy are for debts that cannot be paid otherwise."),
    ),
    "no-debt": Refusal(
        lazy("deeds are mortgaged only for a debt"),
        lazy("The bank lends when a rent or a tax cannot be paid; a house rule changes that."),
        OURS,
    ),
    "mortgaged": Refusal(
        lazy("that deed is mortgaged"),
        lazy("A mortgaged deed is not built on, and not mortgaged again."),
    ),
    "not-mortgaged": Refusal(
        lazy("that deed is not mortgaged"),
        lazy("Lifting a mortgage pays back just what the bank lent."),
    ),
    "gives-away": Refusal(
        lazy("while a debt is open, nothing is given away for less than it would bring"),
        lazy("This game was begun with a house rule for debtors."),
        OURS,
    ),
    # Whose it is.
    "not-yours": Refusal(
        lazy("that deed is not yours"),
        lazy("Players build on, mortgage and give away only what they own."),
    ),
    "not-theirs": Refusal(
        lazy("that deed is not theirs"), lazy("A deal may ask only for what its receiver owns.")
    ),
    "out-of-the-game": Refusal(
        lazy("that player is out of the game"), lazy("A bankrupt player plays no more.")
    ),
    # Jail and cards.
    "no-jail-card": Refusal(
        lazy("there is no such card"), lazy("A card opens the jail for whoever holds it.")
    ),
    "not-on-top": Refusal(
        lazy("that card is not on top"), lazy("Chance cards are drawn from the top of the pile.")
    ),
    # Building.
    "box-empty": Refusal(
        lazy("the box has no such piece left"),
        lazy("Only what lies in the box can be built; pieces are changed for smaller ones."),
        OURS,
    ),
    # Auctions.
    "sold": Refusal(
        lazy("that deed has an owner"), lazy("The bank auctions what belongs to nobody.")
    ),
    "elsewhere": Refusal(
        lazy("that is not the deed of this space"),
        lazy("A deed that one lands on and does not buy is auctioned, and nothing else."),
    ),
    "below-least": Refusal(
        lazy("that is less than an auction opens at"),
        lazy("A player who has a deed auctioned sets the opening, from the smallest note on."),
    ),
    "no-auction": Refusal(lazy("no auction is held")),
    "too-early": Refusal(
        lazy("the light was not on yet"), lazy("Bids count while the unit's light is on.")
    ),
    "too-late": Refusal(
        lazy("the light was out already"),
        lazy("The highest bid when the light goes out wins, by the unit's clock."),
    ),
    "bid-too-low": Refusal(
        lazy("that is not above the highest bid"), lazy("Each bid is above the last.")
    ),
    "leads-already": Refusal(
        lazy("whoever has the highest bid need not pass"),
        lazy("When all others pass, an auction ends before its light would go out."),
        OURS,
    ),
    "passed-already": Refusal(
        lazy("that player has passed already"),
        lazy("A player who has passed may bid all the same, and is in again."),
        OURS,
    ),
    "your-own-sale": Refusal(
        lazy("it is their own deed"), lazy("Sellers do not bid for their own deeds."), OURS
    ),
    "no-use-for-it": Refusal(
        lazy("they could not use it"), lazy("Only those bid for it who could build it now."), OURS
    ),
    "not-refused": Refusal(lazy("there is no reason to refuse that bid")),
    # Deals.
    "with-oneself": Refusal(lazy("a deal needs two")),
    "empty-deal": Refusal(
        lazy("that deal is about nothing"),
        lazy("Deeds with all that stands there, money and jail cards change hands in deals."),
    ),
    "twice-in-the-deal": Refusal(lazy("a deed is twice in the deal")),
    "no-deal": Refusal(lazy("no deal is offered")),
    "no-light": Refusal(
        lazy("the light is not on for that deal"),
        lazy("A deal is offered by pressing AUCTION, and agreed before the light goes out."),
    ),
    "untimed": Refusal(lazy("the light does not time that deal")),
    # The hour.
    "until-one-is-left": Refusal(
        lazy("the game is played until one is left, whatever the hour"),
        lazy("The players chose so when the game began."),
    ),
    "hour-over-already": Refusal(lazy("the hour is over already")),
}


# Rules of auctions, which an edition without them does not have.
OF_AUCTIONS = {
    *("sold", "elsewhere", "below-least", "too-early", "too-late", "bid-too-low"),
    *("leads-already", "passed-already", "your-own-sale", "no-use-for-it"),
}

REASONS = {code: refusal.reason for code, refusal in REFUSALS.items()}


def refused(code: str, edition: Edition | None = None) -> str:
    """Return why an action was refused, with the rule: whole sentences."""
    reason, rule, _source = of(code, edition)
    why = _("That does not go: {reason}.").format(reason=reason)
    return why if rule is None else f"{why} {rule}"


def of(code: str, edition: Edition | None) -> Refusal:
    """Return the sentence for a refusal, in the edition's words where it has some."""
    usual = REFUSALS.get(code) or Refusal(lazy("that cannot be done now"))
    return edition.words.refusals.get(code, usual) if edition else usual


def footnotes(edition: Edition) -> list[str]:
    """Return each rule behind a refusal with its source, once; for `city-game rules`."""
    all_refusals = {**REFUSALS, **edition.words.refusals}
    if not any("put up" in actions for actions in edition.phases.values()):
        all_refusals = {c: said for c, said in all_refusals.items() if c not in OF_AUCTIONS}
    sources = {
        str(rule): source for _reason, rule, source in all_refusals.values() if rule is not None
    }
    return [
        _("{rule} ({source})").format(rule=rule, source=SOURCES[source])
        for rule, source in sources.items()
    ]


def books(edition: Edition) -> str:
    """Return the books that an edition goes by, and the gaps in them; "" for none."""
    sources = edition.sources
    if not sources:
        return ""
    by = _("By {books}.").format(books=all_of([str(source.book) for source in sources]))
    return " ".join((by, *(str(source.gaps) for source in sources if source.gaps)))


def sentences(edition: Edition) -> tuple[str, ...]:
    """Return how an edition is played, and by which books, a sentence or two each."""
    said = (*map(str, edition.words.how_to_play), books(edition))
    return tuple(filter(None, said))
