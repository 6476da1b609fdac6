"""Competitors and monopolists: two sides that play by different rules.

Numbers after AM are lines in the first page of the rulebook. We do not have the second page.
"""

from city_game.editions.anti_monopoly import rules
from city_game.editions.anti_monopoly.rules import (
    MONOPOLIST,
    Board,
    Reader,
    State,
    is_doubled,
    share,
)
from city_game.editions.classic import (
    UNTIMED,
    UTILITIES,
    build_detail,
    lines_of_deed,
    street_look,
)
from city_game.editions.classic import WORDS as CLASSIC
from city_game.editions.classic import rules as classic
from city_game.editions.classic.rules import HOTEL
from city_game.kernel import actions, flow, moves
from city_game.kernel.actions import DEED, HOUR, Action
from city_game.kernel.edition import OURS, Edition, Look, Refusal, Source, Words
from city_game.kernel.money import show
from city_game.kernel.switches import Switch, usual
from city_unit.desktop.catalogue import _, lazy, plazy

# The classic rules on whole groups, even building, auctions and mortgages taken over do not apply.
_NOT_HERE = {
    *("unevenly", "needs-the-group", "group-built-up", "must-be-auctioned", "not-taken-over")
}


def detail(state: State) -> str:
    player = state.turn
    if state.phase == "income tax":
        words = _("The fixed sum is {sum}; the share of your property is {share}.")
        fixed = state.board.taxes[state.place[player]]
        return words.format(sum=show(fixed), share=show(share(state, player)))
    if state.phase not in ("jail", "manage"):
        return ""
    is_monopolist = state.is_of(player, MONOPOLIST)
    if state.jailed[player]:
        loses = _("In the price war you cannot buy.")
        loses = _("In prison you get no rent.") if is_monopolist else loses
        way_out = _("A double, the fine or a card gets you out; after two turns you must pay.")
        return f"{loses} {way_out}"
    if is_monopolist:
        return _("You may build where you own two streets of a city.")
    return _("You may build on any of your streets.")


def target_detail(state: State, action: tuple) -> str | None:
    if action[0] != "build":
        return None
    return build_detail(state, action[1], 2 if is_doubled(state, action[1]) else 1)


def player_notes(state: State, player: int) -> list[str]:
    if state.sides[player] < 0:
        return []
    return [_("monopolist") if state.is_of(player, MONOPOLIST) else _("competitor")]


def row(board: Board, deed: int, count: int) -> str:
    """Return the label of a row of a deed's rents."""
    if board.sorts[deed] == "business":
        return _("rent")
    label = CLASSIC.row(board, deed, count)
    return _("{houses} (competitors)").format(houses=label) if count == HOTEL - 1 else label


def sums(board: Board, deed: int) -> dict[str, int]:
    if board.sorts[deed] == "business":
        return {}
    return {_("house"): board.house_prices[deed], _("hotel"): board.hotel_prices[deed]}


def deed_words(state: State, deed: int) -> tuple[str, ...]:
    """Return the lines under the rents."""
    return lines_of_deed(state, deed, _("Doubled: a monopoly of a monopolist."))


WORDS = CLASSIC._replace(
    how_to_play=(
        lazy("Each player is a competitor or a monopolist for the whole game."),
        lazy("Competitors may build on any of their streets: up to four houses, then a hotel."),
        lazy(
            "Monopolists may build where they own two streets of a city: three houses, then a"
            " hotel."
        ),
        lazy("A monopolist charges double rent there; a competitor never does."),
        lazy("Monopolists in prison get no rent; competitors in the price war cannot buy."),
        lazy("A second double in a row ends the turn; a deed not bought stays with the bank."),
        lazy("The richest player wins when one side is bankrupt or time is up."),
    ),
    fields={
        **CLASSIC.fields,
        "competitor": ("player",),
        "monopolist": ("player",),
        "at war": ("player",),
        "no rent": ("player", "district"),
    },
    events={
        **CLASSIC.events,
        "competitor": lazy("{player} is a competitor."),
        "monopolist": lazy("{player} is a monopolist."),
        "at war": lazy("{player} goes to the price war."),
        "no rent": lazy("{player} is in prison, and gets no rent for {district}."),
        "jailed": lazy("{player} goes to prison."),
        "left jail": lazy("{player} leaves the corner."),
        "jail card used": lazy("{player} uses a card to leave the corner."),
    },
    refusals={
        **{code: said for code, said in CLASSIC.refusals.items() if code not in _NOT_HERE},
        "not-mortgaged": CLASSIC.refusals["not-mortgaged"]._replace(source=OURS),
        "side-is-full": Refusal(
            lazy("that side is full"),
            lazy("The numbers of competitors and monopolists differ by one at most."),
        ),
        "needs-a-monopoly": Refusal(
            lazy("a monopolist builds only in a monopoly"),
            lazy("Two streets of a city without mortgages are a monopoly."),
        ),
        "in-the-price-war": Refusal(
            lazy("a player in the price war cannot buy"),
            lazy("A competitor in the price war collects rents but cannot buy."),
        ),
        "must-pay": Refusal(
            lazy("the fine must be paid now"),
            lazy("After two turns in the corner the fine must be paid before the roll."),
        ),
        "built-up": Refusal(
            lazy("there are buildings on that street"),
            lazy("Buildings must be sold before a street is mortgaged or changes hands."),
        ),
    },
    options={
        **CLASSIC.options,
        "competitor": lazy("Be a competitor"),
        "monopolist": lazy("Be a monopolist"),
        "sell": lazy("Sell a house or a hotel"),
        "pay sum": lazy("Pay the sum"),
        "pay share": lazy("Pay the share"),
        "sit out": lazy("Sit out this turn"),
    },
    letters={
        **CLASSIC.letters,
        "competitor": "c",
        "monopolist": "m",
        "pay sum": "p",
        "pay share": "s",
    },
    preferred=lambda state: rules.cheaper_tax(state) if state.phase == "income tax" else "",
    targets={"sell": lazy("brings half of what it cost")},
    titles={
        "choosing a side": lazy("{name}: competitor or monopolist?"),
        "unsold": lazy("{name}: buy it?"),
        "must be auctioned": lazy("{name}: it stays with the bank"),
        "income tax": lazy("{name}: the income tax"),
        "jail": lazy("{name} is in the corner"),
    },
    details={
        "choosing a side": lazy("Competitors build anywhere; monopolists charge double rents."),
        "unsold": lazy("If you do not buy it, it stays with the bank."),
    },
    detail=detail,
    hints={
        "unsold": lazy("There are no auctions: what you do not buy is for the next visitor."),
        "jail": "",
    },
    spaces={
        "side card": lazy("Card"),
        "competitor": lazy("Competitors' card"),
        "monopolist": lazy("Monopolists' card"),
        "tax": lazy("Income tax"),
        "jail": lazy("Prison, price war"),
        "parking": lazy("Market square"),
        "go to jail": lazy("Go to prison or price war"),
    },
    arrived={
        "side card": plazy("comes to a space", "a card"),
        "tax": plazy("comes to a space", "the income tax"),
        "jail": plazy("comes to a space", "the corner, just visiting"),
        "parking": plazy("comes to a space", "the market square"),
        "go to jail": plazy("comes to a space", '"Go to the corner"'),
    },
    target_detail=target_detail,
    player=player_notes,
    prices={},
    lots={},
    parts=Words().parts,
    row=row,
    sums=sums,
    deed=deed_words,
)


OWN_TURN = ("build", "sell", "mortgage", "lift", "offer")


def look(state: State, deed: int) -> Look:
    built, doubled = state.houses[deed], is_doubled(state, deed)
    if state.board.sorts[deed] == "street":
        return street_look(built, doubled)
    members = state.board.members[state.board.group_of[deed]]
    if len(members) > len(UTILITIES):
        return Look(has_station=True, landmarks=("station",), is_doubled=doubled)
    return Look(landmarks=(UTILITIES[members.index(deed)],), is_doubled=doubled)


EDITION = Edition(
    name="anti-monopoly",
    title=lazy("Competitors and Monopolists"),
    package=__name__,
    board="twinharbour",
    sources=(
        Source(
            lazy("the first of the two pages of the book of Anti-Monopoly"),
            lazy(
                "This edition is incomplete: its second page, with the end of the game, is missing."
            ),
        ),
    ),
    program="timed",
    reader=Reader,
    state=State,
    switches=(
        # The page has no auctions, and settles how to leave the corner (AM 107 to 113).
        *usual(
            "opening_is_a_bid",
            "doubtful_bids_count",
            "passes_end_auctions",
            "sales_go_on",
            "fine_ends_turn",
            "jail_double_rolls_again",
            mortgage_freely=lazy("The book has it so, at any time (AM 72)."),
            deals_by_the_light=UNTIMED,
        ),
        Switch(
            "side_decides",
            lazy("Once all of one side are bankrupt, the richest of the other side wins."),
            lazy(
                "The book has both endings (AM 12 to 15); this one is special to it, and comes "
                "sooner."
            ),
            default=True,
        ),
        Switch(
            "mortgaged_deeds_count",
            lazy("A mortgaged deed counts half its price in the final count, instead of nothing."),
            lazy("Its rule, 23, is on the missing page; the classic game has it so."),
            default=True,
        ),
        Switch(
            "creditor_gets_deeds",
            lazy("A bankrupt's deeds go to the creditor; otherwise they return to the bank."),
            lazy("Bankruptcy is on the missing page; the classic game has it so."),
            default=True,
        ),
        Switch(
            "businesses_double",
            lazy("A monopolist with two businesses of a kind charges double rent there."),
            lazy("Businesses are on the missing page; the streets of a city have it so (AM 52)."),
            default=True,
        ),
        Switch(
            "interest",
            lazy("Lifting a mortgage costs a tenth more than the bank lent."),
            lazy("The sum is on the backs of the deeds (AM 79), which we do not have."),
            default=True,
        ),
    ),
    decisions=(
        lazy("Sums are 10,000 times those of the book: its 100 for passing GO is 1M."),
        lazy("The book's second page is missing: the clock and everything in this list are ours."),
        lazy(
            "When the unit's clock ends the game, the richest of either side wins, unless switched."
        ),
        lazy("A deed that nobody buys stays with the bank (AM 46): there are no auctions."),
        lazy(
            "A bankrupt's buildings are sold to the bank; deeds that go to the bank are "
            "unsold again."
        ),
        lazy("A hotel is sold whole, for half of what it and its houses cost."),
        lazy("The bank has only the numbers of houses and hotels in the board file."),
        lazy("Nothing happens on the market square; its rule is on the missing page."),
        lazy("A player who sits out a turn in the corner pays at the start of the next."),
        lazy("Deeds are mortgaged on one's own turn, or for a debt."),
        lazy(
            "In the price war a competitor gets no deed and no jail card, not even in an exchange,"
            " but may lift mortgages (AM 101)."
        ),
        lazy("The share for the income tax is rounded down."),
        lazy("For repairs a hotel counts as the houses that it replaced and one more."),
        lazy("Players of equal wealth at the end share the win."),
    ),
    actions={
        **actions.ACTIONS,
        "start roll": Action(("one", "other"), rules.start_roll, is_own=False),
        "competitor": Action((), rules.take_side, rules.why_not_take),
        "monopolist": Action((), rules.take_side, rules.why_not_take),
        "roll": Action((), moves.roll, rules.why_not_roll, notes_clock=True),
        "dice": Action(("one", "other"), rules.dice, is_own=False),
        "pay fine": Action((), rules.pay_fine, rules.why_not_pay_fine),
        "sit out": Action((), rules.sit_out, rules.why_not_roll),
        "leave": Action((), flow.proceed),
        "pay sum": Action((), rules.pay_sum),
        "pay share": Action((), rules.pay_share),
        "build": Action(DEED, rules.build, rules.why_not_build, True, of_own=True),
        "sell": Action(DEED, rules.sell, rules.why_not_sell, True, of_own=True),
    },
    phases={
        **actions.PHASES,
        "choosing a side": ("competitor", "monopolist", *HOUR),
        "roll": ("roll", *OWN_TURN, *HOUR),
        "jail": ("roll", *OWN_TURN, "pay fine", "use card", "sit out", *HOUR),
        "unsold": ("buy", "leave", "mortgage", "sell", "offer", *HOUR),
        "income tax": ("pay sum", "pay share", *HOUR),
        "debt": ("pay", "bankrupt", "mortgage", "sell", "offer", *HOUR),
        "manage": ("end turn", *OWN_TURN, *HOUR),
    },
    arrivals={
        **moves.ARRIVALS,
        "side card": rules.draw_card,
        "tax": rules.income_tax,
        "go to jail": rules.to_the_corner,
    },
    effects={
        **moves.EFFECTS,
        "pay each": rules.pay_each,
        "jail": rules.to_the_corner,
        "repairs": classic.repairs,
    },
    pending=(flow.debts, rules.estate, flow.stopped, rules.rolls_on, flow.manage),
    rent=rules.rent,
    redemption=rules.redemption,
    worth=rules.worth,
    liquidity=classic.liquidity,
    landed=rules.landed,
    begin_turn=rules.begin_turn,
    give_up=rules.give_up,
    deal_refusal=rules.deal_refusal,
    loan_refusal=classic.loan_refusal,
    is_over=rules.is_over,
    words=WORDS,
    look=look,
    prospect=rules.prospect,
    enough=rules.enough,
)
