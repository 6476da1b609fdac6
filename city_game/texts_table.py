"""What the table says to people, grouped by subject."""

# The unit.
NO_EMULATED_UNIT = "the emulated unit does not start: {why}"
UNIT_GONE = "the unit is not there; plug it in again, or go on with another one (F5)"
UNIT_LOST = "the unit is gone; waiting for it"
UNIT_LOST_RUNNING = "the unit is gone in the middle; waiting for what it says when it is back"
UNIT_BACK = "the unit {name} is back"
UNIT_RESTARTED = "the unit was started anew: what ran on it is held again"
UNIT_OFF = "the unit was switched off"
UNIT_THERE = "the unit is there; another one is taken only if it is lost"
OTHER_UNIT = "going on with another unit"
UNIT_REFUSES = "the unit does not do that now ({why})"
UNIT_WHY = {
    "auction": "the light is on",
    "warning": "the light is on",
    "drawing": "a permit is being drawn",
    "over": "its hour is over; switch it off and on for another",
    "setup": "it is being set up",
    "no-permits": "its program has no permits",
    "busy": "a finger is on that button already",
}
BUTTON_REFUSED = "the unit refuses {what}: {why}"
PERMIT_VOID = "that permit does not count: BUILD is pressed on one's own turn, after the move"
BUILD_NOT_NOW = "BUILD is pressed on one's own turn, after the move, once a roll"
LIGHT_WITHOUT_SALE = "the light times a deal; AUCTION held for 2 s stops it"
LIGHT_IS_ON = "the light is on; AUCTION held for 2 s stops it"
STRAY_STOPPED = "the light was stopped"
LIGHT_STOPPED = "the light was stopped; the deal has all the time you want"
DEAL_TIMED = "the light times this deal"
GOING = "five seconds left"
HOUR_GOES_ON = "the hour goes on with {minutes}:{seconds:02} left"
HOUR_RUNS = "the hour still runs; another one can be begun when it is over"
HOUR_LEFT = "The hour has {minutes}:{seconds:02} left."
TAKEN_BACK = "{player} takes the last step back."

# The decision.
BY_CHANCE = {
    "start roll": "The dice decide who starts",
    "dice": "{name} rolls the dice",
    "chance": "{name} draws a card",
}
BANK = "the bank"
NOTHING = "nothing"
WAITING = "{name} waits for the light to go out"
THINKING = "{name} is thinking"
OVER = "The game is over"
BIDDING = "The light is on: bid!"
BIDDING_DETAIL = (
    "The highest bid when the light goes out wins. AUCTION held for 2 s stops the sale."
)
LIGHT_OUT = "The light is out"
LIGHT_OUT_DETAIL = "Bids made before it are still taken in."
DRAWING = "The unit draws a permit"
HAMMER = "{district} is for sale"
HAMMER_DETAIL = "AUCTION on the unit puts the light on."
TITLES = {
    "roll": "{name}: roll the dice",
    "jail": "{name} is in jail",
    "leaving jail": "{name} leaves jail",
    "unsold": "{name}: buy, or auction?",
    "auction space": "{name} may have a district auctioned",
    "planning": "{name} has planning permission",
    "debt": "{name} owes money",
    "travel": "{name} is at a station",
    "manage": "{name}: build, or end the turn",
    "nothing to build": "{name}: end the turn",
    "must be auctioned": "{name}: it is auctioned",
    "build": "{name} has a permit",
    "station": "{name} may build a station",
    "deal": "{name}: a deal?",
}
DETAILS = {
    "jail": "A double, the fine or a card gets you out.",
    "auction space": "Choose any unsold district, or leave it.",
    "planning": "A bonus on your own, a hazard on another's; either on an unsold one.",
    "travel": "Take the train to another station, or stay.",
    "station": "It is free.",
}
MANAGE_DETAIL = "BUILD on the unit draws a permit, once a roll."
BUILD_USED = "BUILD has been pressed since the roll."
UNSOLD_DETAIL = (
    "{district} costs {price}; its rent is {bare}, with 4 blocks {four}, with 8 {eight}."
)
OR_AUCTION = "If you do not buy it, it is auctioned."
CANNOT_BUY = "You have not enough money to buy it."
DEBT_DETAIL = "{amount} to {name} ({why})."
DEBT_LACKS = "{amount} are lacking: mortgage, or find a deal."
PERMIT_DETAIL = "Blocks that may still be built: {count}."
DEAL_DETAIL = "{name} gives: {gives}\nYou give: {asks}"
DEALS_IN = (
    "roll",
    "jail",
    "unsold",
    "auction space",
    "debt",
    "travel",
    "manage",
    "build",
    "station",
)

ACTIONS = {
    "roll": "Roll the dice",
    "pay fine": "Pay the fine of {price}",
    "use card": "Use the jail card",
    "move on": "Go on",
    "buy": "Buy {district} for {price}",
    "put up": "Have it auctioned",
    "leave": "Leave it",
    "pay": "Pay {price}",
    "dodge": "Use the rent dodge card",
    "mortgage": "Mortgage a district",
    "bankrupt": "Go bankrupt",
    "travel": "Take the train",
    "stay": "Stay here",
    "end turn": "End the turn",
    "done": "Build no more",
    "station": "Build the station",
    "stadium": "Build a stadium, {price}",
    "skyscraper": "Build a skyscraper",
    "tower": "Build the tower, {price}",
    "clear": "Clear a hazard",
    "lift": "Lift a mortgage",
    "accept": "Accept the deal",
    "decline": "Decline it",
}
PLACE = "Place a {piece}"
BUILD_BLOCKS = "Build {count} {kind}"
PRESS_BUILD = "BUILD: draw a permit"
STOP_LIGHT = "Stop that light"
STRAY_LIGHT = "A light is still on from before the sale. Stop it, or wait until it goes out."
PRESS_AUCTION = "AUCTION: put the light on"
OFFER = "Offer a deal"
UNDO = "Take the last step back"
BUILD_TARGET = "costs {price}; the rent of {rent} rises by {rise}"
TARGETS = {
    "clear": "costs {price}",
    "lift": "costs {price}",
    "mortgage": "brings {price}",
    "skyscraper": "costs {price}; doubles the group's rents",
    "stadium": "costs {price}; more salary at each GO",
    "tower": "costs {price}; doubles all your rents",
    "put up": "its printed price is {price}",
    "station": "free",
    "place": "free; its rent is {price} now",
    "travel": "{price} there",
}

# The board.
SPACES = {
    "go": "GO",
    "chance": "Chance",
    "auction": "Auction",
    "planning": "Planning",
    "tax": "Industry tax",
    "jail": "Jail, just visiting",
    "parking": "Free parking",
    "go to jail": "Go to jail",
}

CARD_DOES = {
    "receive": "Receive {amount}",
    "pay": "Pay {amount}",
    "pay per block": "Pay {amount} for each of your blocks",
    "receive from each": "Receive {amount} from each player",
    "pay each": "Pay {amount} to each player",
    "move": "Move {amount} spaces",
    "go to": "Go to {amount}",
    "jail": "Go to jail",
    "leave jail": "Leave jail free: keep this card",
    "planning": "Planning permission",
    "auction": "Have a district auctioned",
}

# The panel.
UNIT_HERE = "Emulated unit"
UNIT_REAL = "Unit at the port"
UNIT_AWAY = "Unit not there"
LEFT = "{minutes}:{seconds:02}"
NO_CLOCK = "no clock"
HOUR_OVER = "last turn"
GAME_ENDED = "over"
OUT = "bankrupt"
SEAT_NOTES = {"bot": "{strength}", "dodge": "rent dodge", "jail card": "jail card"}
MORTGAGED = "mortgaged"
DOUBLED = "{rent} ×2"
IN_JAIL = "in jail"
BID_KEY = "bids with"
CHOOSE = "{label}: choose a district (arrows, Enter; Esc goes back)"
OPENING = "Opening bid: {amount}   (- and + change it; a million: N and M)"
CONFIRM = "Do it: {district}"
BACK = "Back"
LESS = "−"
MORE = "+"
HIGHER, LOWER = "Higher", "Lower"
MILLION_MORE, MILLION_LESS = "+1M", "−1M"
NOT_BY_ENTER = "a deal is accepted with Y and declined with N, or by a click"
DEEDS = "Deeds"
HELP = "Help"
HOURS = "Another hour"
RULES = "Rules"
BIDS = "Bids"
SOUND = "Sound"
CLOSE = "Close"
PAGE_BACK = "Back"
PAGE_ON = "On ({here})"
HELP_TITLE = "Keys"
BIDS_TITLE = "Bids"
BIDS_OF = "Bids for {district}"
MORE_BIDS = "and {count} before these: F3, once the sale is over"
NO_SALES = "Nothing has been auctioned yet."
SOLD_FOR = "{name} has it for {amount}."
STOPPED = "The light was stopped; the sale was held again."
BID_SINCE = "{since} s after the light went on (±{within} ms)"
BID_BEFORE = "{time} s before the light went out (±{within} ms)"
DOES_NOT_COUNT = "does not count"
TOO_CLOSE = "too close to count"
BID_AFTER = "{time} s after the light went out (±{within} ms)"
NOTICE_OFF = "The unit is switched off."
NOTICE_PROGRAM = "The unit runs the program {program}, not city."
NOTICE_GONE = "The unit is gone. The game waits for it."
SWITCH_ON = "Switch it on"
SET_PROGRAM = "Set it to city"
OTHER = "Go on with another unit"

# Deeds, auctions, deals, the end.
BLOCKS = ("no block", "1 block", "{count} blocks")
DEED_PRICE = "Price {price}"
DEED_BLOCKS = "A home {home}, a factory {works}"
DEED_SKYSCRAPER = "Skyscraper {price}"
DEED_OWNER = "Owner: {name}"
DEED_NOW = "Now: {rent}"
DEED_NOTES = {
    "hazard": "The {hazard} keeps the homes from counting; clearing it costs {price}.",
    "bonus": "The {bonus} keeps hazards out.",
    "doubled": "Doubled by a skyscraper or the tower.",
    "skyscraper": "A skyscraper on the whole group would double it.",
    "mortgaged": "Mortgaged: no rent until {price} is paid back.",
    "next": "The next block brings {rise} more.",
    "full": "No room for more blocks.",
}
HIGHEST = "Highest bid"
NO_BID = "no bid yet"
WAITING_FOR_LIGHT = "Press AUCTION on the unit: the light starts the sale"
SECRET_TIME = "until the light goes out"
STEP = "A bid adds {step}"
STEP_HELP = "(up, down; with Shift five times as much)"
SOLD = "goes to {name}"
UNSOLD = "Nobody bids; it stays with the bank"
DEAL_TITLE = "{name} offers a deal to"
YOU_GIVE = "gives"
YOU_ASK = "asks for"
DEAL_HELP = "Click districts on the map, or arrows and Space. Money: - and +; a million: N and M."
NOT_IN_DEAL = {
    "unowned": "nobody owns that district yet",
    "not-in-this-deal": "that district is another player's; Tab turns the deal to them",
}
GIVES_AWAY = "you ask for nothing in return; once more offers it all the same"
SEND_OFFER = "Offer it"
CANCEL = "Cancel"
NO_MONEY = "no money"
PAYS = "pays {amount}"
GETS = "gets {amount}"
WINNER = "{names} wins"
WINNERS = "{names} share the win"
WORTH = "worth {amount}: {cash} in cash, {rents} in rents"
EXPORT = "Export"
SEE_CITY = "See the city"
CHART = "What everybody was worth, turn by turn"
AGAIN = "Another game"
EXPORTED = "Written: {path}"
HELP_LINES = (
    ("Enter", "does what is marked"),
    ("up, down, 1 to 9", "choose among the options; each also has a letter"),
    ("arrows, Enter", "choose a district on the map; Esc goes back"),
    ("A", "AUCTION on the unit; held for 2 s it stops the light"),
    ("B", "BUILD on the unit"),
    ("your own key", "bids in an auction; Shift bids more, up and down set the step"),
    ("T", "offers a deal"),
    ("I", "looks at deeds; or click a district at any time"),
    ("F1, F2, F3", "this; the house rules; the bids of the last sales"),
    ("worth", "beside each name: cash and today's rents; the most of it wins at the end"),
    ("U", "takes back your own last step, if it revealed nothing"),
    ("Space", "skips what moves"),
    ("F5", "goes on with another unit, if this one is lost"),
    ("F6", "another hour on the unit"),
    ("M, Page up, Page down", "sound off and on; the log back and forth"),
    ("F11, Ctrl+Q", "full screen; leave: the game is saved at each step"),
)

# The setup, the window, the command.
FIRST_NAMES = ("Ann", "Bob", "Cleo", "Dan", "Eve", "Finn")
SETUP_TITLE = "Who plays?"
SETUP_HELP = "Left and right change who sits there; Tab or Enter goes to the name and the bid key"
SEAT_KINDS = {
    "human": "a person",
    "visitor": "bot: visitor (easy)",
    "builder": "bot: builder",
    "planner": "bot: planner (strong)",
    "empty": "nobody",
}
BEGIN = "Begin the game"
RESUME = "Go on: {names}, turn {turn}"
RULES_BUTTON = "House rules: {state}"
RULES_USUAL = "as usual"
RULES_SOME = "{count} changed"
HOUR_MINUTES = "The hour: {minutes} minutes"
HOUR_SET = "The hour: as the unit is set"
NAME_FULL = "A name has {most} letters at most."
GAMES_BUTTON = "Saved games"
RULES_TITLE = "House rules"
RULES_HELP = "What the rulebook leaves open. Up and down, Space switches; or click"
RULE_WHY = "Usually {usual}: {why}."
RULE_YES, RULE_NO, RULE_CHANGED = "yes", "no", "changed"
DECIDED_TITLE = "Decided without a switch"
GAMES_TITLE = "Saved games"
GAMES_HELP = "Enter or a click goes on with a game; one that is over can be looked at"
NO_GAMES = "No game has been saved yet."
GAME_TURN = "turn {turn}"
GAME_OVER = "over: {names} won"
GAME_UNREADABLE = "cannot be opened"
UNIT_KEY = "{key} presses a button of the unit; take another key to bid with"
KEY_TAKEN = "{key} was the key of {name}, who bids with {other} now"
PRESS_A_KEY = "press a key"
NAME_TWICE = "two players are called {name}; call one of them otherwise"
TWO_AT_LEAST = "Two players at least, please."
WELCOME = "F1 shows the keys; a click does all that a key does"
CAPTION = "City game"
NO_SOUND = "There is no sound: {why}"
NO_WINDOW = "no window can be opened: {why}"
NO_UNIT = "{why}; without --port an emulated unit is used"
NO_STRENGTH = "there is no bot {word}; there are {strengths}"
TWO_TO_SIX = "--players takes two to six names, as in: Ann,Bob,Cleo=planner,builder"
NO_FOLDER = "cannot make the folder {folder} for games: {why}"
NO_SAVE = "there is no unfinished game in {folder}; --resume FILE also shows a finished one"
RULES_ARE_SAVED = (
    "--rule and --minutes are for a new game; a saved one goes on by the rules it began with"
)
MINUTES_BAD = "--minutes takes 1 to {most} (0: as the unit is set)"
PACE_BAD = "--pace takes 0 or more: 1 as usual, 0 not at all, 2 twice as long"
HELP_MINUTES = "how long the hour is (default: as the unit is set; the emulated one: 60)"
HELP_PORT = "the unit: auto, a serial port, or socket://HOST:PORT (default: an emulated one)"
HELP_PLAYERS = "who plays, as in Ann,Bob,Cleo=planner,builder (default: a screen asks)"
HELP_BOARD = "the board: a file, or the name of one that comes with the game"
HELP_RESUME = "go on with a saved game (without a file: the latest unfinished one)"
HELP_SAVE = "where to save this game (default: a new file in ~/City games)"
HELP_SEED = "have the same dice and cards again"
HELP_RULE = "play this house rule the other way; again for more (`city-game rules` lists them)"
HELP_PACE = "how long bots think: 1 as usual, 0 not at all, 2 twice as long"
HELP_SILENT = "no sound"
