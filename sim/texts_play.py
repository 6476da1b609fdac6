"""What a person reads in the window and in the terminal alike."""

# The setup: what is being chosen, what is chosen now, and how to go on.
SETUP = "Choose the {}: {}.  BUILD: next, AUCTION: take it"
SETUP_HELD = "Choose the {}: {}.  Let BUILD go to go on"
PAGES = {"program": "program", "length": "length", "volume": "volume"}
VOLUMES = ("silent", "1 of 3", "2 of 3", "3 of 3")

# The end of a game.
ENDED = {
    "hour-ended": "The hour is over. O switches off, O again starts another",
    "time-called": "Time is called. O switches off, O again starts another",
}

# Why a button was refused, after its name.
REFUSED = "{} refused: {}"
REASONS = {
    "setup": "choose the settings first",
    "ready": "nothing runs",
    "auction": "an auction runs",
    "warning": "an auction runs",
    "drawing": "the light runs",
    "over": "the game is over",
    "no-permits": "no permits in this program",
}

# Choosing a program, and leaving.
BUSY = {
    "auction": "Not while an auction runs: choose the program after it",
    "warning": "Not while an auction runs: choose the program after it",
    "drawing": "Not while the light runs: choose the program after it",
}
NEW_GAME = "A game runs. Once more ends it and starts {}"
LEAVE = "A game runs. Q once more leaves it"

# A program in a few words, made of its data.
CLOCK = "{} of play"
NO_CLOCK = "no clock"
AUCTION = "auctions of {}"
AUCTION_BETWEEN = "auctions of {} to {}"
WITH_PERMITS = "permits"
