"""Where each value of each program comes from. Desktop only: a board has no use for it.

A value is from a rulebook, from a secondary source, or an assumption of ours,
to stand until somebody's recording of a real unit says otherwise.
"""

ASSUMPTION = "assumption"
CITY_BOOK = "Monopoly City rulebook"
CHAMPIONSHIP_BOOK = "French championship rules"
CLASSIC_BOOKS = "classic rulebooks"
SECONDARY = "secondary source"

# What no book says of any program.
_ASSUMED = dict.fromkeys(
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

SOURCES = {
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

# How the unit behaves where values alone do not say it: what, and from where.
BEHAVIOURS = (
    ("an auction is started by AUCTION; it warns, then its light goes out", CITY_BOOK),
    ("a deal is timed by the same button and the same time", CITY_BOOK),
    ("BUILD draws 1, 2, 3 or a station", CITY_BOOK),
    ("the unit beeps more often as the hour comes near and marks the hour", CITY_BOOK),
    ("only OFF and ON start another hour", CITY_BOOK),
    ("players may agree on a length of game", CLASSIC_BOOKS),
    ("AUCTION while an auction runs does nothing; holding it cancels", ASSUMPTION),
    ("the press that starts an auction never cancels it, however long it is held", ASSUMPTION),
    ("BUILD during an auction, and either button while the light runs, is refused", ASSUMPTION),
    ("an auction or a running permit light is finished before the hour is marked", ASSUMPTION),
    ("after the hour the buttons are refused until OFF and ON", ASSUMPTION),
    ("a shown permit goes out by itself or at the next accepted press", ASSUMPTION),
    ("the last flash before the end stays lit until the light goes out", ASSUMPTION),
    ("a button held at switch-on fires nothing; BUILD held then opens the setup", ASSUMPTION),
    ("a contact bounces for 15 ms at most", ASSUMPTION),
)
