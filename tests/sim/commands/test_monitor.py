"""Lines that `city-unit monitor` writes of each piece of news."""

import json

import pytest

from city_unit import host
from city_unit.desktop import catalogue
from sim.commands import monitor

ABOUT = host.About("red", "emulated", "1", 1, 77)
SNAPSHOT = host.Snapshot(5, "ready", "city", 3600000, 3599995, 0, 0, 0, 3, 1)

WRITTEN = [
    (
        host.Event(1, 12345, "auction-started", {"length_ms": 30000}),
        {"ms": 12345, "event": "auction-started", "length_ms": 30000},
        "    12.345 s  auction-started  length_ms 30000",
    ),
    (
        host.Event(2, 12345, "confetti", more=("PAPER", "99")),
        {"ms": 12345, "event": "confetti", "more": ["PAPER", "99"]},
        "    12.345 s  confetti  PAPER  99",
    ),
    (
        host.Edge(0, "permit-station", 1, 1000, 1000300),
        {"ms": 1000, "lamp": "permit-station", "on": True, "late_us": 300},
        "     1.000 s  lamp permit-station on  0.3 ms late",
    ),
    (
        host.Edge(1, "auction", 0, 2000, 2000000),
        {"ms": 2000, "lamp": "auction", "on": False, "late_us": 0},
        "     2.000 s  lamp auction off        0.0 ms late",
    ),
    (
        host.Edge(2, "tone", 2700, 3000, 3001250),
        {"ms": 3000, "tone": 2700, "late_us": 1250},
        "     3.000 s  tone 2700 Hz            1.2 ms late",
    ),
    (
        host.Edge(3, "tone", 0, 3100, 3100000),
        {"ms": 3100, "tone": 0, "late_us": 0},
        "     3.100 s  tone off                0.0 ms late",
    ),
    (
        host.Connected(ABOUT, SNAPSHOT),
        {"ms": 5, "link": "connected", "boot": 77},
        "Connected to red (emulated 1) at the-port: program city, ready.",
    ),
    (
        host.Disconnected("it is gone"),
        {"link": "disconnected", "why": "it is gone"},
        "The unit is gone: it is gone. Waiting for it.",
    ),
    (
        host.Restarted(78),
        {"link": "restarted", "boot": 78},
        "The unit was started anew.",
    ),
    (
        host.Missed(3, 9),
        {"link": "missed", "first": 3, "count": 9},
        "9 events were lost: the unit no longer keeps them.",
    ),
]


@pytest.mark.parametrize(("news", "as_json", "as_text"), WRITTEN)
def test_each_piece_of_news_has_its_line(news, as_json, as_text):
    content, words = monitor.said(news, "the-port")
    assert json.loads(json.dumps(content)) == as_json
    assert words == as_text


def test_french_has_its_own_decimal_mark():
    catalogue.speak("fr")
    edge = monitor.said(host.Edge(2, "tone", 2700, 3000, 3001250), "")[1]
    assert edge.split()[0] == "3,000" and "1,2" in edge and "." not in edge
