"""The decision of the moment: its player, its words, its options; and first hints."""

from dataclasses import dataclass

from city_game.kernel.money import show
from city_game.kernel.sales import still_in
from city_game.kernel.state import State
from city_game.report.words import WHY_PAID, deal_sides, latest_in_words
from city_game.table.play.options import Option, options_of, rolls_again
from city_game.table.play.session import NOBODY, Session
from city_unit.desktop.catalogue import Lazy, _, lazy
from city_unit.desktop.forms import all_of

BY_CHANCE = {
    "start roll": lazy("The dice decide who starts"),
    "dice": lazy("{name} rolls the dice"),
    "chance": lazy("{name} draws a card"),
}

DETAILS = {
    "jail": lazy("A double, the fine or a card gets you out."),
    "unsold": lazy("If you do not buy it, it is auctioned."),
}

TITLES = {
    "roll": lazy("{name}: roll the dice"),
    "jail": lazy("{name} is in jail"),
    "leaving jail": lazy("{name} leaves jail"),
    "unsold": lazy("{name}: buy, or auction?"),
    "debt": lazy("{name} owes money"),
    "manage": lazy("{name}: build, or end the turn"),
    "nothing to build": lazy("{name}: end the turn"),
    "manage, roll again": lazy("{name}: build, or roll again"),
    "nothing to build, roll again": lazy("{name}: roll again"),
    "must be auctioned": lazy("{name}: it is auctioned"),
    "deal": lazy("{name}: a deal?"),
}

# Whether BUILD can still be pressed, and whether another roll follows: the title.
LEFT_OF_A_TURN = {
    (True, False): "manage",
    (False, False): "nothing to build",
    (True, True): "manage, roll again",  # no text: a key of TITLES
    (False, True): "nothing to build, roll again",  # no text: a key of TITLES
}

# The phases in which nobody in particular decides: title and detail.
NOBODY_S = {
    "bidding": (
        lazy("The light is on: bid!"),
        lazy("The highest bid when the light goes out wins. AUCTION held down stops the sale."),
    ),
    "settling": (lazy("The light is out"), lazy("Bids made before it are still taken in.")),
    "over": (lazy("The game is over"), ""),
}


@dataclass
class Decision:
    """The decider and the decision; Enter does `options[0]`."""

    player: int
    title: str
    detail: str
    options: list[Option]


def decide(session: Session) -> Decision:
    """Return the present decision; without options if none is a person's."""
    state = session.state
    phase = state.phase
    if session.gathers:
        return _gathering(session)
    if phase in NOBODY_S:
        options = []
        if session.auctioneer.can_pass():
            options = [Option(_("Nobody here bids more"), "backspace", calls="pass")]
        title, detail = NOBODY_S[phase]
        return Decision(-1, _awaited(session) or str(title), str(detail), options)
    if phase == "hammer":
        return _hammer(session)
    if phase == "permit":
        return Decision(state.turn, _("The unit draws a permit"), "", [])
    if not session.is_human(state.decider):
        return _of_a_bot(session)
    player = state.decider
    options = options_of(session)
    situation = _situation(phase, options, rolls_again(state))
    title = (state.edition.words.titles.get(situation) or TITLES[situation]).format(
        name=session.names[player]
    )
    if session.can_undo():
        options.append(Option(_("Take the last step back"), "u", calls="undo"))
    if state.hour_over:
        options.append(Option(_("Another hour"), "h", calls="hour"))
    return Decision(player, title, _detail(session), options)


def _gathering(session: Session) -> Decision:
    """Return for whom the game waits before it begins; anybody may begin it without them."""
    names = all_of([session.names[player] for player in session.missing()])
    return Decision(
        NOBODY,
        _("No telephone yet: {names}").format(names=names),
        _("The game and its hour begin when all are there."),
        [Option(_("Begin anyway"), "y", calls="begin")],
    )


def _awaited(session: Session) -> str:
    """Return in words that a sale waits for one person alone; "" if it does not."""
    state = session.state
    if state.phase != "bidding" or not state.rules.passes_end_auctions:
        return ""
    left = still_in(state)
    if len(left) != 1 or not session.is_human(left[0]):
        return ""
    return _("All wait for {name}: bid or pass").format(name=session.names[left[0]])


def _of_a_bot(session: Session) -> Decision:
    """Return the next action of a bot, or of chance, in words."""
    state = session.state
    player = state.decider
    words = _("{name} is thinking") if player >= 0 else _by_chance(state)
    if state.phase == "manage" and session.unit.light_is_on:
        words = _("{name} waits for the light to go out")
    name = session.names[player if player >= 0 else state.turn]
    return Decision(player, words.format(name=name), _latest(session), [])


def _by_chance(state: State) -> Lazy:
    return state.edition.words.titles.get(state.phase) or BY_CHANCE[state.phase]


def _situation(phase: str, options: list[Option], again: bool) -> str:
    """Return the title's name: the phase, or the part left of it."""
    if phase == "manage":
        builds = any(option.calls == "build" for option in options)
        return LEFT_OF_A_TURN[builds, again]
    if phase == "unsold" and not any(option.action == ("buy",) for option in options):
        return "must be auctioned"
    return phase


def _latest(session: Session) -> str:
    """Return the last events in words, so that bots can be followed.

    Made anew and not taken from the log: that is in the table's language, a telephone has its own.
    """
    return "\n".join(latest_in_words(session.state, session.names, 2))


def _hammer(session: Session) -> Decision:
    state = session.state
    assert state.auction is not None
    deed = state.board.deeds[state.auction.deed].name
    title = _("{district} is for sale").format(district=deed)
    option = Option(_("AUCTION: begin the sale"), "a", calls="auction")
    opener = state.auction.opener
    if state.auction.elapsed:  # anybody may; of a bot's sale the first person is asked
        option = Option(_("AUCTION: go on with the sale"), "a", calls="auction")
        people = session.humans()
        opener = opener if opener in people or not people else people[0]
    if session.unit.light_is_on:
        detail = _("A light is still on from before the sale; it is put out first.")
        return Decision(opener, title, detail, [option])
    return Decision(opener, title, _("AUCTION on the unit puts the light on."), [option])


def _detail(session: Session) -> str:
    """Return the figures that the decision is about."""
    state = session.state
    phase = state.phase
    board, theirs = state.board, state.edition.words
    if phase == "unsold":
        deed = board.deed_on[state.place[state.turn]]
        can_buy = state.cash[state.turn] >= board.prices[deed]
        rest = _("You have not enough money to buy it.")
        if can_buy:
            rest = theirs.detail(state) or str(theirs.details.get(phase) or DETAILS[phase])
        return f"{theirs.short_rents(board, deed)} {rest}"
    if phase == "debt":
        debtor, creditor, amount, kind, _phase = state.debts[0]
        why = WHY_PAID[kind]
        name = session.names[creditor] if creditor >= 0 else _("the bank")
        owed = _("{amount} to {name} ({why}).").format(amount=show(amount), name=name, why=why)
        lacking = amount - state.cash[debtor]
        if lacking <= 0:
            return owed
        lacks = _("{amount} are lacking: mortgage, or find a deal.").format(amount=show(lacking))
        return f"{owed} {lacks}"
    if phase == "deal":
        return deal_in_words(session)
    return theirs.detail(state) or str(theirs.details.get(phase) or DETAILS.get(phase, ""))


def deal_in_words(session: Session) -> str:
    deal = session.state.deal
    assert deal is not None
    board, name = session.state.board, session.names[deal.proposer]
    gives, asks = deal_sides(board, deal.gives, deal.asks, deal.pays, deal.takes_cards)
    return _("{name} gives: {gives}\nYou give: {asks}").format(name=name, gives=gives, asks=asks)


HINTS: dict[str, Lazy] = {
    "roll": lazy("Your turn begins with the dice: Enter rolls them. The track shows every rent."),
    "unsold": lazy("Buy it, or let everybody bid: an auction often ends below the printed price."),
    "hammer": lazy("AUCTION on the unit (A) puts the light on. Then your own key bids."),
    "bidding": lazy("The highest bid when the light goes out has it. Late bids do not count."),
    "manage": lazy("BUILD (B) draws a permit: blocks raise your rents. Then end the turn."),
    "build": lazy("Choose one of your districts: the price and the new rent are said."),
    "planning": lazy("A bonus keeps hazards away; beside a hazard others' homes are worthless."),
    "station": lazy("A station is free, and takes you on to other stations: past GO it pays."),
    "debt": lazy("Mortgage a district, or offer somebody a deal: T."),
    "jail": lazy("Rents and building go on in jail: the fine is not always worth it."),
    "deal": lazy("Agree only to what helps you more: the worth beside each name shows the lead."),
}


class FirstGame:
    """The hints that were not given yet; a player that has played before gets none."""

    def __init__(self, wanted: bool) -> None:
        self._left = dict(HINTS) if wanted else {}

    def hint(self, state: State, mine: bool) -> str:
        """Return the hint for this decision, "" for nothing; `mine` if a person decides."""
        if not mine and state.phase != "bidding":
            return ""
        hint = self._left.pop(state.phase, None)
        return str(hint) if hint else ""
