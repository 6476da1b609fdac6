"""Where each value of each program comes from. Desktop only: a board has no use for it.

A value is from a rulebook, from a secondary source, or an assumption of ours,
to stand until somebody's recording of a real unit says otherwise.
"""

from city_unit.desktop.catalogue import Lazy, lazy

ASSUMPTION = lazy("assumption")
CITY_BOOK = lazy("Monopoly City rulebook")
CHAMPIONSHIP_BOOK = lazy("French championship rules")
CLASSIC_BOOKS = lazy("classic rulebooks")
SECONDARY = lazy("secondary source")

# Values that no book gives for any program.
_ASSUMED: dict[str, Lazy] = dict.fromkeys(
    (
        "clock_ms",
        "clock_choices_ms",
        "marks",
        "auction_ms",
        "warning_ms",
        "cancel_hold_ms",
        "slow_ms",
        "fast_ms",
        "odds",
        "permit_hops_ms",
        "permit_shown_ms",
        "cues",
    ),
    ASSUMPTION,
)

SOURCES: dict[str, dict[str, Lazy]] = {
    "city": {**_ASSUMED, "clock_ms": CITY_BOOK, "auction_ms": CITY_BOOK, "warning_ms": CITY_BOOK},
    "championship": {
        **_ASSUMED,
        "clock_ms": CHAMPIONSHIP_BOOK,
        "marks": CHAMPIONSHIP_BOOK,
        "auction_ms": CHAMPIONSHIP_BOOK,
        "odds": CHAMPIONSHIP_BOOK,
    },
    "timed": dict(_ASSUMED),
    "world": {**_ASSUMED, "auction_ms": SECONDARY, "warning_ms": SECONDARY},
}

# Behaviour of the unit beyond values, and its source.
BEHAVIOURS: tuple[tuple[Lazy, Lazy], ...] = (
    (lazy("an auction is started by AUCTION; it warns, then its light goes out"), CITY_BOOK),
    (lazy("a deal is timed by the same button and the same time"), CITY_BOOK),
    (lazy("BUILD draws 1, 2, 3 or a station"), CITY_BOOK),
    (lazy("the unit beeps more often as the hour comes near and marks the hour"), CITY_BOOK),
    (lazy("only OFF and ON start another hour"), CITY_BOOK),
    (lazy("players may agree on a length of game"), CLASSIC_BOOKS),
    (lazy("AUCTION while an auction runs does nothing; holding it cancels"), ASSUMPTION),
    (
        lazy("the press that starts an auction never cancels it, however long it is held"),
        ASSUMPTION,
    ),
    (
        lazy("BUILD during an auction, and either button while the light runs, is refused"),
        ASSUMPTION,
    ),
    (
        lazy("an auction or a running permit light is finished before the hour is marked"),
        ASSUMPTION,
    ),
    (lazy("after the hour the buttons are refused until OFF and ON"), ASSUMPTION),
    (lazy("a shown permit goes out by itself or at the next accepted press"), ASSUMPTION),
    (lazy("the last flash before the end stays lit until the light goes out"), ASSUMPTION),
    (lazy("a button held at switch-on fires nothing; BUILD held then opens the setup"), ASSUMPTION),
    (lazy("a contact bounces for 15 ms at most"), ASSUMPTION),
)
