"""The unit of an asyncio client, for the `Hub` that serves it to other programs."""

from collections.abc import Callable

from city_unit.host.asynchronous import AsyncClient
from city_unit.host.client import ANSWER_S
from city_unit.host.errors import Refused
from city_unit.host.news import Connected, Edge, Event, Missed, Restarted
from city_unit.host.serving.hub import Answered, Hub
from city_unit.host.serving.journal import Journal
from city_unit.ticks import MASK

MOST = 1 << 16  # events that are kept: more than an evening has, and a unit that floods has an end


class ServedUnit:
    """The unit of an asyncio client. It keeps the events of the unit's boot: a whole evening.

    journal  keeps them on disk as well; peers receive its earlier events too
    most     how many events it keeps
    """

    def __init__(self, unit: AsyncClient, journal: Journal | None = None, most: int = MOST) -> None:
        self.journal = journal
        self.boot = 0
        self.about = ""
        self.first = 0
        self.waiting = 0
        self.hub = Hub(self)
        self._unit = unit
        self._most = most
        self._events: list[str] = []
        self._sessions = 0  # of peers; they do not see this program's own
        unit.on(Connected, self._take_about)
        unit.on(Restarted, self._begin_again)
        unit.on(Missed, self._skip)
        unit.on(Event, self._keep)
        unit.on(Edge, self._pass_on)

    @property
    def count(self) -> int:
        return self.first + len(self._events)

    def new_session(self) -> int:
        self._sessions += 1
        return self._sessions

    def is_online(self) -> bool:
        return self._unit.online and bool(self.about)

    def now(self) -> int:
        return int(self._unit.now()) & MASK

    def event(self, index: int) -> str:
        return self._events[index - self.first]

    def ask_state(self, seen: Callable[[str], object]) -> None:
        request = self._unit.ask("state")

        self.waiting += 1

        def tell() -> None:
            self.waiting -= 1
            snapshot = self._unit.snapshot
            if snapshot is None or request.error is not None:
                return  # the unit is gone; peers repeat their greeting
            shown = (
                *(snapshot.ms & MASK, snapshot.state, snapshot.program),
                *(snapshot.clock_ms, snapshot.clock_left_ms, snapshot.auction_left_ms),
                *(snapshot.lamps, snapshot.tone, snapshot.volume),
            )
            seen(" ".join(map(str, shown)))

        request.when_done = tell

    def ask(self, text: str, answered: Answered) -> None:
        kept = self.journal.answer(text.split(" "), self.boot) if self.journal else None
        if kept is not None:
            answered(kept, "")
            return
        try:
            request = self._unit.ask(text, ANSWER_S)
        except ValueError:  # longer than any command
            answered("", "unknown")
            return

        self.waiting += 1

        def answer() -> None:
            self.waiting -= 1
            if isinstance(request.error, Refused):
                answered("", request.error.why)
            elif request.error is None:
                answered(request.result(), "")
            # Else whether it was done is not known: the peer hears nothing, and says so.

        request.when_done = answer

    def _take_about(self, news: Connected) -> None:
        about = news.about
        self.boot = about.boot
        self.about = f"{about.version} {about.body} {about.name}"
        self._unit.ask("watch on")

    def _begin_again(self, news: Restarted) -> None:
        self.boot = news.boot
        self.first = 0
        self._events.clear()
        self.hub.end_sessions()

    def _skip(self, news: Missed) -> None:
        self.first = news.first + news.count
        self._events.clear()

    def _keep(self, event: Event) -> None:
        journal = self.journal
        if not self._events:
            self._events = journal.run_before(event.boot, event.number) if journal else []
            self.first = event.number - len(self._events)
        values = [*map(str, event.fields.values()), *event.more]
        words = " ".join([str(event.ms & MASK), event.kind, *values])
        self._events.append(words)
        if len(self._events) > self._most:
            self.first += self._most // 8
            del self._events[: self._most // 8]
        if journal is not None and not journal.has(event.boot, event.number):
            journal.add(event.boot, event.number, words)
        self.hub.send_events()

    def _pass_on(self, edge: Edge) -> None:
        words = (edge.number, edge.due_ms & MASK, edge.what, edge.value, edge.done_us)
        self.hub.send_edge(" ".join(map(str, words)))
