"""Kills a unit and its desktop at random, and compares what was told with what was recorded.

    python -m tests.sim.kills --minutes 10

The unit is a process that keeps a record of its own, behind a pty; the desktop is
a client that is dropped without a goodbye. Every event that a client tells must
be the one that the unit recorded under that number in that boot, and each must
be told once, in order, up to the last one of the boot that is still alive.
"""

import argparse
import json
import random
import signal
import tempfile
import time
from pathlib import Path

from city_unit import host
from tests.sim.emulated import PATIENCE_S, Emulated

COMMANDS = ("tap build", "tap auction", "start 40", "stop", "restart", "switch off", "switch on")


def recorded(path: Path) -> dict[int, list[tuple]]:
    """Return the events of each boot, in order, as the unit itself recorded them."""
    boots: dict[int, list[tuple]] = {}
    for text in path.read_text(encoding="utf-8").splitlines():
        line = json.loads(text)
        if "boot" in line:
            events = boots.setdefault(line["boot"], [])
        elif "event" in line:
            del line["late_us"]
            events.append((line.pop("ms"), line.pop("event"), line))
    return boots


class Desktop:
    """A client, and what it was told.

    told  boot: number of the next event, and the events so far; None for a missed one
    """

    def __init__(self, port: str) -> None:
        self.told: dict[int, list[tuple | None]] = {}
        self._boot = 0
        self.client = host.connect(port, timeout=PATIENCE_S, history=True)

    def poll(self, seconds: float = 0.0) -> None:
        for news in self.client.poll(seconds):
            if isinstance(news, host.Connected | host.Restarted):
                boot = news.boot if isinstance(news, host.Restarted) else news.about.boot
                assert boot == self._boot or boot not in self.told, "a boot came back"
                self._boot = boot
                self.told.setdefault(boot, [])
            elif isinstance(news, host.Missed):
                assert news.first == len(self.told[self._boot])
                self.told[self._boot] += [None] * news.count
            elif isinstance(news, host.Event):
                assert news.number == len(self.told[self._boot]), "doubled, lost or swapped"
                self.told[self._boot].append((news.ms, news.kind, news.fields))

    def die(self) -> None:
        """Vanish as a killed process does, without a goodbye."""
        if self.client._line is not None:
            self.client._line.close()

    def compare(self, boots: dict[int, list[tuple]]) -> int:
        """Assert that what was told is what happened; return how many events that were."""
        for boot, told in self.told.items():
            assert len(told) <= len(boots[boot])
            for number, event in enumerate(told):
                assert event in (None, boots[boot][number]), (boot, number)
        return sum(event is not None for told in self.told.values() for event in told)

    def has_all(self, boots: dict[int, list[tuple]]) -> bool:
        return len(self.told[self._boot]) == len(boots[self._boot])


def run(folder: Path, seed: int, rounds: int = 0, minutes: float = 0.0) -> tuple[int, int, int]:
    """Kill for so many rounds, or minutes; return the rounds, the boots and the events told."""
    rng = random.Random(seed)
    record = folder / "record.jsonl"
    unit = Emulated(folder, "--pty", str(folder / "unit"), "--record", str(record))
    end = time.monotonic() + minutes * 60
    done = events = 0
    desktop = Desktop(unit.port)
    try:
        while done < rounds or time.monotonic() < end:
            done += 1
            if rng.random() < 0.7:
                desktop.client.wait_online(PATIENCE_S)
            for _ in range(rng.randrange(1, 8)):
                desktop.client.ask(rng.choice(COMMANDS))
                desktop.poll(rng.random() / 10)
            if rng.random() < 0.5:
                unit.stop(signal.SIGKILL)
                unit.start()
            else:
                desktop.die()
                events += desktop.compare(recorded(record))
                desktop = Desktop(unit.port)
        settle(desktop, record)
        events += desktop.compare(recorded(record))
        desktop.client.close()
    finally:
        unit.process.kill()
        unit.process.wait()
    return done, len(recorded(record)), events


def settle(desktop: Desktop, record: Path) -> None:
    """Switch the unit off, so that it is silent, and wait until the desktop has everything."""
    limit = time.monotonic() + PATIENCE_S
    _switch_off(desktop.client)
    while time.monotonic() < limit:
        desktop.poll(0.2)
        boots = recorded(record)
        last = boots[desktop._boot]
        if last[-1][1] == "switched-off" and desktop.has_all(boots):
            return
    raise AssertionError("the desktop never had everything")


def _switch_off(client: host.Client) -> None:
    while True:
        client.wait_online(PATIENCE_S)
        try:
            client.send("switch off", PATIENCE_S)
            return
        except host.NoAnswer:
            pass  # the unit was killed a moment ago: once more, to the new one


def main() -> None:
    parser = argparse.ArgumentParser(description="kill both ends at random, and compare")
    parser.add_argument("--minutes", type=float, default=1.0)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        done, boots, events = run(Path(folder), options.seed, minutes=options.minutes)
    print(f"{done} kills, {boots} starts of the unit, {events} events told, all as recorded")


if __name__ == "__main__":
    main()
