"""Classic: streets, houses and hotels, stations, utilities, and two decks of cards."""

from city_game.editions.classic import rules
from city_game.editions.classic.board import HOTEL, Reader, State
from city_game.editions.classic.words import DECISIONS, SWITCHES, WORDS
from city_game.kernel import actions, flow, luck, moves
from city_game.kernel.actions import DEED, HOUR, Action
from city_game.kernel.edition import Edition, Look, Source
from city_unit.desktop.catalogue import lazy

ACTIONS = {
    **actions.ACTIONS,
    "deal deed": Action(DEED, rules.deal_deed, rules.why_not_deal_deed, is_own=False),
    "dice": Action(("one", "other"), rules.dice),
    "utility": Action(("one", "other"), rules.throw, is_own=False),
    "leave": Action((), rules.leave, rules.why_not_leave),
    "build": Action(DEED, rules.build, rules.why_not_build, True, of_own=True),
    "place": Action(DEED, rules.place, rules.why_not_place, of_own=True),
    "sell": Action(DEED, rules.sell, rules.why_not_sell, True, of_own=True),
    "raze": Action(DEED, rules.raze, rules.why_not_raze, True, of_own=True),
}
OWN_TURN = ("build", "sell", "raze", "mortgage", "lift", "offer")
PHASES = {
    **actions.PHASES,
    "dealing": ("deal deed", *HOUR),
    "roll": ("roll", *OWN_TURN, *HOUR),
    "jail": ("roll", *OWN_TURN, "pay fine", "use card", *HOUR),
    "unsold": ("put up", "buy", "leave", "mortgage", "sell", "raze", "offer", *HOUR),
    "debt": ("pay", "bankrupt", "mortgage", "sell", "raze", "offer", *HOUR),
    "placing": ("place", *HOUR),
    "utility": ("utility", *HOUR),
    "manage": ("end turn", *OWN_TURN, *HOUR),
}
UTILITIES = ("power station", "water tower")  # how they are drawn


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
    switches=SWITCHES,
    decisions=DECISIONS,
    actions=ACTIONS,
    phases=PHASES,
    arrivals={
        **moves.ARRIVALS,
        "go": rules.go,
        "chest": moves.draw_card,
        "parking": rules.parking,
    },
    effects={
        **moves.EFFECTS,
        "move": rules.sent(moves.EFFECTS["move"]),
        "go to": rules.sent(moves.EFFECTS["go to"]),
        "repairs": rules.repairs,
    },
    draws={**luck.DRAWS, "dealing": rules.draw_deed, "utility": luck.DRAWS["dice"]},
    pending=(flow.debts, rules.places, rules.resume, *flow.PENDING[1:]),
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
