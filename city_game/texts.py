"""What the game says to people, grouped by subject."""

PROGRAM = """\
The desktop City game for two to six, people or bots, with an emulated or a real
unit that runs the auctions, the permits and the hour. Without a command the table
opens; it asks who plays, unless --players says so."""
USAGE = """\
city-game [OPTION ...]
       city-game COMMAND [...]"""

# What can be asked for.
COMMANDS_HEAD = "commands (`city-game COMMAND --help` says more of each):"
EXAMPLES = """\
examples:
  city-game                                    a window opens and asks who plays
  city-game --players Ann,Bob=planner          Ann against a bot
  city-game --port auto --resume               the last game, with the unit that is plugged in
  city-game board template mine.toml           a board for the figures of your own box
"""
NO_COMMAND = 'there is no command "{word}"; `city-game --help` lists them'
NO_COMMAND_NEAR = 'there is no command "{word}"; did you mean "{near}"?'
NO_OPTION = 'there is no option "{word}"; did you mean "{near}"?'
UNEXPECTED = '"{word}" is not expected here'
BAD_OPTION = "{what}; see `{program} --help`"

# What happened, told in the log. The names in braces are fields of `words.FIELDS`.
EVENTS = {
    "start rolled": "{player} rolls {one} and {other} for the start.",
    "starts": "{player} starts.",
    "turn": "It is {player}'s turn.",
    "rolls again": "{player} rolls again.",
    "rolled": "{player} rolls {one} and {other}.",
    "landed": "{player} lands on {district}.",
    "arrived": "{player} comes to {space}.",
    "travelled": "{player} takes the train to {district}.",
    "salary": "{player} passes GO and gets {amount}.",
    "jailed": "{player} goes to jail.",
    "left jail": "{player} leaves jail.",
    "jail card used": "{player} uses a card to leave jail.",
    "rent": "{player} owes a rent of {amount} at {district}.",
    "paid": "{player} pays {amount} to {creditor} ({why}).",
    "untaxed": "{player} owns no factory, and pays no tax.",
    "received": "{player} gets {amount} from the bank.",
    "dodged": "{player} dodges the rent of {amount} at {district}.",
    "dodge card taken": "{player} takes the rent dodge card from {holder}.",
    "mortgaged": "{player} mortgages {district} for {amount}.",
    "lifted": "{player} lifts the mortgage of {district} for {amount}.",
    "bankrupt": "{player} is bankrupt; all goes to {creditor}.",
    "bought": "{player} buys {district} for {amount}.",
    "put up": "{district} comes under the hammer; {opener} opens at {amount}.",
    "light on": "The light is on: bids for {district}, please.",
    "bid": "{player} bids {amount}.",
    "too late": "{player}'s bid of {amount} came {late} after the light went out (give or take "
    "{within}) and does not count.",
    "too close": "{player}'s bid of {amount} came {late} before the light went out, give or take "
    "{within}: too close to count.",
    "bid refused": "{player}'s bid of {amount} does not count: {reason}.",
    "light out": "The light is out: the sale of {district} has ended.",
    "cancelled": "The sale of {district} was cancelled; it is held again.",
    "sold": "{district} goes to {player} for {amount}, bid {left} before the light went out (give "
    "or take {within}).",
    "unsold": "Nobody bids for {district}; it stays with the bank.",
    "card": "{player} draws a card: {card}",
    "permission lapsed": "{player} may place a building, but there is nothing to place.",
    "placed": "{player} places a {piece} in {district}.",
    "granted": "The unit grants {player} a permit: {permit}.",
    "built": "{player} builds {blocks} in {district} for {amount}.",
    "station built": "{player} builds a station in {district}.",
    "landmark built": "{player} builds a {piece} in {district}.",
    "cleared": "{player} clears the {piece} from {district}.",
    "offered": "{player} offers {partner} a deal: {gives} for {asks}.",
    "agreed": "{player} and {partner} have a deal.",
    "declined": "{player} declines {partner}'s deal.",
    "timed out": "The light is out before {partner} answers {player}; there is no deal.",
    "hour ended": "The hour is over: the game ends after this turn.",
    "new hour": "Another hour begins.",
    "worth": "{player} is worth {amount}.",
    "won": "{player} wins.",
}

# The bids of a sale in the exported log; times in seconds.
BIDS_HEAD = "The bids for {district}; the light went on at {on} s and out at {out} s:"
BIDS_CANCELLED = "The bids for {district}; the light went on at {on} s and was stopped:"
BIDS_COLUMNS = ("who", "bid", "unit's clock", "after on", "before out", "give or take", "")
BID_COUNTS = "counts"
BID_TOO_CLOSE = "too close to count"

BANK = "the bank"
NOTHING = "nothing"
JAIL_CARDS = "{count} jail card(s)"

SPACES = {
    "go": "GO",
    "chance": "chance",
    "auction": "the auction space",
    "planning": "planning permission",
    "tax": "the industry tax",
    "jail": "jail, just visiting",
    "parking": "free parking",
    "go to jail": '"Go to jail"',
}
PERMITS = {"1": "1 block", "2": "2 blocks", "3": "3 blocks", "station": "a station"}
BLOCKS = {"residential": ("home", "homes"), "industrial": ("factory", "factories")}

# Why an action was refused.
REASONS = {
    "not-now": "that cannot be done now",
    "not-enough-money": "there is not enough money",
    "no-dodge-card": "only the holder of the rent dodge card can dodge, and only a rent",
    "not-yours": "that district is not yours",
    "not-theirs": "that district is not theirs",
    "yours": "a hazard is placed on others, not on oneself",
    "mortgaged": "that district is mortgaged",
    "not-mortgaged": "that district is not mortgaged",
    "can-pay": "the debt can be paid",
    "no-debt": "districts are mortgaged only for a debt",
    "no-jail-card": "there is no such card",
    "no-station": "there is no other station there",
    "station-there": "a station stands there already",
    "bonus-there": "a bonus building stands there",
    "hazard-there": "a hazard stands there",
    "no-hazard": "there is no hazard there",
    "unknown-piece": "there is no such building",
    "unknown-permit": "there is no such permit",
    "not-on-top": "that card is not on top",
    "box-empty": "the box has no such piece left",
    "sold": "that district has an owner",
    "elsewhere": "that is not the district landed on",
    "below-least": "an auction opens at 10k at least",
    "no-auction": "no auction is held",
    "too-early": "the light was not on yet",
    "too-late": "the light was out already",
    "out-of-the-game": "that player is out of the game",
    "bid-too-low": "that is not above the highest bid",
    "not-refused": "there is no reason to refuse that bid",
    "pressed-already": "BUILD is pressed once a roll",
    "nothing-to-build-on": "there is no district to build on",
    "beyond-the-permit": "the permit is for fewer blocks",
    "district-full": "a district holds at most 8 blocks",
    "stadium-there": "the group has a stadium",
    "needs-two-of-the-group": "a stadium needs two districts of the group",
    "skyscraper-there": "the group has a skyscraper",
    "needs-the-group": "a skyscraper needs the whole group",
    "tower-there": "the tower stands already",
    "needs-two-groups": "the tower needs two whole groups, and stands in one of them",
    "with-oneself": "a deal needs two",
    "empty-deal": "that deal is about nothing",
    "twice-in-the-deal": "a district is twice in the deal",
    "no-deal": "no deal is offered",
    "hour-over-already": "the hour is over already",
}

# Saves.
OPEN_ELSEWHERE = "this game is open in another window"

# Boards.
HELP_BOARD_TEMPLATE = "write a whole board, to put your figures into"
HELP_BOARD_CHECK = "name each mistake in a board file: its line, and what would be right"
HELP_BOARD_SHOW = "print a board's districts as a table, to compare with the cards of a box"
HELP_TEMPLATE_FILE = "where to write it (default: it is printed)"
HELP_BOARD_FILE = "a board file"
HELP_SHOW_FILE = "a board file, or a name (default: {own})"
BOARD_GOOD = "{file}: good. {name}: {districts} districts in {groups} groups, {spaces} spaces."
BOARD_COLUMNS = (
    *("district", "group", "price", "home", "factory"),
    *("no block", "1", "2", "3", "4", "5", "6", "7", "8 blocks"),
)
BOARD_BAD = "{file}: {count} to mend."
TEMPLATE_THERE = "{file} is there already; nothing is written over"
TEMPLATE_WRITTEN = (
    "{file} is a whole board: put your figures into it, then `city-game board check {file}` and "
    "`city-game --board {file}`."
)

# Simulations.
PROGRESS = "{done} of {games} games, {rate:.0f} a second, {left:.0f} s left"
STOPPED = "stopped after {done} of {games} games"
GAMES_BAD = "--games must be 1 or more"
GAMES_HEAD = "{games} games; in brackets the 95 % intervals of the shares"
NO_BOT = 'unknown bot "{word}"; it may be {right}'
NO_BOT_NEAR = 'unknown bot "{word}"; did you mean "{near}"?'
BOTS_BAD = "--bots takes two to six, as in: planner,builder,visitor"
HELP_UNIT = "step a whole unit beside each game, over its link (about twenty times slower)"
HELP_JSON = "print the figures as JSON; money in notes of 10k, 100 of them a million"
HELP_CHARTS = "draw who wins and what districts earn there, as SVG; the folder is made"

# House rules.
RULES_HEAD = (
    "What the rulebook leaves open. `city-game --rule NAME` plays one the other way in a new game, "
    "as the first screen does; --rule may be given several times."
)
RULE_PLAYED = "yes, unless switched"
RULE_NOT_PLAYED = "no, unless switched"
RULE_WHY = "why"
RULES_DECIDED = "Decided without a switch:"

# Exports.
HELP_EXPORT_FILE = "a saved game, finished or not; it is left as it is (default: the latest)"
HELP_EXPORT_FOLDER = "where to write; the folder is made (default: beside the save)"
NO_GAMES = "there is no saved game in {folder}; name one, as in `city-game export FILE`"
