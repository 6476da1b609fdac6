"""The link for real: processes, ports and kills. Waits for conditions, never for time."""

import asyncio
import contextlib
import itertools
import json
import os
import random
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from city_unit import host
from city_unit.host.lines.ports import open_port
from firmware.interpreters import unix
from tests.helpers import deaf
from tests.helpers.emulated import ROOT, Emulated
from tests.helpers.lines import Opener
from tests.helpers.needs import needs, needs_posix
from tests.helpers.patience import PATIENCE_S, meanwhile, until
from tests.helpers.quick import some_quick
from tests.sim.terminal import kills

pytestmark = pytest.mark.real_time


PATIENTLY = ("--timeout", str(PATIENCE_S))


@pytest.fixture(autouse=True)
def among_themselves(tmp_path, monkeypatch):
    """The clients here know the same units as the units do: those of their own test."""
    monkeypatch.setenv("CITY_UNIT_RUNTIME", str(tmp_path))


@pytest.fixture
def tcp(tmp_path):
    unit = Emulated(tmp_path, "--listen", "127.0.0.1:0", "--name", "red")
    yield unit
    unit.process.kill()
    unit.process.wait()


def events_until(client: host.Client, kind: str) -> list[host.Event]:
    events = []

    def has_come() -> bool:
        news = client.poll(0.2)
        events.extend(event for event in news if isinstance(event, host.Event))
        return any(event.kind == kind for event in events)

    until(has_come, lambda: events)
    return events


def is_certain(unit: host.Client) -> bool:
    """Ask for the time once more; return whether the unit's is known to 2 ms by now."""
    unit.poll(0.05)
    return unit.uncertainty <= 2


def test_a_game_over_tcp(tcp):
    with host.connect(tcp.port, timeout=PATIENCE_S, history=True) as unit:
        unit.send("start 1000", PATIENCE_S)
        events = events_until(unit, "auction-ended")
        assert [event.kind for event in events] == [
            "switched-on",
            "auction-started",
            "auction-ended",
        ]
        assert events[2].ms - events[1].ms == 1000
        until(lambda: is_certain(unit))
        with pytest.raises(host.Refused, match="unknown"):
            unit.send("dance", PATIENCE_S)


def test_ports_send_and_monitor(tcp):
    def of_one_that_answers():
        said = json.loads(tcp.command("ports", "--json").stdout)
        return said if said["answers"] else None

    said = until(of_one_that_answers)  # a busy machine may take longer than a command waits
    assert said["port"] == tcp.port and said["about"]["name"] == "red"
    assert tcp.command("send", "--port", "auto:red", *PATIENTLY, "tap auction").stdout == "done\n"
    words = ("monitor", "--json", "--history", "--events", "2")
    lines = until(lambda: tcp.command(*words).stdout.splitlines())
    kinds = [json.loads(line).get("event") for line in lines]
    assert kinds == [None, "switched-on", "auction-started"]
    refused = tcp.command("send", "dance")
    assert refused.returncode == 1
    assert refused.stderr.count("\n") == 1


def test_the_example_of_the_readme(tcp, tmp_path):
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    example = readme.split("```python\n")[1].split("```")[0]
    assert "host.connect" in example and "start 8000" in example
    program = tmp_path / "example.py"
    program.write_text(example.replace("start 8000", "start 300"), encoding="utf-8")
    done = until(lambda: ended_well(tcp.run(str(program))))
    assert done.stderr == ""
    last = done.stdout.splitlines()[-1]
    assert last.startswith("Event(") and "kind='auction-ended'" in last


BEEPS_ALL_THE_TIME = """\
name = "beeping"
clock = "60 s"
[[marks]]
tell = "hour-beep"
left = "59800 ms"
every = "300 ms"
until = "100 ms"
[[marks]]
tell = "time-called"
left = "0 s"
"""


def test_monitor_shows_edges_as_the_unit_records_them(tmp_path):
    """A busy unit may not be found in time, and leaves out edges that its line does not hold."""
    program = tmp_path / "beeping.toml"
    program.write_text(BEEPS_ALL_THE_TIME, encoding="utf-8")
    records = (tmp_path / f"{number}.jsonl" for number in itertools.count())
    monitored, recorded = [], []

    def is_shown_as_recorded() -> bool:
        monitored[:], recorded[:] = both_recordings(tmp_path, program, next(records))
        edges = {line["tone"] for line in monitored if "tone" in line}
        if edges != {0, 2700} or sum("event" in line for line in monitored) != 4:
            return False
        # Each kind for itself: a line that is full tells the events first.
        return all(is_part_of(monitored, recorded, kind) for kind in ("event", "tone"))

    until(is_shown_as_recorded, lambda: (monitored, recorded))


def both_recordings(folder: Path, program: Path, record: Path) -> tuple[list[dict], list[dict]]:
    """Return what `monitor` tells of a unit, and what the unit itself records."""
    listen = ("--listen", "127.0.0.1:0", "--record", str(record))
    unit = Emulated(folder, *listen, "--program", str(program))
    try:
        shown = unit.command("monitor", "--edges", "--json", "--events", "4").stdout.splitlines()
    finally:
        unit.stop()
    assert not shown or json.loads(shown[0])["link"] == "connected"
    monitored = [without_lateness(line) for line in shown[1:]]
    recorded = record.read_text(encoding="utf-8").splitlines()
    return monitored, [without_lateness(line) for line in recorded]


def is_part_of(monitored: list[dict], recorded: list[dict], kind: str) -> bool:
    """Return whether the lines of a kind are those of the record, without a gap."""
    lines = [line for line in monitored if kind in line]
    there = [line for line in recorded if kind in line]
    first = there.index(lines[0])
    return lines == there[first : first + len(lines)]


def without_lateness(text: str) -> dict:
    """Return a line of a trace but for how late it was, which two clocks see differently."""
    line = json.loads(text)
    line.pop("late_us", None)
    return line


def ended_well(done: subprocess.CompletedProcess[str]):
    """Return the program that has ended if it found the unit in time."""
    return None if "NoUnit: " in done.stderr or "NoAnswer: " in done.stderr else done


def said_by(done: subprocess.CompletedProcess[str], words: str):
    """Return the program that has ended if it said this; a busy one finds nobody in time."""
    return done if words in done.stderr else None


def test_a_second_client_is_told_at_once_that_the_unit_is_taken(tcp):
    with host.connect(tcp.port, timeout=PATIENCE_S) as first:
        with pytest.raises(host.Busy, match="another program has the unit"):
            host.connect(tcp.port, timeout=PATIENCE_S)

        def command(*words: str) -> subprocess.CompletedProcess[str]:
            return meanwhile(first, lambda: tcp.command(*words))

        in_use = f"{tcp.port}  emulated unit, in use"
        until(lambda: in_use in command("ports").stdout)
        assert json.loads(command("ports", "--json").stdout)["answers"] is False
        monitor = command("monitor", "--port", tcp.port, "--history", "--edges", "--events", "1")
        assert (monitor.returncode, monitor.stderr) == (0, "")
        assert "switched-on" in monitor.stdout
        advice = "close that program, or choose another unit"
        send = until(lambda: said_by(command("send", "--port", tcp.port, "tap", "auction"), advice))
        assert (send.returncode, send.stderr.count("\n")) == (1, 1)
        assert first.send("volume 1", PATIENCE_S) == ""


def test_asyncio(tcp):
    async def play() -> str:
        async with host.open_async(tcp.port, timeout=PATIENCE_S) as unit:
            await unit.send("start 300", PATIENCE_S)
            async for news in unit:
                if isinstance(news, host.Event) and news.kind == "auction-ended":
                    return news.kind
        return ""

    assert asyncio.run(play()) == "auction-ended"


def test_a_pty_has_a_stable_name(tmp_path):
    needs_posix()
    name = tmp_path / "unit"
    unit = Emulated(tmp_path, "--pty", str(name))
    try:
        with host.connect(str(name), timeout=PATIENCE_S) as client:
            client.send("start 300", PATIENCE_S)
            events_until(client, "auction-ended")
    finally:
        unit.stop()
    assert not name.is_symlink()
    assert not list((tmp_path / "city-unit").glob("*.json"))


def test_a_port_that_nobody_reads_does_not_hold_up_the_desktop():
    needs_posix()
    ours, theirs = os.openpty()
    port = open_port(os.ttyname(theirs))
    while port.write(b"x" * 100):
        pass
    assert port.write(b"x") == 0
    port.close()
    os.close(ours)
    os.close(theirs)


def test_a_pty_that_another_unit_has_is_not_taken_away(tmp_path):
    needs_posix()
    name = tmp_path / "unit"
    unit = Emulated(tmp_path, "--pty", str(name))
    try:
        other = unit.command("play", "--headless", "--pty", str(name))
        assert (other.returncode, other.stderr.count("\n")) == (2, 1)
        assert "another unit is there" in other.stderr
        with host.connect(str(name), timeout=PATIENCE_S) as client:
            assert client.send("volume 1", PATIENCE_S) == ""
            send = ("send", "--port", str(name), "stop")
            said = "another program has the unit"
            until(lambda: said_by(meanwhile(client, lambda: unit.command(*send)), said))
    finally:
        unit.stop()


def test_the_unit_is_killed_and_comes_back(tmp_path):
    needs_posix()
    name = tmp_path / "unit"
    unit = Emulated(tmp_path, "--pty", str(name))
    rng = random.Random(4)
    boots = set()
    try:
        with host.connect(str(name), timeout=PATIENCE_S, history=True) as client:
            for _ in range(3):
                events = events_until(client, "switched-on")
                assert events[-1].number == 0
                assert client.about is not None
                boots.add(client.about.boot)
                with contextlib.suppress(host.LinkError):
                    client.send("tap build")
                client.poll(rng.random() / 5)
                unit.stop(signal.SIGKILL)
                unit.start()
            events_until(client, "switched-on")
        assert len(boots) == 3
    finally:
        unit.process.kill()
        unit.process.wait()


def test_the_desktop_is_killed_and_comes_back(tcp):
    rng = random.Random(5)
    for _ in range(5):
        opener = Opener(tcp.port)
        client = host.Client(tcp.port, opener, history=True)
        client.wait_online(PATIENCE_S)
        with contextlib.suppress(host.LinkError):
            client.send("start 50")
        client.poll(rng.random() / 5)
        opener.drop()
    with host.connect(tcp.port, timeout=PATIENCE_S, history=True) as client:
        with contextlib.suppress(host.Refused):
            client.send("stop", PATIENCE_S)
        client.send("tap build", PATIENCE_S)
        events = events_until(client, "permit-started")
    assert [event.number for event in events] == list(range(len(events)))
    starts = [event for event in events if event.kind == "auction-started"]
    assert 1 <= len(starts) <= 5


def test_what_is_wrong_is_said_in_a_line(tmp_path):
    for words, code in (
        (["play", "--headless", "--listen", "nowhere"], 2),
        (["play", "--headless", "--name", "two words", "--listen", "127.0.0.1:0"], 2),
        (["send", "--port", "socket://127.0.0.1:1", "stop"], 1),
        (["send", "--port", "/dev/no-such-port", "stop"], 1),
        (["monitor", "--port", "auto:nobody"], 1),
    ):
        done = subprocess.run(
            [sys.executable, "-m", "sim.cli", *words],
            capture_output=True,
            text=True,
            cwd=ROOT,
            env={**os.environ, "CITY_UNIT_RUNTIME": str(tmp_path), "PYTHONPATH": str(ROOT)},
            timeout=PATIENCE_S,
        )
        assert done.returncode == code, (words, done)
        assert done.stderr.count("\n") == 1, done.stderr
        assert "Traceback" not in done.stderr


@pytest.mark.parametrize("kind", kills.UNITS)
def test_both_ends_are_killed_at_random(tmp_path, kind):
    if kind != "tcp":
        needs_posix()
    if kind == "firmware":
        needs(unix(), "MicroPython's Unix port")
    done, boots, events = kills.run(kind, tmp_path, seed=3, rounds=10)
    assert done == 10
    assert 2 < boots < events


def test_ten_units_at_one_desktop(tmp_path):
    """Each table has its own unit; every desktop is told all of its unit and nothing else."""
    rng = random.Random(10)
    records = [tmp_path / f"{table}.jsonl" for table in range(10)]
    units = [
        Emulated(tmp_path, "--listen", "127.0.0.1:0", "--name", f"t{table}", "--record", str(path))
        for table, path in enumerate(records)
    ]
    desktops = []
    try:
        assert len(units[0].command("ports").stdout.splitlines()) == 10
        desktops = [kills.Desktop(unit.port) for unit in units]
        for _ in range(8):
            for desktop in desktops:
                desktop.client.ask(rng.choice(("start 30", "tap build", "stop")))
            for desktop in desktops:
                desktop.poll(0.02)
        for desktop, record in zip(desktops, records, strict=True):
            kills.settle(desktop, record)
            assert desktop.compare(kills.recorded(record)) > 2
    finally:
        for desktop in desktops:
            desktop.client.close()
        for unit in units:
            unit.process.kill()
            unit.process.wait()


@pytest.mark.parametrize("door", some_quick(["tcp", "pty"], 1))
def test_a_desktop_that_never_reads_shifts_no_beep(tmp_path, door):
    listen = door == "tcp"
    if not listen:
        needs_posix()
    options = ("--listen", "127.0.0.1:0") if listen else ("--pty", str(tmp_path / "unit"))
    unit = Emulated(tmp_path, *options)
    try:
        heard = deaf.edges_of_an_auction(unit.port, reads=True)
        assert ("tone", 0) in [edge[1:] for edge in heard]
        assert deaf.edges_of_an_auction(unit.port, reads=False) == heard
    finally:
        unit.stop()
