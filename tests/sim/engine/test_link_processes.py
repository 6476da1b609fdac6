"""The link between real processes, with ports and kills. Tests wait for conditions, not times."""

import contextlib
import json
import os
import random
import re
import signal
import socket
import subprocess
import sys
from itertools import islice
from pathlib import Path

import pytest

from city_unit import host
from tests.helpers.emulated import ANY_PORT, ROOT, Emulated, virtual_board
from tests.helpers.lines import Opener
from tests.helpers.needs import needs_posix
from tests.helpers.patience import PATIENCE_S, meanwhile, until

pytestmark = pytest.mark.real_time


@pytest.fixture(autouse=True)
def among_themselves(tmp_path, monkeypatch):
    """Clients find only the units of their own test."""
    monkeypatch.setenv("CITY_UNIT_RUNTIME", str(tmp_path))


@pytest.fixture
def tcp(tmp_path):
    unit = Emulated(tmp_path, "--listen", ANY_PORT, "--name", "red")
    yield unit
    unit.stop(signal.SIGKILL)


def with_error(done: subprocess.CompletedProcess[str], words: str):
    """Return the ended program if it printed this error; a busy machine may cause another."""
    return done if words in done.stderr else None


def test_ports_send_monitor_and_the_example_of_the_readme(tcp, tmp_path):
    def listed():
        unit = json.loads(tcp.command("ports", "--json").stdout)
        return unit if unit["answers"] else None

    unit = until(listed)  # a busy machine may be slower than the command's timeout
    assert unit["port"] == tcp.port and unit["about"]["name"] == "red"
    patiently = ("--port", "auto:red", "--timeout", str(PATIENCE_S))
    assert tcp.command("send", *patiently, "tap auction").stdout == "done\n"
    words = ("monitor", "--json", "--history", "--events", "2")
    lines = until(lambda: tcp.command(*words).stdout.splitlines())
    kinds = [json.loads(line).get("event") for line in lines]
    assert kinds == [None, "switched-on", "auction-started"]
    assert tcp.command("send", *patiently, "stop").stdout == "done\n"
    refused = tcp.command("send", "dance")
    assert (refused.returncode, refused.stderr.count("\n")) == (1, 1)

    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    example = readme.split("```python\n")[1].split("```")[0]
    assert "host.connect" in example and "start 8000" in example
    program = tmp_path / "example.py"
    program.write_text(example.replace("start 8000", "start 300"), encoding="utf-8")

    def has_found_the_unit():
        done = tcp.run(str(program))
        return None if "NoUnit: " in done.stderr or "NoAnswer: " in done.stderr else done

    done = until(has_found_the_unit)
    assert done.stderr == ""
    last = done.stdout.splitlines()[-1]
    assert last.startswith("Event(") and "kind='auction-ended'" in last


def test_a_second_client_learns_at_once_that_the_unit_is_taken_but_may_watch(tcp):
    with host.connect(tcp.port, timeout=PATIENCE_S) as first:
        with pytest.raises(host.Busy, match="another program has the unit"):
            host.connect(tcp.port, timeout=PATIENCE_S)

        def command(*words: str) -> subprocess.CompletedProcess[str]:
            return meanwhile(first, lambda: tcp.command(*words))

        until(lambda: f"{tcp.port}  emulated unit, in use" in command("ports").stdout)
        assert json.loads(command("ports", "--json").stdout)["answers"] is False
        monitor = command("monitor", "--port", tcp.port, "--history", "--edges", "--events", "1")
        assert (monitor.returncode, monitor.stderr) == (0, "")
        assert "switched-on" in monitor.stdout
        send = ("send", "--port", tcp.port, "tap", "auction")
        done = until(lambda: with_error(command(*send), "close that program"))
        assert (done.returncode, done.stdout, done.stderr.count("\n")) == (3, "", 1)
        assert first.send("volume 1", PATIENCE_S) == ""


def test_a_monitor_leaves_the_unit_to_other_programs(tcp):
    monitor = subprocess.Popen(
        [sys.executable, "-m", "sim.cli", "monitor", "--port", "auto", "--edges"],
        stdout=subprocess.PIPE,
        text=True,
        env=tcp.environment,
        cwd=ROOT,
    )
    try:
        assert monitor.stdout is not None
        assert "Connected to red" in monitor.stdout.readline()
        send = ("send", "--timeout", str(PATIENCE_S), "tap auction")
        done = tcp.command(*send)
        assert (done.stdout, done.stderr) == ("done\n", "")
        # Edges of the power-on beep may come before it.
        assert any("auction-started" in line for line in islice(monitor.stdout, 9))
    finally:
        monitor.kill()
        monitor.communicate()


def test_two_units_of_one_name_served_for_watching_cannot_be_controlled(tcp, tmp_path):
    other = Emulated(tmp_path, "--listen", ANY_PORT, "--name", "red")
    serve = [sys.executable, "-m", "sim.cli", "serve", tcp.port, other.port, "--watch-only"]
    serving = subprocess.Popen(
        [*serve, "--listen", ANY_PORT],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env=tcp.environment,
        cwd=ROOT,
    )
    silent = []
    try:
        assert serving.stdout is not None
        address, second = (serving.stdout.readline().split()[-1] for _ in range(2))
        assert second == f"{address}-2"
        with pytest.raises(host.Busy):
            host.connect(address, timeout=PATIENCE_S)
        with host.connect(address, timeout=PATIENCE_S, history=True, watch=True) as unit:
            unit.wait_for("switched-on", timeout=PATIENCE_S)
        port = address.split("/")[2].rpartition(":")[2]
        silent += [socket.create_connection(("127.0.0.1", int(port))) for _ in range(60)]
        serving.terminate()
        _said, errors = serving.communicate(timeout=PATIENCE_S)
        assert errors == "" and (serving.returncode == 130 or os.name == "nt")
    finally:
        serving.kill()
        serving.communicate(timeout=PATIENCE_S)
        other.stop()
        for line in silent:
            line.close()


def test_a_pty_has_a_stable_name_that_is_its_own_and_goes_with_it(tmp_path):
    needs_posix()
    name = tmp_path / "unit"
    unit = Emulated(tmp_path, "--pty", str(name))
    try:
        other = unit.command("play", "--headless", "--pty", str(name))
        assert (other.returncode, other.stderr.count("\n")) == (1, 1)
        assert "another unit uses this name" in other.stderr
        with host.connect(str(name), timeout=PATIENCE_S) as client:
            client.send("start 300", PATIENCE_S)
            client.wait_for("auction-ended", timeout=PATIENCE_S)
            send = ("send", "--port", str(name), "stop")
            words = "another program has the unit"
            until(lambda: with_error(meanwhile(client, lambda: unit.command(*send)), words))
    finally:
        unit.stop()
    assert not name.is_symlink()
    assert not list((tmp_path / "city-unit").glob("*.json"))


COMMANDS = (
    *("tap build", "tap auction", "start 40", "stop", "restart"),
    *("switch off", "switch on", "volume 1", "volume 2", "program timed", "program city"),
)

# Settings that a board may have saved: the program, the length of the game, the volume.
WHOLE = re.compile(r"(city|timed) \d+ [123]\n")


def recorded(path: Path) -> dict[int, list[tuple]]:
    """Return the events of each boot, in order, from the unit's record.

    An incomplete last line does not count: the unit was killed before it could send the event.
    """
    boots: dict[int, list[tuple]] = {}
    for text in path.read_text(encoding="utf-8").splitlines(True):
        line = json.loads(text) if text.endswith("\n") else {}
        if "boot" in line:
            boots[line["boot"]] = []
        elif "event" in line:
            line.pop("late_us", None)
            list(boots.values())[-1].append((line.pop("ms"), line.pop("event"), line))
    return boots


@contextlib.contextmanager
def killable(kind: str, folder: Path, record: Path):
    """Yield the port of a unit that writes this record, and a function that kills and restarts it.

    A board loses its power; its settings file must be complete at any time.
    """
    if kind == "firmware":
        record.touch()
        with virtual_board(folder, record=str(record)) as (board, port):

            def pull() -> None:
                board.pull()
                for settings in folder.glob("board/settings.txt"):
                    assert WHOLE.fullmatch(settings.read_text(encoding="utf-8"))

            yield port, pull
        return
    door = ("--listen", ANY_PORT) if kind == "tcp" else ("--pty", str(folder / "unit"))
    unit = Emulated(folder, *door, "--record", str(record))

    def kill() -> None:
        unit.stop(signal.SIGKILL)
        unit.start()

    try:
        yield unit.port, kill
    finally:
        unit.stop(signal.SIGKILL)


class Desktop:
    """A client, and the events of each boot that it has received."""

    def __init__(self, port: str) -> None:
        self.events: dict[int, list[tuple]] = {}
        self.opener = Opener(port)
        self.client = host.Client(port, self.opener, history=True)
        self.client.wait_online(PATIENCE_S)

    def poll(self, seconds: float) -> None:
        for news in self.client.poll(seconds):
            assert not isinstance(news, host.Missed)
            if isinstance(news, host.Event):
                boot, number = news.position
                assert number == len(self.events.setdefault(boot, [])), "doubled, lost or swapped"
                assert boot == list(self.events)[-1], "a boot came back"
                self.events[boot].append((news.ms, news.kind, news.fields))

    def compare(self, record: Path) -> int:
        """Assert that the client's events are those that happened; return their number."""
        happened = recorded(record)
        for boot, events in self.events.items():
            assert events == happened[boot][: len(events)]
        return sum(map(len, self.events.values()))

    def settle(self, record: Path) -> None:
        """Switch the unit off, so that it reports no more, and wait until all events arrive."""

        def is_off() -> bool:
            self.client.wait_online(PATIENCE_S)
            try:
                return self.client.send("switch off", PATIENCE_S) == ""
            except host.NoAnswer:
                return False  # the unit was just killed: try the new one

        def has_all() -> bool:
            self.poll(0.2)
            boot, happened = list(recorded(record).items())[-1]
            return happened[-1][1] == "switched-off" and self.events.get(boot) == happened

        until(is_off)
        until(has_all)


@pytest.mark.parametrize("kind", ["pty", "tcp", "firmware"])
def test_both_ends_are_killed_at_random(tmp_path, kind):
    """The client receives each event of the unit's record once and in order, up to the last."""
    if kind == "pty":
        needs_posix()
    rng = random.Random(3)
    record = tmp_path / "record.jsonl"
    events = 0
    with killable(kind, tmp_path, record) as (port, kill):
        desktop = Desktop(port)
        for victim in rng.sample(["unit", "desktop", "cable"] * 2, 6):
            if rng.random() < 0.7:
                desktop.client.wait_online(PATIENCE_S)
            for _ in range(rng.randrange(1, 8)):
                desktop.client.ask(rng.choice(COMMANDS))
                desktop.poll(rng.random() / 10)
            if victim == "unit":
                kill()
            elif victim == "cable":
                desktop.opener.pull_out()  # the client reconnects
            else:
                desktop.opener.drop()  # without a goodbye, like a killed process
                events += desktop.compare(record)
                desktop = Desktop(port)
        desktop.settle(record)
        events += desktop.compare(record)
        desktop.client.close()
    assert len(recorded(record)) == 3
    assert events > 3
