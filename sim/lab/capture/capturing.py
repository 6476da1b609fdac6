"""A live unit's edges as they come, while it works normally or is kept busy on purpose."""

import contextlib
from collections.abc import Callable
from typing import NamedTuple

from city_unit import host
from city_unit.desktop.catalogue import lazy

LOST = lazy("the unit was lost")

_POLL_S = 0.05
_QUESTION_MS = 20  # between two commands of a busy line
_ROUND_MS = 12_000  # in which a busy unit gives a permit and times an auction
_ROUND = ((0, "tap build"), (3000, "start 8000"))


class Shown(NamedTuple):
    """An edge of the unit.

    kind     what changed, and which way
    late_us  how much later than due it was shown, on the unit's own clock
    at_ms    when it was shown, on the desktop's clock, which is known to a millisecond or so
    way_ms   how long the news of it took to arrive: over the line, and in this desktop
    """

    kind: str
    late_us: int
    at_ms: float
    way_ms: float


class Captured(NamedTuple):
    """The measurements of a capture.

    edges      in the order in which they came
    seconds    for how long
    trouble    why it ended before its time, "" if it did not
    drift_ppm  of the unit's clock, and by how much that may be wrong; None if it is lost
    """

    edges: list[Shown]
    seconds: float
    trouble: str = ""
    drift_ppm: float | None = None
    drift_off_ppm: float | None = None

    @property
    def late_us(self) -> dict[str, list[int]]:
        """The lateness of each edge, by their kinds."""
        found: dict[str, list[int]] = {}
        for edge in self.edges:
            found.setdefault(edge.kind, []).append(edge.late_us)
        return found


def capture(
    unit: host.Client,
    seconds: float,
    busy: bool,
    progress: Callable[[float], None],
) -> Captured:
    """Have `unit` tell its edges for a while; raises host.LinkError if the first never comes.

    Ctrl-C ends it before its time, and so does the loss of the unit, or its silence: the
    measurements until then are returned.
    """
    unit.send("watch on")
    if busy:
        unit.send("switch on")
    began, offset, unsure = _offset(unit)
    edges: list[Shown] = []
    try:
        with contextlib.suppress(KeyboardInterrupt):
            if _watch(unit, seconds, busy, edges, progress):
                return Captured(edges, (unit.host_ms() - began) / 1000, str(LOST))
        ended, last_offset, last_unsure = _offset(unit)
        span = max(ended - began, 1.0)
        drift = (last_offset - offset) / span * 1e6
        doubt = (unsure + last_unsure) / span * 1e6
        unit.send("watch off")
        return Captured(edges, span / 1000, "", drift, doubt)
    except host.LinkError as error:
        return Captured(edges, (unit.host_ms() - began) / 1000, str(error))
    finally:
        progress(1)


def _watch(
    unit: host.Client,
    seconds: float,
    busy: bool,
    edges: list[Shown],
    progress: Callable[[float], None],
) -> bool:
    """Collect the edges that the unit tells; return whether it was lost before the time.

    busy  keep it and its line busy: questions without pause, permits and auctions in turn
    """
    start = question = unit.host_ms()
    moves = 0
    while (now := unit.host_ms()) - start < seconds * 1000:
        rounds, place = divmod(moves, len(_ROUND))
        if busy and now >= start + rounds * _ROUND_MS + _ROUND[place][0]:
            unit.ask(_ROUND[place][1])
            moves += 1
        if busy and now >= question:
            unit.ask("state")
            question = max(now, question + _QUESTION_MS)
        is_lost = False
        for news in unit.poll(_QUESTION_MS / 2000 if busy else _POLL_S):
            if isinstance(news, host.Edge):
                came = unit.host_ms()
                at = news.due_ms + news.late_us / 1000 - (unit.unit_time(came) - came)
                kind = f"{news.what} {'on' if news.value else 'off'}"  # no text: an edge
                edges.append(Shown(kind, news.late_us, at, came - at))
            is_lost = is_lost or isinstance(news, (host.Disconnected, host.Restarted))
        progress((now - start) / 1000 / seconds)
        if is_lost:
            return True
    return False


def _offset(unit: host.Client) -> tuple[float, float, float]:
    """Return the desktop's time, how far the unit's clock is ahead of it, and the doubt; ms."""
    now = unit.host_ms()
    return now, unit.unit_time(now) - now, unit.uncertainty
