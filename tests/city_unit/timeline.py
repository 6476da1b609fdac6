"""A unit under test, driven as one reads a timeline: press at, release at, what happened."""

from city_unit.draws import Draws
from city_unit.facts import AUCTION, BUILD, SWITCH
from city_unit.programs import PROGRAMS
from city_unit.settings import Settings
from city_unit.ticks import add, diff
from city_unit.unit import Unit

CONTACTS = {"auction": AUCTION, "build": BUILD, "switch": SWITCH}

# Where the unit's own clock starts: at zero, and so that it wraps 36 ms into the
# test, within the debounce of a press at 1 s, within an auction, within the hour.
WRAP = 1 << 30
STARTS = (0, WRAP - 36, WRAP - 1008, WRAP - 30_000, WRAP - 1_800_000)


class Timeline:
    """Steps a unit exactly when it asks for it; times are ms since the start.

    now  the unit's own time, which wraps
    """

    def __init__(self, start: int = 0, program: str = "city", seed: int = 1, below=None) -> None:
        settings = Settings()
        settings.choose(next(known for known in PROGRAMS if known.name == program))
        self.unit = Unit(settings, below or Draws(seed).below)
        self._start = start
        self.now = start
        self._levels = 0
        self.ms = 0
        self.unit.step(start, 0)

    def until(self, ms: int) -> "Timeline":
        """Live until `ms`, from deadline to deadline."""
        assert ms >= self.ms, "a timeline does not go back"
        while True:
            due = self.unit.next_due()
            hop = ms - self.ms
            if due is not None:
                hop = min(hop, diff(due, self.now))
            if hop == 0 and ms == self.ms:
                return self
            self.ms += hop
            self.now = add(self.now, hop)
            self.unit.step(self.now, self._levels)

    def close(self, ms: int, *contacts: str) -> "Timeline":
        """Close contacts at `ms`: press buttons, switch on."""
        return self._set(ms, self._levels | sum(CONTACTS[name] for name in contacts))

    def open(self, ms: int, *contacts: str) -> "Timeline":
        """Open contacts at `ms`: release buttons, switch off."""
        return self._set(ms, self._levels & ~sum(CONTACTS[name] for name in contacts))

    def tap(self, ms: int, button: str) -> "Timeline":
        """Press a button at `ms` and let go 80 ms later."""
        return self.close(ms, button).open(ms + 80, button)

    def command(self, ms: int, what: str, length: int = 0) -> str:
        return self.until(ms).unit.command(self.now, what, length)

    def _set(self, ms: int, levels: int) -> "Timeline":
        self.until(ms)
        self._levels = levels
        self.unit.step(self.now, levels)
        return self

    def events(self, *kinds: str) -> list[tuple]:
        """Return `(ms, kind, value, why)` of each event, or of those kinds, without empty ends."""
        found = []
        for number in range(self.unit.events.first(), self.unit.events.count):
            at, kind, value, why = self.unit.events.get(number)
            if not kinds or kind in kinds:
                event = (self.ms - diff(self.now, at), kind, value, why)
                found.append(event[: 4 if why is not None else 3 if value is not None else 2])
        return found
