"""Championship: the classic game at a tournament, in fifty minutes by the unit's clock.

Numbers in brackets are lines of the rulebook.
"""

from dataclasses import replace

from city_game.editions.championship import rules
from city_game.editions.championship.rules import CARD, value
from city_game.editions.classic import EDITION as CLASSIC
from city_game.editions.classic import NO_WISH, UNTIMED
from city_game.kernel import flow
from city_game.kernel.actions import AT, DEED, HOUR, Action
from city_game.kernel.edition import OURS, Refusal, Source, one_is_left
from city_game.kernel.switches import Switch, usual
from city_unit.desktop.catalogue import lazy

HOW_TO_PLAY = (
    lazy("Only the richest player when time is called advances to the next round."),
    lazy("Each team is dealt two deeds, and pays for them or refuses them."),
    lazy("Teams make deals for five minutes; then the unit calls play, for 45 minutes."),
    lazy("You may buy an unsold deed at its price, or leave it with the bank."),
    lazy("Before the dice, or for a debt, you may sell buildings, mortgage, or auction a deed."),
    lazy("Bids for a deed start at its value; the unit's light gives a minute."),
    lazy(
        "After 40 minutes of play the unit calls the last round: one more, then wealth is counted."
    ),
)

_OF_UNSOLD = lazy("This game is played with a house rule for deeds that are not bought.")

REFUSALS = {
    "must-be-auctioned": CLASSIC.words.refusals["must-be-auctioned"]._replace(
        rule=_OF_UNSOLD, source=OURS
    ),
    "elsewhere": Refusal(lazy("that is not the deed of this space"), _OF_UNSOLD, OURS),
    "not-dealt": Refusal(lazy("that deed was not dealt to you")),
    "before-the-dice": Refusal(
        lazy("that is possible only before the first roll of a turn"),
        lazy("Money is raised before the dice, or for a debt that cannot be paid."),
    ),
    "goes-whole": Refusal(
        lazy("a hotel can only be sold whole"),
        lazy("All buildings of its group are sold with it, so that the group stays even."),
        OURS,
    ),
    "wanted-by-others": Refusal(
        lazy("others could build these hotels too"),
        lazy("By a house rule the last hotels are built one by one, and auctioned."),
        OURS,
    ),
    "stays": Refusal(
        lazy("the bank holds no auctions"),
        lazy("A deed that is not bought stays with the bank; a house rule changes that."),
        OURS,
    ),
    "last-resort": Refusal(
        lazy("there are other means left"),
        lazy("The bank buys mortgaged deeds only when everything else is sold or mortgaged."),
    ),
}


MEANS = ("sell", "raze", "mortgage", "hold")  # of raising money: before the dice, or for a debt
OWN = ("build", "build hotels", "lift", "hold card", "offer")
PHASES = {
    phase: tuple(dict.fromkeys((*names, "last round", *HOUR)))
    for phase, names in {
        **CLASSIC.phases,
        "roll": ("roll", *OWN, *MEANS),
        "jail": ("roll", "use card", *OWN, *MEANS),
        "unsold": ("buy", "leave", "put up", "offer"),
        "debt": ("pay", "bankrupt", "give back", *MEANS, "hold card", "offer"),
        "manage": ("end turn", *OWN),
        # Before play.
        "start roll": ("start roll", "play"),
        "dealing": ("deal deed", "play"),
        "dealt": ("take", "refuse", "play"),
        "deals": ("ready", "offer", "play"),
        "waiting": ("play", "offer"),
    }.items()
}
PHASES["over"] = ()

EDITION = replace(
    CLASSIC,
    name="championship",
    title=lazy("Championship"),
    plays_on=CLASSIC.name,
    sources=(
        Source(
            lazy("the official rules of the French championship"),
            lazy("The book is silent on ties, late players and penalties: the referee decides."),
        ),
    ),
    program="championship",
    calls={"play": "play", "last-round": "last round"},
    state=rules.State,
    switches=(
        # Nobody pays the fine before the third roll (87).
        *usual(
            "fine_ends_turn",
            deals_by_the_light=UNTIMED,
            opening_is_a_bid=NO_WISH,
            mortgage_freely=lazy("The book has it so, before the dice (99)."),
        ),
        Switch(
            "partners_play_apart",
            lazy(
                "Each partner has a pawn and money of their own: four or six seats, all juniors "
                "first."
            ),
            lazy("The book counts both players and teams (7, 24 to 30); here a seat is a team."),
        ),
        Switch(
            "play_begins_at_once",
            lazy("Play begins as soon as all are ready, without the rest of the five minutes."),
            lazy("The referee calls the second phase after five minutes (34 to 37)."),
        ),
        Switch(
            "last_ones_are_auctioned",
            lazy("A house or hotel is auctioned if the bank has fewer than could build one now."),
            lazy(
                "By this book players wait until somebody sells houses (105); it says nothing more."
            ),
        ),
        Switch(
            "unsold_is_auctioned",
            lazy("A deed that is not bought is auctioned by the bank, as in the classic books."),
            lazy("The book mentions only a right to buy, and sales by players (65, 168)."),
        ),
    ),
    decisions=(
        lazy("A euro of the book is 10k here: the salary of 200 is 2M."),
        lazy("A seat is a team of two; two or three seats make the book's tables of four and six."),
        lazy("Tied players roll again for the order of play."),
        lazy("A player who has not answered for a dealt deed when play is called does so first."),
        lazy("The fine is paid after the third failed roll; rents are collected automatically."),
        lazy(
            "Mortgages that change hands cost the taker a tenth; lifting one later costs another."
        ),
        lazy("After leaving jail by a card, a double gives another roll."),
        lazy("Houses may also be built after the move; houses and deeds are sold only before it."),
        lazy("While a group has buildings, its bare streets cannot be sold either."),
        lazy("A debtor chooses the order of sales and mortgages (121)."),
        lazy(
            "A debtor with several creditors (143) pays one after the other, and the last may lose."
        ),
        lazy("A hotel is sold with all buildings of its group, so that the group stays even."),
        lazy("The last round ends the game; if time is called before that, the current turn does."),
        lazy("Where partners play apart, the team of the richest player advances."),
        lazy("The team that plays last keeps the bank; here the table does its work."),
    ),
    actions={
        **CLASSIC.actions,
        "start roll": Action(("one", "other"), rules.start_roll, is_own=False),
        "deal deed": Action(DEED, rules.deal_deed, rules.why_not_deal_deed, is_own=False),
        "take": Action(DEED, rules.take, rules.why_not_take),
        "refuse": Action(DEED, rules.refuse, rules.why_not_refuse),
        "ready": Action((), rules.ready),
        "play": Action(AT, rules.play, rules.why_not_play, is_own=False),
        "last round": Action(
            AT, rules.last_round, rules.why_not_last_round, is_listed=False, is_own=False
        ),
        "new hour": Action(AT, rules.new_hour, is_listed=False, is_own=False),
        "leave": CLASSIC.actions["leave"]._replace(why_not=rules.why_not_leave),
        "put up": CLASSIC.actions["put up"]._replace(why_not=rules.why_not_put_up),
        "hold": Action(DEED, rules.hold, rules.why_not_hold, of_own=True),
        "hold card": Action(("amount",), rules.hold_card, rules.why_not_hold_card),
        "mortgage": CLASSIC.actions["mortgage"]._replace(why_not=rules.why_not_mortgage),
        "sell": CLASSIC.actions["sell"]._replace(why_not=rules.why_not_sell),
        "raze": CLASSIC.actions["raze"]._replace(why_not=rules.why_not_raze),
        "build hotels": Action(
            DEED, rules.build_hotels, rules.why_not_build_hotels, True, of_own=True
        ),
        "give back": Action(DEED, rules.give_back, rules.why_not_give_back, of_own=True),
        "accept": CLASSIC.actions["accept"]._replace(do=rules.accept),
    },
    phases=PHASES,
    arrivals={**CLASSIC.arrivals, "go": flow.proceed, "parking": flow.proceed},
    values={"at": lambda _state: (0,)},
    draws={**CLASSIC.draws, "dealing": rules.draw_deed},
    seats_refusal=rules.seats_refusal,
    award=rules.award,
    lot_worth=rules.lot_worth,
    rent=rules.rent,
    raises=rules.raises,
    interest=rules.classic.interest,
    begin_turn=rules.begin_turn,
    give_up=rules.give_up,
    deal_refusal=rules.deal_refusal,
    is_over=one_is_left,
    is_last_turn=rules.is_last_turn,
    teams=rules.teams,
    words=CLASSIC.words._replace(
        how_to_play=HOW_TO_PLAY,
        fields={
            **CLASSIC.words.fields,
            "plays last": ("player",),
            "dealt": ("player", "district"),
            "dealt anew": ("player",),
            "refused": ("player", "district"),
            "play called": ("at",),
            "last round": ("at",),
            "given back": ("player", "district", "amount"),
        },
        events={
            **CLASSIC.words.events,
            "plays last": lazy("{player} plays last, and keeps the bank."),
            "dealt": lazy("{player} is dealt {district}."),
            "dealt anew": lazy("Both are of one colour: {player} is dealt two others."),
            "refused": lazy("{player} refuses {district}."),
            "play called": lazy("The unit calls play."),
            "last round": lazy("Last round: this round is finished, and one more is played."),
            "given back": lazy("{player} gives {district} back to the bank for {amount}."),
            "unsold": lazy("Nobody bids for {district}; it is not sold."),
            "hour ended": lazy("Time is called: the game ends after this turn."),
        },
        refusals={**CLASSIC.words.refusals, **REFUSALS},
        options={
            **CLASSIC.words.options,
            "take": lazy("Take a dealt deed"),
            "refuse": lazy("Refuse a dealt deed"),
            "ready": lazy("No more deals: start play"),
            "hold": lazy("Auction a deed"),
            "hold card": lazy("Auction a jail card"),
            "build hotels": lazy("Build hotels on a group at once"),
            "give back": lazy("Give a deed back to the bank"),
        },
        letters={**CLASSIC.words.letters, "ready": "y"},
        targets={
            **CLASSIC.words.targets,
            "take": lazy("costs {price}"),
            "refuse": lazy("its price is {price}"),
            "hold": lazy("starts at {price}"),
            "build hotels": lazy("costs {price}"),
        },
        prices={
            **CLASSIC.words.prices,
            "take": lambda state, deed: state.board.prices[deed],
            "refuse": lambda state, deed: state.board.prices[deed],
            "hold": value,
            "build hotels": rules.cost_of_hotels,
        },
        lots={**CLASSIC.words.lots, CARD: lazy("A card to leave jail")},
        counted={
            **CLASSIC.words.counted,
            "dealt_anew": ("dealt anew", lazy("dealt anew {number}")),
            "refused": ("refused", lazy("deeds refused {number}")),
        },
        titles={
            **CLASSIC.words.titles,
            "dealt": lazy("{name}: take or refuse a dealt deed?"),
            "deals": lazy("{name}: a deal before play begins?"),
            "waiting": lazy("The unit calls play when the five minutes are over"),
            "unsold": lazy("{name}: buy, or leave it?"),
        },
        details={
            **CLASSIC.words.details,
            "jail": lazy("A double or a card gets you out; after the third roll you pay."),
        },
    ),
    prospect=rules.prospect,
)
