"""The texts of City, and the questions that its rulebook leaves open."""

from collections.abc import Mapping
from typing import Any

from city_game.editions.city.board import (
    Board,
    State,
    is_doubled,
    rent,
    rent_beside_hazard,
    rent_with,
)
from city_game.editions.city.rules import clearing_cost, has_ground, why_not_build
from city_game.kernel.edition import OURS, Refusal, Words, rent_lines
from city_game.kernel.money import show
from city_game.kernel.switches import Switch, usual
from city_unit.desktop.catalogue import _, lazy, ngettext, nlazy, plazy

# All switches and decisions are assumptions, except that `stations_anywhere` and
# `deals_by_the_light` follow the book.
_USUAL = {switch.name: switch for switch in usual()}

SWITCHES = (
    _USUAL["opening_is_a_bid"],
    _USUAL["doubtful_bids_count"],
    _USUAL["passes_end_auctions"],
    _USUAL["sales_go_on"],
    Switch(
        "stations_anywhere",
        lazy("A station may be built on any district, not only on one's own."),
        lazy("The book lets the builder choose any district; only blocks must go on one's own."),
        default=True,
    ),
    Switch(
        "travel_passes_go",
        lazy("A journey by train goes forwards around the track and collects the salary at GO."),
        lazy("The book mentions reaching the salary sooner as a use of stations."),
        default=True,
    ),
    _USUAL["jail_double_rolls_again"],
    _USUAL["deals_by_the_light"],
    _USUAL["mortgage_freely"],
    _USUAL["reshuffle"],
    Switch(
        "estate_keeps_buildings",
        lazy("Deeds auctioned after a bankruptcy keep their buildings."),
        lazy("They stay in deals too, and the book does not say that they are removed."),
        default=True,
    ),
    _USUAL["until_one_is_left"],
    _USUAL["nobody_is_out"],
    _USUAL["fine_ends_turn"],
    _USUAL["debtors_may_give"],
    Switch(
        "stadium_keeps_hazards_out",
        lazy("A district with a stadium is safe from hazards."),
        lazy("Our book names only the bonus buildings as protection; other sources add this."),
    ),
    _USUAL["finish_doubles"],
)

DECISIONS = (
    lazy("Bids, deals and prices are multiples of 10k, and nobody may bid more than their cash."),
    lazy(
        "A player who cannot open at 10k opens without a bid; an auction without bids "
        "changes nothing."
    ),
    lazy(
        "A rent, tax or fine is paid automatically when due, unless the player may use "
        "the rent dodge card or another debt comes first."
    ),
    lazy(
        "Stadium, skyscraper, tower, clearing a hazard and lifting a mortgage need no "
        "permit, and are possible on one's own turn, before the roll or after the move."
    ),
    lazy(
        "Neither blocks nor landmarks are built on a mortgaged district; a station may "
        "be. A district has at most one bonus or hazard, and one station."
    ),
    lazy(
        "The box holds several hazards of each kind; when no piece can be placed, "
        "permission lapses."
    ),
    lazy(
        "A skyscraper or the tower doubles only rents of its own owner, even if its "
        "district is mortgaged."
    ),
    lazy(
        "A mortgage stays on its deed in a deal and in a bankruptcy to a player; the bank"
        " auctions deeds free of mortgage."
    ),
    lazy(
        "A mortgage pays out the deed's current rent, with any doubling; lifting it costs the same."
    ),
    lazy(
        "After a bankruptcy the rent dodge card returns to free parking, and the "
        "bankrupt's other debts and claims lapse."
    ),
    lazy(
        "Landing on a station allows one journey, also from another player's district "
        "(after the rent) and from one just bought or auctioned; arriving by train allows"
        " no further one."
    ),
    lazy(
        "A deal may be offered whenever a player has a decision to make, except in an "
        "auction or while placing a bonus or hazard; it ends if the light goes out "
        "without an answer."
    ),
    lazy("When players hold all chance cards, none is drawn."),
    lazy(
        "Landing on the jail space is just a visit. Being sent to jail ends the turn "
        "without building."
    ),
    lazy("If the unit refuses a permit, BUILD may be pressed again, except after the hour."),
    lazy("A player in jail may press BUILD after each try at a double, as after any roll."),
    lazy("Players of equal worth at the end share the win."),
    lazy(
        "The dice decide who starts, and tied players roll again; turns follow the order of seats."
    ),
)


PERMITS = {
    "1": lazy("1 block"),
    "2": lazy("2 blocks"),
    "3": lazy("3 blocks"),
    "station": lazy("a station"),
}
BLOCKS = {
    "residential": nlazy("{count} home", "{count} homes"),
    "industrial": nlazy("{count} factory", "{count} factories"),
}
PIECES = {
    "school": plazy("places, builds", "a school"),
    "park": plazy("places, builds", "a park"),
    "wind farm": plazy("places, builds", "a wind farm"),
    "water tower": plazy("places, builds", "a water tower"),
    "power station": plazy("places, builds", "a power station"),
    "sewage works": plazy("places, builds", "a sewage works"),
    "prison": plazy("places, builds", "a prison"),
    "rubbish dump": plazy("places, builds", "a rubbish dump"),
    "stadium": plazy("places, builds", "a stadium"),
    "skyscraper": plazy("places, builds", "a skyscraper"),
    "tower": plazy("places, builds", "the tower"),
}
CLEARED = {
    "power station": plazy("clears", "the power station"),
    "sewage works": plazy("clears", "the sewage works"),
    "prison": plazy("clears", "the prison"),
    "rubbish dump": plazy("clears", "the rubbish dump"),
}


def combined(values: Mapping[str, Any]) -> Mapping[str, str]:
    if "kind" not in values:
        return {}
    return {"blocks": BLOCKS[values["kind"]].format(count=values["count"])}


BUILD = {
    "residential": nlazy("Build {count} home, {price}", "Build {count} homes, {price}"),
    "industrial": nlazy("Build {count} factory, {price}", "Build {count} factories, {price}"),
}

OPTIONS = {
    "dodge": lazy("Use the rent dodge card"),
    "leave": lazy("Leave it"),
    "travel": lazy("Take the train"),
    "stay": lazy("Stay here"),
    "done": lazy("Build no more"),
    "station": lazy("Build the station"),
    "stadium": lazy("Build a stadium, {price}"),
    "skyscraper": lazy("Build a skyscraper"),
    "tower": lazy("Build the tower, {price}"),
    "clear": lazy("Clear a hazard"),
}


def label(state: State, key: tuple, targets: dict[int, tuple]) -> str:
    """Return the text of an option before its deed is chosen."""
    board, money = state.board, state.board.money
    if key[0] == "place":
        return _("Place: {piece}").format(piece=PLACED[key[1]])
    if key[0] == "build":
        prices = [key[2] * board.block_prices[key[1]][deed] for deed in targets]
        price = show(min(prices))
        if min(prices) < max(prices):
            price = _("from {price}").format(price=price)
        return BUILD[key[1]].format(count=key[2], price=price)
    prices = {"stadium": money.stadium, "tower": money.tower}
    return OPTIONS[key[0]].format(price=show(prices[key[0]])) if key[0] in prices else ""


def target_detail(state: State, action: tuple) -> str | None:
    """Return the price and the new rent of building or placing on a deed."""
    if action[0] == "build":
        _name, deed, kind, blocks = action
        price = show(blocks * state.board.block_prices[kind][deed])
        after = rent_with(state, deed, kind, blocks)
        words = _("costs {price}; the rent goes from {rent} to {after}")
    elif action[0] == "place":
        _name, piece, deed = action
        if piece not in state.box_hazards:
            return _("free; keeps hazards away from here")
        price, after = "", rent_beside_hazard(state, deed)
        words = _("free; the rent goes from {rent} to {after}")
        if after == rent(state, deed):
            words = _("free; the rent stays {rent}")
    else:
        return None
    return words.format(price=price, rent=show(rent(state, deed)), after=show(after))


NONE_LEFT = {
    "residential": lazy("The box has no suitable homes left."),
    "industrial": lazy("The box has no suitable factories left."),
}


def detail(state: State) -> str:
    """Return the number of blocks left to build, or what BUILD may bring."""
    if state.phase == "build":
        if not state.owned[state.turn]:
            return _("You can build blocks only on your own districts, and have none yet.")
        said = [_("Blocks left to build: {count}.").format(count=state.permit)]
        for kind, words in NONE_LEFT.items():
            sites = state.owned[state.turn]
            reasons = {why_not_build(state, ("build", deed, kind, 1)) for deed in sites}
            if "box-empty" in reasons and "" not in reasons:
                said.append(str(words))
                break
        return " ".join(said)
    if state.phase != "manage":
        return ""
    if state.pressed:
        return _("BUILD has been pressed since the roll.")
    if has_ground(state) and not state.owned[state.turn]:
        return _("You own no district yet, so only a permit for a station would be useful.")
    return _("BUILD on the unit draws a permit, once per roll.") if has_ground(state) else ""


def player_notes(state: State, player: int) -> list[str]:
    return [_("rent dodge")] if state.dodge == player else []


def parts(state: State, player: int) -> dict[str, int]:
    cash = state.cash[player]
    return {_("cash"): cash, _("rents"): state.edition.worth(state, player) - cash}


def short_rents(board: Board, deed: int) -> str:
    rents = [show(board.rents[deed][blocks]) for blocks in (0, 4, 8)]
    words = dict(zip(("bare", "four", "eight"), rents, strict=True))
    name, price = board.deeds[deed].name, show(board.prices[deed])
    return _(
        "{district} costs {price}. Its rent: {bare} bare, {four} with 4 blocks, {eight} with 8."
    ).format(district=name, price=price, **words)


def row(_board: Board, _deed: int, count: int) -> str:
    if not count:
        return _("no block")
    return ngettext("{count} block", "{count} blocks", count).format(count=count)


def sums(board: Board, deed: int) -> Mapping[str, int]:
    printed = board.deeds[deed]
    return {_("home"): printed.residential, _("factory"): printed.industrial}


PLACED = {
    "school": lazy("School"),
    "park": lazy("Park"),
    "wind farm": lazy("Wind farm"),
    "water tower": lazy("Water tower"),
    "power station": lazy("Power station"),
    "sewage works": lazy("Sewage works"),
    "prison": lazy("Prison"),
    "rubbish dump": lazy("Rubbish dump"),
}


def deed_words(state: State, deed: int) -> tuple[str, ...]:
    """Return the lines under the rents: prices, and causes that change or could change the rent."""
    board, hazard, bonus = state.board, state.hazard[deed], state.bonus[deed]
    printed, rents, doubled = board.deeds[deed], board.rents[deed], is_doubled(state, deed)
    homes, works = show(printed.residential), show(printed.industrial)
    words = [
        _("A home {home}, a factory {works}").format(home=homes, works=works),
        _("Skyscraper {price}").format(price=show(board.groups[printed.group].skyscraper)),
        *rent_lines(state, deed),
    ]
    if hazard:
        said = _("{hazard}: the homes do not count; clearing it costs {price}.")
        price = show(clearing_cost(state, deed))
        words.append(said.format(hazard=PLACED[hazard], price=price))
    elif bonus:
        words.append(_("{bonus}: no hazard can be placed here.").format(bonus=PLACED[bonus]))
    if doubled:
        words.append(_("Doubled by a skyscraper or the tower."))
    elif state.owner[deed] >= 0:
        words.append(_("A skyscraper on the whole group would double it."))
    blocks = state.residential[deed] + state.industrial[deed]
    if blocks >= len(rents) - 1:
        words.append(_("No room for more blocks."))
    elif not hazard:
        rise = (rents[blocks + 1] - rents[blocks]) * (2 if doubled else 1)
        words.append(_("The next block brings {rise} more.").format(rise=show(rise)))
    return tuple(words)


WORDS = Words(
    how_to_play=(
        lazy("The richest player at the end of the hour wins: cash and current rents count."),
        lazy("On your turn, roll the dice, move along the track, and do what the space says."),
        lazy("You may buy an unsold district at its price; otherwise it is auctioned."),
        lazy("In an auction everybody bids until the unit's light goes out; the highest bid wins."),
        lazy(
            "After the move BUILD draws a permit: 1, 2 or 3 blocks on your districts, or a station."
        ),
        lazy("Each block raises the rent; homes beside a hazard do not count, factories do."),
        lazy(
            "A skyscraper doubles the rents of a group, the tower all of yours; stadiums pay at GO."
        ),
        lazy("Visitors pay your district's rent; if they cannot, they mortgage, deal, or are out."),
        lazy(
            "You may offer a deal at any time on your turn; the partner answers before the "
            "light goes out."
        ),
    ),
    fields={
        "travelled": ("player", "district"),
        "untaxed": ("player",),
        "dodged": ("player", "district", "amount"),
        "dodge card found": ("player",),
        "dodge card taken": ("player", "holder"),
        "knocked down": ("player", "district", "count", "kind"),
        "permission lapsed": ("player",),
        "placed": ("player", "piece", "district"),
        "granted": ("player", "permit"),
        "built": ("player", "district", "count", "kind", "amount"),
        "station built": ("player", "district"),
        "landmark built": ("player", "piece", "district"),
        "cleared": ("player", "hazard", "district"),
    },
    events={
        "travelled": lazy("{player} takes the train to {district}."),
        "untaxed": lazy("{player} owns no factory, and pays no tax."),
        "dodged": lazy("{player} dodges the rent of {amount} at {district}."),
        "dodge card found": lazy("{player} takes the rent dodge card."),
        "dodge card taken": lazy("{player} takes the rent dodge card from {holder}."),
        "knocked down": lazy("{player} loses {blocks} in {district}."),
        "permission lapsed": lazy("{player} may place a building, but there is nothing to place."),
        "placed": lazy("{player} places {piece} in {district}."),
        "granted": lazy("The unit grants {player} a permit: {permit}."),
        "built": lazy("{player} builds {blocks} in {district} for {amount}."),
        "station built": lazy("{player} builds a station in {district}."),
        "landmark built": lazy("{player} builds {piece} in {district}."),
        "cleared": lazy("{player} clears {hazard} from {district}."),
    },
    written={
        "permit": lambda permit, _board: PERMITS[permit],
        "piece": lambda piece, _board: PIECES[piece],
        "hazard": lambda hazard, _board: CLEARED[hazard],
    },
    combined=combined,
    refusals={
        "no-dodge-card": Refusal(
            lazy("only the holder of the rent dodge card can dodge, and only a rent"),
            lazy("The card is taken on free parking, pays a single rent, and goes back."),
        ),
        "no-station": Refusal(
            lazy("there is no other station there"),
            lazy("A journey goes from the station where one landed to any other station."),
        ),
        "pressed-already": Refusal(
            lazy("BUILD may be pressed once per roll"),
            lazy("A double gives another roll, and with it another press."),
        ),
        "nothing-to-build-on": Refusal(
            lazy("there is no district to build on"),
            lazy("Blocks are built on one's own districts, if they are not mortgaged."),
        ),
        "beyond-the-permit": Refusal(
            lazy("the permit is for fewer blocks"),
            lazy("The permit limits the number of blocks, on one district or several."),
        ),
        "district-full": Refusal(
            lazy("a district holds at most 8 blocks"),
            lazy("Landmarks, bonuses, hazards and stations come on top of these."),
        ),
        "station-there": Refusal(
            lazy("a station stands there already"),
            lazy("A district has room for one station."),
            OURS,
        ),
        "stadium-there": Refusal(
            lazy("the group has a stadium"), lazy("Each group has room for one stadium.")
        ),
        "needs-two-of-the-group": Refusal(
            lazy("a stadium needs two districts of the group"),
            lazy("It stands on one of them, and pays its owner at each GO."),
        ),
        "skyscraper-there": Refusal(
            lazy("the group has a skyscraper"), lazy("Each group has room for one skyscraper.")
        ),
        "needs-the-group": Refusal(
            lazy("a skyscraper needs the whole group"),
            lazy("It doubles the rents of all districts of the group."),
        ),
        "tower-there": Refusal(
            lazy("the tower has already been built"), lazy("There is one tower in the game.")
        ),
        "needs-two-groups": Refusal(
            lazy("the tower needs two whole groups, and stands in one of them"),
            lazy("It doubles all rents of its owner that are not doubled already."),
        ),
        "bonus-there": Refusal(
            lazy("a bonus building stands there"),
            lazy("A bonus keeps hazards out, and a hazard keeps bonuses out."),
        ),
        "hazard-there": Refusal(
            lazy("a hazard stands there"),
            lazy("A bonus keeps hazards out, and a hazard keeps bonuses out."),
        ),
        "yours": Refusal(
            lazy("a hazard cannot be placed on one's own district"),
            lazy("A hazard goes to another player's district, or to one that nobody owns."),
        ),
        "kept-out": Refusal(
            lazy("the stadium there keeps hazards out"),
            lazy("This game is played with a house rule for stadiums."),
            OURS,
        ),
        "no-hazard": Refusal(
            lazy("there is no hazard there"),
            lazy("The owner of a district may have its hazard removed, on their own turn."),
        ),
        "unknown-piece": Refusal(lazy("there is no such building")),
        "unknown-permit": Refusal(lazy("there is no such permit")),
    },
    options=OPTIONS,
    letters={
        "dodge": "d",
        "leave": "l",
        "stay": "s",
        "done": "e",
    },
    targets={
        "station": lazy("free"),
        "stadium": lazy("costs {price}; more salary at each GO"),
        "skyscraper": lazy("costs {price}; doubles the group's rents"),
        "tower": lazy("costs {price}; doubles all your rents"),
        "clear": lazy("costs {price}"),
    },
    prices={
        "clear": clearing_cost,
        "skyscraper": lambda state, deed: state.board.groups[state.board.group_of[deed]].skyscraper,
        "stadium": lambda state, _deed: state.board.money.stadium,
        "tower": lambda state, _deed: state.board.money.tower,
        "travel": lambda state, deed: (
            state.board.prices[deed] if state.owner[deed] < 0 else rent(state, deed)
        ),
    },
    label=label,
    titles={
        "auction space": lazy("{name} may have a district auctioned"),
        "planning": lazy("{name} has planning permission"),
        "travel": lazy("{name} is at a station"),
        "build": lazy("{name} has a permit"),
        "station": lazy("{name} may build a station"),
    },
    details={
        "auction space": lazy("Choose any unsold district, or none."),
        "planning": lazy(
            "Place a bonus on your own district, a hazard on another player's, or either on "
            "an unsold one."
        ),
        "travel": lazy("Take the train to another station, or stay."),
        "station": lazy("It is free."),
    },
    detail=detail,
    hints={
        "manage": lazy("BUILD (B) draws a permit: blocks raise your rents. Then end the turn."),
        "build": lazy("Choose one of your districts: the price and the new rent are shown."),
        "planning": lazy(
            "A bonus keeps hazards away; beside a hazard others' homes are worthless."
        ),
        "station": lazy("A station is free, and takes you on to other stations: past GO it pays."),
    },
    target_detail=target_detail,
    cards={
        "pay per block": lazy("Pay {amount} for each of your blocks"),
        "planning": lazy("Planning permission"),
        "auction": lazy("Have a district auctioned"),
        "knock down": lazy("Lose {amount} blocks"),
    },
    player=player_notes,
    parts=parts,
    counted={
        "permits": ("granted", lazy("permits {number}")),
        "built": ("built", lazy("times built {number}")),
        "landmarks": ("landmark built", lazy("landmarks {number}")),
    },
    spaces={
        "auction": lazy("Auction"),
        "planning": lazy("Planning"),
        "tax": lazy("Industry tax"),
    },
    arrived={
        "auction": plazy("comes to a space", "the auction space"),
        "planning": plazy("comes to a space", "planning permission"),
        "tax": plazy("comes to a space", "the industry tax"),
    },
    row=row,
    sums=sums,
    deed=deed_words,
    short_rents=short_rents,
)
