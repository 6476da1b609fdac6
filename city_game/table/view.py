"""The game as a reader sees it, in the language of the moment.

`Table` holds the state of the rules and the facts around it; `view(table)` is a pure function that
returns all that a reader needs as a `GameView`: the decision with its options, problems of the
unit, worths and plots. The window draws it; telephones, spectators and referees receive it as JSON.
Players, deeds and groups are indices, -1 for none; money is in notes of 10k.
"""

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import NamedTuple

from city_game.kernel.actions import legal_actions
from city_game.kernel.edition import Look
from city_game.kernel.money import show
from city_game.kernel.sales import still_in
from city_game.kernel.state import State
from city_game.words import WHY_PAID, deal_sides, latest_in_words
from city_unit.desktop.catalogue import Lazy, _, lazy
from city_unit.desktop.forms import all_of

NOBODY = -1
BID_KEYS = "fjvnrk"  # the players' keys, far apart on any keyboard layout


class Problem(NamedTuple):
    """A problem with the unit, the button that solves it, and that button's command."""

    words: str
    label: str
    key: str
    cure: str


class Table(NamedTuple):
    """The state of the rules and the facts around it."""

    state: State  # the rules' own object, which changes in place
    # Counts of its steps and events, phase and decider: differs after each change.
    moment: tuple[int, str, int, int]
    names: tuple[str, ...]
    seats: tuple[str, ...]
    people: tuple[int, ...]  # in the game, not bankrupt
    online: frozenset[int]  # the players with a connected telephone
    gathers: bool  # the game and its hour wait for people to connect their telephones
    is_paused: bool  # the unit is off for a pause
    paused_by: int  # NOBODY if unknown
    unit_online: bool
    unit_state: str  # "" before the unit's first snapshot
    other_program: str  # the unit's program if the game cannot be played with it, else ""
    light_is_on: bool
    light_ends: float | None  # unit time at which the sale's light goes out, None if secret
    warning_ms: int  # length of the warning before it
    can_undo: bool  # the person who decides took the last step, and it can be undone
    limits: tuple[int, ...]  # in a sale, each player's secret maximum, 0 for none
    unjudged: tuple[int, ...]  # in a sale, each player's highest bid not judged yet, 0 for none

    @property
    def steps(self) -> int:
        return self.moment[0]

    @property
    def missing(self) -> tuple[int, ...]:
        """Return the people whose telephones the game waits for."""
        waits_for = (player for player in self.people if player not in self.online)
        return tuple(waits_for) if self.gathers else ()

    def problem(self) -> Problem | None:
        """Return the problem with the unit, a pause included; None if there is none."""
        if self.state.phase == "over":
            return None
        if not self.unit_online:
            words = _("The unit has disconnected. The game is waiting.")
            return Problem(words, _("Continue with another unit"), "f5", "another unit")
        if self.unit_state == "off":
            if self.is_paused:
                by = self.names[self.paused_by] if self.paused_by >= 0 else ""
                return Problem(pause_in_words(by), _("Resume"), "enter", "pause")
            words = _("The unit is switched off.")
            return Problem(words, _("Switch it on"), "enter", "switch on")
        if self.other_program:
            program = self.state.edition.program
            words = _("The unit runs the program {program}, not {wanted}.")
            words = words.format(program=self.other_program, wanted=program)
            label = _("Set it to {program}").format(program=program)
            return Problem(words, label, "enter", "set program")
        return None


def pause_in_words(paused_by: str) -> str:
    """Return the text of a pause by that player, "" if unknown."""
    if not paused_by:
        return _("Paused: the hour is stopped.")
    return _("{name} has paused: the hour is stopped.").format(name=paused_by)


ACTIONS = {
    "roll": lazy("Roll the dice"),
    "pay fine": lazy("Pay the fine of {price}"),
    "use card": lazy("Use the jail card"),
    "move on": lazy("Go on"),
    "buy": lazy("Buy {district} for {price}"),
    "put up": lazy("Have it auctioned"),
    "pay": lazy("Pay {price}"),
    "mortgage": lazy("Mortgage a deed"),
    "bankrupt": lazy("Go bankrupt"),
    "end turn": lazy("End the turn"),
    "lift": lazy("Lift a mortgage"),
    "accept": lazy("Accept the deal"),
    "decline": lazy("Decline it"),
}

TARGETS = {
    "lift": lazy("costs {price}"),
    "mortgage": lazy("brings {price}"),
    "put up": lazy("its printed price is {price}"),
    "travel": lazy("{price} there"),
}


LETTERS = {
    "roll": "r",
    "end turn": "e",
    "buy": "y",
    "pay": "p",
    "pay fine": "p",
    "use card": "c",
    "accept": "y",
    "decline": "n",
    "move on": "r",
    "bankrupt": "k",
}


NO_DEED = -1  # target of an option with an amount but no deed


@dataclass
class Option:
    """One option of a decision."""

    label: str
    key: str = ""
    action: tuple | None = None  # None if a deed must be chosen first or the table performs it
    targets: dict[int, tuple] = field(default_factory=dict)  # the action for each deed, or NO_DEED
    calls: str = ""  # the table's own command, such as "auction", "build" or "undo"
    has_amount: bool = False  # the action ends with an opening bid that can be changed


FIRST = ("buy", "roll", "dodge", "pay", "move on", "accept", "pay fine", "use card")
LAST = ("done", "leave", "stay", "decline", "bankrupt")


def options_of(table: Table) -> list[Option]:
    """Return the legal actions as options; those that differ only by the deed become one."""
    state, board, wording = table.state, table.state.board, table.state.edition.words
    gathered: dict[tuple, Option] = {}
    for action in legal_actions(state):
        name = action[0]
        fields = state.edition.actions[name].fields
        if name == "press":
            gathered[action] = Option(_("BUILD: draw a permit"), "b", calls="build")
        elif "amount" in fields:  # for a deed, or for a lot without one
            deed = action[1] if "district" in fields else NO_DEED
            gathered.setdefault(action[:1], Option("", has_amount=True)).targets[deed] = action
        elif "district" in fields:
            at = fields.index("district") + 1
            others = (*action[:at], *action[at + 1 :])
            gathered.setdefault(others, Option("")).targets[action[at]] = action
        elif len(action) == 1:
            values = {}
            if name == "buy":
                deed = board.deed_on[state.place[state.turn]]
                values = {"price": show(board.prices[deed]), "district": board.deeds[deed].name}
            elif name in ("pay", "pay fine"):
                price = state.debts[0][2] if name == "pay" else board.money.jail_fine
                values = {"price": show(price)}
            label = (wording.options.get(name) or ACTIONS[name]).format(**values)
            if name == "end turn" and rolls_again(state):
                label = _("Continue with the next roll")
            elif name == "bankrupt" and state.rules.bankrupts_play_on():
                label = _("Hand over all you have, and play on")
            key = {**LETTERS, **wording.letters}.get(name, "")
            gathered[action] = Option(label, key, action)
    options = []
    for key, option in gathered.items():
        if option.targets:
            label = wording.label(state, key, option.targets)
            option.label = label or str(wording.options.get(key[0]) or ACTIONS[key[0]])
            if key[0] == "put up":
                option.key = "o"
        options.append(option)
    # The most common option comes first, and giving up last. BUILD comes before ending the turn,
    # since a permit can be drawn once per roll.
    ranks = {"end turn": 1} | dict.fromkeys(FIRST, 2) | dict.fromkeys(LAST, 9)
    if preferred := wording.preferred(state):
        ranks[preferred] = 1
    options.sort(key=lambda one: 0 if one.calls else ranks.get((one.action or ("",))[0], 5))
    if "offer" in state.edition.phases[state.phase] and state.alive.count(True) > 1:
        options.append(Option(_("Offer a deal"), "t", calls="offer"))
    return options


def rolls_again(state: State) -> bool:
    """Return True if the turn continues with another roll."""
    again = bool(state.doubles) and not state.stopped and state.alive[state.turn]
    return again and (not state.hour_over or state.rules.finish_doubles)


def target_detail(state: State, action: tuple) -> str:
    """Return the cost or gain of an action on a deed, for the player choosing it."""
    name, wording = action[0], state.edition.words
    detail = wording.target_detail(state, action)
    if detail is not None:
        return detail
    words = wording.targets.get(name) or TARGETS.get(name)
    price = wording.prices.get(name) or PRICES.get(name)
    return words.format(price=show(price(state, action[1])) if price else "") if words else ""


# action: its price for a deed
PRICES: dict[str, Callable[[State, int], int]] = {
    "lift": lambda state, deed: state.edition.redemption(state, deed),
    "mortgage": lambda state, deed: state.edition.loan(state, deed),
    "put up": lambda state, deed: state.board.prices[deed],
}


# The decision.

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

# (something can be built, another roll follows): key of TITLES
LEFT_OF_A_TURN = {
    (True, False): "manage",
    (False, False): "nothing to build",
    (True, True): "manage, roll again",  # no text: a key of TITLES
    (False, True): "nothing to build, roll again",  # no text: a key of TITLES
}

# Phases without a single decider: title and detail.
NOBODY_DECIDES = {
    "bidding": (
        lazy("The light is on: bid!"),
        lazy("The highest bid when the light goes out wins. Hold AUCTION to stop the sale."),
    ),
    "settling": (lazy("The light is out"), lazy("Bids made before that are still accepted.")),
    "over": (lazy("The game is over"), ""),
}


@dataclass
class Decision:
    """The decider and the decision; Enter chooses `options[0]`."""

    player: int
    title: str
    detail: str
    options: list[Option]


def decide(table: Table) -> Decision:
    """Return the current decision, without options unless people can make it."""
    state, board, phase = table.state, table.state.board, table.state.phase
    if table.gathers:
        title = _("No telephone yet: {names}")
        title = title.format(names=all_of([table.names[player] for player in table.missing]))
        detail = _("The game and its hour start once everybody is connected.")
        anyway = Option(_("Start anyway"), "y", calls="begin")  # anybody may
        return Decision(NOBODY, title, detail, [anyway])
    if phase in NOBODY_DECIDES:
        options = []
        title, detail = map(str, NOBODY_DECIDES[phase])
        left = still_in(state) if phase == "bidding" and state.rules.passes_end_auctions else ()
        if any(player in table.people and player not in table.online for player in left):
            options = [Option(_("Everybody here passes"), "backspace", calls="pass")]
        if len(left) == 1 and left[0] in table.people:
            title = _("Waiting for {name}: bid or pass").format(name=table.names[left[0]])
        return Decision(-1, title, detail, options)
    if phase == "hammer":
        assert state.auction is not None
        title = _("{district} is for sale")
        title = title.format(district=board.name_of(state.auction.thing))
        label = _("AUCTION: start the sale")
        opener, detail = state.auction.opener, _("AUCTION on the unit turns on the light.")
        if (
            state.auction.elapsed
        ):  # anybody may resume a sale; a bot's is offered to the first person
            label = _("AUCTION: resume the sale")
            if table.people and opener not in table.people:
                opener = table.people[0]
        if table.light_is_on:
            detail = _("A light from before the sale is still on; it is stopped first.")
        return Decision(opener, title, detail, [Option(label, "a", calls="auction")])
    if phase == "permit":
        return Decision(state.turn, _("The unit draws a permit"), "", [])
    player = state.decider
    if player not in table.people:  # a bot or chance decides
        words: Lazy | str = _("{name} is thinking")
        if player < 0:
            words = state.edition.words.titles.get(phase) or BY_CHANCE[phase]
        if phase == "manage" and table.light_is_on:
            words = _("{name} waits for the light to go out")
        title = words.format(name=table.names[player if player >= 0 else state.turn])
        # The latest events, worded anew: the log is in the table's language, not the telephone's.
        return Decision(player, title, "\n".join(latest_in_words(state, table.names, 2)), [])
    options, wording = options_of(table), state.edition.words
    situation = phase  # key of TITLES, finer than the phase in two cases
    if phase == "manage":
        builds = any(
            option.calls == "build" or ("build",) in {each[:1] for each in option.targets.values()}
            for option in options
        )
        situation = LEFT_OF_A_TURN[builds, rolls_again(state)]
    elif phase == "unsold" and not any(option.action == ("buy",) for option in options):
        situation = "must be auctioned"
    title = (wording.titles.get(situation) or TITLES[situation]).format(name=table.names[player])
    # The text below the title: the figures the decision is about.
    detail = wording.detail(state) or str(wording.details.get(phase) or DETAILS.get(phase, ""))
    if phase == "unsold":
        deed = board.deed_on[state.place[state.turn]]
        if state.cash[state.turn] < board.prices[deed]:
            detail = _("You do not have enough money to buy it.")
        detail = f"{wording.short_rents(board, deed)} {detail}"
    elif phase == "debt":
        debtor, creditor, amount, kind, _phase = state.debts[0]
        name = table.names[creditor] if creditor >= 0 else _("the bank")
        detail = _("{amount} to {name} ({why}).")
        detail = detail.format(amount=show(amount), name=name, why=WHY_PAID[kind])
        if (lacking := amount - state.cash[debtor]) > 0:
            lacks = _("{amount} short: mortgage, or find a deal.").format(amount=show(lacking))
            detail = f"{detail} {lacks}"
    elif phase == "deal":
        deal = state.deal
        assert deal is not None
        gives, asks = deal_sides(board, deal.gives, deal.asks, deal.pays, deal.takes_cards)
        detail = _("{name} gives: {gives}\nYou give: {asks}")
        detail = detail.format(name=table.names[deal.proposer], gives=gives, asks=asks)
    if table.can_undo:
        options.append(Option(_("Undo the last step"), "u", calls="undo"))
    if state.hour_over:
        options.append(Option(_("Another hour"), "h", calls="hour"))
    return Decision(player, title, detail, options)


HINTS: dict[str, Lazy] = {
    "roll": lazy("Your turn starts with the dice: Enter rolls them. The track shows every rent."),
    "unsold": lazy("Buy it, or let everybody bid: an auction often ends below the printed price."),
    "hammer": lazy("AUCTION on the unit (A) turns on the light. Then bid with your own key."),
    "bidding": lazy("The highest bid when the light goes out wins. Late bids do not count."),
    "debt": lazy("Mortgage a deed, or offer somebody a deal: T."),
    "jail": lazy("Rents and building go on in jail: the fine is not always worth it."),
    "deal": lazy(
        "Accept only a deal that helps you more: the worth beside each name shows who leads."
    ),
}


class FirstGame:
    """The hints of a first game, each shown once; none for experienced players."""

    def __init__(self, wanted: bool) -> None:
        self._wanted = wanted
        self._passed: set[str] = set()  # the phases that had their hint

    def hint(self, state: State, people_decide: bool) -> str:
        """Return the hint for this decision, "" for none."""
        phase = state.phase
        if not self._wanted or phase in self._passed or not (people_decide or phase == "bidding"):
            return ""
        self._passed.add(phase)
        return str({**HINTS, **state.edition.words.hints}.get(phase, ""))


class Plot(NamedTuple):
    """A deed and its appearance; while its buildings rise, `grown` is the share of their height."""

    owner: int
    price: int
    rent: int
    is_mortgaged: bool
    look: Look
    grown: float = 1.0


@dataclass(frozen=True)
class GameView:
    """A whole game as a reader sees it."""

    table: Table
    decision: Decision  # with the options the reader has
    problem: Problem | None
    title: str  # the decision's, or the problem with the unit
    detail: str  # the text below the title
    worths: tuple[int, ...]  # 0 if bankrupt
    traits: tuple[tuple[str, ...], ...]  # further facts about each player in this edition, as text
    plots: tuple[Plot, ...]

    def seen_by(self, reader: int) -> "GameView":
        """Return the view of one player, or of a spectator for -1."""
        table, decision = self.table, self.decision
        decides = reader >= 0 and (table.gathers or decision.player == reader)
        if not decides or table.is_paused:
            decision = replace(decision, options=[])
        title = self.title
        if reader < 0 and table.state.phase == "bidding" and not self.problem:
            title = _("The light is on: the players bid.")
        return replace(self, decision=decision, title=title)


def view(table: Table) -> GameView:
    """Return the view of the table's own window, where everybody may sit."""
    state, problem, decision = table.state, table.problem(), decide(table)
    return GameView(
        table=table,
        decision=decision,
        problem=problem,
        title=problem.words if problem else decision.title,
        detail="" if problem else decision.detail,
        worths=tuple(
            state.edition.worth(state, player) if is_alive else 0
            for player, is_alive in enumerate(state.alive)
        ),
        traits=tuple(
            tuple(state.edition.words.player(state, player)) for player in range(state.players)
        ),
        plots=tuple(
            Plot(
                owner=owner,
                price=state.board.prices[deed],
                rent=state.edition.rent(state, deed),
                is_mortgaged=bool(state.mortgage[deed]),
                look=state.edition.look(state, deed),
            )
            for deed, owner in enumerate(state.owner)
        ),
    )
