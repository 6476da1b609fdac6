"""The time that bots take, so that a simulated hour is about as full as a real one.

All times are ms of virtual time, and all are assumptions.
"""

BOT_MS = 1200  # a step of a bot among people, as at the table
PERSON_BIDS_MS = (2500, 6500)  # until a person bids or passes: least, most
SILENCE_MS = 10000  # between two bids, after which they are no longer in a row

THINKING = {
    "roll": 3000,  # taking up the dice
    "dice": 4000,  # throwing them, and moving
    "buy": 6000,
    "put up": 5000,
    "hold": 5000,
    "leave": 4000,
    "take": 4000,
    "refuse": 4000,
    "ready": 4000,
    "settle": 5000,
    "card": 6000,
    "place": 8000,
    "press": 2000,
    "build": 5000,
    "build hotels": 8000,
    "done": 1000,
    "station": 5000,
    "stadium": 5000,
    "skyscraper": 5000,
    "tower": 5000,
    "clear": 5000,
    "lift": 4000,
    "mortgage": 5000,
    "pay": 4000,
    "dodge": 4000,
    "bankrupt": 10000,
    "travel": 5000,
    "stay": 2000,
    "pay fine": 3000,
    "use card": 3000,
    "offer": 12000,
    "accept": 5000,
    "decline": 4000,
    "end turn": 4000,
}
