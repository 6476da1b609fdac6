"""Auctions over sockets in real time, with the emulated unit in its own process.

Runs five of each kind; CITY_UNIT_AUCTIONS=1000 runs a thousand.
"""

import itertools
import os
import select
import subprocess
import sys
import time

import pytest

from city_game.editions.city import EDITION
from city_game.game import Game, Setup
from city_game.table.session import Session
from city_game.table.unit import TableUnit
from city_unit import host
from city_unit.desktop.errors import UserError
from sim.engine import emulated_unit
from tests.helpers.patience import PATIENCE_S, until
from tests.helpers.virtual_table import BOARD

pytestmark = pytest.mark.real_time

COUNT = int(os.environ.get("CITY_UNIT_AUCTIONS", "5"))
LENGTH_MS = 100


@pytest.fixture(scope="module")
def unit():
    beside = emulated_unit.EmulatedUnit()
    client = emulated_unit.connect(beside)
    table_unit = TableUnit(client, is_mine=True)
    yield table_unit
    table_unit.close()
    beside.stop()


def wait(session, reached):
    deadline = time.monotonic() + PATIENCE_S
    while not reached():
        assert time.monotonic() < deadline, session.state.phase
        session.step()
        time.sleep(0.001)


def auction(unit, seed, offset):
    """Run a short auction with a bid `offset` ms after the end; return None if it was mistimed."""
    game = Game(Setup(BOARD, ("A", "B"), ("human", "human"), EDITION.rules(), seed))
    game.state.phase, game.state.decider = "auction space", 0
    session = Session(game, unit, pace=0)
    session.do(("put up", seed % 22, 1))
    unit.ask(f"start {LENGTH_MS}")
    wait(session, lambda: session.state.phase != "hammer")
    if session.state.phase != "bidding":
        return None  # the machine stalled for the whole auction
    ends = session.state.auction.started + LENGTH_MS
    aim = ends + offset
    while unit.now() < aim:
        if offset < 0:
            session.step()
        time.sleep(max(0.0, min(0.005, (aim - unit.now()) / 2000)))
    session.auctioneer.bid(1, 100)
    wait(session, lambda: session.state.auction is None)
    stamps = [action[3:5] for action in game.actions if action[0] in ("bid", "refused bid")]
    if not stamps or abs(stamps[0][0] - aim) > 10 or stamps[0][1] > 10:
        return None  # the machine was too busy for a bid at this time
    return game.state.owner[seed % 22] == 1, stamps[0][1]


@pytest.fixture(autouse=True)
def short_grace(monkeypatch):
    """Shorten the grace period, since this line has little delay."""
    monkeypatch.setattr("city_game.table.unit.GRACE_MS", 60)


@pytest.mark.parametrize(("offset", "counts"), [(-30, True), (30, False)])
def test_bids_30_ms_from_the_end(unit, offset, counts):
    results = []
    seeds = itertools.count()
    for _ in range(COUNT):
        tried = until(lambda: auction(unit, next(seeds), offset))  # until the bid is in time
        results.append(tried)
    assert [won for won, _ in results] == [counts] * COUNT
    print(f"{COUNT} bids at {offset:+} ms, known to ±{max(within for _, within in results)} ms")


def test_the_child_ends_with_its_table():
    beside = emulated_unit.EmulatedUnit()
    client = emulated_unit.connect(beside)
    assert client.about.name.startswith("beside-")
    client.close()
    beside.stop()
    with pytest.raises(host.NoUnit):
        host.connect(beside.port, timeout=0.5)


IS_A_TABLE = """
import time
from sim.engine.emulated_unit import EmulatedUnit
beside = EmulatedUnit()
print(beside.port, flush=True)
time.sleep(1000)
"""


def test_the_child_ends_when_its_table_is_killed():
    """The pipe between them breaks without a goodbye."""
    table = subprocess.Popen([sys.executable, "-c", IS_A_TABLE], stdout=subprocess.PIPE, text=True)
    assert table.stdout is not None
    assert select.select([table.stdout], [], [], PATIENCE_S)[0], "the table names no port"
    port = table.stdout.readline().strip()
    host.connect(port, timeout=PATIENCE_S).close()
    table.kill()
    table.wait(PATIENCE_S)

    def is_gone():
        try:
            host.connect(port, timeout=0.5).close()
        except host.NoUnit:
            return True
        return False

    until(is_gone)


def test_a_unit_that_does_not_start_is_reported_on_one_line(monkeypatch):
    monkeypatch.setattr(emulated_unit, "COMMAND", ("-c", "raise SystemExit('no such module')"))
    with pytest.raises(UserError, match="the emulated unit does not start: no such module"):
        emulated_unit.EmulatedUnit()
