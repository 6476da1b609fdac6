"""`city-unit play` without a window on a disk that is full, and at the end of its input."""

import json
import resource
import subprocess
from pathlib import Path

import pytest

from city_unit.host import connect
from tests.helpers.emulated import ANY_PORT, Emulated
from tests.helpers.patience import PATIENCE_S

pytestmark = pytest.mark.real_time
UNLIMITED = resource.RLIM_INFINITY


class Unit(Emulated):
    """The unit as a process, in which no file can grow beyond `room` bytes."""

    def __init__(self, folder: Path, *options: str, room: int = UNLIMITED) -> None:
        super().__init__(
            *(folder, "--listen", ANY_PORT, "--until-eof", *options),
            stdin=subprocess.PIPE,
            stderr=subprocess.PIPE,
            preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (room, UNLIMITED)),
        )

    def more_room(self) -> None:
        resource.prlimit(self.process.pid, resource.RLIMIT_FSIZE, (UNLIMITED, UNLIMITED))

    def end(self) -> tuple[int, list[str]]:
        """Close its input; return its exit code and its standard error."""
        _, said = self.process.communicate(timeout=PATIENCE_S)
        return self.process.returncode, said.splitlines()


def test_a_kept_game_of_an_unknown_form_is_set_aside_with_a_sentence(tmp_path):
    kept = tmp_path / "city-unit" / "game.jsonl"
    kept.parent.mkdir()
    kept.write_text('{"form": 3}\n')
    code, (said,) = Unit(tmp_path, "--resume").end()
    assert code == 0 and str(kept) in said and "kept as" in said
    assert (kept.parent / "game.jsonl.unreadable-1").read_text() == '{"form": 3}\n'


def test_a_record_and_a_journal_resume_with_space_and_say_so(tmp_path):
    record, journal = tmp_path / "record", tmp_path / "journal"
    unit = Unit(tmp_path, "--record", str(record), "--journal", str(journal), room=40)
    with connect(unit.port, timeout=PATIENCE_S, history=True) as client:
        client.tap("auction")
        client.wait_for("auction-started", timeout=PATIENCE_S)
        unit.more_room()
        client.stop_auction()
        client.wait_for("auction-cancelled", timeout=PATIENCE_S)
    code, said = unit.end()
    for path in (record, journal):
        stopped, resumed = (sentence for sentence in said if str(path) in sentence)
        assert "file too large" in stopped and "nothing is lost" in resumed and code == 0
    events = [json.loads(line).get("event") for line in record.read_text().splitlines()]
    happened = ["switched-on", "auction-started", "auction-cancelled"]
    assert [event for event in events if event] == happened
    assert [line.split()[4].split("*")[0] for line in journal.read_text().splitlines()] == happened


def test_a_record_that_stays_incomplete_is_a_sentence_and_a_failure(tmp_path):
    code, said = Unit(tmp_path, "--record", "/dev/full").end()
    assert code == 1 and len(said) == 2
    assert said[0].startswith("Warning: cannot write /dev/full: no space left on device.")
    assert said[1].startswith("city-unit: /dev/full lacks the last ")
