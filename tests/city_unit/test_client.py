"""The client on a line that is scripted: what the other end says, and when it hangs up."""

import os
import socket

import pytest

from city_unit import host
from city_unit.host.ports import HUNG_UP, PortBusy, TcpPort
from tests.needs import needs


class Scripted:
    """A line that says what it is given, a piece a time, then hangs up."""

    def __init__(self, *pieces: bytes) -> None:
        self._pieces = list(pieces)

    def read(self, timeout: float) -> bytes:
        if not self._pieces:
            raise OSError(HUNG_UP)
        return self._pieces.pop(0)

    def write(self, data: bytes) -> int:
        return len(data)

    def close(self) -> None:
        pass


def connect(open_line) -> host.Client:
    """Return a client whose clock stands still: it can only do what it does at once."""
    return host.Client("the-port", open_line, clock=lambda: 0.0)


@pytest.mark.parametrize(
    "pieces",
    [
        (b"busy: another program has this unit\n",),
        (b"bus", b"y: it plays\r", b"\n"),
        (b"AT\r\nbusy: x\nnoise\n", b""),
    ],
)
def test_a_unit_that_is_taken_says_so_at_once(pieces):
    client = connect(lambda: Scripted(*pieces))
    with pytest.raises(host.Busy, match="another program has the unit at the-port; close") as busy:
        client.wait_online(5.0)
    assert isinstance(busy.value, host.NoUnit)
    assert "\n" not in str(busy.value)


def test_a_port_that_is_taken_says_so_at_once():
    def refuse():
        raise PortBusy("another program has this port open")

    with pytest.raises(host.Busy, match="another program has the unit at the-port; close"):
        connect(refuse).wait_online(5.0)


def test_a_port_that_is_not_there_is_not_busy():
    def refuse():
        raise OSError("there is no such port")

    with pytest.raises(host.NoUnit, match="no unit at the-port: there is no such port") as none:
        connect(refuse).wait_online(5.0)
    assert not isinstance(none.value, host.Busy)


def test_a_port_that_connects_to_itself_is_no_unit(monkeypatch):
    """Where nobody listens, TCP lets two ends meet that happen to have the same port."""
    needs(os.name == "posix", "a port that can be bound before it connects")
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        number = free.getsockname()[1]
    plain = socket.create_connection

    def from_the_same(address, timeout):
        return plain(address, timeout, source_address=address)

    monkeypatch.setattr(socket, "create_connection", from_the_same)
    with pytest.raises(OSError, match="nobody listens there"):
        TcpPort(f"socket://127.0.0.1:{number}")
