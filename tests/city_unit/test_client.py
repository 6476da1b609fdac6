"""The client on a line with a script: the messages of the other end, and when it hangs up."""

import contextlib
import itertools
import os
import select
import socket
import sys
import time

import pytest

from city_unit import host
from city_unit.desktop import catalogue
from city_unit.host.lines.ports import HUNG_UP, PortBusy, SerialPort, TcpPort
from city_unit.wire import seal, unseal
from tests.helpers.needs import needs, needs_posix
from tests.helpers.patience import PATIENCE_S


class Scripted:
    """A line that sends its pieces one at a time, then hangs up."""

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
    """Return a client whose clock stands still: it can wait for nothing."""
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


@pytest.mark.parametrize(
    ("error", "kind", "says"),
    [
        (PortBusy("taken"), host.Busy, "another program has the unit at the-port; close"),
        (OSError("no such port"), host.NoUnit, "no unit at the-port: no such port"),
    ],
)
def test_a_port_that_cannot_be_opened_says_so_at_once(error, kind, says):
    def refuse():
        raise error

    with pytest.raises(host.NoUnit, match=says) as none:
        connect(refuse).wait_online(5.0)
    assert type(none.value) is kind


def test_a_connection_that_takes_its_time_holds_nobody_up():
    """A window that polls each frame must not stand still while a computer does not answer."""
    needs(sys.platform == "linux", "a listener that can be filled up")
    with socket.socket() as listener, contextlib.ExitStack() as at_the_end:
        listener.bind(("127.0.0.1", 0))
        listener.listen(0)
        address = listener.getsockname()
        while True:
            filler = at_the_end.enter_context(socket.socket())
            filler.setblocking(False)
            filler.connect_ex(address)
            if not select.select([], [filler], [], 0.1)[1]:
                break
        port = TcpPort(f"socket://127.0.0.1:{address[1]}")
        assert port.read(0) == b""
        assert port.write(b"hello") == 0
        port.close()


def test_the_second_address_of_a_name_is_tried_when_the_first_refuses(monkeypatch):
    with socket.create_server(("127.0.0.1", 0)) as listener:
        number = listener.getsockname()[1]
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            closed = free.getsockname()[1]
        both = [
            (socket.AF_INET, socket.SOCK_STREAM, 0, "", ("127.0.0.1", port))
            for port in (closed, number)
        ]
        monkeypatch.setattr(socket, "getaddrinfo", lambda *_, **__: both)
        port = TcpPort("socket://table:7007")
        while not port.write(b"hello"):
            assert port.read(5.0) == b""
        with listener.accept()[0] as there:
            assert there.recv(5) == b"hello"
        port.close()


def test_a_greeting_leaves_in_the_turn_in_which_the_connection_comes_up():
    """Else it waits until the next one is due, a quarter of a second later."""
    with socket.create_server(("127.0.0.1", 0)) as listener:
        port = TcpPort(f"socket://127.0.0.1:{listener.getsockname()[1]}")
        with listener.accept()[0]:
            assert port.write(b"hello") == 5
        port.close()


@pytest.fixture
def many_files():
    """Have this process hold all numbers of files below 1,024, which `select` can take."""
    needs_posix()
    import resource  # here, since Windows has none

    limits = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (limits[1], limits[1]))
    held = []
    while not held or held[-1] < 1024:
        held.append(os.open(os.devnull, os.O_RDONLY))
    yield
    for file in held:
        os.close(file)
    resource.setrlimit(resource.RLIMIT_NOFILE, limits)


def test_a_line_has_any_number_of_a_file(many_files, tmp_path):
    with socket.create_server(("127.0.0.1", 0)) as listener:
        port = TcpPort(f"socket://127.0.0.1:{listener.getsockname()[1]}")
        with listener.accept()[0] as there:
            assert port.write(b"hello") == 5 and port.fileno() > 1024
            there.send(b"welcome")
            assert port.read(PATIENCE_S) == b"welcome"
        port.close()


def test_a_serial_port_has_any_number_of_a_file(many_files):
    ours, theirs = os.openpty()
    port = SerialPort(os.ttyname(theirs))
    assert port.write(b"hello") == 5 and os.read(ours, 5) == b"hello"
    os.write(ours, b"welcome")
    assert port.read(PATIENCE_S) == b"welcome"
    port.close()
    os.close(ours)
    os.close(theirs)


@pytest.mark.parametrize(
    ("address", "why"),
    [
        ("socket://", "not of the form"),
        ("socket://here", "not of the form"),
        ("socket://here:x", "a port is a number"),
        ("socket://127.0.0.1:70000", "a port is a number"),
        ("socket://127.0.0.1:1", "nobody listens there"),
    ],
)
def test_an_address_that_cannot_be_reached(address, why):
    with pytest.raises(host.NoUnit, match=why) as none:
        host.connect(address, timeout=30)
    assert str(none.value).count("\n") == 0


def test_a_port_that_connects_to_itself_is_no_unit(monkeypatch):
    """Where nobody listens, TCP lets two ends meet that happen to have the same port."""
    needs(os.name == "posix", "a port that can be bound before it connects")
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        number = free.getsockname()[1]
    plain = socket.socket.connect_ex

    def from_the_same(sock, address):
        sock.bind(address)
        return plain(sock, address)

    monkeypatch.setattr(socket.socket, "connect_ex", from_the_same)
    with pytest.raises(OSError, match="nobody listens there"):
        TcpPort(f"socket://127.0.0.1:{number}").read(5.0)


def test_a_unit_of_another_version_of_the_protocol_says_so_at_once():
    said: list[bytes] = []

    class Line(Scripted):
        def write(self, data: bytes) -> int:
            client = unseal(data.splitlines()[0]).split(" ")[2]
            self._pieces = [seal(f"welcome {client} 7.1 2 3.0 board red"), b""]
            said.append(data)
            return len(data)

    client = connect(Line)
    with pytest.raises(host.NoUnit, match="version 2 of the protocol, this program version 1"):
        client.wait_online(5.0)
    assert len(said) == 1


@pytest.mark.parametrize(
    ("why", "explained"),
    [
        ("busy", "busy (a finger is there already)"),
        ("bad-word", "bad-word (a word or a number in it is wrong)"),
        ("auction", "auction (not in this state)"),
        ("something-new", "something-new"),
    ],
)
def test_a_refusal_explains_itself(why, explained):
    refused = host.Refused("tap build", why)
    assert str(refused) == f"the unit refused 'tap build': {explained}"
    assert refused.why == why


def test_a_line_that_never_falls_silent_holds_nobody_up():
    class Flood(Scripted):
        pieces = 0

        def read(self, timeout: float) -> bytes:
            self.pieces += 1
            return b"AT\r\n" * 1000

    line = Flood()
    client = connect(lambda: line)
    for polls in range(1, 4):
        assert client.poll() == []
        assert line.pieces <= 16 * polls


def test_who_was_connected_before_waits_while_another_program_has_the_unit(monkeypatch):
    memory = host.Memory()
    ticks = itertools.count(memory.ms, 100)
    tries = []

    def open_line():
        if not memory.is_cut:
            return memory.open_line()
        tries.append(1)
        raise PortBusy("another program has this port open")

    client = host.Client("memory", open_line, clock=lambda: next(ticks))
    monkeypatch.setattr(time, "sleep", lambda _: None)
    client.wait_online(5.0)
    memory.cut()
    client.poll()
    assert not client.online
    with pytest.raises(host.Busy):
        client.wait_online(5.0)
    assert len(tries) > 2


def test_errors_are_said_in_the_language_that_is_spoken():
    catalogue.speak("fr")
    said = "l’unité a refusé 'tap lamp'\u202f: bad-word (un mot ou un nombre y est faux)"
    with pytest.raises(host.Refused) as refused:
        host.Memory().client.send("tap lamp")
    assert (str(refused.value), refused.value.why) == (said, "bad-word")
    with pytest.raises(OSError, match="n’a pas la forme socket://HÔTE:PORT"):
        TcpPort("socket://nowhere")
    with pytest.raises(host.NoUnit, match="aucune unité nommée 'nobody'"):
        host.begin("auto:nobody")


def test_what_is_no_port_says_what_is():
    with pytest.raises(TypeError, match=r'a port is a text, such as "auto".* not None'):
        host.connect(None)
    with pytest.raises(host.NoUnit, match="no port is named: it is auto"):
        host.connect("")
    with pytest.raises(host.NoUnit, match=r"write socket://127\.0\.0\.1:7007"):
        host.connect("127.0.0.1:7007", timeout=1)
