"""The telephones' server admits and rejects connections."""

import socket
import urllib.error
import urllib.request
from contextlib import suppress
from pathlib import Path

import pytest
from websockets.exceptions import ConnectionClosed, InvalidStatus
from websockets.sync.client import connect

from city_game.phones import server
from city_game.phones.client import ROLES
from city_game.phones.server import Server, is_at_home
from city_unit.desktop.toml_reader import read
from city_unit.host.serving import web_door
from tests.city_game.phones.table import ROOT
from tests.helpers.patience import PATIENCE_S, until

CODE = "abcdefghjk"


@pytest.fixture
def door():
    made = Server("127.0.0.1", 0, {CODE: ROLES})
    yield made
    made.stop()


def test_a_stranger_gets_nothing(door):
    inside = (f"{CODE}/../seats.py", f"{CODE}/seats.py", f"{CODE}/player/more")
    for path in ("", "x/", f"{CODE[:-1]}/", f"{CODE}x/", *inside, "telephones.json"):
        with pytest.raises(urllib.error.HTTPError) as refused:
            urllib.request.urlopen(f"http://127.0.0.1:{door.port}/{path}", timeout=PATIENCE_S)
        assert refused.value.code == 404, path
        assert "default-src 'none'" in refused.value.headers["Content-Security-Policy"]
    address = f"http://127.0.0.1:{door.port}/{CODE}/"
    with urllib.request.urlopen(address, timeout=PATIENCE_S) as answer:
        assert "default-src 'none'" in answer.headers["Content-Security-Policy"]
        assert answer.headers["Referrer-Policy"] == "no-referrer"


def status(door, *headers):
    """Return the HTTP status of a telephone's connection, b"101" if it is admitted."""
    line = f"GET /{CODE}/player HTTP/1.1", "Upgrade: websocket", "Connection: Upgrade"
    key = "Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==", "Sec-WebSocket-Version: 13"
    with socket.create_connection(("127.0.0.1", door.port), PATIENCE_S) as client:
        client.sendall("\r\n".join([*line, *key, *headers, "", ""]).encode())
        return client.recv(100).split()[1]


def test_a_page_from_elsewhere_may_not_play(door):
    own, evil = f"127.0.0.1:{door.port}", f"evil.example:{door.port}"
    assert status(door, f"Host: {own}", f"Origin: http://{own}") == b"101"
    for origin in ("http://evil.example", f"http://{evil}", "null"):
        assert status(door, f"Host: {own}", f"Origin: {origin}") == b"403", origin
    # DNS rebinding: a foreign name that resolves to this computer.
    assert status(door, f"Host: {evil}", f"Origin: http://{evil}") == b"403"
    assert status(door, "Host: [x", "Origin: http://[x") == b"403"


def test_junk_goes_to_the_table_and_a_flood_of_it_is_cut_off(door):
    address, own = f"ws://127.0.0.1:{door.port}/{CODE}/player", f"http://127.0.0.1:{door.port}"
    junk = ["{", "x" * 4000, b"\x00", '{"n": 0, "say": "hello"}']
    with suppress(ConnectionClosed), connect(address, origin=own) as line:
        for message in ('{"pong": [], "at": {}}', '{"pong": 1}', *junk):
            line.send(message)
        for _ in range(2000):
            line.send("{}")
    until(lambda: door.received[-1].what == "closed")
    events = [item.value for item in door.received if item.what == "heard"]
    assert events[: len(junk)] == junk and len(events) < 500
    assert {item.what for item in door.received} == {"opened", "heard", "closed"}


def test_connections_without_a_word_leave_files_for_the_others(door, monkeypatch):
    monkeypatch.setattr(web_door, "MOST_CONNECTIONS", 5)
    lines = [socket.create_connection(("127.0.0.1", door.port), PATIENCE_S) for _ in range(9)]
    for line in lines[5:]:
        with suppress(ConnectionError):
            assert line.recv(1) == b""  # disconnected at once
    for line in lines:
        line.close()


def test_a_crowd_of_spectators_keeps_no_referee_out(door, monkeypatch):
    monkeypatch.setattr(server, "MOST_CONNECTIONS", 2)
    address = f"ws://127.0.0.1:{door.port}/{CODE}"
    with connect(f"{address}/spectator"), connect(f"{address}/spectator"):
        with pytest.raises(InvalidStatus):
            connect(f"{address}/spectator")
        with connect(f"{address}/referee"):
            pass


def test_a_telephone_that_does_not_read_is_disconnected_since_it_would_miss_the_latest_view(door):
    with connect(f"ws://127.0.0.1:{door.port}/{CODE}/player", max_queue=1) as line:
        until(lambda: door.received)
        sent = 2 * server.MOST_WAITING
        for _ in range(sent):
            door.send(door.received[0].number, "x" * 50_000)
        with pytest.raises(ConnectionClosed):
            for _ in range(sent):
                line.recv(PATIENCE_S)
    until(lambda: door.received[-1].what == "closed")


def test_only_the_home_network_comes_in():
    at_home = ("127.0.0.1", "192.168.1.7", "10.0.0.9", "172.20.0.4", "169.254.3.4", "fd00::7")
    for address in (*at_home, "fe80::1%eth0", "::ffff:192.168.1.7"):
        assert is_at_home((address, 1)), address
    for remote in (("8.8.8.8",), ("::ffff:8.8.8.8",), ("2a00:1450::1",), None, (), ("nonsense",)):
        assert not is_at_home(remote), remote


def test_each_file_of_a_page_is_in_the_package():
    """A wheel could otherwise lack the page's style sheet."""
    settings = read((ROOT / "pyproject.toml").read_text(encoding="utf-8"))[0]
    patterns = settings["tool"]["setuptools"]["package-data"]["*"]
    served = [path.name for path in (ROOT / "city_game").glob("*/page/*")]
    assert served and [name for name in served if not any(map(Path(name).match, patterns))] == []


def test_a_header_that_comes_twice_is_a_bad_request_and_no_traceback(door, capfd):
    for twice in ("Host: b", "Upgrade: websocket", "Origin: http://b"):
        assert status(door, "Host: a", "Origin: http://a", twice) == b"400", twice
    assert "Traceback" not in capfd.readouterr().err
