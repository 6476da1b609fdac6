"""The page's server with many telephones, slow clients and broken requests."""

import re
import socket
import threading

import pytest

from sim.web.server import MOST_CONNECTIONS, PATIENCE_S, Server
from tests.helpers import patience
from tests.helpers.times import StandingClock

PHONES = 200
LARGE = bytes(range(256)) * 1200
HUGE = bytes(16 << 20)  # more than a connection buffers
FILES = {"index.html": b"<title>City Unit</title>", "large.wasm": LARGE, "huge.wasm": HUGE}


@pytest.fixture(scope="module")
def clock():
    return StandingClock()


@pytest.fixture(scope="module")
def server(clock):
    with Server("127.0.0.1", 0, FILES, clock) as server:
        thread = threading.Thread(target=server.serve_forever, args=(0.01,), daemon=True)
        thread.start()
        yield server
        server.shutdown()
        thread.join()


def connect(server):
    return socket.create_connection(("127.0.0.1", server.port), timeout=patience.PATIENCE_S)


def request(path, more=b""):
    return b"GET " + path + b" HTTP/1.1\r\nHost: unit\r\n" + more + b"Connection: close\r\n\r\n"


def rest(client):
    """Return everything that the server sends until it closes the connection."""
    parts = []
    try:
        while part := client.recv(1 << 16):
            parts.append(part)
    except ConnectionError:
        pass  # unread data in the server's buffer turns the close into a reset
    client.close()
    return b"".join(parts)


def status(answer):
    """Return the status of a response; for an invalid HTTP version it is only in the text."""
    return int(re.search(rb"(?:^HTTP/1\.1|Error code:) (\d+)", answer)[1])


def test_two_hundred_telephones_at_once_are_all_served(server):
    """They all connect before any sends a request; twenty stay silent and ten read nothing."""
    silent = [connect(server) for _ in range(20)]
    deaf = [connect(server) for _ in range(10)]
    phones = [socket.socket() for _ in range(PHONES)]
    for phone in phones:
        phone.setblocking(False)
        phone.connect_ex(("127.0.0.1", server.port))
    for client in deaf:
        client.sendall(request(b"/huge.wasm"))
    for phone in phones:
        phone.settimeout(patience.PATIENCE_S)
        phone.sendall(request(b"/large.wasm"))
    assert all(rest(phone).endswith(LARGE) for phone in phones)
    for client in (*silent, *deaf):
        client.close()


def test_a_crowd_of_connections_does_not_use_up_threads_and_files(server):
    crowd = [connect(server) for _ in range(MOST_CONNECTIONS + 50)]
    assert crowd[-1].recv(1) == b"" and len(server.due) == MOST_CONNECTIONS
    for client in crowd:
        client.close()
    lets_all_go(server)
    assert status_of_another(server) == 200


def test_a_telephone_that_goes_away_leaves_no_word_in_the_terminal(server, capfd):
    for _ in range(10):
        client = connect(server)
        client.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, b"\1\0\0\0\0\0\0\0")  # a reset
        client.sendall(request(b"/huge.wasm"))
        client.close()
    assert status_of_another(server) == 200  # sent after the others
    lets_all_go(server)
    assert capfd.readouterr() == ("", "")


def lets_all_go(server):
    """Wait until each client is served or disconnected."""
    patience.until(lambda: not server.due)


TAKES_NO_ANSWER = request(b"/huge.wasm")


@pytest.mark.parametrize(
    "said",
    [b"", b"GET / HTTP/1.1\r\nHo", TAKES_NO_ANSWER],
    ids=["silent", "half a request", "takes no answer"],
)
def test_who_says_or_takes_nothing_for_long_is_let_go(server, clock, said):
    client = connect(server)
    client.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
    client.sendall(said)
    if said == TAKES_NO_ANSWER:
        # Its deadline runs from the response, which has begun before the clock advances.
        client.recv(1)
    assert status_of_another(server) == 200
    clock.seconds += PATIENCE_S - 1
    assert status_of_another(server) == 200
    clock.seconds += 2
    lets_all_go(server)
    client.close()


def status_of_another(server):
    client = connect(server)
    client.sendall(request(b"/"))
    return status(rest(client))


MALFORMED = {
    "two hosts": (b"GET / HTTP/1.1\r\nHost: a\r\nHost: b\r\nConnection: close\r\n\r\n", 400),
    "no host": (b"GET / HTTP/1.1\r\nConnection: close\r\n\r\n", 400),
    "another version": (b"GET / HTTP/9.1\r\nHost: a\r\n\r\n", 505),
    "bytes in the path": (
        b"GET /\xff%00\x00 HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n",
        404,
    ),
    "no content wanted": (b"HEAD /large.wasm HTTP/1.0\r\n\r\n", 200),
    "content": (
        b"GET / HTTP/1.1\r\nHost: a\r\nContent-Length: 99\r\n\r\nGET /no HTTP/1.1\r\n",
        200,
    ),
}


@pytest.mark.parametrize(("said", "wanted"), MALFORMED.values(), ids=MALFORMED)
def test_a_malformed_request_is_refused_without_a_traceback(server, capfd, said, wanted):
    client = connect(server)
    client.sendall(said)
    answer = rest(client)
    assert status(answer) == wanted
    assert LARGE not in answer
    lets_all_go(server)
    assert capfd.readouterr() == ("", "")
