"""How long bots take, so that a simulated hour is about as full as a real one.

All in ms of virtual time, all assumptions.
"""

HOUR_MS = 3600000
AUCTION_MS = 50000
PERMIT_MS = 1200

THINKING = {
    "roll": 3000,  # taking up the dice
    "dice": 4000,  # throwing them, and moving
    "buy": 6000,
    "put up": 5000,
    "leave": 4000,
    "settle": 5000,
    "card": 6000,
    "place": 8000,
    "press": 2000,
    "permit": PERMIT_MS,
    "build": 5000,
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
