"""The journal of events: its content after a kill, a torn line, damage or a full disk."""

import errno
from itertools import combinations

import pytest

from city_unit.desktop import append_file
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


def test_events_are_there_after_reopening(path):
    filled(path, (7, 0), (7, 1), (9, 0)).close()
    assert read(path, 7, 1) == "7 1 1 hour-beep 7"
    assert read(path, 7, 2) == "9 0 0 hour-beep 9"
    assert read(path, 9, 1) == ""
    assert read(path, 7, 2, present=9) == ""
    assert read(path, 8, 0) is None
    journal = Journal(path)
    for text in ("state", "journal", "journal 7", "journal x 0", "journal 7 -1"):
        assert journal.answer(text.split(" "), 0) is None, text
    journal.close()


def test_a_torn_line_costs_one_event(path):
    for torn in range(1, 28, 2):
        filled(path, (7, 0), (7, 1)).close()
        path.write_bytes(path.read_bytes()[:-torn])
        filled(path, (8, 0)).close()
        lost = torn > 1  # with 1, only the newline is missing
        assert read(path, 7, 1) == ("8 0 0 hour-beep 8" if lost else "7 1 1 hour-beep 7"), torn
        path.unlink()
        filled(path, (7, 0)).close()
        path.write_bytes(path.read_bytes()[:torn])
        filled(path, (8, 0)).close()
        assert read(path, 8, 0) == "8 0 0 hour-beep 8", torn
        path.unlink()


def test_a_file_that_is_not_a_journal_is_left_alone(path):
    path.parent.mkdir()
    path.write_text("my diary\n")
    with pytest.raises(OSError, match="contains something other"):
        Journal(path)
    assert path.read_text() == "my diary\n"
    path.write_bytes(b"\n" * (1 << 24) + b"\n")
    with pytest.raises(OSError, match="contains something other"):  # read only to the limit
        Journal(path, is_ours=True)


def test_two_units_cannot_share_a_journal(path):
    journal = filled(path, (7, 0))
    with pytest.raises(OSError, match="another unit"):
        Journal(path)
    journal.close()
    Journal(path).close()


def test_file_and_memory_are_bounded(path):
    journal = filled(path, *((boot, number) for boot in range(20) for number in range(50)))
    assert len(path.read_bytes().splitlines()) <= 200
    assert journal.next_entry(19, 49) is not None
    journal.close()
    again = Journal(path, 100)
    assert len(path.read_bytes().splitlines()) <= 100
    assert again.next_entry(19, 40).number == 40
    assert again.answer(["journal", "0", "0"], 0) is None


# Damage.

EVENTS = [(boot, number) for boot in (9, 3, 5) for number in range(2 + boot % 4)]


def reopened(path):
    """Reopen the journal; return its events, its reports and its backups."""
    said = []
    journal = Journal(path, report=said.append)
    places, (boot, number) = [], EVENTS[0]
    while (entry := journal.next_entry(boot, number)) is not None:
        boot, number = entry.boot, entry.number + 1
        places.append((entry.boot, entry.number))
    journal.close()
    return places, said, sorted(path.parent.glob("events.log.damaged-*"))


def test_swapped_lines_lose_nothing(path):
    filled(path, *EVENTS).close()
    assert reopened(path) == (EVENTS, [], [])  # undamaged: nothing to report
    whole = path.read_bytes()
    for first, second in combinations(range(len(EVENTS)), 2):
        lines = whole.splitlines(keepends=True)
        lines[first], lines[second] = lines[second], lines[first]
        path.write_bytes(b"".join(lines))
        places, said, (aside,) = reopened(path)
        assert places == EVENTS and len(said) == 1 and str(aside) in said[0]
        assert aside.read_bytes() == b"".join(lines)
        aside.unlink()
        assert path.read_bytes() == whole


def test_each_flipped_bit_is_repaired(path):
    filled(path, (9, 0), (9, 1), (3, 0)).close()
    whole = path.read_bytes()
    for place, byte in enumerate(whole):  # including the newlines
        flipped = bytes([byte ^ 1 << place % 8])
        entries, is_whole = journal_module.readable(whole[:place] + flipped + whole[place + 1 :])
        assert not is_whole
        assert [(entry.boot, entry.number) for entry in entries] == [(9, 0), (9, 1), (3, 0)]


def test_a_hole_costs_only_the_lines_it_touches_and_each_damaged_journal_is_backed_up(path):
    filled(path, *EVENTS).close()
    whole = path.read_bytes()
    for count, at in enumerate((0, 40, 111), 1):
        path.write_bytes(whole[:at] + bytes(50) + whole[at + 50 :])
        kept, start = [], 0
        for event, line in zip(EVENTS, whole.splitlines(keepends=True), strict=True):
            if start + len(line) <= at or start >= at + 50:
                kept.append(event)
            start += len(line)
        places, said, asides = reopened(path)
        assert sorted(places) == sorted(kept) and len(said) == 1 and len(asides) == count, at
        assert reopened(path)[1:] == ([], asides)  # it has been repaired


def test_garbage_at_our_own_path_does_not_prevent_a_start(path):
    path.parent.mkdir()
    path.write_bytes(b"\xff" + bytes(4000))
    journal = Journal(path, report=(said := []).append, is_ours=True)
    journal.add(7, 0, WORDS)
    journal.close()
    assert len(said) == 1 and read(path, 7, 0) == f"7 0 {WORDS}"


def test_a_torn_journal_on_a_full_disk_does_not_prevent_a_start(path, monkeypatch):
    filled(path, *EVENTS).close()
    torn = path.read_bytes()[:-4]
    path.write_bytes(torn)

    def full(*_):
        raise OSError(errno.ENOSPC, "No space left on device")

    disk, said = Disk(monkeypatch, append_file), []
    monkeypatch.setattr(append_file, "writing_whole", full)
    disk.room = len(torn)
    journal = Journal(path, report=said.append)
    journal.add(6, 0, WORDS)
    assert "cannot be repaired now" in said[0] and path.read_bytes() == torn
    assert journal.answer(["journal", "6", "0"], 0) == f"6 0 {WORDS}"
    disk.room = None
    journal.close()
    monkeypatch.undo()
    places, said, asides = reopened(path)
    assert places == [*EVENTS[:-1], (6, 0)] and len(said) == len(asides) == 1


def test_the_unbroken_run_before_an_event(path):
    journal = filled(path, (7, 0), (7, 3), (7, 4), (7, 5), (8, 5))
    before = {5: ["3 hour-beep 7", "4 hour-beep 7"], 3: [], 8: []}
    assert {index: journal.run_before(7, index) for index in before} == before
    assert journal.run_before(9, 1) == []
