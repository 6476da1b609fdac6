"""Where `city-unit serve` keeps the events of a unit: each its own, and found again."""

import contextlib
from types import SimpleNamespace

import pytest

from city_unit.desktop import files
from city_unit.host.lines import discovery
from sim.commands import serve


@pytest.fixture
def kept(tmp_path, monkeypatch):
    """Return a function that opens and closes the journals of (name, port), and names its files."""
    monkeypatch.setattr(files, "settings_folder", lambda: tmp_path)

    def keep(*units):
        with contextlib.ExitStack() as stack:
            for place, (name, port) in enumerate(units):
                journal = serve.journal_of(name, port, stack)
                assert journal is not None
                journal.add(4711, place, f"0 {name}")
        return sorted(path.name for path in tmp_path.glob("*.log"))

    return keep


def plugged(monkeypatch, *boards):
    """Have the system know boards of one maker: their ports and serial numbers."""
    from serial.tools import list_ports

    found = [
        SimpleNamespace(device=port, serial_number=number, vid=0x2E8A, pid=0x0005)
        for port, number in boards
    ]
    monkeypatch.setattr(list_ports, "comports", lambda: found)


def test_two_units_of_one_name_are_two(kept, capsys):
    assert len(kept(("unit", "/dev/ttyUSB0"), ("unit", "/dev/ttyUSB1"))) == 2
    assert capsys.readouterr().err == ""


def test_a_board_is_found_again_at_another_port(kept, monkeypatch):
    plugged(monkeypatch, ("/dev/ttyACM0", "E661"), ("/dev/ttyACM1", "E662"))
    before = kept(("unit", "/dev/ttyACM0"), ("unit", "/dev/ttyACM1"))
    plugged(monkeypatch, ("/dev/ttyACM0", "E662"), ("/dev/ttyACM1", "E661"))
    assert kept(("unit", "/dev/ttyACM1")) == before
    assert discovery.identity("/dev/ttyACM1") == "E661"


def test_neither_a_name_nor_a_port_is_a_part_of_a_path(kept):
    (file,) = kept(("../../etc/passwd", "socket://127.0.0.1:1/../x"))
    assert file.startswith("served-") and len(file) == len("served-.log") + 16
