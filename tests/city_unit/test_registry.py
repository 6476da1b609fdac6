"""Which emulated units run here, and the names of their ports."""

import ctypes
import os
from pathlib import Path

import pytest

from city_unit.host.lines import discovery
from city_unit.host.lines.ports import open_port
from tests.helpers.needs import needs


@pytest.fixture(autouse=True)
def here(tmp_path, monkeypatch):
    needs(os.name == "posix", "a pty")
    monkeypatch.setenv("CITY_UNIT_RUNTIME", str(tmp_path / "runtime"))
    monkeypatch.chdir(tmp_path)


def test_a_name_leads_to_its_terminal_from_everywhere_also_one_that_a_killed_unit_left():
    for left in ("", "/dev/pts/77", "/dev/ttys004"):
        if left:
            os.unlink("unit")
            os.symlink(left, "unit")
        name = discovery.name_pty("unit", "/dev/pts/900")
        assert (name, os.readlink(name)) == (Path.cwd() / "unit", "/dev/pts/900")


def test_nothing_else_is_taken_away():
    Path("file").write_text("mine")
    os.symlink("file", "link")
    os.symlink("/dev/serial/by-id/usb-1", "board")
    for taken in ("file", "link", "board"):
        with pytest.raises(OSError, match="file exists"):
            discovery.name_pty(taken, "/dev/pts/900")
    assert Path("link").read_text() == "mine"
    assert os.readlink("board") == "/dev/serial/by-id/usb-1"


def test_a_name_of_a_unit_that_lives_is_not_taken_over():
    name = discovery.name_pty("unit", "/dev/pts/77")
    discovery.announce(str(name), "first")
    with pytest.raises(OSError, match="another unit is there"):
        discovery.name_pty("unit", "/dev/pts/900")


def test_who_has_died_is_forgotten():
    path = discovery.announce("somewhere", "first")
    dead = path.with_name("1-0.json")
    dead.write_text(path.read_text().replace(str(os.getpid()), str(2**22 + 1)))
    assert discovery.running() == [("somewhere", "first")]
    assert not dead.exists() and path.exists()


def test_a_damaged_announcement_or_what_others_could_have_written_is_no_unit():
    path = discovery.announce("somewhere", "first")
    for text in ("", "{", "[]", '{"pid": "x"}', '{"port": 1}'):
        path.with_name("2-0.json").write_text(text)
        assert discovery.running() == [("somewhere", "first")]
    path.parent.chmod(0o777)
    assert discovery.running() == []
    with pytest.raises(OSError, match="others can write to"):
        discovery.announce("elsewhere", "second")
    path.parent.chmod(0o700)
    assert discovery.running() == [("somewhere", "first")]


def test_a_folder_that_is_none_is_no_place_for_units(monkeypatch):
    Path("runtime").mkdir()
    Path("runtime/city-unit").write_text("")
    assert discovery.running() == []
    with pytest.raises(OSError):
        discovery.announce("somewhere", "first")


@pytest.mark.parametrize(("code", "alive"), [(259, True), (0, False), (1, False)])
def test_on_windows_a_process_is_alive_until_it_has_an_exit_code(monkeypatch, code, alive):
    closed = []

    class Kernel:
        def OpenProcess(self, access, _inherit, pid):
            return 40 + pid if access == 0x1000 else 0

        def GetExitCodeProcess(self, process, result):
            ctypes.cast(result, ctypes.POINTER(ctypes.c_ulong))[0] = code

        def CloseHandle(self, process):
            closed.append(process)

    windows = type("windll", (), {"kernel32": Kernel()})
    monkeypatch.setattr(discovery.ctypes, "windll", windows, raising=False)
    monkeypatch.setattr(discovery.sys, "platform", "win32")
    assert discovery.is_alive(2) is alive
    assert closed == [42]


def test_a_name_that_a_dead_unit_left_is_not_opened():
    """Its terminal may be somebody else's by now: a shell's, another unit's."""
    theirs, terminal = os.openpty()
    name = discovery.name_pty("unit", os.ttyname(terminal))
    announced = discovery.announce(str(name), "first")
    announced.write_text(announced.read_text().replace(str(os.getpid()), str(2**22 + 1)))
    with pytest.raises(OSError, match="there is no such port"):
        open_port(str(name))
    assert not name.is_symlink()
    os.close(theirs)
    os.close(terminal)


def test_the_name_of_a_unit_that_has_come_back_stays():
    discovery.name_pty("unit", "/dev/pts/900")
    dead = discovery.announce(str(Path.cwd() / "unit"), "first")
    dead.write_text(dead.read_text().replace(str(os.getpid()), str(2**22 + 1)))
    os.unlink("unit")
    os.symlink("/dev/pts/901", "unit")
    assert discovery.running() == []
    assert os.readlink("unit") == "/dev/pts/901"
