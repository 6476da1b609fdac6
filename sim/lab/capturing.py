"""A live unit's edges as they come, while it works normally or is kept busy on purpose."""

import contextlib
from collections.abc import Callable
from typing import NamedTuple

from city_unit import host
from sim.lab import lateness

_POLL_S = 0.05
_QUESTION_MS = 20  # between two commands of a busy line
_ROUND_MS = 12_000  # in which a busy unit gives a permit and times an auction
_ROUND = ((0, "tap build"), (3000, "start 8000"))


class Captured(NamedTuple):
    """What was measured.

    late_us    the lateness in microseconds of each edge, by their kinds
    seconds    for how long
    is_lost    whether it ended because the unit was gone
    drift_ppm  of the unit's clock, and by how much that may be wrong; None if it is lost
    """

    late_us: dict[str, list[int]]
    seconds: float
    is_lost: bool
    drift_ppm: float | None = None
    drift_off_ppm: float | None = None


class Work:
    """Keeps a unit and its line busy: questions without pause, permits and auctions in turn."""

    def __init__(self, unit: host.Client) -> None:
        self._unit = unit
        self._began = unit.host_ms()
        self._question = self._began
        self._moves = 0

    def step(self) -> None:
        """Ask what is due by now."""
        now = self._unit.host_ms()
        rounds, place = divmod(self._moves, len(_ROUND))
        if now >= self._began + rounds * _ROUND_MS + _ROUND[place][0]:
            self._unit.ask(_ROUND[place][1])
            self._moves += 1
        if now >= self._question:
            self._unit.ask("state")
            self._question = max(now, self._question + _QUESTION_MS)


def capture(
    unit: host.Client, seconds: float, busy: bool, progress: Callable[[float], None]
) -> Captured:
    """Have `unit` tell its edges for a while; raises host.LinkError.

    Ctrl-C ends it before its time, and so does the loss of the unit: what was
    measured until then is returned.
    """
    unit.send("watch on")
    if busy:
        unit.send("switch on")
    watch = _Watch(unit, Work(unit) if busy else None)
    began, offset, unsure = _offset(unit)
    with contextlib.suppress(KeyboardInterrupt):
        watch.run(seconds, progress)
    progress(1)
    if watch.is_lost:
        return Captured(watch.late, (unit.host_ms() - began) / 1000, True)
    ended, last_offset, last_unsure = _offset(unit)
    unit.send("watch off")
    span = max(ended - began, 1.0)
    drift = (last_offset - offset) / span * 1e6
    doubt = (unsure + last_unsure) / span * 1e6
    return Captured(watch.late, span / 1000, False, drift, doubt)


class _Watch:
    """Collects how late the edges of each kind are, in microseconds."""

    def __init__(self, unit: host.Client, work: Work | None) -> None:
        self.late: dict[str, list[int]] = {}
        self.is_lost = False
        self._unit = unit
        self._work = work

    def run(self, seconds: float, progress: Callable[[float], None]) -> None:
        start = self._unit.host_ms()
        while not self.is_lost:
            passed = (self._unit.host_ms() - start) / 1000
            if passed >= seconds:
                return
            if self._work:
                self._work.step()
            for news in self._unit.poll(_QUESTION_MS / 2000 if self._work else _POLL_S):
                self._take(news)
            progress(passed / seconds)

    def _take(self, news: host.News) -> None:
        if isinstance(news, host.Edge):
            self.late.setdefault(lateness.kind_of(news.what, news.value), []).append(news.late_us)
        elif isinstance(news, (host.Disconnected, host.Restarted)):
            self.is_lost = True


def _offset(unit: host.Client) -> tuple[float, float, float]:
    """Return the desktop's time, how far the unit's clock is ahead of it, and the doubt; ms."""
    now = unit.host_ms()
    return now, unit.unit_time(now) - now, unit.uncertainty
