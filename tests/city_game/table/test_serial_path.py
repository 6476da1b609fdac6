"""Auctions over the real path: the emulated unit in a process of its own, sockets, real time.

Five of each kind here; CITY_UNIT_AUCTIONS=1000 runs a thousand.
"""

import os
import time

import pytest

from city_game.errors import UserError
from city_game.game import Game, Setup
from city_game.house_rules import HouseRules
from city_game.table import child
from city_game.table import session as session_module
from city_game.table.session import Session
from city_game.table.unit import TableUnit
from city_unit import host
from tests.city_game.table.virtual import BOARD

COUNT = int(os.environ.get("CITY_UNIT_AUCTIONS", "5"))
LENGTH_MS = 100
DEADLINE_S = 20


@pytest.fixture(scope="module")
def unit():
    beside = child.Child()
    client = child.connect(beside)
    table_unit = TableUnit(client, mine=True)
    yield table_unit
    table_unit.close()
    beside.stop()


def wait(session, reached):
    deadline = time.monotonic() + DEADLINE_S
    while not reached():
        assert time.monotonic() < deadline, session.state.phase
        session.step()
        time.sleep(0.001)


def auction(unit, seed, offset):
    """Hold one short auction in which a bid is made `offset` ms after the end; None if missed."""
    game = Game(Setup(BOARD, ("A", "B"), ("human", "human"), HouseRules(), seed))
    game.state.phase, game.state.decider = "auction space", 0
    session = Session(game, unit, pace=0)
    session.do(("put up", seed % 22, 1))
    unit.ask(f"start {LENGTH_MS}")
    wait(session, lambda: session.state.phase == "bidding")
    ends = session.state.auction.started + LENGTH_MS
    aim = ends + offset
    while unit.now() < aim:
        if offset < 0:
            session.step()
        time.sleep(max(0.0, min(0.005, (aim - unit.now()) / 2000)))
    at = unit.now()
    session.bid(1, 100)
    wait(session, lambda: session.state.auction is None)
    if abs(at - aim) > 10:
        return None  # the machine was too busy for a bid at this time
    within = max((one[-1] for one in game.actions if one[0] == "bid"), default=0)
    return game.state.owner[seed % 22] == 1, within


@pytest.fixture(autouse=True)
def short_grace(monkeypatch):
    """What came over the line late is here soon: the path is short."""
    monkeypatch.setattr(session_module, "GRACE_MS", 60)


@pytest.mark.parametrize(("offset", "counts"), [(-30, True), (30, False)])
def test_bids_30_ms_from_the_end(unit, offset, counts):
    results = []
    for seed in range(COUNT * 4):
        result = auction(unit, seed, offset)
        if result is not None:
            results.append(result)
        if len(results) == COUNT:
            break
    assert len(results) == COUNT, "the machine is too busy to bid in time"
    assert [won for won, _ in results] == [counts] * COUNT
    print(f"{COUNT} bids at {offset:+} ms, known to ±{max(within for _, within in results)} ms")


def test_the_child_ends_with_its_table():
    beside = child.Child()
    client = child.connect(beside)
    assert client.about.name.startswith("table-")
    client.close()
    beside.stop()
    with pytest.raises(host.NoUnit):
        host.connect(beside.port, timeout=0.5)


def test_the_child_ends_when_its_table_is_killed():
    """No goodbye is said: the pipe between them breaks."""
    beside = child.Child()
    beside._process.stdin.close()
    assert beside._process.wait(DEADLINE_S) is not None


def test_a_unit_that_does_not_start_is_one_clear_line(monkeypatch):
    monkeypatch.setattr(child, "COMMAND", ("-c", "raise SystemExit('no such module')"))
    with pytest.raises(UserError, match="the emulated unit does not start: no such module"):
        child.Child()
