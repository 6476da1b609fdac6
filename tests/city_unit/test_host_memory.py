"""Both ends of the link in one program, as simulations use them."""

import pytest

from city_unit import host
from tests.helpers.times import LENGTH_MS


def kinds(news: list[host.News]) -> list[str]:
    return [item.kind if isinstance(item, host.Event) else type(item).__name__ for item in news]


def test_an_auction_in_virtual_time():
    memory = host.Memory(seed=7, start_ms=(1 << 30) - 20000)
    assert kinds(memory.client.poll()) == ["Connected", "switched-on"]
    assert memory.client.send("start") == ""
    started = memory.client.now()
    news = memory.advance(60000)
    assert kinds(news) == ["auction-started", "auction-warning", "auction-ended"]
    assert news[2].ms - started == LENGTH_MS
    assert memory.ms == 60000


def test_it_stops_at_the_first_news():
    memory = host.Memory()
    memory.client.poll()
    memory.client.send("start 5000")
    assert kinds(memory.advance_to_news(100000)) == ["auction-started"]
    assert kinds(memory.advance_to_news(1000)) == []
    assert memory.ms == 1000
    assert kinds(memory.advance_to_news(100000)) == ["auction-ended"]
    assert memory.ms == 5000


def test_the_cable_is_pulled_in_the_middle_of_an_auction():
    memory = host.Memory()
    memory.client.poll()
    memory.client.send("start 5000")
    memory.advance(1000)
    memory.cut()
    assert kinds(memory.advance(6000)) == ["Disconnected"]
    with pytest.raises(host.NoAnswer):
        memory.client.send("stop")
    memory.mend()
    assert kinds(memory.advance(1000)) == ["Connected", "auction-ended"]


def test_a_command_without_the_cable_is_given_up_and_never_done():
    memory = host.Memory()
    memory.client.poll()
    memory.cut()
    with pytest.raises(host.NoAnswer, match="not known"):
        memory.client.send("start", timeout=3)
    assert memory.ms == 3000
    memory.mend()
    assert kinds(memory.advance(2000)) == ["Disconnected", "Connected"]
    assert memory.unit.state == "ready"


def test_the_unit_is_started_anew():
    memory = host.Memory()
    memory.client.poll()
    memory.advance(1000)
    anew = ["Disconnected", "Restarted", "Connected", "switched-on"]
    memory.restart_unit()
    with pytest.raises(host.NoAnswer):
        memory.client.send("start")
    assert kinds(memory.advance(1000)) == anew
    memory.restart_unit()  # an idle client learns it as well
    assert kinds(memory.advance(10)) == anew


def test_to_wait_is_to_let_virtual_time_pass():
    memory = host.Memory()
    memory.client.poll()
    with pytest.raises(host.NoNews):
        memory.client.wait_for("auction-ended", timeout=2)
    assert memory.ms == 2000
    memory.client.send("start 5000")
    assert memory.client.wait_for("auction-ended", timeout=5).ms == 7000
    assert memory.ms == 7000
    memory.cut()
    assert kinds(memory.client.poll()) == ["Disconnected"]
    with pytest.raises(host.NoUnit):
        memory.client.wait_online(1)
    assert memory.ms == 8000
    memory.mend()
    memory.client.wait_online(1)


def test_what_the_unit_does_not_do_changes_nothing():
    memory = host.Memory(program="world")
    with pytest.raises(host.Refused, match="ready") as refused:
        memory.client.send("stop")
    assert refused.value.why == "ready"
    with pytest.raises(ValueError, match="printable ASCII"):
        memory.client.ask("tap\nauction")


def test_who_watches_again_misses_nothing():
    memory = host.Memory()
    for _ in range(2):
        memory.client.send("watch on")
        memory.client.send("start 5000")
        edges = []
        for _ in range(60):
            memory.link.note_shown(memory.unit_now * 1000)
            edges += [fresh for fresh in memory.advance(100) if isinstance(fresh, host.Edge)]
        lamps = [edge.value for edge in edges if edge.what == "auction"]
        assert lamps == [1, 0] * 5
