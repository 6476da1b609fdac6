"""The unit as its watchers see it, beside the client that has its link.

The hub serves watchers from an interface that a `ServedUnit` fulfils over a link. A unit in this
process fulfils it at once, so no request ever waits.
"""

from collections.abc import Callable

from city_unit.description import page
from city_unit.facts import OUTPUTS, TONE
from city_unit.host.serving.hub import Answered, Hub
from city_unit.link import Link
from city_unit.ticks import MASK
from city_unit.wire import parse_number


class WatchedUnit:
    """The read-only view of a local unit that its watchers are served from."""

    def __init__(self, link: Link) -> None:
        self._link = link
        self.first = 0
        self.waiting = 0  # requests are answered at once
        self.about = link.about
        self.time = 0  # the unit's own
        self.hub = Hub(self, may_act=False)
        self._seen = (link.unit.lamps, link.unit.tone)
        self._edges = 0  # number of the next edge

    @property
    def boot(self) -> int:
        return self._link.boot  # changes when a saved game is restored

    @property
    def count(self) -> int:
        events = self._link.unit.events
        self.first = events.first()
        return events.count

    def new_session(self) -> int:
        self._link.session_count += 1
        return self._link.session_count

    def is_online(self) -> bool:
        return True

    def now(self) -> int:
        return self.time

    def event(self, index: int) -> str:
        return " ".join(str(word) for word in self._link.unit.events.get(index) if word is not None)

    def ask_state(self, seen: Callable[[str], object]) -> None:
        seen(" ".join(map(str, self._link.snapshot(self.time))))

    def note_shown(self, done_us: int) -> None:
        """Send each change of the lamps and the tone, shown at `done_us` of the unit's clock."""
        unit = self._link.unit
        lamps, tone = self._seen
        self._seen = (unit.lamps, unit.tone)
        for place, what in enumerate(OUTPUTS):
            before = tone if place == TONE else lamps >> place & 1
            value = unit.tone if place == TONE else unit.lamps >> place & 1
            if value != before:
                due = unit.changed_at[place]
                self.hub.send_edge(f"{self._edges} {due} {what} {value} {done_us}")
                self._edges += 1

    def ask(self, text: str, answered: Answered) -> None:
        """Respond to a watcher's request for the description or the journal."""
        words = [*text.split(" "), "0"]
        if words[0] == "describe":
            text = page(self._link.unit.settings.program, parse_number(words[1], MASK))
            answered(text, "" if text else "bad-word")
            return
        run_other = self._link.run_other
        kept = run_other(words) if run_other and words[0] == "journal" else None
        answered(kept or "", "unknown" if kept is None else "")
