"""Watchers of a unit over TCP, and the secret needed to use it."""

import sys
from argparse import Namespace

import pytest
import segno

from city_unit import host
from city_unit.desktop import addresses
from city_unit.draws import Draws
from city_unit.host.lines.ports import TcpPort
from city_unit.settings import Settings
from city_unit.unit import Unit
from sim.engine import link_server
from sim.engine.doors import Lock
from tests.helpers.lines import Opener
from tests.helpers.patience import until
from tests.helpers.tcp_house import House


@pytest.fixture
def house(tmp_path, monkeypatch):
    monkeypatch.setenv("CITY_UNIT_RUNTIME", str(tmp_path))
    made = []

    def make(*words):
        made.append(House(*words))
        return made[-1]

    yield make
    for each in made:
        each.close()


def edges_of(client):
    return [news.kind for news in client.poll() if isinstance(news, host.Event)]


def test_many_watch_what_one_does(house):
    here = house()
    watchers = [here.client(watch=True, history=True) for _ in range(5)]
    hand = here.client(history=True)
    here.until(lambda: all(client.online for client in here.clients))
    request = hand.ask("start 50")
    here.until(lambda: request.finished)
    seen = {client: [] for client in here.clients}

    def all_told():
        for client in here.clients:
            seen[client] += edges_of(client)
        return all(events[-1:] == ["auction-ended"] for events in seen.values())

    here.until(all_told)
    assert set(map(tuple, seen.values())) == {("switched-on", "auction-started", "auction-ended")}
    for command in ("tap auction", "switch off", "volume 0", "counters"):
        refused = watchers[0].ask(command)
        here.until(lambda asked=refused: asked.finished)
        assert isinstance(refused.error, host.Refused)
    describing = watchers[0].ask_description()
    here.until(lambda: describing.finished)
    assert describing.result().program == "city"


def test_a_session_is_one_program_s_whoever_it_is(house):
    """A TAG names one talk, also between watchers and the owner of the unit."""
    here = house()
    clients = [here.client(watch=watch) for watch in (True, False, True)]
    here.until(lambda: all(client.online for client in clients))
    tags = {here.written(client).rpartition(b"ping ")[2].split()[0] for client in clients}
    assert tags == {b"4711.1", b"4711.2", b"4711.3"}


def test_who_watches_is_told_each_change_of_the_lamps_and_the_tone(house):
    here = house()
    watcher, other, hand = (here.client(watch=watch) for watch in (True, True, False))
    here.until(lambda: all(client.online for client in here.clients))
    seen = {watcher: [], other: [], hand: []}
    asked = [client.ask("watch on") for client in (watcher, hand)]
    here.until(lambda: all(request.finished for request in asked))
    hand.ask("start 500")

    def has_ended():
        for client, edges in seen.items():
            news = client.poll()
            edges += [each for each in news if isinstance(each, host.Edge)]
        return here.link.unit.state == "ready" and here.now > 1500

    here.until(has_ended)
    changes = [(edge.what, edge.value, edge.due_ms, edge.late_us) for edge in seen[watcher]]
    assert changes == [(edge.what, edge.value, edge.due_ms, edge.late_us) for edge in seen[hand]]
    assert [what for what, *_ in changes].count("auction") == 2
    assert {what for what, *_ in changes} == {"auction", "tone"}
    first = seen[watcher][0].number  # of all edges that the unit has told anybody
    assert [edge.number - first for edge in seen[watcher]] == list(range(len(changes)))
    assert seen[other] == []


def test_without_the_secret_nobody_comes_in(house):
    here = house(Lock("a-secret"))
    assert here.door.address.endswith("/a-secret")
    open_address = here.door.address.rpartition("/")[0]
    right = here.client()
    here.until(lambda: right.online)
    right.close()
    for address in (open_address, open_address + "/a-secret2", open_address + "/A-secret"):
        for watch in (False, True):
            wrong = here.client(address, watch=watch)
            here.until(lambda client=wrong: client.trouble(False) is not None)
            assert "wants its secret" in str(wrong.trouble(False))
            assert not wrong.online
            wrong.close()
    assert here.link.unit.events.count == 1


def test_by_a_switch_anyone_may_watch(house):
    here = house(Lock("a-secret", lets_watch=True))
    open_address = here.door.address.rpartition("/")[0]
    watcher, thief = here.client(open_address, watch=True), here.client(open_address)
    here.until(lambda: watcher.online and thief.trouble(False) is not None)
    assert "wants its secret" in str(thief.trouble(False))


def test_a_line_without_an_end_is_no_way_around_the_secret(house):
    here = house(Lock("a-secret"))
    port = TcpPort(here.door.address.rpartition("/")[0])
    for _ in range(100):
        here.turn()
        port.write(b"x" * 100)
        try:
            port.read(0.0)
        except OSError:
            return
    raise AssertionError("it was not hung up on")


def opened_to_others(monkeypatch, tmp_path, **options):
    """Open a door as if its address were one that other computers can reach; return the server."""
    monkeypatch.setenv("CITY_UNIT_RUNTIME", str(tmp_path))
    monkeypatch.setattr(addresses, "is_loopback", lambda host: False)
    wanted = {"listen": "127.0.0.1:0", "anyone_may_watch": False, "pty": None, "journal": None}
    link = link_server.make_link(Unit(Settings(), Draws(7).below), "unit")
    server = link_server.serve(link, Namespace(name="unit", **wanted | options))
    assert server is not None
    return server


def test_beyond_this_computer_each_start_makes_a_secret_and_shows_it_once(
    monkeypatch, tmp_path, capsys
):
    coded = []
    make = segno.make
    monkeypatch.setattr(segno, "make", lambda text: coded.append(text) or make(text))
    monkeypatch.setattr(sys.stdout, "isatty", lambda: True, raising=False)
    secrets = set()
    for _ in range(3):
        server = opened_to_others(monkeypatch, tmp_path)
        (address,) = server.addresses
        secret = address.rpartition("/")[2]
        shown = capsys.readouterr()
        server.close()
        assert len(secret) >= 16  # of 64 letters each: 96 bits
        assert (shown.out.count(secret), shown.err.count(secret)) == (1, 0)
        assert "other computers can reach the unit" in shown.err
        assert coded.pop() == address
        assert shown.out.count("\n") > 15  # the code
        secrets.add(secret)
    assert len(secrets) == 3


def test_a_code_is_not_written_where_nobody_sees_it(monkeypatch, tmp_path, capsys):
    opened_to_others(monkeypatch, tmp_path).close()
    assert capsys.readouterr().out.count("\n") == 1


@pytest.mark.parametrize("may_watch", [False, True])
def test_anyone_may_watch_only_where_that_was_asked_for(monkeypatch, tmp_path, may_watch):
    server = opened_to_others(monkeypatch, tmp_path, anyone_may_watch=may_watch)
    (address,) = server.addresses
    open_address = address.rpartition("/")[0]
    with host.Client(address, Opener(open_address), watch=True) as watcher:

        def is_answered():
            server.receive(1)
            server.send()
            watcher.turn(10.0)
            return watcher.online or watcher.trouble(False) is not None

        until(is_answered)
        assert watcher.online is may_watch
    server.close()
