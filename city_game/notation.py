"""Actions as lines of text, the same in saves, vectors and golden games.

`build district=bell-court kind=industrial blocks=2`: the action, then its values
by name. Money is written as people write it, times are ms of the unit's clock.
"""

from city_game.board import Board
from city_game.money import parse, show

# action: what its values are called; each name says how it is written
FIELDS = {
    "start roll": ("one", "other"),
    "roll": (),
    "dice": ("one", "other"),
    "move on": (),
    "pay fine": (),
    "use card": (),
    "buy": (),
    "put up": ("district", "amount"),
    "leave": (),
    "light on": ("at",),
    "bid": ("player", "amount", "at", "within"),
    "refused bid": ("player", "amount", "at", "within", "why"),
    "light out": ("at",),
    "cancelled": (),
    "settle": (),
    "card": ("card",),
    "place": ("piece", "district"),
    "pay": (),
    "dodge": (),
    "mortgage": ("district",),
    "lift": ("district",),
    "bankrupt": (),
    "travel": ("district",),
    "stay": (),
    "press": (),
    "permit": ("permit",),
    "refused": (),
    "build": ("district", "kind", "blocks"),
    "done": (),
    "station": ("district",),
    "stadium": ("district",),
    "skyscraper": ("district",),
    "tower": ("district",),
    "clear": ("district",),
    "offer": ("player", "partner", "gives", "asks", "amount", "cards"),
    "accept": (),
    "decline": (),
    "timed out": (),
    "end turn": (),
    "hour ended": ("at",),
    "new hour": ("at",),
}

WORDS = ("kind", "permit", "why")


def write(action: tuple, board: Board) -> str:
    """Return an action as a line."""
    name = action[0]
    values = zip(FIELDS[name], action[1:], strict=True)
    written = [f"{field}={_written(field, value, board)}" for field, value in values]
    return " ".join([name.replace(" ", "-"), *written])


def read(line: str, board: Board) -> tuple:
    """Return the action of a line; raises ValueError with the reason."""
    first, *rest = line.split()
    name = first.replace("-", " ")
    if name not in FIELDS:
        raise ValueError(f"there is no action {first}")
    given: dict[str, str] = {}
    for one in rest:
        field, _, value = one.partition("=")
        given[field] = value
    if tuple(given) != FIELDS[name]:
        raise ValueError(f"{first} needs {', '.join(FIELDS[name]) or 'nothing else'}")
    return (name, *(_read(field, value, board) for field, value in given.items()))


def _written(field: str, value, board: Board) -> str:
    if field == "district":
        return board.districts[value].key
    if field in ("gives", "asks"):
        return ",".join(board.districts[one].key for one in value) or "-"
    if field == "amount":
        return show(value)
    return str(value).replace(" ", "-")


def _read(field: str, value: str, board: Board):
    if field == "district":
        return _district(value, board)
    if field in ("gives", "asks"):
        return () if value == "-" else tuple(_district(one, board) for one in value.split(","))
    if field == "amount":
        return -parse(value[1:]) if value.startswith("-") else parse(value)
    if field == "piece":
        return value.replace("-", " ")
    return value if field in WORDS else int(value)


def _district(key: str, board: Board) -> int:
    if key not in board.keys:
        raise ValueError(f"there is no district {key}")
    return board.keys[key]
