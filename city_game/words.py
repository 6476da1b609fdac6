"""A game in words: events as sentences, the bids of a sale as a table, and refusals."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from city_game.kernel.board import Board
from city_game.kernel.edition import BOOK, OURS, Edition, Refusal
from city_game.kernel.money import show
from city_game.kernel.state import Auction, State
from city_unit.desktop.catalogue import _, lazy, ngettext, of_file, plazy
from city_unit.desktop.forms import all_of, number, seconds

CLOSE_MS = 100  # up to this difference, which people cannot tell, the log gives milliseconds

# event: its fields, whose names determine how the values are written
FIELDS = {
    "start rolled": ("player", "first", "second"),
    "starts": ("player",),
    "turn": ("player",),
    "rolls again": ("player",),
    "rolled": ("player", "first", "second"),
    "landed": ("player", "district"),
    "arrived": ("player", "space"),
    "salary": ("player", "amount"),
    "jailed": ("player",),
    "left jail": ("player",),
    "jail card used": ("player",),
    "rent": ("player", "district", "amount"),
    "paid": ("player", "creditor", "amount", "why"),
    "received": ("player", "amount"),
    "mortgaged": ("player", "district", "amount"),
    "lifted": ("player", "district", "amount"),
    "bankrupt": ("player", "creditor"),
    "starts anew": ("player", "creditor"),
    "bought": ("player", "district", "amount"),
    "put up": ("opener", "district", "amount"),
    "light on": ("district", "at"),
    "bid": ("player", "amount", "at"),
    "passed": ("player",),
    "too late": ("player", "amount", "late", "within"),
    "bid refused": ("player", "amount", "reason"),
    "light out": ("district", "at"),
    "cancelled": ("district",),
    "interrupted": ("district",),
    "sold": ("player", "district", "amount", "left", "within"),
    "unsold": ("district",),
    "card": ("player", "card"),
    "offered": ("player", "partner", "gives", "asks", "amount", "cards"),
    "agreed": ("player", "partner"),
    "declined": ("player", "partner"),
    "timed out": ("player", "partner"),
    "hour ended": ("at",),
    "new hour": ("at",),
    "worth": ("player", "amount"),
    "won": ("player",),
}

# event: its sentence, with the fields of `FIELDS` in braces
EVENTS = {
    "start rolled": lazy("{player} rolls {first} and {second} to decide who starts."),
    "starts": lazy("{player} starts."),
    "turn": lazy("It is {player}'s turn."),
    "rolls again": lazy("{player} rolls again."),
    "rolled": lazy("{player} rolls {first} and {second}."),
    "landed": lazy("{player} lands on {district}."),
    "arrived": lazy("{player} comes to {space}."),
    "salary": lazy("{player} passes GO and gets {amount}."),
    "jailed": lazy("{player} goes to jail."),
    "left jail": lazy("{player} leaves jail."),
    "jail card used": lazy("{player} uses a card to leave jail."),
    "rent": lazy("{player} owes a rent of {amount} at {district}."),
    "paid": lazy("{player} pays {amount} to {creditor} ({why})."),
    "received": lazy("{player} gets {amount} from the bank."),
    "mortgaged": lazy("{player} mortgages {district} for {amount}."),
    "lifted": lazy("{player} lifts the mortgage of {district} for {amount}."),
    "bankrupt": lazy("{player} is bankrupt; all goes to {creditor}."),
    "starts anew": lazy(
        "{player} cannot pay: all goes to {creditor}, the rest is waived, and {player} plays on."
    ),
    "bought": lazy("{player} buys {district} for {amount}."),
    "put up": lazy("{district} comes under the hammer; {opener} opens at {amount}."),
    "light on": lazy("The light is on: bids for {district}, please."),
    "bid": lazy("{player} bids {amount}."),
    "passed": lazy("{player} passes."),
    "too late": lazy(
        "{player}'s bid of {amount} came {late} after the light went out (give or take {within}) "
        "and does not count."
    ),
    "long too late": lazy(
        "{player}'s bid of {amount} came after the light went out and does not count."
    ),
    "too close": lazy(
        "{player}'s bid of {amount} came {late} before the light went out, give or take "
        "{within}: too close to count."
    ),
    "bid refused": lazy("{player}'s bid of {amount} does not count: {reason}."),
    "light out": lazy("The light is out: the sale of {district} has ended."),
    "cancelled": lazy("The sale of {district} was cancelled; it will be held again."),
    "interrupted": lazy(
        "The sale of {district} was interrupted; it resumes with its bids and the time left."
    ),
    "sold": lazy(
        "{district} goes to {player} for {amount}, bid {left} before the light went out (give or "
        "take {within})."
    ),
    "sold plainly": lazy("{district} goes to {player} for {amount}."),
    "sold by passes": lazy("Nobody else wants to bid: {district} goes to {player} for {amount}."),
    "unsold": lazy("Nobody bids for {district}; it stays with the bank."),
    "card": lazy("{player} draws a card: {card}"),
    "offered": lazy("{player} offers {partner} a deal: {gives} for {asks}."),
    "agreed": lazy("{player} and {partner} have a deal."),
    "declined": lazy("{player} declines {partner}'s deal."),
    "timed out": lazy("The light goes out before {partner} answers {player}; there is no deal."),
    "hour ended": lazy("The hour is over: the game ends after this turn."),
    "new hour": lazy("Another hour begins."),
    "worth": lazy("{player} is worth {amount}."),
    "won": lazy("{player} wins."),
}

SALE_ENDS = ("sold", "unsold", "cancelled")  # the events that end a sale
PEOPLE = ("player", "partner", "creditor", "holder", "opener")
TIMES = ("late", "left", "within")

# The names of values in files and states, as parts of the sentences above.
WHY_PAID = {
    "rent": plazy("paid for", "rent"),
    "tax": plazy("paid for", "tax"),
    "fine": plazy("paid for", "fine"),
    "card": plazy("paid for", "card"),
    "interest": plazy("paid for", "interest"),
}
ARRIVED_AT = {
    "go": plazy("comes to a space", "GO"),
    "chance": plazy("comes to a space", "chance"),
    "jail": plazy("comes to a space", "jail, just visiting"),
    "tax": plazy("comes to a space", "a tax"),
    "parking": plazy("comes to a space", "free parking"),
    "go to jail": plazy("comes to a space", '"Go to jail"'),
}


def latest_in_words(state: State, names: Sequence[str], most: int | None = None) -> list[str]:
    """Return the past events as sentences, the latest last: all, or the latest `most`."""
    count = len(state.events)
    return events_in_words(state, names, 0 if most is None else max(0, count - most), count)


def events_in_words(
    state: State, names: Sequence[str], since: int, until: int, kinds: frozenset[str] | None = None
) -> list[str]:
    """Return the events from index `since` to before `until` as sentences: all, or only `kinds`.

    They give times only if bids were close; `bids_in_words` gives all times.
    """
    sales = reversed(state.sales)
    lines = []
    for place in range(len(state.events) - 1, since - 1, -1):
        event = state.events[place]
        sale = next(sales) if event[0] in SALE_ENDS else None
        if place < until and (kinds is None or event[0] in kinds):
            lines.append(in_words(event, state.board, names, sale))
    return lines[::-1]


def in_words(event: tuple, board: Board, names: Sequence[str], sale: Auction | None = None) -> str:
    """Return an event as a sentence.

    sale  the sale that the event ends; if its last bids were close, the sentence gives times
    """
    kind, theirs = event[0], board.edition.words
    fields = theirs.fields.get(kind) or FIELDS[kind]
    values = dict(zip(fields, event[1:], strict=True))
    if kind == "too late" and values["late"] < 0:
        kind, values["late"] = "too close", -values["late"]
    elif kind == "too late" and values["late"] > CLOSE_MS:
        kind = "long too late"
    elif kind == "sold" and sale is not None and not was_close(sale):
        kind = "sold by passes" if sale.was_decided else "sold plainly"
    if kind == "offered":
        values["gives"], values["asks"] = deal_sides(board, *event[3:])
    written = {field: _written(field, value, board, names) for field, value in values.items()}
    if kind in theirs.events:
        return theirs.events[kind].format(**written, **theirs.combined(values))
    return EVENTS[kind].format(**written)


def deal_sides(
    board: Board, gives: Iterable[int], asks: Iterable[int], pays: int, cards: int
) -> tuple[str, str]:
    """Return the contributions of both sides of a deal as texts: districts, money, jail cards."""
    sides = [[board.deeds[deed].name for deed in side] for side in (gives, asks)]
    if pays:
        sides[pays < 0].append(show(abs(pays)))
    if cards:
        jail_cards = ngettext("{count} jail card", "{count} jail cards", abs(cards))
        sides[cards > 0].append(jail_cards.format(count=abs(cards)))
    return (all_of(sides[0]) or _("nothing"), all_of(sides[1]) or _("nothing"))


# field: writes its value; for players and times see `_written`, other values stay as they are
WRITTEN: dict[str, Callable[[Any, Board], object]] = {
    "amount": lambda notes, _board: show(notes),
    "district": lambda thing, board: board.name_of(thing),
    "space": lambda space, board: arrived_at(board, board.kinds[space]),
    "card": lambda card, board: of_file(board.cards[card].text),
    "reason": lambda code, board: refusal_of(code, board.edition).reason,
    "why": lambda why, _board: WHY_PAID[why],
}


def _written(field: str, value: Any, board: Board, names: Sequence[str]) -> str:
    if field in PEOPLE:
        return names[int(value)] if value >= 0 else _("the bank")
    if field in TIMES:
        return seconds(value, 3)
    written = board.edition.words.written.get(field) or WRITTEN.get(field)
    return str(written(value, board)) if written else str(value)


def arrived_at(board: Board, kind: str) -> object:
    """Return the name of a kind of space in the sentence about an arrival."""
    return board.edition.words.arrived.get(kind) or ARRIVED_AT[kind]


@dataclass(frozen=True)
class Bid:
    """A bid with its times relative to the light, in ms of the unit's clock.

    since   the time since the light went on
    left    the time until the light went out, negative after that; None if the sale was cancelled
    within  the possible error of these times
    why     the code of the reason why the bid did not count, "" if it counted
    """

    player: int
    amount: int
    at: int
    since: int
    left: int | None
    within: int
    why: str


def bids(auction: Auction) -> list[Bid]:
    """Return all bids of a sale, including those that did not count, in the order of time."""
    every = [*((*bid, "") for bid in auction.bids), *auction.refused]
    started, ended = auction.started or 0, auction.ended
    return [
        Bid(player, amount, at, at - started, None if ended is None else ended - at, within, why)
        for player, amount, at, within, why in sorted(every, key=lambda bid: bid[2])
    ]


def was_close(auction: Auction) -> bool:
    """Return whether another player's bid, or the light going out, was close to the winning bid."""
    if not auction.bids or auction.ended is None:
        return False
    player, _amount, at, *_rest = auction.bids[-1]
    others = [bid.at for bid in bids(auction) if bid.player != player]
    return any(abs(at - other) <= CLOSE_MS for other in (*others, auction.ended))


def bids_in_words(auction: Auction, board: Board, names: Sequence[str]) -> list[str]:
    """Return the bids of a sale as the lines of a table, after a heading."""
    if auction.ended is None:
        head = _("The bids for {district}; the light went on at {on} s and was stopped:")
    else:
        head = _("The bids for {district}; the light went on at {on} s and out at {out} s:")
    times = {"on": _seconds(auction.started), "out": _seconds(auction.ended)}
    deed = board.name_of(auction.thing)
    # All times are in seconds; the column of verdicts has no heading.
    times_of = (_("after on"), _("before out"), _("give or take"))
    rows: list[tuple[str, ...]] = [(_("who"), _("bid"), _("unit's clock"), *times_of, "")]
    for bid in bids(auction):
        verdict = str(REASONS[bid.why]) if bid.why else _("counts")
        if bid.why == "too-late" and bid.left and bid.left > 0:
            verdict = _("too close to count")
        stamps = map(_seconds, (bid.at, bid.since, bid.left, bid.within))
        rows.append((names[bid.player], show(bid.amount), *stamps, verdict))
    lines = [f"    {line}".rstrip() for line in aligned(rows, len(rows[0]))]
    return ["  " + head.format(district=deed, **times), *lines]


def aligned(rows: Sequence[Sequence[str]], left: int) -> list[str]:
    """Return rows as lines of a table, with the first `left` columns left-aligned."""
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    return [
        "  ".join(
            word.ljust(width) if place < left else word.rjust(width)
            for place, (word, width) in enumerate(zip(row, widths, strict=True))
        )
        for row in rows
    ]


def _seconds(ms: int | None) -> str:
    return "-" if ms is None else number(ms / 1000, 3)


# By reason code (see `actions.why_not`): the reason why an action was refused, and the rule behind
# it with its source. The rules are in our own words. Their source is the rulebook, or our
# assumption if the book is silent or a house rule applies. Players read the rule; `city-game rules`
# also prints the source. Reasons that no player can cause have no rule.

SOURCES = {BOOK: lazy("the rulebook"), OURS: lazy("our assumption")}

REFUSALS = {
    "not-now": Refusal(
        lazy("that cannot be done now"),
        lazy("A turn has a fixed order: roll, do what the space says, build."),
    ),
    "no-such-thing": Refusal(lazy("there is no such player, deed, card or number")),
    # Money and debts.
    "not-enough-money": Refusal(
        lazy("there is not enough money"),
        lazy("Nobody may spend, bid or offer more money than they have."),
        OURS,
    ),
    "can-pay": Refusal(
        lazy("the debt can be paid"),
        lazy("Mortgages and bankruptcy are for debts that cannot be paid otherwise."),
    ),
    "no-debt": Refusal(
        lazy("deeds can be mortgaged only for a debt"),
        lazy("The bank lends only when a rent or a tax cannot be paid; a house rule changes that."),
        OURS,
    ),
    "mortgaged": Refusal(
        lazy("that deed is mortgaged"),
        lazy("A mortgaged deed cannot be built on or mortgaged again."),
    ),
    "not-mortgaged": Refusal(
        lazy("that deed is not mortgaged"),
        lazy("Lifting a mortgage costs exactly what the bank lent."),
    ),
    "gives-away": Refusal(
        lazy("a debtor may not give anything away for less than it would raise"),
        lazy("This game is played with a house rule for debtors."),
        OURS,
    ),
    # Whose it is.
    "not-yours": Refusal(
        lazy("that deed is not yours"),
        lazy("Players build on, mortgage and give away only what they own."),
    ),
    "not-theirs": Refusal(
        lazy("that deed is not theirs"),
        lazy("A deal may ask only for deeds that the partner owns."),
    ),
    "out-of-the-game": Refusal(
        lazy("that player is out of the game"), lazy("A bankrupt player has left the game.")
    ),
    # Jail and cards.
    "no-jail-card": Refusal(
        lazy("there is no such card"), lazy("The holder of a card may use it to leave jail.")
    ),
    "not-on-top": Refusal(
        lazy("that card is not on top"), lazy("Chance cards are drawn from the top of the pile.")
    ),
    # Building.
    "box-empty": Refusal(
        lazy("the box has no such piece left"),
        lazy("Only pieces in the box can be built; larger ones may be exchanged for smaller ones."),
        OURS,
    ),
    # Auctions.
    "sold": Refusal(lazy("that deed has an owner"), lazy("The bank auctions only unsold deeds.")),
    "elsewhere": Refusal(
        lazy("that is not the deed of this space"),
        lazy("A player who lands on a deed without buying it has that deed auctioned, no other."),
    ),
    "below-least": Refusal(
        lazy("that is below the lowest opening of an auction"),
        lazy("The player who has a deed auctioned sets the opening, at least the smallest note."),
    ),
    "opening-too-high": Refusal(
        lazy("that opening would keep the others out"),
        lazy("An opening is at most the printed price, and what somebody else can pay."),
        OURS,
    ),
    "no-auction": Refusal(lazy("no auction is running")),
    "too-early": Refusal(
        lazy("the light was not on yet"), lazy("Bids count while the unit's light is on.")
    ),
    "too-late": Refusal(
        lazy("the light was out already"),
        lazy("The highest bid when the light goes out wins, by the unit's clock."),
    ),
    "bid-too-low": Refusal(
        lazy("that is not above the highest bid"), lazy("Each bid must exceed the last.")
    ),
    "leads-already": Refusal(
        lazy("the highest bidder need not pass"),
        lazy("When all others pass, an auction ends before its light would go out."),
        OURS,
    ),
    "passed-already": Refusal(
        lazy("that player has passed already"),
        lazy("A player who has passed may still bid, which cancels the pass."),
        OURS,
    ),
    "your-own-sale": Refusal(
        lazy("it is their own deed"), lazy("Sellers may not bid for their own deeds."), OURS
    ),
    "no-use-for-it": Refusal(
        lazy("they could not use it"),
        lazy("Only players who could build it now may bid for it."),
        OURS,
    ),
    "not-refused": Refusal(lazy("there is no reason to refuse that bid")),
    # Deals.
    "with-oneself": Refusal(lazy("a deal needs two players")),
    "empty-deal": Refusal(
        lazy("that deal is empty"),
        lazy("Deals exchange deeds with their buildings, money and jail cards."),
    ),
    "twice-in-the-deal": Refusal(lazy("a deed appears twice in the deal")),
    "no-deal": Refusal(lazy("no deal is offered")),
    "no-light": Refusal(
        lazy("the light is not on for that deal"),
        lazy("A deal is offered by pressing AUCTION, and agreed before the light goes out."),
    ),
    "untimed": Refusal(lazy("that deal is not timed by the light")),
    # The hour.
    "until-one-is-left": Refusal(
        lazy("the hour does not end this game"),
        lazy("The players chose to play until one is left."),
    ),
    "hour-over-already": Refusal(lazy("the hour is over already")),
}


# The codes that concern auctions, which an edition without auctions does not use.
OF_AUCTIONS = {
    *("sold", "elsewhere", "below-least", "opening-too-high", "too-early", "too-late"),
    *("bid-too-low", "leads-already", "passed-already", "your-own-sale", "no-use-for-it"),
}

REASONS = {code: refusal.reason for code, refusal in REFUSALS.items()}


def refused(code: str, edition: Edition | None = None) -> str:
    """Return why an action was refused, and the rule behind it, as whole sentences."""
    reason, rule, _source = refusal_of(code, edition)
    why = _("That is not possible: {reason}.").format(reason=reason)
    return why if rule is None else f"{why} {rule}"


def refusal_of(code: str, edition: Edition | None) -> Refusal:
    """Return the texts for a reason code, in the edition's words if it has any."""
    usual = REFUSALS.get(code) or Refusal(lazy("that cannot be done now"))
    return edition.words.refusals.get(code, usual) if edition else usual


def footnotes(edition: Edition) -> list[str]:
    """Return each rule behind a refusal once, with its source."""
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
    """Return a text on the books that an edition follows and the gaps in them, "" if none."""
    sources = edition.sources
    if not sources:
        return ""
    by = _("By {books}.").format(books=all_of([str(source.book) for source in sources]))
    return " ".join((by, *(str(source.gaps) for source in sources if source.gaps)))


def sentences(edition: Edition) -> tuple[str, ...]:
    """Return the rules of an edition in short, and its books."""
    said = (*map(str, edition.words.how_to_play), books(edition))
    return tuple(filter(None, said))
