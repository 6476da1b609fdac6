"""Championship: classic at a tournament's table, in fifty minutes by the unit's clock."""

from dataclasses import replace

from city_game.editions.championship import rules
from city_game.editions.championship.words import DECISIONS, SOURCES, SWITCHES, WORDS
from city_game.editions.classic import EDITION as CLASSIC
from city_game.kernel import moves
from city_game.kernel.actions import AT, DEED, HOUR, Action
from city_game.kernel.edition import one_is_left
from city_unit.desktop.catalogue import lazy

ACTIONS = {
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
    "build hotels": Action(DEED, rules.build_hotels, rules.why_not_build_hotels, True, of_own=True),
    "give back": Action(DEED, rules.give_back, rules.why_not_give_back, of_own=True),
    "accept": CLASSIC.actions["accept"]._replace(do=rules.accept),
}
MEANS = ("sell", "raze", "mortgage", "hold")  # of raising money: before the dice, or for a debt
OWN = ("build", "build hotels", "lift", "hold card", "offer")
BEFORE_PLAY = {
    "start roll": ("start roll", "play"),
    "dealing": ("deal deed", "play"),
    "dealt": ("take", "refuse", "play"),
    "deals": ("ready", "offer", "play"),
    "waiting": ("play", "offer"),
}
IN_PLAY = {
    **CLASSIC.phases,
    "roll": ("roll", *OWN, *MEANS),
    "jail": ("roll", "use card", *OWN, *MEANS),
    "unsold": ("buy", "leave", "put up", "offer"),
    "debt": ("pay", "bankrupt", "give back", *MEANS, "hold card", "offer"),
    "manage": ("end turn", *OWN),
}
PHASES = {
    phase: tuple(dict.fromkeys((*names, "last round", *HOUR)))
    for phase, names in {**IN_PLAY, **BEFORE_PLAY}.items()
}
PHASES["over"] = ()

EDITION = replace(
    CLASSIC,
    name="championship",
    title=lazy("Championship"),
    plays_on=CLASSIC.name,
    sources=SOURCES,
    program="championship",
    calls={"play": "play", "last-round": "last round"},
    state=rules.State,
    switches=SWITCHES,
    decisions=DECISIONS,
    actions=ACTIONS,
    phases=PHASES,
    arrivals={**CLASSIC.arrivals, "go": moves.nothing, "parking": moves.nothing},
    values={"at": lambda _state: (0,)},
    draws={**CLASSIC.draws, "dealing": rules.draw_deed},
    seats_refusal=rules.seats_refusal,
    award=rules.award,
    lot_worth=rules.lot_worth,
    rent=rules.rent,
    liquidity=rules.liquidity,
    begin_turn=rules.begin_turn,
    give_up=rules.give_up,
    deal_refusal=rules.deal_refusal,
    is_over=one_is_left,
    is_last_turn=rules.is_last_turn,
    teams=rules.teams,
    words=WORDS,
    prospect=rules.prospect,
)
