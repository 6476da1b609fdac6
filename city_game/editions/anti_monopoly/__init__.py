"""Competitors and monopolists: two sides with rules of their own, by the page that we have."""

from city_game.editions.anti_monopoly import rules
from city_game.editions.anti_monopoly.board import Reader, State
from city_game.editions.anti_monopoly.words import DECISIONS, SWITCHES, WORDS
from city_game.editions.classic import UTILITIES, street_look
from city_game.editions.classic import rules as classic
from city_game.kernel import actions, flow, moves
from city_game.kernel.actions import DEED, HOUR, Action
from city_game.kernel.edition import Edition, Look, Source
from city_unit.desktop.catalogue import lazy

ACTIONS = {
    **actions.ACTIONS,
    "start roll": Action(("one", "other"), rules.start_roll, is_own=False),
    "competitor": Action((), rules.take_side, rules.why_not_take),
    "monopolist": Action((), rules.take_side, rules.why_not_take),
    "roll": Action((), moves.roll, rules.why_not_roll, notes_clock=True),
    "dice": Action(("one", "other"), rules.dice, is_own=False),
    "pay fine": Action((), rules.pay_fine, rules.why_not_pay_fine),
    "sit out": Action((), rules.sit_out, rules.why_not_roll),
    "leave": Action((), classic.leave),
    "pay sum": Action((), rules.pay_sum),
    "pay share": Action((), rules.pay_share),
    "build": Action(DEED, rules.build, rules.why_not_build, True, of_own=True),
    "sell": Action(DEED, rules.sell, rules.why_not_sell, True, of_own=True),
}
OWN_TURN = ("build", "sell", "mortgage", "lift", "offer")
PHASES = {
    **actions.PHASES,
    "choosing a side": ("competitor", "monopolist", *HOUR),
    "roll": ("roll", *OWN_TURN, *HOUR),
    "jail": ("roll", *OWN_TURN, "pay fine", "use card", "sit out", *HOUR),
    "unsold": ("buy", "leave", "mortgage", "sell", "offer", *HOUR),
    "income tax": ("pay sum", "pay share", *HOUR),
    "debt": ("pay", "bankrupt", "mortgage", "sell", "offer", *HOUR),
    "manage": ("end turn", *OWN_TURN, *HOUR),
}


def look(state: State, deed: int) -> Look:
    built, doubled = state.houses[deed], rules.is_doubled(state, deed)
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
    switches=SWITCHES,
    decisions=DECISIONS,
    actions=ACTIONS,
    phases=PHASES,
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
    pending=(flow.debts, rules.estate, flow.stop, rules.rolls_on, flow.manage),
    rent=rules.rent,
    redemption=rules.redemption,
    worth=rules.worth,
    liquidity=rules.liquidity,
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
