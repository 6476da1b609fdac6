"""city_unit.js, judged by the vectors of the protocol, and against a unit that is served."""

import json
import shutil
import subprocess
from pathlib import Path

import pytest

from tests.city_unit.served import PATIENCE_S
from tests.helpers.link_vectors import VECTORS
from tests.helpers.needs import needs

HERE = Path(__file__).parent


@pytest.fixture(scope="module", params=["direct", "serial"])
def judged(request):
    """The client's reading of the vectors, by itself and over a serial port of the browser."""
    needs(shutil.which("node"), "Node")
    done = subprocess.run(
        ["node", str(HERE / "judge.mjs"), request.param],
        input=json.dumps(VECTORS).encode("latin-1"),
        capture_output=True,
        timeout=PATIENCE_S,
    )
    assert done.returncode == 0, done.stderr.decode()
    return json.loads(done.stdout)


def test_frames(judged):
    assert judged["sealed"] == [frame["line"] + "\n" for frame in VECTORS["frames"]]
    assert judged["unsealed"] == [frame["text"] for frame in VECTORS["frames"]]
    assert set(judged["damaged"]) == {""}


def test_what_it_makes_of_an_event(judged):
    names = ("kind", "fields", "more")
    expected = [
        [{"what": "event", **{name: vector[name] for name in names}}] for vector in VECTORS["told"]
    ]
    assert judged["told"] == expected


def test_a_later_unit_may_add_words_to_any_line(judged):
    assert judged["longer"] is True
    for line, longer in judged["lengthened"]:
        assert line == longer
        assert line != judged["nothing"]


def test_a_command_is_repeated_under_its_number(judged):
    assert judged["repeated"] == ["do 4711.1 1 tap auction"] * 3


def test_a_gap_is_asked_for_and_nothing_told_twice(judged):
    assert judged["gap"] == [["since 4711.1 1"], [["event", 1], ["event", 2]]]


def test_it_goes_on_behind_an_event(judged):
    for vector, found in zip(VECTORS["resumed"], judged["resumed"], strict=True):
        said = [line for line in vector["talk"] if line.startswith(">")]
        assert found == [said, vector["told"]], vector["why"]


def test_a_late_greeting_of_a_boot_that_was_left_is_none(judged):
    assert judged["leaving"] == [7, 8, 8, 7]


def test_a_command_that_is_left_behind_is_given_up(judged):
    assert judged["closing"] == [
        'no answer to "stop" (closed); whether it was done is not known',
        'no answer to "start" (closed); it was never sent',
        'no answer to "state" (closed); it was never sent',
    ]


def test_a_callback_that_fails_loses_no_other_news(judged):
    assert judged["failing"] == [["hour-ended", "auction-ended"], ["a fault of the program"]]


def test_silence_is_a_unit_that_is_gone(judged):
    kinds, last = judged["silent"]
    assert kinds == ["state", "connected", "disconnected"]
    assert last == "hello 1 a1b2c3"


def test_a_serial_port_is_let_go(judged):
    if not judged["ended"]:
        return  # there is none
    closed, pulled = judged["ended"]
    assert closed == {
        "said": ["bye 4711.1"],
        "told": [["disconnected", "closed"]],
        "closed": 1,
        "baud": 115200,
    }
    assert (pulled["told"], pulled["closed"]) == ([["disconnected", "the line is gone"]], 1)
