"""A game at the table as a reader sees it: one pure function of the table's values feeds them all.

The window draws it, and telephones, spectators and referees get it in JSON. Players, deeds and
groups are indices, -1 for none; money is notes of 10k.
"""

from dataclasses import dataclass, replace
from typing import NamedTuple

from city_game.kernel.sales import least_bid
from city_game.kernel.state import State
from city_game.report.bid_log import Bid, bids
from city_game.table.play.decisions import Decision, decide
from city_game.table.play.table import Problem, Table
from city_unit.desktop.catalogue import _

# Readers beside the players: the window, at which all may sit; and those who only look on.
AT_THE_TABLE, ONLOOKER = -1, -2


class Plot(NamedTuple):
    """A deed with all that is built on it.

    homes, works  pieces of 1, 2 and 3 blocks
    landmarks     the buildings in its back row
    has_station   whether a station stands on its space of the track
    grown         the height of the last building so far, as a share of its whole height, 0 to 1
    """

    owner: int
    price: int
    rent: int
    is_doubled: bool
    is_mortgaged: bool
    homes: tuple[int, ...]
    works: tuple[int, ...]
    landmarks: tuple[str, ...]
    has_station: bool
    grown: float = 1.0


class Player(NamedTuple):
    """A player.

    seat    HUMAN, or a bot's strength
    worth   0 for a bankrupt
    traits  facts of the edition beside money and deeds, in words
    place   the space, also of a player in jail
    """

    name: str
    seat: str
    is_alive: bool
    cash: int
    worth: int
    is_jailed: bool
    jail_cards: int
    traits: tuple[str, ...]
    has_phone: bool
    place: int


class Sale(NamedTuple):
    """A sale that waits for the light, runs, or is being settled.

    lot       a thing of the bank's that is sold in place of the deed, "" for none
    number    each sale has its own, and one that is started anew has another one
    started   when its light went on, None before that; `ends`: when it goes out, None if that is
              not known (ms of the unit's clock)
    bids      the latest first, those that do not count among them
    passed    the players that bid no more, unless they take that back
    """

    number: int
    deed: int
    lot: str
    opener: int
    leader: int
    highest: int
    least: int
    started: int | None
    ends: float | None
    has_ended: bool
    bids: tuple[Bid, ...]
    passed: tuple[int, ...]


@dataclass(frozen=True)
class View:
    """A game as a reader sees it, whole.

    decision  the decider and the decision; the options are those of the reader
    title     of the decision, or the fault of the unit; `detail`: what is said below it
    """

    table: Table
    decision: Decision
    problem: Problem | None
    title: str
    detail: str
    players: tuple[Player, ...]
    plots: tuple[Plot, ...]
    sale: Sale | None

    def seen_by(self, reader: int) -> "View":
        """Return the view of the table as another reader has it: a player, or an onlooker."""
        table, decision = self.table, self.decision
        decides = reader >= 0 and (table.gathers or decision.player == reader)
        if not decides or table.is_paused:
            decision = replace(decision, options=[])
        title = self.title
        if reader == ONLOOKER and table.state.phase == "bidding" and not self.problem:
            title = _("The light is on: the players bid.")
        return replace(self, decision=decision, title=title)


def view(table: Table, reader: int = AT_THE_TABLE) -> View:
    """Return a game as the reader sees it, in the language of the moment."""
    state, problem, decision = table.state, table.problem(), decide(table)
    seen = View(
        table=table,
        decision=decision,
        problem=problem,
        title=problem.words if problem else decision.title,
        detail="" if problem else decision.detail,
        players=tuple(_player(table, player) for player in range(state.players)),
        plots=tuple(_plot(state, deed) for deed in range(len(state.owner))),
        sale=_sale(table),
    )
    return seen if reader == AT_THE_TABLE else seen.seen_by(reader)


def _player(table: Table, player: int) -> Player:
    state = table.state
    return Player(
        name=table.names[player],
        seat=table.seats[player],
        is_alive=state.alive[player],
        cash=state.cash[player],
        worth=state.edition.worth(state, player) if state.alive[player] else 0,
        is_jailed=bool(state.jailed[player]),
        jail_cards=len(state.jail_cards[player]),
        traits=tuple(state.edition.words.player(state, player)),
        has_phone=player in table.online,
        place=state.place[player],
    )


def _plot(state: State, deed: int) -> Plot:
    look = state.edition.look(state, deed)
    return Plot(
        owner=state.owner[deed],
        price=state.board.prices[deed],
        rent=state.edition.rent(state, deed),
        is_doubled=look.is_doubled,
        is_mortgaged=bool(state.mortgage[deed]),
        homes=look.homes,
        works=look.works,
        landmarks=look.landmarks,
        has_station=look.has_station,
    )


def _sale(table: Table) -> Sale | None:
    state, auction = table.state, table.state.auction
    if auction is None:
        return None
    return Sale(
        number=len(state.sales),
        deed=auction.deed,
        lot=auction.lot,
        opener=auction.opener,
        leader=auction.leader(),
        highest=auction.highest(),
        least=least_bid(state),
        started=auction.started,
        ends=table.light_ends,
        has_ended=auction.ended is not None,
        bids=tuple(bids(auction)[::-1]),
        passed=tuple(auction.passed),
    )
