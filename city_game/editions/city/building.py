"""Building: blocks and stations by a permit of the unit, landmarks without one."""

from collections.abc import Callable

from city_game.editions import described
from city_game.editions.city import pieces
from city_game.editions.city.board import HAZARDS
from city_game.editions.city.pieces import State
from city_game.kernel import flow
from city_game.kernel.state import BANK

PERMITS = tuple(described("city").odds)
GRANTS = tuple(
    ("permit", permit) for permit, odds in described("city").odds.items() for _ in range(odds)
)
KINDS = ("residential", "industrial")
MOST_OF_A_PERMIT = 3


def draw_permit(state: State, below: Callable[[int, int], int]) -> tuple:
    """Return the permit that chance grants in a game without a unit."""
    return GRANTS[below(state.draws, len(GRANTS))]


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
    return not all(state.mortgage[deed] for deed in state.owned[state.turn])


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
    _, deed, kind, blocks = action
    if state.mortgage[deed]:
        return "mortgaged"
    if kind not in state.blocks:
        return "unknown-piece"
    if not 1 <= blocks <= state.permit:
        return "beyond-the-permit"
    if blocks > pieces.room(state, deed):
        return "district-full"
    if state.cash[state.turn] < blocks * state.board.block_prices[kind][deed]:
        return "not-enough-money"
    return "" if pieces.can_stand(state, kind, deed, blocks) else "box-empty"


def build(state: State, action: tuple) -> None:
    """Buy blocks of a kind for a deed, at its price."""
    _, deed, kind, blocks = action
    player = state.turn
    cost = blocks * state.board.block_prices[kind][deed]
    pieces.stand(state, kind, deed, blocks)
    state.cash[player] -= cost
    state.permit -= blocks
    state.events.append(("built", player, deed, blocks, kind, cost))
    if not state.permit:
        flow.proceed(state)


def done(state: State, _action: tuple) -> None:
    """Discard the rest of the permit."""
    state.permit = 0
    flow.proceed(state)


def why_not_station(state: State, action: tuple) -> str:
    deed = action[1]
    if state.station[deed]:
        return "station-there"
    if not state.box_stations:
        return "box-empty"
    if state.rules.stations_anywhere:
        return ""
    if state.owner[deed] != state.turn:
        return "not-yours"
    return "mortgaged" if state.mortgage[deed] else ""


def station(state: State, action: tuple) -> None:
    """Build a station, for nothing."""
    deed = action[1]
    state.station[deed] = True
    state.box_stations -= 1
    state.events.append(("station built", state.turn, deed))
    flow.proceed(state)


def why_not_stadium(state: State, action: tuple) -> str:
    deed = action[1]
    if state.mortgage[deed]:
        return "mortgaged"
    group = state.board.group_of[deed]
    if state.stadium[group] >= 0:
        return "stadium-there"
    if state.held[state.turn][group] < 2:
        return "needs-two-of-the-group"
    if count_landmarks(state.stadium) >= state.board.pieces.stadiums:
        return "box-empty"
    return _why_not_pay(state, state.turn, state.board.money.stadium)


def stadium(state: State, action: tuple) -> None:
    """Buy a stadium: it needs two deeds of the colour, and each group has room for one."""
    state.stadium[state.board.group_of[action[1]]] = action[1]
    _buy(state, action, state.board.money.stadium)


def why_not_skyscraper(state: State, action: tuple) -> str:
    deed = action[1]
    if state.mortgage[deed]:
        return "mortgaged"
    group = state.board.group_of[deed]
    if state.skyscraper[group] >= 0:
        return "skyscraper-there"
    if not state.has_group(state.turn, group):
        return "needs-the-group"
    if count_landmarks(state.skyscraper) >= state.board.pieces.skyscrapers:
        return "box-empty"
    return _why_not_pay(state, state.turn, state.board.groups[group].skyscraper)


def skyscraper(state: State, action: tuple) -> None:
    """Buy a skyscraper: it needs the whole group, which has room for one."""
    group = state.board.group_of[action[1]]
    state.skyscraper[group] = action[1]
    _buy(state, action, state.board.groups[group].skyscraper)


def why_not_tower(state: State, action: tuple) -> str:
    deed = action[1]
    if state.mortgage[deed]:
        return "mortgaged"
    if state.tower >= 0:
        return "tower-there"
    groups = range(len(state.skyscraper))
    whole = [group for group in groups if state.has_group(state.turn, group)]
    if len(whole) < 2 or state.board.group_of[deed] not in whole:
        return "needs-two-groups"
    return _why_not_pay(state, state.turn, state.board.money.tower)


def tower(state: State, action: tuple) -> None:
    """Buy the game's only tower, for a deed of a whole group: it needs two whole groups."""
    state.tower = action[1]
    _buy(state, action, state.board.money.tower)


def _buy(state: State, action: tuple, price: int) -> None:
    landmark, deed = action
    state.cash[state.turn] -= price
    state.events.append(("landmark built", state.turn, landmark, deed))


def count_landmarks(sites: list[int]) -> int:
    """Return how many groups have the landmark: those with a site."""
    return len(sites) - sites.count(-1)


def why_not_clear(state: State, action: tuple) -> str:
    deed = action[1]
    if not state.hazard[deed]:
        return "no-hazard"
    return _why_not_pay(state, state.decider, clearing_cost(state, deed))


def clear(state: State, action: tuple) -> None:
    """Remove a hazard from the player's own deed, at a price for each of its blocks."""
    deed = action[1]
    player = state.decider
    hazard = state.hazard[deed]
    state.cash[player] -= clearing_cost(state, deed)
    state.hazard[deed] = ""
    state.box_hazards[hazard] += 1
    state.events.append(("cleared", player, hazard, deed))


def clearing_cost(state: State, deed: int) -> int:
    return HAZARDS[state.hazard[deed]] * state.board.money.hazard_block


def _why_not_pay(state: State, player: int, cost: int) -> str:
    return "not-enough-money" if state.cash[player] < cost else ""
