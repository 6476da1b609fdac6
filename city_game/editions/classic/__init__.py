"""Classic: streets, houses and hotels, stations, utilities, and two decks of cards.

The source of a rule is given as a book and the lines of its text: TC is Top Clubs, F98 France 98.
"""

from typing import Any

from city_game.editions.classic import rules
from city_game.editions.classic.rules import (
    HOTEL,
    Board,
    Reader,
    State,
    parts_of_worth,
)
from city_game.kernel import actions, flow, luck, moves
from city_game.kernel.actions import DEED, HOUR, Action
from city_game.kernel.edition import OURS, Edition, Look, Refusal, Source, Words, rent_lines
from city_game.kernel.money import show
from city_game.kernel.switches import Switch, usual
from city_unit.desktop.catalogue import _, lazy, ngettext, plazy

UNTIMED = lazy("The book sets no time limit for deals.")
NO_WISH = lazy("A player may set the opening without wanting the deed.")


def target_detail(state: State, action: tuple) -> str | None:
    return build_detail(state, action[1]) if action[0] == "build" else None


def build_detail(state: Any, deed: int, times: int = 1) -> str:
    """Return the price of the next building, and the rent with it: `times` the printed one.

    state  as for `lines_of_deed`
    """
    rents, built = state.board.rents[deed], state.houses[deed]
    after = rents[HOTEL if built == state.full(deed) else built + 1]
    return _("costs {price}; the rent goes from {rent} to {after}").format(
        price=show(rules.price_of_next(state, deed)),
        rent=show(state.edition.rent(state, deed)),
        after=show(times * after),
    )


def row(board: Board, deed: int, count: int) -> str:
    """Return the label of a row of a deed's rents."""
    sort = board.sorts[deed]
    if sort == "utility":
        return _("one, per point") if not count else _("both, per point")
    if sort == "station":
        words = ngettext("{count} station", "{count} stations", count + 1)
        return words.format(count=count + 1)
    if count == HOTEL:
        return _("hotel")
    if not count:
        return _("no house")
    return ngettext("{count} house", "{count} houses", count).format(count=count)


def sums(board: Board, deed: int) -> dict[str, int]:
    return {_("house"): board.house_prices[deed]}


def deed_words(state: State, deed: int) -> tuple[str, ...]:
    """Return the lines under the rents."""
    return lines_of_deed(state, deed, _("Doubled: the whole group has one owner."))


def lines_of_deed(state: Any, deed: int, doubled: str) -> tuple[str, ...]:
    """Return the lines on a deed's house price, its mortgage and its current rent.

    state    a state of any edition whose board has `sorts` and `house_prices`
    doubled  the line for a doubled rent
    """
    board, lines = state.board, []
    if board.sorts[deed] == "street":
        lines.append(_("A house {price}").format(price=show(board.house_prices[deed])))
    lines.append(_("Mortgage {price}").format(price=show(state.edition.loan(state, deed))))
    lines += rent_lines(state, deed)
    if state.edition.look(state, deed).is_doubled:
        lines.append(doubled)
    return tuple(lines)


def parts(state: State, player: int) -> dict[str, int]:
    names = (_("cash"), _("deeds"), _("mortgaged deeds"), _("houses and hotels"))
    return dict(zip(names, parts_of_worth(state, player), strict=True))


WORDS = Words(
    how_to_play=(
        lazy("The richest player when time is up wins, or the last one who is not bankrupt."),
        lazy("On your turn, roll the dice, move along the track, and do what the space says."),
        lazy("You may buy an unsold deed at its price; otherwise it is auctioned."),
        lazy("In an auction everybody bids until the unit's light goes out; the highest bid wins."),
        lazy("The owner of a whole group may build houses on it evenly, and then hotels."),
        lazy("Stations earn more the more you own; at a utility the throw sets the rent."),
        lazy(
            "A player who cannot pay sells houses at half their price, mortgages, deals, or is out."
        ),
    ),
    fields={
        "house built": ("player", "district", "amount"),
        "hotel built": ("player", "district", "amount"),
        "house placed": ("player", "district"),
        "hotel placed": ("player", "district"),
        "buildings sold": ("player", "district", "amount"),
        "thrown": ("player", "first", "second"),
        "not paid": ("player", "district"),
    },
    events={
        "house built": lazy("{player} builds a house in {district} for {amount}."),
        "hotel built": lazy("{player} builds a hotel in {district} for {amount}."),
        "house placed": lazy("{player} puts the house in {district}."),
        "hotel placed": lazy("{player} puts the hotel in {district}."),
        "buildings sold": lazy("{player} sells buildings in {district} for {amount}."),
        "thrown": lazy("{player} throws {first} and {second} for the rent."),
        "not paid": lazy("{player} cannot pay for {district}; it stays with the bank."),
        "salary": lazy("{player} reaches GO and gets {amount}."),
    },
    refusals={
        "not-mortgaged": Refusal(
            lazy("that deed is not mortgaged"),
            lazy("Lifting a mortgage costs the bank's loan and a tenth of it."),
        ),
        "empty-deal": Refusal(
            lazy("that deal is empty"),
            lazy("Deals exchange deeds, money and jail cards, but no buildings."),
        ),
        "no-light": Refusal(
            lazy("the light is not on for that deal"),
            lazy("A deal is offered by pressing AUCTION, and agreed before the light goes out."),
            OURS,
        ),
        "hotel-there": Refusal(
            lazy("a hotel stands there"), lazy("A street has room for one hotel, and no more.")
        ),
        "unevenly": Refusal(
            lazy("a group is built and sold evenly"),
            lazy("No street of a group is more than one house ahead of another."),
        ),
        "none-left": Refusal(
            lazy("the bank does not have enough of them left"),
            lazy("When the houses have run out, players wait until others sell some."),
        ),
        "nothing-built": Refusal(lazy("there are no buildings there")),
        "no-street": Refusal(
            lazy("nothing can be built there"), lazy("Houses and hotels are built on streets.")
        ),
        "needs-the-group": Refusal(
            lazy("building needs the whole group"),
            lazy("The owner of all streets of a colour may build on them."),
        ),
        "built-up": Refusal(
            lazy("there are buildings on that street"),
            lazy("The buildings of a street must be sold before it is mortgaged."),
        ),
        "group-built-up": Refusal(
            lazy("there are buildings on a street of that group"),
            lazy("All buildings of a group must be sold before one of its deeds changes hands."),
        ),
        "not-taken-over": Refusal(
            lazy("that mortgage was not just taken over"),
            lazy("Only the new owner of a mortgaged deed may lift the mortgage at once."),
        ),
        "must-be-auctioned": Refusal(
            lazy("a deed that is not bought is auctioned"),
            lazy("The bank auctions it at once; a house rule changes that."),
        ),
    },
    options={
        "build": lazy("Build a house or a hotel"),
        "sell": lazy("Sell a house"),
        "raze": lazy("Sell all buildings of a group"),
        "place": lazy("Place it"),
        "leave": lazy("Leave it with the bank"),
        "settle mortgage": lazy("Lift a mortgage at once"),
        "keep mortgages": lazy("Keep the mortgages"),
    },
    letters={"leave": "l", "keep mortgages": "k"},
    targets={
        "sell": lazy("brings {price}"),
        "raze": lazy("brings half of what they cost"),
        "settle mortgage": lazy("costs {price}"),
    },
    prices={
        "sell": lambda state, deed: state.board.house_prices[deed] // 2,
        "settle mortgage": lambda state, deed: state.taken[deed],
    },
    titles={
        "placing": lazy("{name}: where do you build it?"),
        "utility": lazy("{name} throws the dice for the rent"),
        "dealing": lazy("Each player is dealt two deeds"),
        "taking over": lazy("{name} takes over mortgaged deeds"),
    },
    details={
        "manage": lazy("Houses and hotels are built on whole groups, evenly."),
        "taking over": lazy("Lift their mortgages now, or keep them for a later turn."),
    },
    lots={"house": lazy("One of the last houses"), "hotel": lazy("One of the last hotels")},
    cards={"repairs": lazy("Pay {amount} for each of your houses")},
    spaces={"chest": lazy("Town chest")},
    arrived={
        "chest": plazy("comes to a space", "the town chest"),
    },
    target_detail=target_detail,
    parts=parts,
    counted={
        "houses": ("house built", lazy("houses {number}")),
        "hotels": ("hotel built", lazy("hotels {number}")),
    },
    row=row,
    sums=sums,
    deed=deed_words,
)


OWN_TURN = ("build", "sell", "raze", "mortgage", "lift", "offer")
UTILITIES = ("power station", "water tower")  # their names in the painter


def look(state: State, deed: int) -> Look:
    board, built = state.board, state.houses[deed]
    group = board.group_of[deed]
    held = state.held[state.owner[deed]][group] if state.owner[deed] >= 0 else 1
    if board.sorts[deed] == "station":
        return Look(has_station=True, landmarks=("station",), counted=held - 1)
    if board.sorts[deed] == "utility":
        kind = UTILITIES[board.members[group].index(deed) % len(UTILITIES)]
        return Look(landmarks=(kind,), counted=held - 1)
    return street_look(built, rules.is_doubled(state, deed))


def street_look(built: int, is_doubled: bool) -> Look:
    hotel = built == HOTEL
    return Look(
        homes=(0 if hotel else built, 0, 0),
        landmarks=("hotel",) if hotel else (),
        is_doubled=is_doubled,
        counted=built,
    )


EDITION = Edition(
    name="classic",
    title=lazy("Classic"),
    package=__name__,
    board="kettlebridge",
    sources=(
        Source(lazy("the classic rules in the book of Monopoly Football Top Clubs")),
        Source(lazy("the classic rules in the book of Monopoly France 98")),
    ),
    program="timed",
    reader=Reader,
    state=State,
    switches=(
        *usual(
            fine_ends_turn=lazy("Both books have it so (TC 142, F98 253)."),
            deals_by_the_light=UNTIMED,
            opening_is_a_bid=NO_WISH,
        ),
        Switch(
            "short_game",
            lazy(
                "Short game: two deeds are dealt, a hotel follows three houses, and it ends when "
                "two are out."
            ),
            lazy("Both books have it as a variant (TC 195 to 217, F98 371 to 405)."),
        ),
        Switch(
            "deeds_are_dealt",
            lazy(
                "In a game against the clock two deeds are dealt to each player, who pays for them."
            ),
            lazy("Both books have it so (TC 219, F98 407); it makes up for the shorter time."),
            default=True,
        ),
        Switch(
            "money_on_parking",
            lazy(
                "Taxes, fines and card payments go to free parking, for the next player who lands"
                " there."
            ),
            lazy("A common house rule; in both books nothing happens there (TC 126, F98 238)."),
        ),
        Switch(
            "double_on_go",
            lazy("A player who lands on GO itself gets the salary twice."),
            lazy("A common house rule; both books pay it once (TC 84, F98 157)."),
        ),
        Switch(
            "last_ones_are_auctioned",
            lazy("A house or hotel is auctioned if the bank has fewer than could build one now."),
            lazy("Both books auction the last ones if two or more want them (TC 165, F98 296)."),
            default=True,
        ),
        Switch(
            "no_auctions",
            lazy("A deed that is not bought may be left with the bank, without an auction."),
            lazy("A common house rule; both books auction it at once (TC 90, F98 170)."),
        ),
    ),
    decisions=(
        lazy("Sums are a hundred times those of the books in francs: 20,000 F are 2M."),
        lazy("The game is against the clock unless it is played until one is left."),
        lazy(
            "Houses are built on one's own turn, and not between others' turns (TC 153, F98 271)."
        ),
        lazy("Houses are sold on one's own turn, or for a debt."),
        lazy(
            "The last houses and hotels are auctioned one by one; the player who builds bids "
            "the lowest price."
        ),
        lazy("Rents are collected automatically, so none is forgotten."),
        lazy("A bankrupt's mortgages cost the creditor a tenth; lifting one later costs another."),
        lazy("The player who does not buy a deed sets its opening bid."),
        lazy(
            "All buildings of a group can be sold at once, however many houses the bank has left."
        ),
        lazy("A mortgaged station or utility still counts for the rent of the others."),
        lazy("For repairs a hotel counts as the number of houses that it cost."),
        lazy("Two to six can play, though the boxes have eight pawns (TC 29, F98 30)."),
        lazy("Players of equal wealth at the end share the win."),
    ),
    actions={
        **actions.ACTIONS,
        "deal deed": Action(DEED, rules.deal_deed, rules.why_not_deal_deed, is_own=False),
        "dice": Action(("one", "other"), rules.dice),
        "utility": Action(("one", "other"), rules.throw, is_own=False),
        "leave": Action((), flow.proceed, rules.why_not_leave),
        "build": Action(DEED, rules.build, rules.why_not_build, True, of_own=True),
        "place": Action(DEED, rules.place, rules.why_not_place, of_own=True),
        "sell": Action(DEED, rules.sell, rules.why_not_sell, True, of_own=True),
        "raze": Action(DEED, rules.raze, rules.why_not_raze, True, of_own=True),
        "accept": actions.ACTIONS["accept"]._replace(do=rules.accept),
        "settle mortgage": Action(DEED, rules.settle, rules.why_not_settle, of_own=True),
        "keep mortgages": Action((), rules.keep),
    },
    phases={
        **actions.PHASES,
        "dealing": ("deal deed", *HOUR),
        "roll": ("roll", *OWN_TURN, *HOUR),
        "jail": ("roll", *OWN_TURN, "pay fine", "use card", *HOUR),
        "unsold": ("put up", "buy", "leave", "mortgage", "sell", "raze", "offer", *HOUR),
        "debt": ("pay", "bankrupt", "mortgage", "sell", "raze", "offer", *HOUR),
        "placing": ("place", *HOUR),
        "utility": ("utility", *HOUR),
        "taking over": ("settle mortgage", "keep mortgages", *HOUR),
        "manage": ("end turn", *OWN_TURN, *HOUR),
    },
    arrivals={
        **moves.ARRIVALS,
        "go": rules.go,
        "chest": moves.draw_card,
        "parking": rules.parking,
    },
    effects={
        **moves.EFFECTS,
        "move": rules.with_new_throw(moves.EFFECTS["move"]),
        "go to": rules.with_new_throw(moves.EFFECTS["go to"]),
        "repairs": rules.repairs,
    },
    draws={**luck.DRAWS, "dealing": rules.draw_deed, "utility": luck.DRAWS["dice"]},
    pending=(
        rules.takes_over,
        flow.debts,
        flow.over,
        rules.place_won,
        rules.resume,
        flow.estate,
        flow.stopped,
        flow.steps_owed,
        flow.manage,
    ),
    award=rules.award,
    lot_worth=rules.lot_worth,
    rent=rules.rent,
    redemption=rules.redemption,
    landed=rules.landed,
    worth=rules.worth,
    liquidity=rules.liquidity,
    give_up=rules.give_up,
    deal_refusal=rules.deal_refusal,
    loan_refusal=rules.loan_refusal,
    is_over=rules.is_over,
    words=WORDS,
    look=look,
    prospect=rules.prospect,
)
