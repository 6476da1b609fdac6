"""The facts of the unit: its contacts, its lamps, its states. Every room imports them.

Facts of a rulebook are marked in `programs.py` and in the table of states; the
names here are our own. They stand in files and on the wire, and are no words for
people. The events are in `trace.py`, since a board has no use for their list.
"""

from .ticks import const

VERSION = "0.1.0"  # of all of it; pyproject.toml reads it here
BAUD = const(115200)  # of a link over two wires; by USB or TCP there is none

TAP_MS = const(80)  # for how long a finger that taps presses a button
LONGEST_CLOCK_MS = const(86400000)  # of a game: 24 hours

# The contacts, and the bit of each in the levels that a unit takes; a closed contact is 1.
AUCTION = const(1)
BUILD = const(2)
SWITCH = const(4)
BUTTONS = {"auction": AUCTION, "build": BUILD}

# The outputs of a unit, each of whose changes is an edge: the lamps, in the order of their bits in
# `Unit.lamps`, then the tone. TONE is the tone's index here, so also the number of lamps.
OUTPUTS = ("auction", "permit-1", "permit-2", "permit-3", "permit-station", "tone")
TONE = const(5)
ALL_LAMPS = const(31)  # the mask of their bits; a plain number, which the board keeps no name for
PERMIT_LAMPS = const(30)  # and the permits' among them, which follow the auction lamp
LAMPS = OUTPUTS[:TONE]
PERMITS = ("1", "2", "3", "station")

# The states of the table in `transitions.py` in which nothing runs that could be
# disturbed, and those in which an auction runs.
RESTING = ("off", "ready", "over")
AUCTIONING = ("auction", "warning")
