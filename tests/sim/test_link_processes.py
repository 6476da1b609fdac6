"""The link for real: processes, ports and kills. Waits for conditions, never for time."""

import asyncio
import contextlib
import json
import os
import random
import signal
import subprocess
import sys
import time

import pytest

from city_unit import host
from city_unit.host.ports import open_port
from firmware.interpreters import unix
from tests import deaf
from tests.needs import needs
from tests.sim import kills
from tests.sim.emulated import PATIENCE_S, ROOT, Emulated


def posix() -> None:
    needs(os.name == "posix", "a pty")


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
    end = time.monotonic() + PATIENCE_S
    while time.monotonic() < end:
        for news in client.poll(0.2):
            if isinstance(news, host.Event):
                events.append(news)
                if news.kind == kind:
                    return events
    raise AssertionError(f"no {kind}: {events}")


def test_a_game_over_tcp(tcp):
    with host.connect(tcp.port, history=True) as unit:
        unit.send("start 1000")
        events = events_until(unit, "auction-ended")
        assert [event.kind for event in events] == [
            "switched-on",
            "auction-started",
            "auction-ended",
        ]
        assert events[2].ms - events[1].ms == 1000
        assert unit.uncertainty <= 2
        with pytest.raises(host.Refused, match="unknown"):
            unit.send("dance")


def test_ports_send_and_monitor(tcp):
    said = json.loads(tcp.command("ports", "--json").stdout)
    assert said["port"] == tcp.port and said["about"]["name"] == "red"
    assert tcp.command("send", "--port", "auto:red", "tap auction").stdout == "done\n"
    lines = tcp.command("monitor", "--json", "--history", "--events", "2").stdout.splitlines()
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
    done = tcp.run(str(program))
    assert (done.returncode, done.stderr) == (0, "")
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
    program, record = tmp_path / "beeping.toml", tmp_path / "record.jsonl"
    program.write_text(BEEPS_ALL_THE_TIME, encoding="utf-8")
    listen = ("--listen", "127.0.0.1:0", "--record", str(record))
    unit = Emulated(tmp_path, *listen, "--program", str(program))
    try:
        shown = unit.command("monitor", "--edges", "--json", "--events", "4").stdout.splitlines()
    finally:
        unit.stop()
    assert json.loads(shown[0])["link"] == "connected"
    told = [without_lateness(line) for line in shown[1:]]
    recorded = [without_lateness(line) for line in record.read_text().splitlines()]
    assert {line["tone"] for line in told if "tone" in line} == {0, 2700}
    assert sum("event" in line for line in told) == 4
    for kind in ("event", "tone"):  # a line that is full tells the events first
        lines = [line for line in told if kind in line]
        first = recorded.index(lines[0])
        there = [line for line in recorded[first:] if kind in line]
        assert lines == there[: len(lines)]


def without_lateness(text: str) -> dict:
    """Return a line of a trace but for how late it was, which two clocks see differently."""
    line = json.loads(text)
    line.pop("late_us", None)
    return line


def test_a_second_client_is_told_at_once_that_the_unit_is_taken(tcp):
    with host.connect(tcp.port) as first:
        with pytest.raises(host.Busy, match="another program has the unit"):
            host.connect(tcp.port, timeout=PATIENCE_S)
        assert f"{tcp.port}  emulated unit, in use" in tcp.command("ports").stdout
        assert json.loads(tcp.command("ports", "--json").stdout)["answers"] is False
        monitor = tcp.command("monitor", "--port", tcp.port)
        assert (monitor.returncode, monitor.stderr.count("\n")) == (1, 1)
        assert "close that program, or choose another unit" in monitor.stderr
        assert first.send("volume 1") == ""


def test_asyncio(tcp):
    async def play() -> str:
        async with host.open_async(tcp.port) as unit:
            await unit.send("start 300")
            async for news in unit:
                if isinstance(news, host.Event) and news.kind == "auction-ended":
                    return news.kind
        return ""

    assert asyncio.run(play()) == "auction-ended"


def test_a_pty_has_a_stable_name(tmp_path):
    posix()
    name = tmp_path / "unit"
    unit = Emulated(tmp_path, "--pty", str(name))
    try:
        with host.connect(str(name)) as client:
            client.send("start 300")
            events_until(client, "auction-ended")
    finally:
        unit.stop()
    assert not name.is_symlink()
    assert not list((tmp_path / "city-unit").glob("*.json"))


def test_a_port_that_nobody_reads_does_not_hold_up_the_desktop():
    posix()
    ours, theirs = os.openpty()
    port = open_port(os.ttyname(theirs))
    while port.write(b"x" * 100):
        pass
    assert port.write(b"x") == 0
    port.close()
    os.close(ours)
    os.close(theirs)


def test_a_pty_that_another_unit_has_is_not_taken_away(tmp_path):
    posix()
    name = tmp_path / "unit"
    unit = Emulated(tmp_path, "--pty", str(name))
    try:
        other = unit.command("play", "--headless", "--pty", str(name))
        assert (other.returncode, other.stderr.count("\n")) == (2, 1)
        assert "another unit is there" in other.stderr
        with host.connect(str(name)) as client:
            assert client.send("volume 1") == ""
            second = unit.command("send", "--port", str(name), "stop")
            assert "another program has the unit" in second.stderr
    finally:
        unit.stop()


def test_the_unit_is_killed_and_comes_back(tmp_path):
    posix()
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
        client = host.connect(tcp.port, timeout=PATIENCE_S, history=True)
        with contextlib.suppress(host.LinkError):
            client.send("start 50")
        client.poll(rng.random() / 5)
        client._line.close()  # type: ignore[union-attr]  # as a kill does: without a goodbye
    with host.connect(tcp.port, timeout=PATIENCE_S, history=True) as client:
        with contextlib.suppress(host.Refused):
            client.send("stop")
        client.send("tap build")
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
        posix()
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


@pytest.mark.parametrize("door", ["tcp", "pty"])
def test_a_desktop_that_never_reads_shifts_no_beep(tmp_path, door):
    listen = door == "tcp"
    if not listen:
        posix()
    options = ("--listen", "127.0.0.1:0") if listen else ("--pty", str(tmp_path / "unit"))
    unit = Emulated(tmp_path, *options)
    try:
        heard = deaf.edges_of_an_auction(unit.port, reads=True)
        assert ("tone", 0) in [edge[1:] for edge in heard]
        assert deaf.edges_of_an_auction(unit.port, reads=False) == heard
    finally:
        unit.stop()
