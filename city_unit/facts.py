"""Constants that several parts share: the contacts, lamps and states of a unit.

The names are our own and appear in files and on the wire; people see translated texts. The facts
from a rulebook are marked in `programs.py` and `transitions.py`. The list of events is in
`trace.py`, since a board does not need it.
"""

from .ticks import const

VERSION = "0.1.0"  # of the whole project; pyproject.toml reads it here
BAUD = const(115200)  # of a link over UART

TAP_MS = const(80)  # length of the press of a tap
LONGEST_CLOCK_MS = const(86400000)  # longest game: 24 hours

# The bits of the contacts in a mask of levels; a closed contact is 1.
AUCTION = const(1)
BUILD = const(2)
SWITCH = const(4)
BUTTONS = {"auction": AUCTION, "build": BUILD}

# The outputs of a unit: the lamps in the order of their bits in `Unit.lamps`, then the tone. A
# change of an output is an edge.
OUTPUTS = ("auction", "permit-1", "permit-2", "permit-3", "permit-station", "tone")
LAMP_COUNT = const(5)
TONE = LAMP_COUNT  # its index
ALL_LAMPS = const(31)  # mask; a literal, since a board then stores no name for it
PERMIT_LAMPS = const(30)  # mask of the permit lamps, which follow the auction lamp
LAMPS = OUTPUTS[:LAMP_COUNT]
PERMITS = ("1", "2", "3", "station")

# States (see `transitions.py`) in which nothing is running, and those with a running auction.
RESTING = ("off", "ready", "over")
AUCTIONING = ("auction", "warning")
