"""What is to be decided now, as options that a key or a click can choose."""

from dataclasses import dataclass, field

from city_game import texts_table as texts
from city_game.money import show
from city_game.rules.building import clearing_cost, has_ground
from city_game.rules.engine import legal_actions
from city_game.rules.rents import rent, rent_with
from city_game.table.session import Session
from city_game.texts import BLOCKS
from city_game.words import deal_sides

LETTERS = {
    "roll": "r",
    "end turn": "e",
    "buy": "y",
    "pay": "p",
    "dodge": "d",
    "pay fine": "p",
    "use card": "c",
    "leave": "l",
    "stay": "s",
    "accept": "y",
    "decline": "n",
    "done": "e",
    "move on": "r",
    "bankrupt": "k",
}


@dataclass
class Option:
    """One thing that can be done.

    action   what it does; None if a district must be chosen first, or if the table does it
    targets  for each district that can be chosen, what is then done
    calls    what the table does itself: "auction", "build", "offer", "undo", "hour"
    amount   whether the action ends with an opening amount that can be changed
    """

    label: str
    key: str = ""
    action: tuple | None = None
    targets: dict[int, tuple] = field(default_factory=dict)
    calls: str = ""
    amount: bool = False


@dataclass
class Decision:
    """Who decides what; `options[0]` is what Enter does."""

    player: int
    title: str
    detail: str
    options: list[Option]


def decide(session: Session) -> Decision:
    """Return the present decision; without options if none is a person's."""
    state = session.state
    phase = state.phase
    if phase == "over":
        return Decision(-1, texts.OVER, "", [])
    if phase == "hammer":
        return _hammer(session)
    if phase == "bidding":
        return Decision(-1, texts.BIDDING, texts.BIDDING_DETAIL, [])
    if phase == "settling":
        return Decision(-1, texts.LIGHT_OUT, texts.LIGHT_OUT_DETAIL, [])
    if phase == "permit":
        return Decision(state.turn, texts.DRAWING, "", [])
    player = state.decider
    if not session.is_human(player):
        words = texts.THINKING if player >= 0 else texts.BY_CHANCE[phase]
        if phase == "manage" and session.unit.light_is_on:
            words = texts.WAITING
        name = session.names[player if player >= 0 else state.turn]
        return Decision(player, words.format(name=name), _latest(session), [])
    options = _options(session)
    title = texts.TITLES[_situation(phase, options)].format(name=session.names[player])
    if session.can_undo():
        options.append(Option(texts.UNDO, "u", calls="undo"))
    if state.hour_over:
        options.append(Option(texts.HOURS, "h", calls="hour"))
    return Decision(player, title, _detail(session), options)


def _situation(phase: str, options: list[Option]) -> str:
    """Return the title's name: the phase, or what is left of it."""
    if phase == "manage" and not any(option.calls == "build" for option in options):
        return "nothing to build"
    if phase == "unsold" and not any(option.action == ("buy",) for option in options):
        return "must be auctioned"
    return phase


def _latest(session: Session) -> str:
    """Return what has just happened, so that bots can be followed."""
    return "\n".join(session.log[-2:])


def _hammer(session: Session) -> Decision:
    state = session.state
    assert state.auction is not None
    district = state.board.districts[state.auction.district].name
    title = texts.HAMMER.format(district=district)
    if session.unit.light_is_on:
        option = Option(texts.STOP_LIGHT, "s", calls="stop")
        return Decision(state.auction.opener, title, texts.STRAY_LIGHT, [option])
    option = Option(texts.PRESS_AUCTION, "a", calls="auction")
    return Decision(state.auction.opener, title, texts.HAMMER_DETAIL, [option])


def _options(session: Session) -> list[Option]:
    """Gather the legal actions: those that differ only by the district become one option."""
    state = session.state
    gathered: dict[tuple, Option] = {}
    for action in legal_actions(state):
        name = action[0]
        if name == "press":
            gathered[action] = Option(texts.PRESS_BUILD, "b", calls="build")
        elif name == "place":
            _target(gathered, action[:2], action[2], action)
        elif name == "build":
            _target(gathered, (name, *action[2:]), action[1], action)
        elif len(action) > 1:
            _target(gathered, action[:1], action[1], action)
        else:
            gathered[action] = Option(_label(session, action), LETTERS.get(name, ""), action)
    options = []
    for key, option in gathered.items():
        if option.targets:
            option.label = _target_label(session, key)
            option.amount = key[0] == "put up"
            if key[0] == "put up":
                option.key = "o"
        options.append(option)
    options.sort(key=lambda option: _rank(state.phase, option))
    if state.phase in texts.DEALS_IN and len(session.names) - state.alive.count(False) > 1:
        options.append(Option(texts.OFFER, "t", calls="offer"))
    return options


def _target(gathered: dict, key: tuple, district: int, action: tuple) -> None:
    gathered.setdefault(key, Option("")).targets[district] = action


FIRST = ("buy", "roll", "dodge", "pay", "move on", "accept", "pay fine", "use card")
LAST = ("end turn", "done", "leave", "stay", "decline", "bankrupt")


def _rank(phase: str, option: Option) -> int:
    """Put what is usually wanted first; leaving off comes last, but ending a turn comes early."""
    name = option.action[0] if option.action else ""
    if option.calls == "build":  # once a roll, and so before the turn is ended
        return 0
    if name == "end turn":
        return 1
    if name in FIRST:
        return 2
    if name in LAST:
        return 9
    return 5


def _label(session: Session, action: tuple) -> str:
    state = session.state
    board = state.board
    values = {}
    if action[0] == "buy":
        district = board.standing[state.place[state.turn]]
        values = {"price": show(board.prices[district]), "district": board.districts[district].name}
    elif action[0] == "pay":
        values = {"price": show(state.debts[0][2])}
    elif action[0] == "pay fine":
        values = {"price": show(board.money.jail_fine)}
    return texts.ACTIONS[action[0]].format(**values)


def _target_label(session: Session, key: tuple) -> str:
    money = session.state.board.money
    if key[0] == "place":
        return texts.PLACE.format(piece=key[1])
    if key[0] == "build":
        kind = BLOCKS[key[1]][key[2] > 1]
        return texts.BUILD_BLOCKS.format(count=key[2], kind=kind)
    prices = {"stadium": show(money.stadium), "tower": show(money.tower)}
    return texts.ACTIONS[key[0]].format(price=prices.get(key[0], ""))


def _detail(session: Session) -> str:
    """Return the figures that the decision is about."""
    state = session.state
    phase = state.phase
    board = state.board
    if phase == "unsold":
        district = board.standing[state.place[state.turn]]
        rents = [show(board.rents[district][blocks]) for blocks in (0, 4, 8)]
        words = dict(zip(("bare", "four", "eight"), rents, strict=True))
        name, price = board.districts[district].name, show(board.prices[district])
        can_buy = state.cash[state.turn] >= board.prices[district]
        rest = texts.OR_AUCTION if can_buy else texts.CANNOT_BUY
        return f"{texts.UNSOLD_DETAIL.format(district=name, price=price, **words)} {rest}"
    if phase == "debt":
        debtor, creditor, amount, why, _ = state.debts[0]
        name = session.names[creditor] if creditor >= 0 else texts.BANK
        owed = texts.DEBT_DETAIL.format(amount=show(amount), name=name, why=why)
        lacking = amount - state.cash[debtor]
        return f"{owed} {texts.DEBT_LACKS.format(amount=show(lacking))}" if lacking > 0 else owed
    if phase == "build":
        return texts.PERMIT_DETAIL.format(count=state.permit)
    if phase == "deal":
        return deal_in_words(session)
    if phase == "manage":
        if state.pressed:
            return texts.BUILD_USED
        return texts.MANAGE_DETAIL if has_ground(state) else ""
    return texts.DETAILS.get(phase, "")


def deal_in_words(session: Session) -> str:
    deal = session.state.deal
    assert deal is not None
    board, name = session.state.board, session.names[deal.proposer]
    gives, asks = deal_sides(board, deal.gives, deal.asks, deal.pays, deal.takes_cards)
    return texts.DEAL_DETAIL.format(name=name, gives=gives, asks=asks)


def target_detail(session: Session, action: tuple) -> str:
    """Return what an action on a district costs or brings, for whoever is about to choose it."""
    state = session.state
    board = state.board
    name = action[0]
    if name == "build":
        _, district, kind, blocks = action
        before, price = rent(state, district), blocks * board.block_prices[kind][district]
        rise = rent_with(state, district, kind, blocks) - before
        words = {"price": show(price), "rent": show(before), "rise": show(rise)}
        return texts.BUILD_TARGET.format(**words)
    district = action[2] if name == "place" else action[1]
    price = {
        "clear": lambda: clearing_cost(state, district),
        "lift": lambda: state.mortgage[district],
        "place": lambda: rent(state, district),
        "mortgage": lambda: rent(state, district),
        "skyscraper": lambda: board.groups[board.group_of[district]].skyscraper,
        "stadium": lambda: board.money.stadium,
        "tower": lambda: board.money.tower,
        "put up": lambda: board.prices[district],
        "travel": lambda: (
            board.prices[district] if state.owner[district] < 0 else rent(state, district)
        ),
    }.get(name)
    return texts.TARGETS.get(name, "").format(price=show(price()) if price else "")
