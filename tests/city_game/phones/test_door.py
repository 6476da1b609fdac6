"""Admission at the door for telephones, and refusal."""

import socket
import sys
import urllib.error
import urllib.request
from contextlib import suppress
from pathlib import Path

import pytest

from city_game.phones.line import ROLES
from city_game.phones.server import Server, is_at_home
from tests.city_game.phones.table import ROOT
from tests.helpers.patience import PATIENCE_S, until

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib


@pytest.mark.real_time
def test_a_stranger_gets_nothing(table):
    code = table.code
    inside = (f"{code}/../seats.py", f"{code}/seats.py", f"{code}/player/more")
    for path in ("", "x/", f"{code[:-1]}/", f"{code}x/", *inside, "telephones.json"):
        with pytest.raises(urllib.error.HTTPError) as refused:
            urllib.request.urlopen(f"http://127.0.0.1:{table.port}/{path}")
        assert refused.value.code == 404, path
        assert "default-src 'none'" in refused.value.headers["Content-Security-Policy"]
    with urllib.request.urlopen(table.address()) as answer:
        assert "default-src 'none'" in answer.headers["Content-Security-Policy"]
        assert answer.headers["Referrer-Policy"] == "no-referrer"


@pytest.mark.real_time
def test_a_page_from_elsewhere_may_not_play(table):
    from websockets.exceptions import ConnectionClosed, InvalidStatus
    from websockets.sync.client import connect

    address = table.address(role="player").replace("http", "ws")
    for origin in ("http://evil.example", f"http://evil.example:{table.port}", "null"):
        with pytest.raises(InvalidStatus) as refused, connect(address, origin=origin):
            pass
        assert refused.value.response.status_code == 403
    host = {"Host": f"evil.example:{table.port}"}  # a name that was made to point here
    with (
        pytest.raises(InvalidStatus),
        connect(address, origin=f"http://{host['Host']}", additional_headers=host),
    ):
        pass
    own = f"http://127.0.0.1:{table.port}"
    with suppress(ConnectionClosed), connect(address, origin=own) as line:
        for junk in ("{", "x" * 4000, b"\x00", '{"pong": [], "at": {}}', '{"pong": 1}'):
            line.send(junk)
        line.send('{"n": 0, "say": "hello"}')
        assert until(lambda: "welcome" in line.recv())
        for _ in range(2000):
            line.send("{}")
        until(lambda: _is_closed(line))


def _is_closed(line):
    from websockets.exceptions import ConnectionClosed

    try:
        line.recv(timeout=0.1)
    except ConnectionClosed:
        return True
    except TimeoutError:
        line.send("{}")
    return False


@pytest.mark.parametrize(
    ("remote", "at_home"),
    [
        (("127.0.0.1", 1), True), (("192.168.1.7", 1), True), (("10.0.0.9", 1), True),
        (("172.20.0.4", 1), True), (("169.254.3.4", 1), True), (("8.8.8.8", 1), False),
        (("fe80::1%eth0", 1, 0, 0), True), (("::ffff:192.168.1.7", 1, 0, 0), True),
        (("::ffff:8.8.8.8", 1, 0, 0), False), (("2a00:1450::1", 1, 0, 0), False),
        (("fd00::7", 1), True), (None, False), ((), False), (("nonsense",), False),
    ],
)  # fmt: skip
def test_only_the_home_network_comes_in(remote, at_home):
    assert is_at_home(remote) is at_home


def test_each_file_of_a_page_is_in_the_package():
    """A page without its style comes from a wheel and from no other place."""
    settings = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    patterns = settings["tool"]["setuptools"]["package-data"]["*"]
    served = [path.name for path in (ROOT / "city_game").glob("*/page/*")]
    assert served and [name for name in served if not any(map(Path(name).match, patterns))] == []


@pytest.mark.parametrize("twice", ["Host: b", "Upgrade: websocket", "Origin: http://b"])
def test_a_header_that_comes_twice_is_a_bad_request_and_no_traceback(capfd, twice):
    server = Server("127.0.0.1", 0, {"code": ROLES})
    request = "GET /code/player HTTP/1.1\r\nHost: a\r\nOrigin: http://a\r\nUpgrade: websocket\r\n"
    try:
        with socket.create_connection(("127.0.0.1", server.port), PATIENCE_S) as line:
            line.sendall(f"{request}{twice}\r\n\r\n".encode())
            assert line.recv(100).split()[1] == b"400"
    finally:
        server.stop()
    assert "Traceback" not in capfd.readouterr().err
