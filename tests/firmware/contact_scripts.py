"""Evenings at the table as changes of the contacts, for every body to live through."""

AUCTION, BUILD, SWITCH = 1, 2, 4
ON = SWITCH


def tap(at: int, button: int) -> list[tuple[int, int]]:
    return [(at, ON | button), (at + 80, ON)]


def bounce(at: int, button: int) -> list[tuple[int, int]]:
    """A press that bounces for 9 ms, and a release that bounces too."""
    closing = [(at + ms, ON | button if ms % 2 == 0 else ON) for ms in (0, 1, 2, 5, 8)]
    opening = [(at + 300 + ms, ON if ms % 2 == 0 else ON | button) for ms in (0, 3, 4, 7, 8)]
    return closing + opening


# name: (changes, end in ms); the program is the one that a new unit runs
SCRIPTS = {
    "auction": ([(0, ON), *bounce(1000, AUCTION)], 53000),
    "permits": (
        [(0, ON), *tap(1000, BUILD), *tap(1500, BUILD), *tap(4000, BUILD), *tap(9000, BUILD)],
        40000,
    ),
    "refusals": (
        [(0, ON), *tap(1000, AUCTION), *tap(2000, BUILD), (3000, ON | 1), (6000, ON)],
        9000,
    ),
    "both at once": ([(0, ON), (500, 7), (580, ON), *tap(60000, BUILD)], 64000),
    "switch": (
        [(0, ON), *tap(900, AUCTION), (2000, 0), (2005, ON), (2009, 0), (3000, ON)],
        4000,
    ),
    "setup": (
        [
            *[(0, BUILD), (500, 6), (900, 4)],
            *[*tap(1500, BUILD), *tap(2500, AUCTION)],
            *[*tap(3500, BUILD), *tap(4500, AUCTION), *tap(6000, AUCTION)],
        ],
        70000,
    ),
    "hour": (
        [(0, ON), *tap(1799000, AUCTION), *tap(3580000, AUCTION), *tap(3650000, BUILD)],
        3700000,
    ),
}

JUST_BEFORE_THE_WRAP = (1 << 30) - 700  # so that the clock wraps inside every script
STARTS = (0, JUST_BEFORE_THE_WRAP)
SEED = 7
