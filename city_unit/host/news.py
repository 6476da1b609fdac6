"""The news of a client, as plain values. Times in ms are the unit's own, unwrapped."""

from dataclasses import dataclass, field
from typing import Literal, TypedDict, TypeVar, cast

from city_unit.ticks import diff

# The keys of `trace.EVENTS`, for type checkers; a test holds the two together.
EventKind = Literal[
    "switched-on",
    "switched-off",
    "auction-started",
    "auction-warning",
    "auction-ended",
    "auction-cancelled",
    "permit-started",
    "permit-granted",
    "hour-beep",
    "hour-ended",
    "phase-started",
    "last-round",
    "time-called",
    "refused",
]


class Fields(TypedDict):
    """The fields of events; each kind has some of them (`trace.EVENTS`), the others are missing."""

    program: str
    length_ms: int
    left_ms: int
    permit: str
    phase: str
    what: str
    why: str


@dataclass(frozen=True)
class About:
    """The identity of a unit: `boot` differs from one of its starts to the next."""

    name: str
    body: str
    version: str
    protocol: int
    boot: int


@dataclass(frozen=True)
class Snapshot:
    """All that a unit shows at the instant `ms` of its clock."""

    ms: int
    state: str
    program: str
    clock_ms: int  # the length of the game, 0 for none
    clock_left_ms: int
    auction_left_ms: int  # 0 without an auction, or while its length is secret
    lamps: int  # a mask of bits in the order of `facts.LAMPS`
    tone: int  # Hz, 0 for silence
    volume: int  # 0 to 3
    events: int  # how many there have been since the unit was started

    @property
    def switched_on(self) -> bool:
        return self.state != "off"


@dataclass(frozen=True)
class News:
    """Something that a client tells."""


AnyNews = TypeVar("AnyNews", bound=News)


@dataclass(frozen=True)
class Connected(News):
    """The unit answered a greeting."""

    about: About
    snapshot: Snapshot


@dataclass(frozen=True)
class Disconnected(News):
    """The unit is gone; the client goes on trying."""

    why: str


@dataclass(frozen=True)
class Restarted(News):
    """The unit was started anew: its clock and its events begin again."""

    boot: int


@dataclass(frozen=True)
class Missed(News):
    """Events that the unit no longer keeps, from number `first` on."""

    first: int
    count: int


@dataclass(frozen=True)
class Dropped(News):
    """So much news did not fit into this reader's queue: it has read too slowly."""

    count: int


@dataclass(frozen=True)
class Event(News):
    """Something that the unit did, at `ms`; the fields are those of the trace.

    more  further words of the event, as received: a later unit may have more of them,
          or kinds that have no fields here
    boot  of the unit, at the time; in one that is over, `ms` is of a clock that stands
    """

    number: int
    ms: int
    kind: str
    fields: Fields = field(default_factory=lambda: cast(Fields, {}))
    more: tuple[str, ...] = ()
    boot: int = field(default=0, compare=False)

    @property
    def position(self) -> tuple[int, int]:
        """Where it stands among all events of the unit: to be given to `connect(after=...)`."""
        return self.boot, self.number


@dataclass(frozen=True)
class Edge(News):
    """A change of a lamp or of the tone, told while watching.

    due_ms   when it was due
    done_us  when it was done, in microseconds on the unit's clock, which wraps at 2^30
    """

    number: int
    what: str  # a name of `facts.LAMPS`, or "tone"
    value: int  # 1 or 0 for a lamp, Hz for the tone
    due_ms: int
    done_us: int

    @property
    def late_us(self) -> int:
        """How much later than due it was done, in microseconds, less than 2^29."""
        return diff(self.done_us, self.due_ms * 1000)
