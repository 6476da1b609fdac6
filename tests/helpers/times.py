"""When an auction does what, by the program's figures, if AUCTION goes down at 1 s.

A test that needs these times takes them from here, so that a program may change.
"""

from city_unit.programs import PROGRAMS

CITY = PROGRAMS[0]
LENGTH_MS = CITY.auction_ms[0]
FAST_MS = CITY.warning_ms
HOLD_MS = CITY.cancel_hold_ms
SLOW_MS = LENGTH_MS - FAST_MS  # how long the lamp flashes slowly

DEBOUNCE_MS = 16  # how long a press stands before it counts
PRESSED = 1000 + DEBOUNCE_MS
WARNED = PRESSED + SLOW_MS
ENDED = PRESSED + LENGTH_MS

# A span in which the lamp flashes fast: it begins and ends away from where its flashing changes.
FAST_FROM = WARNED + 1000
FAST_TO = ENDED - 1000
