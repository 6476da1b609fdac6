"""Building: by permit from the unit, and what needs none."""

from city_game.board import HAZARDS
from city_game.rules import flow, pieces
from city_game.rules.luck import PERMITS, draw_on
from city_game.rules.rents import has_group
from city_game.rules.state import BANK, Illegal, State


def press(state: State, _action: tuple) -> None:
    """Press BUILD: once a roll, on one's own turn, with something to build on."""
    if state.pressed:
        raise Illegal("pressed-already")
    if not has_ground(state):
        raise Illegal("nothing-to-build-on")
    state.pressed = True
    state.phase = "permit"
    state.decider = BANK


def has_ground(state: State) -> bool:
    """Return whether something that a permit may bring could be built somewhere."""
    if state.rules.stations_anywhere:
        return True  # also without a deed: the permit may be for a station
    return not all(state.mortgage[district] for district in state.owned[state.turn])


def permit(state: State, action: tuple) -> None:
    """The unit has granted 1, 2 or 3 blocks, or a station."""
    granted = action[1]
    if granted not in PERMITS:
        raise Illegal("unknown-permit")
    draw_on(state)
    state.events.append(("granted", state.turn, granted))
    state.decider = state.turn
    if granted == "station":
        state.phase = "station"
    else:
        state.permit = int(granted)
        state.phase = "build"


def refused(state: State, _action: tuple) -> None:
    """The unit did not grant a permit; BUILD stays unused, but past the hour nothing is granted."""
    state.pressed = state.hour_over
    flow.proceed(state)


def build(state: State, action: tuple) -> None:
    """Buy blocks of one kind for one district, at the deed's price."""
    _, district, kind, blocks = action
    player = _builder(state, district)
    if kind not in state.blocks:
        raise Illegal("unknown-piece")
    if not 1 <= blocks <= state.permit:
        raise Illegal("beyond-the-permit")
    if blocks > pieces.room(state, district):
        raise Illegal("district-full")
    cost = blocks * state.board.block_prices[kind][district]
    if state.cash[player] < cost:
        raise Illegal("not-enough-money")
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


def station(state: State, action: tuple) -> None:
    district = action[1]
    if state.station[district]:
        raise Illegal("station-there")
    if not state.box_stations:
        raise Illegal("box-empty")
    if not state.rules.stations_anywhere:
        _builder(state, district)
    state.station[district] = True
    state.box_stations -= 1
    state.events.append(("station built", state.turn, district))
    flow.proceed(state)


def stadium(state: State, action: tuple) -> None:
    """Buy a stadium: two districts of the colour, one stadium a group."""
    district = action[1]
    player = _builder(state, district)
    group = state.board.group_of[district]
    if state.stadium[group] >= 0:
        raise Illegal("stadium-there")
    if state.held[player][group] < 2:
        raise Illegal("needs-two-of-the-group")
    if standing(state.stadium) >= state.board.pieces.stadiums:
        raise Illegal("box-empty")
    _charge(state, player, state.board.money.stadium)
    state.stadium[group] = district
    state.events.append(("landmark built", player, "stadium", district))


def skyscraper(state: State, action: tuple) -> None:
    """Buy a skyscraper: the whole group, one a group."""
    district = action[1]
    player = _builder(state, district)
    group = state.board.group_of[district]
    if state.skyscraper[group] >= 0:
        raise Illegal("skyscraper-there")
    if not has_group(state, player, group):
        raise Illegal("needs-the-group")
    if standing(state.skyscraper) >= state.board.pieces.skyscrapers:
        raise Illegal("box-empty")
    _charge(state, player, state.board.groups[group].skyscraper)
    state.skyscraper[group] = district
    state.events.append(("landmark built", player, "skyscraper", district))


def tower(state: State, action: tuple) -> None:
    """Buy the tower: two whole groups, on a district of one of them; there is one in the game."""
    district = action[1]
    player = _builder(state, district)
    if state.tower >= 0:
        raise Illegal("tower-there")
    whole = [group for group in range(len(state.skyscraper)) if has_group(state, player, group)]
    if len(whole) < 2 or state.board.group_of[district] not in whole:
        raise Illegal("needs-two-groups")
    _charge(state, player, state.board.money.tower)
    state.tower = district
    state.events.append(("landmark built", player, "tower", district))


def standing(sites: list[int]) -> int:
    """Return how many groups have the landmark: those with a site."""
    return len(sites) - sites.count(-1)


def clear(state: State, action: tuple) -> None:
    """Have a hazard removed from one's own district, at a price for each of its blocks."""
    district = action[1]
    player = state.decider
    hazard = state.hazard[district]
    if state.owner[district] != player:
        raise Illegal("not-yours")
    if not hazard:
        raise Illegal("no-hazard")
    _charge(state, player, clearing_cost(state, district))
    state.hazard[district] = ""
    state.box_hazards[hazard] += 1
    state.events.append(("cleared", player, hazard, district))


def clearing_cost(state: State, district: int) -> int:
    return HAZARDS[state.hazard[district]] * state.board.money.hazard_block


def _builder(state: State, district: int) -> int:
    player = state.turn
    if state.owner[district] != player:
        raise Illegal("not-yours")
    if state.mortgage[district]:
        raise Illegal("mortgaged")
    return player


def _charge(state: State, player: int, cost: int) -> None:
    if state.cash[player] < cost:
        raise Illegal("not-enough-money")
    state.cash[player] -= cost
