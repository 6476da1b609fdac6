"""Building: by permit from the unit, and what needs none."""

from city_game.editions.board import HAZARDS
from city_game.kernel import flow, pieces
from city_game.kernel.luck import PERMITS
from city_game.kernel.rents import has_group
from city_game.kernel.state import BANK, State


def why_not_press(state: State, _action: tuple) -> str:
    if state.pressed:
        return "pressed-already"
    return "" if has_ground(state) else "nothing-to-build-on"


def press(state: State, _action: tuple) -> None:
    """Press BUILD: once a roll, on the player's own turn, with something to build on."""
    state.pressed = True
    state.phase = "permit"
    state.decider = BANK


def has_ground(state: State) -> bool:
    """Return whether something that a permit may bring could be built somewhere."""
    if state.rules.stations_anywhere:
        return True  # even without a deed, since the permit may be for a station
    return not all(state.mortgage[district] for district in state.owned[state.turn])


def why_not_permit(_state: State, action: tuple) -> str:
    return "" if action[1] in PERMITS else "unknown-permit"


def permit(state: State, action: tuple) -> None:
    """The unit has granted 1, 2 or 3 blocks, or a station."""
    granted = action[1]
    state.draws += 1
    state.events.append(("granted", state.turn, granted))
    state.decider = state.turn
    if granted == "station":
        state.phase = "station"
    else:
        state.permit = int(granted)
        state.phase = "build"


def refused(state: State, _action: tuple) -> None:
    """The unit granted nothing: BUILD may be pressed again, but not once the hour is over."""
    state.pressed = state.hour_over
    flow.proceed(state)


def why_not_build(state: State, action: tuple) -> str:
    _, district, kind, blocks = action
    if reason := _why_not_there(state, district):
        return reason
    if kind not in state.blocks:
        return "unknown-piece"
    if not 1 <= blocks <= state.permit:
        return "beyond-the-permit"
    if blocks > pieces.room(state, district):
        return "district-full"
    if state.cash[state.turn] < blocks * state.board.block_prices[kind][district]:
        return "not-enough-money"
    return "" if pieces.can_stand(state, kind, district, blocks) else "box-empty"


def build(state: State, action: tuple) -> None:
    """Buy blocks of a kind for a district, at the deed's price."""
    _, district, kind, blocks = action
    player = state.turn
    cost = blocks * state.board.block_prices[kind][district]
    pieces.stand(state, kind, district, blocks)
    state.cash[player] -= cost
    state.permit -= blocks
    state.events.append(("built", player, district, blocks, kind, cost))
    if not state.permit:
        flow.proceed(state)


def done(state: State, _action: tuple) -> None:
    """Leave the rest of the permit unused."""
    state.permit = 0
    flow.proceed(state)


def why_not_station(state: State, action: tuple) -> str:
    district = action[1]
    if state.station[district]:
        return "station-there"
    if not state.box_stations:
        return "box-empty"
    return "" if state.rules.stations_anywhere else _why_not_there(state, district)


def station(state: State, action: tuple) -> None:
    """Build a station, for nothing."""
    district = action[1]
    state.station[district] = True
    state.box_stations -= 1
    state.events.append(("station built", state.turn, district))
    flow.proceed(state)


def why_not_stadium(state: State, action: tuple) -> str:
    district = action[1]
    if reason := _why_not_there(state, district):
        return reason
    group = state.board.group_of[district]
    if state.stadium[group] >= 0:
        return "stadium-there"
    if state.held[state.turn][group] < 2:
        return "needs-two-of-the-group"
    if count_landmarks(state.stadium) >= state.board.pieces.stadiums:
        return "box-empty"
    return _why_not_pay(state, state.turn, state.board.money.stadium)


def stadium(state: State, action: tuple) -> None:
    """Buy a stadium: it needs two districts of the colour, and each group has room for one."""
    district = action[1]
    state.cash[state.turn] -= state.board.money.stadium
    state.stadium[state.board.group_of[district]] = district
    state.events.append(("landmark built", state.turn, "stadium", district))


def why_not_skyscraper(state: State, action: tuple) -> str:
    district = action[1]
    if reason := _why_not_there(state, district):
        return reason
    group = state.board.group_of[district]
    if state.skyscraper[group] >= 0:
        return "skyscraper-there"
    if not has_group(state, state.turn, group):
        return "needs-the-group"
    if count_landmarks(state.skyscraper) >= state.board.pieces.skyscrapers:
        return "box-empty"
    return _why_not_pay(state, state.turn, state.board.groups[group].skyscraper)


def skyscraper(state: State, action: tuple) -> None:
    """Buy a skyscraper: it needs the whole group, which has room for one."""
    district = action[1]
    group = state.board.group_of[district]
    state.cash[state.turn] -= state.board.groups[group].skyscraper
    state.skyscraper[group] = district
    state.events.append(("landmark built", state.turn, "skyscraper", district))


def why_not_tower(state: State, action: tuple) -> str:
    district = action[1]
    if reason := _why_not_there(state, district):
        return reason
    if state.tower >= 0:
        return "tower-there"
    groups = range(len(state.skyscraper))
    whole = [group for group in groups if has_group(state, state.turn, group)]
    if len(whole) < 2 or state.board.group_of[district] not in whole:
        return "needs-two-groups"
    return _why_not_pay(state, state.turn, state.board.money.tower)


def tower(state: State, action: tuple) -> None:
    """Buy the game's only tower, for a district of a whole group: it needs two whole groups."""
    district = action[1]
    state.cash[state.turn] -= state.board.money.tower
    state.tower = district
    state.events.append(("landmark built", state.turn, "tower", district))


def count_landmarks(sites: list[int]) -> int:
    """Return how many groups have the landmark: those with a site."""
    return len(sites) - sites.count(-1)


def why_not_clear(state: State, action: tuple) -> str:
    district = action[1]
    if state.owner[district] != state.decider:
        return "not-yours"
    if not state.hazard[district]:
        return "no-hazard"
    return _why_not_pay(state, state.decider, clearing_cost(state, district))


def clear(state: State, action: tuple) -> None:
    """Have a hazard removed from the player's own district, at a price for each of its blocks."""
    district = action[1]
    player = state.decider
    hazard = state.hazard[district]
    state.cash[player] -= clearing_cost(state, district)
    state.hazard[district] = ""
    state.box_hazards[hazard] += 1
    state.events.append(("cleared", player, hazard, district))


def clearing_cost(state: State, district: int) -> int:
    return HAZARDS[state.hazard[district]] * state.board.money.hazard_block


def _why_not_there(state: State, district: int) -> str:
    """Return why the player whose turn it is cannot build on a district, "" if they can."""
    if state.owner[district] != state.turn:
        return "not-yours"
    return "mortgaged" if state.mortgage[district] else ""


def _why_not_pay(state: State, player: int, cost: int) -> str:
    return "not-enough-money" if state.cash[player] < cost else ""
