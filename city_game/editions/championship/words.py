"""The texts of the championship, and the questions that its book leaves open.

Numbers are lines of the book's text.
"""

from city_game.editions.championship.rules import CARD, value
from city_game.editions.classic.words import NO_WISH, UNTIMED
from city_game.editions.classic.words import WORDS as CLASSIC
from city_game.kernel.edition import OURS, Refusal, Source
from city_game.kernel.switches import Switch, usual
from city_unit.desktop.catalogue import lazy

SOURCES = (
    Source(
        lazy("the official rules of the French championship"),
        lazy("The book is silent on ties, late players and penalties: the referee decides."),
    ),
)

SWITCHES = (
    # 87: nobody pays before the third roll.
    *usual(
        "fine_ends_turn",
        deals_by_the_light=UNTIMED,
        opening_is_a_bid=NO_WISH,
        mortgage_freely=lazy("The book has it so, before the dice (99)."),
    ),
    Switch(
        "partners_play_apart",
        lazy("Each of a team has a pawn and money: four or six seats, first all juniors."),
        lazy("The book counts players and teams alike (7, 24 to 30); one seat is a team for us."),
    ),
    Switch(
        "play_begins_at_once",
        lazy("Play begins as soon as all are ready, without the rest of the five minutes."),
        lazy("The referee calls the second phase after five minutes (34 to 37)."),
    ),
    Switch(
        "last_ones_are_auctioned",
        lazy("A house or hotel is auctioned if the bank has fewer than could build one now."),
        lazy("Here one waits until somebody sells houses (105), and nothing is said of more."),
    ),
    Switch(
        "unsold_is_auctioned",
        lazy("A deed that is not bought is auctioned by the bank, as in the classic books."),
        lazy("The book only speaks of a right to buy, and of sales by players (65, 168)."),
    ),
)

DECISIONS = (
    lazy("A euro of the book is 10k here: the salary of 200 is 2M."),
    lazy("A seat is a team of two; two or three seats make the book's tables of four and six."),
    lazy("Equal rolls for the order of play are rolled again."),
    lazy("A player who owes an answer for a dealt deed when play is called gives it first."),
    lazy("The fine is paid after the third failed roll; the rent is never forgotten."),
    lazy("Mortgages that change hands cost the taker a tenth; lifting one later costs another."),
    lazy("After a card has opened the jail, a double gives another roll."),
    lazy("Houses are also built after the move; houses and deeds are sold before it."),
    lazy("While something stands on a group, its bare streets are not sold either."),
    lazy("Of raising money by sales and by mortgages the debtor chooses the order (121)."),
    lazy("A hotel is sold with all that stands on its group, so that the group stays even."),
    lazy("The last round ends the game; a time called before its end does so after the turn."),
    lazy("Where partners play apart, the team of the richest player goes on."),
    lazy("The team that plays last keeps the bank; here the table does its work."),
)

HOW_TO_PLAY = (
    lazy("The richest player when the time is called goes on to the next round, nobody else."),
    lazy("Two deeds are dealt to each team, who pay for them or refuse them."),
    lazy("Deals are free for five minutes; then the unit calls play, for 45 minutes."),
    lazy("A deed without an owner can be bought at its price, or be left with the bank."),
    lazy("Before the dice, and for a debt, one may sell, mortgage, or have others bid for a deed."),
    lazy("Nobody bids for a deed less than its value; the unit's light gives them a minute."),
    lazy("After 40 minutes of play the unit calls the last round: one more, and all is counted."),
)

_OF_UNSOLD = lazy("This game was begun with a house rule for what is not bought.")

REFUSALS = {
    "must-be-auctioned": CLASSIC.refusals["must-be-auctioned"]._replace(
        rule=_OF_UNSOLD, source=OURS
    ),
    "elsewhere": Refusal(lazy("that is not the deed of this space"), _OF_UNSOLD, OURS),
    "not-dealt": Refusal(lazy("that deed was not dealt to you")),
    "before-the-dice": Refusal(
        lazy("that is done before the first roll of a turn"),
        lazy("Money is raised before the dice, or for a debt that cannot be paid."),
    ),
    "goes-whole": Refusal(
        lazy("a hotel is only sold whole"),
        lazy("All buildings of its group are sold with it, so that the group stays even."),
        OURS,
    ),
    "stays": Refusal(
        lazy("the bank holds no sales"),
        lazy("A deed that is not bought stays with the bank; a house rule changes that."),
        OURS,
    ),
    "last-resort": Refusal(
        lazy("there are other means left"),
        lazy("The bank buys mortgaged deeds when all is sold and mortgaged, and not before."),
    ),
}

WORDS = CLASSIC._replace(
    how_to_play=HOW_TO_PLAY,
    fields={
        **CLASSIC.fields,
        "plays last": ("player",),
        "dealt": ("player", "district"),
        "dealt anew": ("player",),
        "refused": ("player", "district"),
        "play called": ("at",),
        "last round": ("at",),
        "given back": ("player", "district", "amount"),
    },
    events={
        **CLASSIC.events,
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
    refusals={**CLASSIC.refusals, **REFUSALS},
    options={
        **CLASSIC.options,
        "take": lazy("Take a dealt deed"),
        "refuse": lazy("Refuse a dealt deed"),
        "ready": lazy("No more deals: on to play"),
        "hold": lazy("Have others bid for a deed"),
        "hold card": lazy("Have others bid for a jail card"),
        "build hotels": lazy("Build hotels on a whole group"),
        "give back": lazy("Give a deed back to the bank"),
    },
    letters={**CLASSIC.letters, "ready": "y"},
    targets={
        **CLASSIC.targets,
        "take": lazy("costs {price}"),
        "refuse": lazy("its price is {price}"),
        "hold": lazy("from {price} on"),
    },
    prices={
        **CLASSIC.prices,
        "take": lambda state, deed: state.board.prices[deed],
        "refuse": lambda state, deed: state.board.prices[deed],
        "hold": value,
    },
    lots={**CLASSIC.lots, CARD: lazy("A card to leave jail")},
    counted={
        **CLASSIC.counted,
        "dealt_anew": ("dealt anew", lazy("dealt anew {number}")),
        "refused": ("refused", lazy("deeds refused {number}")),
    },
    titles={
        "dealing": lazy("Two deeds are dealt to each"),
        "dealt": lazy("{name}: take what was dealt, or refuse it?"),
        "deals": lazy("{name}: a deal before play begins?"),
        "waiting": lazy("The unit calls play when the five minutes are over"),
        "unsold": lazy("{name}: buy, or leave it?"),
    },
    details={
        **CLASSIC.details,
        "jail": lazy("A double or a card gets you out; after the third roll you pay."),
    },
)
