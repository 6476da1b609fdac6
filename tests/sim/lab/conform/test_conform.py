"""Conformance: our unit and clients pass, and injected faults are found."""

import contextlib
import shutil
import subprocess
import sys

import pytest

from city_unit import host
from city_unit.host.ports import open_port
from city_unit.link import Link
from sim.lab.conform import FAULTS, clean, client, unit, wrong_events
from tests.helpers.emulated import ROOT, Emulated, virtual_board
from tests.helpers.needs import needs, needs_posix
from tests.helpers.patience import PATIENCE_S, until
from tests.sim.lab.check.live import Live

EXAMPLE = ROOT / "docs" / "examples" / "conform_client.py"


class DoesAgain(Link):
    """Performs a repeated command again."""

    def _run_once(self, now, words):
        self._number = 0
        super()._run_once(now, words)


class Doubles(Link):
    """Sends each event twice."""

    def _queue_event(self, what, events, index):
        super()._queue_event(what, events, index)
        if what == "event":
            super()._queue_event(what, events, index)


class TellsNothing(Link):
    """Sends no events."""

    def _queue_event(self, what, events, index):
        if what != "event":
            super()._queue_event(what, events, index)


class Deaf(Link):
    """Responds to a greeting, and ignores commands."""

    def _run_once(self, now, words):
        pass


class Skips(Link):
    """Omits every third event."""

    def _queue_event(self, what, events, index):
        if what != "event" or index % 3 != 2:
            super()._queue_event(what, events, index)


class CountsOn(Link):
    """Claims one more event at each ping."""

    pings = 0

    def _queue(self, what, *words):
        if what == "pong":
            self.pings += 1
            words = (*words[:-1], self.pings)
        super()._queue(what, *words)


@pytest.fixture
def findings(monkeypatch):
    """Check a unit in virtual time, behind a link that may be faulty."""
    live = Live(monkeypatch)
    clock = unit.Clock(lambda: live.ms / 1000, live.sleep)

    def judge(kind, at_ms=0):
        live.live(at_ms)
        live.link = kind(live.unit, 4711, "0.1.0 test unit")
        live.link.step(live.now, live.levels)
        return unit.checks(lambda: live, clock=clock)

    return judge


@pytest.fixture(autouse=True)
def here(tmp_path, monkeypatch):
    monkeypatch.setenv("CITY_UNIT_RUNTIME", str(tmp_path))
    monkeypatch.setattr(client, "PATIENCE_S", PATIENCE_S)


class Taken:
    """A connection to a unit that is busy with another client."""

    def __init__(self, stays: bool) -> None:
        self.printed = [b"busy: another program has this unit\n"]
        self.stays = stays

    def read(self, timeout: float) -> bytes:
        if self.printed or self.stays:
            return self.printed.pop() if self.printed else b""
        raise OSError("hung up")

    def write(self, data: bytes) -> int:
        return len(data)

    def close(self) -> None:
        pass


def test_a_busy_unit_is_greeted_again(monkeypatch):
    live = Live(monkeypatch)
    clock = unit.Clock(lambda: live.ms / 1000, live.sleep)
    lines = [live, Taken(False), Taken(False), Taken(False)]
    session = unit.Session(lines.pop, clock)
    session.greet()
    assert session.tag.startswith("1.") and not lines
    for line in (Taken(False), Taken(True)):
        line.read = lambda timeout, line=line: live.sleep(timeout) or Taken.read(line, timeout)
        with pytest.raises(host.Busy, match="another program has this unit"):
            list(unit.checks(lambda line=line: line, clock=clock))


@pytest.mark.parametrize("at_ms", [0, 4_000_000])
def test_our_unit_passes_also_after_its_game(findings, at_ms):
    card = list(findings(Link, at_ms))
    assert [finding for finding in card if finding.why] == []
    assert len(card) == 1 + len(unit.CHECKS) + len(FAULTS) + 1


def test_a_unit_that_is_off_is_not_checked(monkeypatch):
    """A session would hold its switch on, but each fault ends the session."""
    live = Live(monkeypatch, levels=0)
    clock = unit.Clock(lambda: live.ms / 1000, live.sleep)
    card = list(unit.checks(lambda: live, clock=clock))
    assert [finding.why for finding in card] == ["it is switched off; switch it on first"]


@contextlib.contextmanager
def body(kind, folder):
    """Start a unit of another kind; yield its port."""
    needs_posix()
    with contextlib.ExitStack() as stack:
        if kind == "firmware":
            _board, port = stack.enter_context(virtual_board(folder))
            yield port
            return
        emulated = Emulated(folder, "--pty", str(folder / "pty"))
        stack.callback(emulated.stop)
        if kind == "pty":
            yield emulated.port
            return
        command = [sys.executable, "-m", "sim.cli", "serve", emulated.port]
        command += ["--listen", "127.0.0.1:0"]
        door = stack.enter_context(
            subprocess.Popen(
                command, stdout=subprocess.PIPE, text=True, cwd=ROOT, env=emulated.environment
            )
        )
        stack.callback(door.kill)
        yield door.stdout.readline().strip().rpartition("at ")[2]


@pytest.mark.real_time
@pytest.mark.slow
@pytest.mark.parametrize("kind", ["pty", "websocket", "firmware"])
def test_every_kind_of_unit_passes(kind, tmp_path, monkeypatch):
    """Without bad lines, which take a minute each.

    On a busy machine a unit may be silent for longer than a board ever is, so the checks are
    repeated until they pass. A faulty unit fails each time.
    """
    monkeypatch.setattr(unit, "FAULTS", {})
    with body(kind, tmp_path) as port:
        findings = []

        def is_full():
            findings[:] = unit.checks(lambda: open_port(port))
            return not [finding for finding in findings if finding.why]

        until(is_full, lambda: findings)
    assert len(findings) == 1 + len(unit.CHECKS) + 1


@pytest.mark.parametrize(
    ("kind", "name", "why"),
    [
        (
            DoesAgain,
            "a repeated command is performed once",
            "a repeat: expected done, received refused",
        ),
        (Doubles, "events arrive in order, and again on request", "numbers of events"),
        (Skips, "events arrive in order, and again on request", "numbers of events"),
        (TellsNothing, "events arrive in order, and again on request", "expected [0], received []"),
        (CountsOn, "events arrive in order, and again on request", "never stops advancing"),
        (Deaf, "it responds to a greeting", "after `stop`, received: "),
    ],
)
def test_a_planted_fault_of_a_unit_is_found(kind, name, why, monkeypatch, findings):
    monkeypatch.setattr(unit, "FAULTS", {})
    monkeypatch.setattr(unit, "_MOST_ROUNDS", 200)
    found = next(finding for finding in findings(kind) if finding.name == name)
    assert why in found.why


@pytest.mark.real_time
@pytest.mark.slow
def test_our_client_passes():
    findings = list(client.checks([sys.executable, str(EXAMPLE), client.PORT, client.AFTER]))
    assert [finding for finding in findings if finding.why] == []
    assert len(findings) == len(FAULTS) + 3


@pytest.mark.real_time
@pytest.mark.slow
@pytest.mark.parametrize(
    ("language", "disrupt"),
    [
        ("python", client.break_line),
        ("python", client.restart_unit),
        ("python", client.restart_client),
        ("javascript", None),
        ("javascript", client.break_line),
        ("javascript", client.restart_unit),
        ("javascript", client.restart_client),
    ],
)
def test_the_other_clients_pass(language, disrupt):
    needs(language == "python" or shutil.which("node"), "Node")
    command = {
        "python": [sys.executable, "-m", "tests.helpers.conform_sync", client.PORT, client.AFTER],
        "javascript": ["node", str(EXAMPLE.with_suffix(".mjs")), client.PORT, client.AFTER],
    }[language]
    fault = FAULTS["noisy" if disrupt is None else "clean"][0]  # the others take a minute
    assert client.run(command, fault, 5, disrupt) == ""


TWICE = """\
from city_unit.host.core import Requests
step = Requests.to_send
def again(self, now):
    if self._waiting and self._waiting[0].repeat_at is not None:
        if now < self._waiting[0].repeat_at:
            return None
        self._waiting[0].repeat_at = None
    return step(self, now)
Requests.to_send = again
"""


@pytest.mark.real_time
@pytest.mark.slow
def test_a_client_that_runs_a_command_again_is_found(tmp_path):
    path = tmp_path / "client.py"
    path.write_text(TWICE + EXAMPLE.read_text())
    words = [sys.executable, str(path), client.PORT, client.AFTER]
    assert "times" in client.run(words, FAULTS["losing"][0], 3)


@pytest.mark.slow
def test_a_client_that_does_not_resume_is_found():
    """It is not given the last event, and so prints all of them again."""
    forgetful = [sys.executable, str(EXAMPLE), client.PORT]
    assert "received twice" in client.run(forgetful, clean, 5, client.restart_client)


@pytest.mark.parametrize(
    ("numbers", "count", "why"),
    [
        ([0, 1, 2], 3, ""),
        ([0, 1, 1, 2], 3, "received twice: event 1"),
        ([0, 2], 3, "never received: event 1"),
        ([0, 2, 1], 3, "events were received out of order"),
        ([0, 1, 2, 3], 3, "event 3 never happened"),
    ],
)
def test_the_numbers_of_events(numbers, count, why):
    assert wrong_events(numbers, count) == why


@pytest.mark.real_time
def test_a_program_that_does_not_start_or_exits():
    assert "cannot be started" in client.run(["/no/such/program"], clean, 0)
    ended = client.run([sys.executable, "-c", "pass"], clean, 0)
    assert ended == "it exited early"
