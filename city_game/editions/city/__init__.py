"""City: districts with blocks, permits from the unit, and an hour; the book is monopoly-city."""

from city_game.editions.city import board, rules
from city_game.editions.city.board import KINDS, Reader, State, clear_deed
from city_game.editions.city.rules import MOST_OF_A_PERMIT, PERMITS
from city_game.editions.city.words import DECISIONS, SWITCHES, WORDS
from city_game.kernel import actions, flow, luck, moves
from city_game.kernel.actions import DEED, HOUR, Action
from city_game.kernel.edition import Edition, Source
from city_game.kernel.state import BANK, is_whole, is_word
from city_unit.desktop.catalogue import lazy

ACTIONS = {
    **actions.ACTIONS,
    "roll": Action((), rules.roll, notes_clock=True),
    "travel": Action(DEED, rules.travel, rules.why_not_travel),
    "stay": Action((), rules.stay),
    "place": Action(("piece", "district"), rules.place, rules.why_not_place, is_undoable=True),
    "leave": Action((), flow.proceed),
    "dodge": Action((), rules.dodge, rules.why_not_dodge),
    "press": Action((), rules.press, rules.why_not_press, is_own=False),
    "permit": Action(
        ("permit",), rules.permit, rules.why_not_permit, notes_clock=True, is_own=False
    ),
    "refused": Action((), rules.refused, is_listed=False, is_own=False),
    "build": Action(
        ("district", "kind", "blocks"), rules.build, rules.why_not_build, True, of_own=True
    ),
    "done": Action((), rules.done),
    "station": Action(DEED, rules.station, rules.why_not_station, is_undoable=True),
    "stadium": Action(DEED, rules.landmark, rules.why_not_landmark, True, of_own=True),
    "skyscraper": Action(DEED, rules.landmark, rules.why_not_landmark, True, of_own=True),
    "tower": Action(DEED, rules.landmark, rules.why_not_landmark, True, of_own=True),
    "clear": Action(DEED, rules.clear, rules.why_not_clear, True, of_own=True),
}

# Possible on the player's own turn, before the roll or after the move, without a permit.
OWN_TURN = ("clear", "lift", "mortgage", "stadium", "skyscraper", "tower", "offer")

PHASES = {
    **actions.PHASES,
    "roll": ("roll", *OWN_TURN, *HOUR),
    "jail": ("roll", *OWN_TURN, "pay fine", "use card", *HOUR),
    "auction space": ("leave", "put up", "offer", *HOUR),
    "planning": ("place", *HOUR),
    "debt": ("dodge", "pay", "bankrupt", "mortgage", "offer", *HOUR),
    "travel": ("stay", "travel", "offer", *HOUR),
    "manage": ("end turn", *OWN_TURN, "press", *HOUR),
    "permit": ("permit", "refused", *HOUR),
    "build": ("done", "build", "offer", *HOUR),
    "station": ("done", "station", "offer", *HOUR),
}


def give_up(state: State, debtor: int, creditor: int) -> None:
    """Return the dodge card, and the buildings if deeds that go to the bank are cleared."""
    if state.dodge == debtor:
        state.dodge = BANK
    if creditor == BANK and not state.rules.estate_keeps_buildings:
        for deed in state.owned[debtor]:
            clear_deed(state, deed)


def minds() -> dict[str, type]:
    from city_game.editions.city.minds import MINDS

    return MINDS


EDITION = Edition(
    name="city",
    title=lazy("City"),
    package=__name__,
    board="saltmarket",
    owns_unnamed=True,
    sources=(Source(lazy("the book of Monopoly City")),),
    program="city",
    reader=Reader,
    state=State,
    switches=SWITCHES,
    decisions=DECISIONS,
    actions=ACTIONS,
    phases=PHASES,
    checks={"blocks": is_whole, "kind": is_word, "piece": is_word, "permit": is_word},
    values={
        "permit": lambda _state: PERMITS,
        "kind": lambda _state: KINDS,
        "blocks": lambda _state: range(1, MOST_OF_A_PERMIT + 1),
        "piece": lambda state: (*state.box_bonuses, *state.box_hazards),
    },
    arrivals={
        **moves.ARRIVALS,
        "auction": rules.may_auction,
        "planning": rules.permission,
        "tax": rules.tax,
        "parking": rules.parking,
    },
    effects=rules.EFFECTS,
    draws={**luck.DRAWS, "permit": rules.draw_permit},
    pending=(flow.debts, flow.estate, flow.stopped, flow.steps_owed, rules.travels, flow.manage),
    rent=board.rent,
    loan=board.rent,
    salary=board.salary,
    worth=board.worth,
    liquidity=board.worth,
    landed=rules.landed,
    begin_turn=rules.begin_turn,
    give_up=give_up,
    may_choose=rules.may_dodge,
    words=WORDS,
    look=board.look,
    minds=minds,
)
