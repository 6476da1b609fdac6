"""A unit of this program, shown to who watches: the stage of an `Audience`."""

from collections.abc import Callable

from city_unit.description import page
from city_unit.facts import EDGES, TONE
from city_unit.host.serving.audience import Answered, Audience
from city_unit.link import Link
from city_unit.ticks import MASK
from city_unit.wire import number


class UnitStage:
    """The unit of a link, for who watches beside the program that has it."""

    def __init__(self, link: Link) -> None:
        self._link = link
        self.first = 0
        self.about = link.about
        self.time = 0  # of the unit
        self.audience = Audience(self, may_act=False)
        self._seen = (link.unit.lamps, link.unit.tone)
        self._edges = 0  # how many there have been

    @property
    def boot(self) -> int:
        return self._link.boot  # another boot when the unit goes on with a game of before

    @property
    def count(self) -> int:
        events = self._link.unit.events
        self.first = events.first()
        return events.count

    def new_session(self) -> int:
        self._link.sessions += 1
        return self._link.sessions

    def is_there(self) -> bool:
        return True

    def now(self) -> int:
        return self.time

    def event(self, index: int) -> str:
        return " ".join(str(word) for word in self._link.unit.events.get(index) if word is not None)

    def look(self, seen: Callable[[str], object]) -> None:
        seen(" ".join(map(str, self._link.snapshot(self.time))))

    def note_shown(self, done_us: int) -> None:
        """Tell each change of the lamps and the tone, which is shown since `done_us`."""
        unit = self._link.unit
        lamps, tone = self._seen
        self._seen = (unit.lamps, unit.tone)
        for place, what in enumerate(EDGES):
            before = tone if place == TONE else lamps >> place & 1
            value = unit.tone if place == TONE else unit.lamps >> place & 1
            if value != before:
                due = unit.shown_at[place]
                self.audience.tell_edge(f"{self._edges} {due} {what} {value} {done_us}")
                self._edges += 1

    def ask(self, text: str, answered: Answered) -> None:
        """Answer what a watcher may ask: for the description, and for what was before."""
        words = [*text.split(" "), "0"]
        if words[0] == "describe":
            text = page(self._link.unit.settings.program, number(words[1], MASK))
            answered(text, "" if text else "bad-word")
            return
        kept = self._link.more(words) if self._link.more and words[0] == "journal" else None
        answered(kept or "", "unknown" if kept is None else "")
