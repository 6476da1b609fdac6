"""A live unit's edges as they come, while it works normally or is kept busy on purpose."""

import time
from collections.abc import Callable
from typing import NamedTuple

from city_unit import host
from sim.lab import lateness

_POLL_S = 0.05
_QUESTION_MS = 20  # between two commands of a busy line
_ROUND_MS = 12_000  # in which a busy unit gives a permit and times an auction
_ROUND = ((0, "tap build"), (3000, "start 8000"))


class Captured(NamedTuple):
    """The lateness in microseconds of each kind of edge, and the drift with its uncertainty."""

    late_us: dict[str, list[int]]
    drift_ppm: float
    drift_off_ppm: float
    commands: int


class Work:
    """Keeps a unit and its line busy: questions without pause, permits and auctions in turn."""

    def __init__(self, unit: host.Client) -> None:
        self.commands = 0
        self._unit = unit
        self._began = unit.host_ms()
        self._question = self._began
        self._moves = 0

    def step(self) -> None:
        """Ask what is due by now."""
        now = self._unit.host_ms()
        rounds, place = divmod(self._moves, len(_ROUND))
        if now >= self._began + rounds * _ROUND_MS + _ROUND[place][0]:
            self._ask(_ROUND[place][1])
            self._moves += 1
        if now >= self._question:
            self._ask("state")
            self._question = max(now, self._question + _QUESTION_MS)

    def _ask(self, text: str) -> None:
        self._unit.ask(text)
        self.commands += 1


def capture(
    unit: host.Client, seconds: float, busy: bool, progress: Callable[[float], None]
) -> Captured:
    """Have `unit` tell its edges for a while; raises host.LinkError."""
    late: dict[str, list[int]] = {}
    unit.send("watch on")
    if busy:
        unit.send("switch on")
    work = Work(unit) if busy else None
    began, offset, unsure = _offset(unit)
    start = time.monotonic()
    while (passed := time.monotonic() - start) < seconds:
        if work:
            work.step()
        for news in unit.poll(_QUESTION_MS / 2000 if work else _POLL_S):
            if isinstance(news, host.Edge):
                late.setdefault(lateness.kind_of(news.what, news.value), []).append(news.late_us)
        progress(passed / seconds)
    progress(1)
    ended, last_offset, last_unsure = _offset(unit)
    unit.send("watch off")
    if busy:
        unit.send("switch free")
    span = max(ended - began, 1.0)
    drift = (last_offset - offset) / span * 1e6
    doubt = (unsure + last_unsure) / span * 1e6
    return Captured(late, drift, doubt, work.commands if work else 0)


def _offset(unit: host.Client) -> tuple[float, float, float]:
    """Return the desktop's time, how far the unit's clock is ahead of it, and the doubt; ms."""
    now = unit.host_ms()
    return now, unit.unit_time(now) - now, unit.uncertainty
