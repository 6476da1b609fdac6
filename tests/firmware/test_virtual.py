"""`python -m firmware.virtual`, as a person starts it."""

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
import serial

from city_unit import host
from firmware.tool.image import ROOT
from firmware.virtual.__main__ import main
from firmware.virtual.launch import SWITCHED_ON, Supervised, VirtualBoard, lay
from tests.helpers.needs import needs
from tests.helpers.patience import PATIENCE_S, until


@pytest.mark.real_time
def test_a_board_with_a_name_and_a_record(tmp_path, folder):
    name, record = tmp_path / "unit", tmp_path / "record.jsonl"
    options = ("--board", "esp32", "--pty", str(name), "--record", str(record))
    process = subprocess.Popen(
        [sys.executable, "-m", "firmware.virtual", *options],
        stdout=subprocess.PIPE,
        text=True,
        cwd=ROOT,
        env={**os.environ, "CITY_UNIT_RUNTIME": str(tmp_path)},
    )
    try:
        assert process.stdout is not None
        assert process.stdout.readline() == f"{name}\n"
        announced = list((tmp_path / "city-unit").glob("*.json"))
        assert [json.loads(path.read_text())["port"] for path in announced] == [str(name)]
        with host.connect(str(name), timeout=PATIENCE_S) as unit:
            assert unit.about is not None and unit.about.body.startswith("generic-esp32")
            assert unit.snapshot is not None and unit.snapshot.state == "ready"
            lines = [json.loads(line) for line in record.read_text().splitlines()]
            assert lines[0] == {"boot": unit.about.boot}
            assert lines[1]["event"] == "switched-on"
    finally:
        process.send_signal(signal.SIGTERM)
        assert process.wait(PATIENCE_S) == 0
    assert not name.is_symlink()
    assert not list((tmp_path / "city-unit").glob("*.json"))


def run(board: VirtualBoard, config: Path, code: str) -> str:
    """Run code in place of a board's main.py; return what it prints."""
    command, environment = board.command(config, "-c", code)
    where = {"cwd": board.folder, "env": environment}
    done = subprocess.run(command, capture_output=True, text=True, **where)
    assert done.returncode == 0, done.stderr
    return done.stdout


OUTSIDE = """
import os
print(os.listdir("/"), os.getcwd())
os.mkdir("/made")
with open("/made/deep.txt", "w") as file:
    file.write("whole")
os.rename("/made/deep.txt", "/moved.txt")
try:
    open("{outside}")
except OSError:
    print("nothing is there")
"""


def test_its_folder_is_all_of_its_file_system(tmp_path, folder):
    """A board has a root of its own; its writes must not reach the computer's."""
    (folder / "main.py").write_text("print('never run here')\n")
    outside = tmp_path / "outside.txt"
    outside.write_text("of the computer\n")
    printed = run(VirtualBoard(folder), tmp_path / "world.json", OUTSIDE.format(outside=outside))
    assert printed == "['main.py'] /\nnothing is there\n"
    assert (folder / "moved.txt").read_text() == "whole"
    assert sorted(path.name for path in folder.iterdir()) == ["made", "main.py", "moved.txt"]


def test_a_strip_shows_what_five_lamps_show(tmp_path, board):
    """In an auction and for a permit."""
    presses = [[1000, 1], [1100, 0], [60000, 2], [60100, 0]]
    board.world.update(changes=presses, end_ms=90000)
    lamps = board.run(tmp_path / "world.json")
    assert lamps.count('"lamp": "auction", "on": true') > 50
    board.pin_text = "strip = 18\nlamp_on = low\n"
    (board.folder / "pins.txt").write_text(board.pin_text)
    assert board.run(tmp_path / "world.json") == lamps


EARLY = """
import machine
from city_unit.link import Link
from city_unit.settings import Settings
from city_unit.unit import Unit
unit = Unit(Settings(), None)
unit.shown_at[0] = 5
Link(unit, 1, "").note_shown(50_000)
"""


@pytest.fixture
def waits(tmp_path, real):
    """The file of the accounts of late edges."""
    needs(Path("/proc/self/schedstat").exists(), "Linux's account of each process")
    real.world["waits"] = str(tmp_path / "waits.jsonl")
    return tmp_path / "waits.jsonl"


def test_an_edge_before_the_second_pass_is_accounted_for(tmp_path, real, waits):
    """A desktop that is quick to start an auction: no pass lies before the one of the edge."""
    run(real, tmp_path / "world.json", EARLY)
    wait = json.loads(waits.read_text())
    assert (wait["edge"], wait["late_us"]) == (0, 45_000) and wait["worked_us"] >= 0


@pytest.mark.real_time
def test_late_edges_are_accounted_for(waits, supervised):
    """The board's process is held up on purpose: late edges, but no work of its own."""
    board, port = supervised
    with host.connect(port, timeout=PATIENCE_S) as unit:
        unit.send("watch on", PATIENCE_S)
        unit.send("start 60000", PATIENCE_S)
        os.kill(board.pid, signal.SIGSTOP)
        time.sleep(0.7)  # longer than half a flash
        os.kill(board.pid, signal.SIGCONT)

        def late() -> list[dict]:
            unit.poll(0.1)
            told = [json.loads(line) for line in waits.read_text().splitlines()]
            return [wait for wait in told if wait["late_us"] > 150_000]

        held_up = until(late)
    assert 0 <= held_up[0]["worked_us"] < 150_000
    assert held_up[0]["waited_us"] >= 0


def test_what_is_wrong_is_said_in_a_line(tmp_path, folder, capsys):
    bad_pins = tmp_path / "pins.txt"
    bad_pins.write_text("auction = 99\n")
    somebodys = tmp_path / "papers"
    somebodys.symlink_to(tmp_path)
    for words, reason in (
        (["--pins", str(tmp_path / "none")], "no such file"),
        (["--pins", str(bad_pins)], "auction = 99"),
        (["--record", str(tmp_path)], "is a directory"),
        (["--waits", str(tmp_path / "none" / "waits")], "no such file"),
        (["--pty", str(somebodys)], "file exists"),
    ):
        assert main(words) == 2
        said = capsys.readouterr()
        assert said.out == "" and said.err.count("\n") == 1, said
        assert reason in said.err
    assert somebodys.is_symlink()


class SlowBoard(VirtualBoard):
    """A board on a computer that takes a second to start the interpreter."""

    def command(self, config, *arguments):
        command, environment = super().command(config, *arguments)
        return ["sh", "-c", 'sleep 1; exec "$@"', "sh", *command], environment


LONG_END = """
import sys
sys.stdin.readline()
print("alive")
try:
    while True:
        pass
except KeyboardInterrupt:
    raise ValueError("x" * 30_000)
"""


# Anywhere else an interrupt may leave a lock of the interpreter behind, in an import above all.
ASLEEP = """
import sys
import time
sys.stdin.readline()
print("alive")
asleep = False
try:
    while True:
        for _ in range(2_000_000):
            pass
        asleep = True
        time.sleep_us(1)
        asleep = False
finally:
    print("asleep" if asleep else "at work")
"""
OWN = {"pressed twice": LONG_END, "asleep": ASLEEP}  # programs
SLOW = ("still starting", "without a program")


@pytest.mark.real_time
@pytest.mark.parametrize("case", [*SLOW, *OWN, "in the raw REPL", "before its code has begun"])
def test_no_interrupt_is_lost_however_slow_the_computer_is(tmp_path, folder, case):
    """mpremote sends these bytes, and reads for ever; on a board they always lead to the REPL."""
    if case in OWN:
        (folder / "main.py").write_text(OWN[case])
    elif case != "without a program":
        lay(folder)
    board = (SlowBoard if case in SLOW else VirtualBoard)(folder, world=dict(SWITCHED_ON))
    supervised = Supervised(board, tmp_path / "world")
    with supervised as port, serial.Serial(port, timeout=PATIENCE_S) as line:

        def told(end: bytes) -> None:
            heard = line.read_until(end)
            assert heard.endswith(end), heard

        if case in OWN:
            line.write(b"\n")  # what it prints before the line is open would be lost
        if case == "in the raw REPL":
            line.write(b"\r\x03\r\x01")
            told(b"raw REPL; CTRL-B to exit\r\n>")
            line.write(b"\x05A\x01")
            told(b"R\x01\x80\x00\x01")
            line.write(b"print(1)\nwhile True: pass\n\x04")
            told(b"1\n")
        elif case == "before its code has begun":
            line.write(b"\r\x03\r\x01")
            told(b"raw REPL; CTRL-B to exit\r\n>")
            os.kill(supervised.pid, signal.SIGSTOP)
            line.write(b"while True: pass\x04\r\x03")
            time.sleep(0.1)  # until the supervisor has read it
            os.kill(supervised.pid, signal.SIGCONT)
            told(b"KeyboardInterrupt: \n\x04>")
        elif case == "pressed twice":  # again while the program ends, which nobody has read yet
            told(b"alive\n")
            line.write(b"\r\x03")
            told(b"Traceback")
        line.write(b"\r\x03")
        line.write(b"\r\x01")
        if case == "asleep":
            told(b"alive\nasleep\n")
        told(b"raw REPL; CTRL-B to exit\r\n>")
        line.write(b"print(2 * 3)\x04")
        told(b"OK6\n\x04\x04>")
    assert supervised.starts == 1
