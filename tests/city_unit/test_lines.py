"""Ports: serial ports, sockets, and the announcements of emulated units."""

import contextlib
import ctypes
import os
import select
import socket
import sys
from pathlib import Path

import pytest
import serial

from city_unit import host
from city_unit.host import ports
from city_unit.host.ports import SerialPort, TcpPort, open_port
from tests.helpers.needs import needs, needs_posix
from tests.helpers.patience import PATIENCE_S


def free_port():
    """Return the number of a port on which no program listens."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        return free.getsockname()[1]


@contextlib.contextmanager
def connected():
    """Yield both ends of a TCP connection."""
    with socket.create_server(("127.0.0.1", 0)) as listener:
        port = TcpPort(f"socket://127.0.0.1:{listener.getsockname()[1]}")
        with listener.accept()[0] as there:
            yield port, there
        port.close()


def test_a_slow_connection_does_not_block():
    """A window that polls once per frame must not freeze while a computer does not answer."""
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


def test_the_second_address_of_a_name_is_tried_if_the_first_refuses(monkeypatch):
    with socket.create_server(("127.0.0.1", 0)) as listener:
        both = [
            (socket.AF_INET, socket.SOCK_STREAM, 0, "", ("127.0.0.1", port))
            for port in (free_port(), listener.getsockname()[1])
        ]
        monkeypatch.setattr(socket, "getaddrinfo", lambda *_, **__: both)
        port = TcpPort("socket://table:7007")
        while not port.write(b"hello"):
            assert port.read(5.0) == b""
        with listener.accept()[0] as there:
            assert there.recv(5) == b"hello"
        port.close()


@pytest.fixture
def many_files():
    """Occupy all file descriptors below 1024, the limit of `select`."""
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


def test_a_port_with_a_large_descriptor_reads_and_writes(many_files):
    with connected() as (port, there):
        assert port.write(b"hello") == 5 and port.fileno() > 1024
        there.send(b"welcome")
        assert port.read(PATIENCE_S) == b"welcome"
    ours, theirs = os.openpty()
    port = SerialPort(os.ttyname(theirs))
    assert port.write(b"hello") == 5 and os.read(ours, 5) == b"hello"
    os.write(ours, b"welcome")
    assert port.read(PATIENCE_S) == b"welcome"
    port.close()
    os.close(ours)
    os.close(theirs)


def test_an_unreachable_address_is_explained_in_one_line():
    for address, why in (
        ("socket://", "not of the form"),
        ("socket://here", "not of the form"),
        ("socket://here:x", "the port must be a number"),
        ("socket://127.0.0.1:70000", "the port must be a number"),
        ("socket://127.0.0.1:1", "no program listens there"),
        ("", "the port is empty; use auto"),
        ("127.0.0.1:7007", "write socket://127.0.0.1:7007"),
    ):
        with pytest.raises(host.NoUnit) as none:
            host.connect(address, timeout=30)
        assert why in str(none.value) and "\n" not in str(none.value)
    with pytest.raises(TypeError, match=r'a port must be a string such as "auto".* not None'):
        host.connect(None)


def test_a_port_that_connects_to_itself_is_not_a_unit(monkeypatch):
    """If no program listens, TCP may connect a socket to itself when the ports are equal."""
    needs_posix()
    number = free_port()
    plain = socket.socket.connect_ex

    def from_the_same(sock, address):
        sock.bind(address)
        return plain(sock, address)

    monkeypatch.setattr(socket.socket, "connect_ex", from_the_same)
    with pytest.raises(OSError, match="no program listens there"):
        TcpPort(f"socket://127.0.0.1:{number}").read(5.0)


def test_dtr_and_rts_are_set_before_a_serial_port_is_opened(monkeypatch):
    """They can reset an ESP32 behind a USB adapter, so they must not change after opening."""
    opened = []

    class Serial:
        def __init__(self, port, *_, **__):
            assert port is None  # otherwise the constructor opens it

        def open(self):
            opened.append((self.port, self.dtr, self.rts))
            raise serial.SerialException("enough is seen")

    monkeypatch.setattr(serial, "Serial", Serial)
    host.begin("/dev/ttyX", dtr=True, rts=False).poll()
    host.begin("/dev/ttyX", dtr=False).poll()
    assert opened == [("/dev/ttyX", True, False), ("/dev/ttyX", False, True)]


def test_auto_selects_the_port_that_answers(monkeypatch):
    found = [ports.Found(f"/dev/tty{letter}", "", "ch340") for letter in "ABC"]
    monkeypatch.setattr(ports, "find", lambda: list(found))

    def choose(error, answers=()):
        def greet(port):
            if port not in answers:
                raise error

        return ports.choose("", greet)

    assert choose(host.NoUnit("nothing"), ["/dev/ttyB"]) == "/dev/ttyB"
    silent = r"do not answer as a unit: /dev/ttyA \(serial adapter CH340"
    with pytest.raises(host.NoUnit, match=silent):
        choose(host.NoUnit("nothing"))
    with pytest.raises(host.NoUnit, match="3 units found"):
        choose(host.Busy("taken"))


# Emulated units on this computer.


@pytest.fixture
def here(tmp_path, monkeypatch):
    needs(os.name == "posix", "a pty")
    monkeypatch.setenv("CITY_UNIT_RUNTIME", str(tmp_path / "runtime"))
    monkeypatch.chdir(tmp_path)


def announce_dead(port, path=None):
    """Announce a unit whose process is dead; return the path of the announcement."""
    announced = ports.announce(str(port), "first")
    text = announced.read_text().replace(str(os.getpid()), str(2**22 + 1))
    (path or announced).write_text(text)
    return path or announced


def test_a_name_links_to_its_terminal_and_replaces_that_of_a_killed_unit(here):
    for left in ("", "/dev/pts/77", "/dev/ttys004"):
        if left:
            os.unlink("unit")
            os.symlink(left, "unit")
        name = ports.name_pty("unit", "/dev/pts/900")
        assert (name, os.readlink(name)) == (Path.cwd() / "unit", "/dev/pts/900")
    ports.announce(str(name), "first")
    with pytest.raises(OSError, match="another unit uses this name"):
        ports.name_pty("unit", "/dev/pts/901")
    Path("file").write_text("mine")
    os.symlink("file", "link")
    os.symlink("/dev/serial/by-id/usb-1", "board")
    for taken in ("file", "link", "board"):
        with pytest.raises(OSError, match="file exists"):
            ports.name_pty(taken, "/dev/pts/900")
    assert Path("link").read_text() == "mine"
    assert os.readlink("board") == "/dev/serial/by-id/usb-1"


def test_a_folder_is_not_a_serial_port(tmp_path):
    with pytest.raises(OSError, match=r"^this is not a serial port$"):
        open_port(str(tmp_path))


def test_a_dead_unit_is_removed_and_its_name_is_not_opened(here):
    """Another program, such as a shell, may own the terminal by now."""
    theirs, terminal = os.openpty()
    name = ports.name_pty("unit", os.ttyname(terminal))
    announced = announce_dead(name)
    with pytest.raises(OSError, match="there is no such port"):
        open_port(str(name))
    assert not name.is_symlink() and not announced.exists()
    os.close(theirs)
    os.close(terminal)
    ports.name_pty("unit", "/dev/pts/900")
    announce_dead(name)
    os.unlink("unit")
    os.symlink("/dev/pts/901", "unit")  # the unit has restarted
    assert ports.running() == []
    assert os.readlink("unit") == "/dev/pts/901"


def test_damaged_or_unsafe_announcements_are_ignored(here):
    path = ports.announce("somewhere", "first")
    for text in ("", "{", "[]", '{"pid": "x"}', '{"port": 1}'):
        path.with_name("2-0.json").write_text(text)
        assert ports.running() == [("somewhere", "first")]
    path.parent.chmod(0o777)
    assert ports.running() == []
    with pytest.raises(OSError, match="other users can write to"):
        ports.announce("elsewhere", "second")


def test_a_file_in_place_of_the_folder_has_no_units(here):
    Path("runtime").mkdir()
    Path("runtime/city-unit").write_text("")
    assert ports.running() == []
    with pytest.raises(OSError):
        ports.announce("somewhere", "first")


def test_on_windows_a_process_is_alive_until_it_has_an_exit_code(monkeypatch):
    codes, closed = [259, 0, 1], []

    class Kernel:
        def OpenProcess(self, access, _inherit, pid):
            return 40 + pid if access == 0x1000 else 0

        def GetExitCodeProcess(self, process, result):
            ctypes.cast(result, ctypes.POINTER(ctypes.c_ulong))[0] = codes.pop(0)

        def CloseHandle(self, process):
            closed.append(process)

    windows = type("windll", (), {"kernel32": Kernel()})
    monkeypatch.setattr(ports.ctypes, "windll", windows, raising=False)
    monkeypatch.setattr(ports.sys, "platform", "win32")
    assert [ports.is_alive(2) for _ in range(3)] == [True, False, False]
    assert closed == [42] * 3
