"""The link for real: processes, ports and kills. Waits for conditions, never for time."""

import json
import os
import subprocess

import pytest

from city_unit import host
from city_unit.host.lines.ports import open_port
from firmware.tool.image import unix
from tests.helpers.emulated import ROOT, Emulated
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


@pytest.mark.parametrize("kind", some_quick(kills.UNITS, 1))
def test_both_ends_are_killed_at_random(tmp_path, kind):
    if kind != "tcp":
        needs_posix()
    if kind == "firmware":
        needs(unix(), "MicroPython's Unix port")
    boots, events = kills.run(kind, tmp_path, seed=3, rounds=10)
    assert 2 < boots < events
