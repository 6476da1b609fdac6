"""`city-unit play` without a window on a disk that is full, and at the end of its input."""

import json
import os
import resource
import subprocess
import sys
from pathlib import Path

import pytest

from city_unit.host import connect
from tests.helpers.patience import PATIENCE_S

pytestmark = pytest.mark.real_time
ROOT = Path(__file__).parents[3]
UNLIMITED = resource.RLIM_INFINITY


class Unit:
    """The unit as a process, in which no file can grow beyond `room` bytes."""

    def __init__(self, folder: Path, *options: str, room: int = UNLIMITED) -> None:
        environment = {
            **os.environ, "CITY_UNIT_RUNTIME": str(folder), "XDG_CONFIG_HOME": str(folder),
            "LANGUAGE": "en", "PYTHONPATH": str(ROOT),
        }  # fmt: skip
        play = ["play", "--headless", "--listen", "127.0.0.1:0", "--until-eof"]
        self.process = subprocess.Popen(
            [sys.executable, "-m", "sim.cli", *play, *options],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
            text=True, env=environment, cwd=ROOT,
            preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (room, UNLIMITED)),
        )  # fmt: skip
        assert self.process.stdout is not None
        self.port = self.process.stdout.readline().split(" at ")[1].strip()

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
