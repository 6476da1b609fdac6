"""`python -m firmware.virtual`, and the virtual board behind it."""

import json
import os
import signal
import subprocess
import sys

import pytest
import serial

from city_unit import host
from firmware.tool.image import ROOT
from firmware.virtual.__main__ import main
from firmware.virtual.launch import SWITCHED_ON, Supervised, VirtualBoard, lay
from tests.helpers.patience import PATIENCE_S


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
        assert process.wait(PATIENCE_S) == 130
    assert not name.is_symlink()
    assert not list((tmp_path / "city-unit").glob("*.json"))


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


def test_its_file_system_is_only_its_folder(tmp_path, folder):
    """A board has its own root and must not write into the computer's."""
    (folder / "main.py").write_text("print('never run here')\n")
    outside = tmp_path / "outside.txt"
    outside.write_text("of the computer\n")
    code = OUTSIDE.format(outside=outside)
    printed = VirtualBoard(folder).run(tmp_path / "world.json", "-c", code)
    assert printed == "['main.py'] /\nnothing is there\n"
    assert (folder / "moved.txt").read_text() == "whole"
    assert sorted(path.name for path in folder.iterdir()) == ["made", "main.py", "moved.txt"]


def test_a_strip_behaves_like_five_lamps_in_an_auction_and_for_a_permit(tmp_path, board):
    presses = [[1000, 1], [1100, 0], [60000, 2], [60100, 0]]
    board.world.update(changes=presses, end_ms=90000)
    lamps = board.run(tmp_path / "world.json")
    assert lamps.count('"lamp": "auction", "on": true') > 50
    board.pin_text = "strip = 18\nlamp_on = low\n"
    (board.folder / "pins.txt").write_text(board.pin_text)
    assert board.run(tmp_path / "world.json") == lamps


def test_each_error_is_one_line(tmp_path, folder, capsys):
    bad_pins = tmp_path / "pins.txt"
    bad_pins.write_text("auction = 99\n")
    other_link = tmp_path / "papers"
    other_link.symlink_to(tmp_path)
    for words, code, reason in (
        (["--pins", str(tmp_path / "none")], 2, "no such file"),
        (["--pins", str(bad_pins)], 2, "auction = 99"),
        (["--record", str(tmp_path)], 1, "is a directory"),
        (["--pty", str(other_link)], 1, "file exists"),
    ):
        assert main(words) == code
        output = capsys.readouterr()
        assert output.out == "" and output.err.count("\n") == 1, output
        assert reason in output.err
    assert other_link.is_symlink()


class SlowBoard(VirtualBoard):
    """A board whose interpreter takes a second to start."""

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


# Elsewhere, above all in an import, an interrupt may leave a lock of the interpreter held.
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
@pytest.mark.parametrize("case", [*SLOW, *OWN, "in the raw REPL"])
def test_no_interrupt_is_lost_however_slow_the_computer_is(tmp_path, folder, case):
    """mpremote sends these bytes and waits forever; on a board they always lead to the REPL."""
    if case in OWN:
        (folder / "main.py").write_text(OWN[case])
    elif case != "without a program":
        lay(folder)
    board = (SlowBoard if case in SLOW else VirtualBoard)(folder, world=dict(SWITCHED_ON))
    supervised = Supervised(board, tmp_path / "world")
    with supervised as port, serial.Serial(port, timeout=PATIENCE_S) as line:

        def read_until(end: bytes) -> None:
            received = line.read_until(end)
            assert received.endswith(end), received

        if case in OWN:
            line.write(b"\n")  # start its output only now; earlier output would be lost
        if case == "in the raw REPL":
            line.write(b"\r\x03\r\x01")
            read_until(b"raw REPL; CTRL-B to exit\r\n>")
            line.write(b"\x05A\x01")
            read_until(b"R\x01\x80\x00\x01")
            line.write(b"print(1)\nwhile True: pass\n\x04")
            read_until(b"1\n")
        elif case == "pressed twice":  # again while the program prints its traceback
            read_until(b"alive\n")
            line.write(b"\r\x03")
            read_until(b"Traceback")
        line.write(b"\r\x03")
        line.write(b"\r\x01")
        if case == "asleep":
            read_until(b"alive\nasleep\n")
        read_until(b"raw REPL; CTRL-B to exit\r\n>")
        line.write(b"print(2 * 3)\x04")
        read_until(b"OK6\n\x04\x04>")
    assert supervised.starts == 1
