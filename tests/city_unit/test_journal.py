"""The events of a unit in a file: what is there after a kill, a torn line, a full disk."""

import subprocess
import sys

import pytest

from city_unit.host.serving import journal as journal_module
from city_unit.host.serving.journal import Journal
from tests.helpers.disk import Disk

WORDS = "1000 auction-started 30000"


@pytest.fixture
def path(tmp_path):
    return tmp_path / "journals" / "events.log"


def filled(path, *events, most=100):
    journal = Journal(path, most)
    for boot, number in events:
        journal.add(boot, number, f"{number} hour-beep {boot}")
    return journal


def read(path, boot, number, present=0):
    journal = Journal(path)
    try:
        return journal.answer(["journal", str(boot), str(number)], present)
    finally:
        journal.close()


def test_what_was_added_is_there_the_next_time(path):
    filled(path, (7, 0), (7, 1), (9, 0)).close()
    assert read(path, 7, 1) == "7 1 1 hour-beep 7"
    assert read(path, 7, 2) == "9 0 0 hour-beep 9"
    assert read(path, 9, 1) == ""
    assert read(path, 7, 2, present=9) == ""
    assert read(path, 8, 0) is None


@pytest.mark.parametrize("text", ["state", "journal", "journal 7", "journal x 0", "journal 7 -1"])
def test_no_other_command_is_answered(path, text):
    assert filled(path, (7, 0)).answer(text.split(" "), 0) is None


IS_KILLED = """
import os, pathlib, signal, sys
from city_unit.host.serving.journal import Journal
journal = Journal(pathlib.Path(sys.argv[1]))
for number in range(2):
    journal.add(7, number, f"{number} hour-beep 7")
os._exit(9)
"""


def test_who_is_killed_has_lost_nothing(path):
    killed = subprocess.run([sys.executable, "-c", IS_KILLED, str(path)])
    assert killed.returncode == 9
    assert read(path, 7, 1) == "7 1 1 hour-beep 7"


@pytest.mark.parametrize("cut", range(1, 28))
def test_a_torn_line_is_one_event_less(path, cut):
    filled(path, (7, 0), (7, 1)).close()
    path.write_bytes(path.read_bytes()[:-cut])
    filled(path, (8, 0)).close()
    lost = cut > 1  # else only the end of the line is gone
    assert read(path, 7, 1) == ("8 0 0 hour-beep 8" if lost else "7 1 1 hour-beep 7")
    assert read(path, 8, 0) == "8 0 0 hour-beep 8"


@pytest.mark.parametrize("left", range(1, 28))
def test_the_first_line_may_be_torn_too(path, left):
    filled(path, (7, 0)).close()
    path.write_bytes(path.read_bytes()[:left])
    filled(path, (8, 0)).close()
    assert read(path, 8, 0) == "8 0 0 hour-beep 8"


def test_a_file_of_something_else_is_left_as_it_is(path):
    path.parent.mkdir()
    path.write_text("my diary\n")
    with pytest.raises(OSError, match="holds something else"):
        Journal(path)
    assert path.read_text() == "my diary\n"


def test_two_units_do_not_share_one(path):
    journal = filled(path, (7, 0))
    with pytest.raises(OSError, match="another unit"):
        Journal(path)
    journal.close()
    Journal(path).close()


def test_file_and_memory_have_an_end(path):
    journal = filled(path, *((boot, number) for boot in range(20) for number in range(50)))
    assert len(path.read_bytes().splitlines()) <= 200
    assert journal.next_behind(19, 49) is not None
    journal.close()
    again = Journal(path, 100)
    assert len(path.read_bytes().splitlines()) <= 100
    assert again.next_behind(19, 40).number == 40
    assert again.answer(["journal", "0", "0"], 0) is None


def test_a_full_disk_is_told_and_stops_nobody(path, monkeypatch):
    disk = Disk(monkeypatch, journal_module)
    journal = filled(path, (7, 0))

    disk.room = 0
    journal.add(7, 1, WORDS)
    journal.add(7, 2, WORDS)
    assert journal.fault == "no space left on device"
    assert journal.answer(["journal", "7", "2"], 0) == f"7 2 {WORDS}"


def test_what_stands_just_before_an_event(path):
    journal = filled(path, (7, 0), (7, 3), (7, 4), (7, 5), (8, 5))
    assert journal.run_before(7, 6) == ["3 hour-beep 7", "4 hour-beep 7", "5 hour-beep 7"]
    assert journal.run_before(7, 5) == ["3 hour-beep 7", "4 hour-beep 7"]
    assert journal.run_before(7, 3) == []
    assert journal.run_before(7, 8) == []
    assert journal.run_before(9, 1) == []
