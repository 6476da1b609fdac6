"""News by callbacks: each is called from within `poll`, in order, for what it asked for."""

import itertools

import pytest

from city_unit import host


def test_events_by_their_kind_and_news_by_their_class():
    memory = host.Memory(seed=7)
    calls = []
    memory.client.on("auction-ended", lambda event: calls.append(("ended", event.ms)))
    memory.client.on("auction-started", lambda event: calls.append(("started", event.ms)))
    memory.client.on(host.Connected, lambda news: calls.append(("connected", news.about.name)))
    memory.client.on(host.Event, lambda event: calls.append((event.kind, event.number)))
    memory.client.ask("start 5000")
    polled = memory.advance(6000)
    assert calls == [
        ("connected", "unit"),
        ("switched-on", 0),
        ("started", 0),
        ("auction-started", 1),
        ("ended", 5000),
        ("auction-ended", 2),
    ]
    assert [news.kind for news in polled if isinstance(news, host.Event)][-1] == "auction-ended"


def test_a_callback_that_fails_loses_no_news_and_no_other_call():
    memory = host.Memory()
    calls = []
    memory.client.on(host.Event, lambda event: calls.append(event.kind))
    memory.client.on(host.Event, lambda event: 1 / 0)
    memory.client.on(host.Event, lambda event: calls.append(event.number))
    memory.client.ask("start")
    for _ in range(2):
        with pytest.raises(ZeroDivisionError):
            memory.client.poll()
    polled = memory.client.poll()
    assert [news.number for news in polled if isinstance(news, host.Event)] == [0, 1]
    assert isinstance(polled[0], host.Connected)
    assert calls == ["switched-on", 0, "auction-started", 1]
    assert memory.client.poll() == []


def test_what_a_failed_callback_has_left_is_told_without_waiting(monkeypatch):
    client = host.Memory().client
    ticks = itertools.count()
    monkeypatch.setattr(client, "host_ms", lambda: next(ticks))
    client.on("switched-on", lambda event: 1 / 0)
    with pytest.raises(ZeroDivisionError):
        client.poll()
    assert [type(news) for news in client.poll(timeout=1)] == [host.Connected, host.Event]
    assert next(ticks) < 100


def test_a_callback_may_talk_to_the_unit():
    memory = host.Memory()
    memory.client.on("switched-on", lambda _: memory.client.send("start 1000"))
    memory.client.on("auction-ended", lambda _: memory.client.close())
    kinds = [news.kind for news in memory.advance(2000) if isinstance(news, host.Event)]
    assert kinds == ["switched-on", "auction-started", "auction-ended"]
    assert memory.client.closed
