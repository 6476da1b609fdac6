"""Events in words."""

from city_game import texts
from city_game.board import Board
from city_game.money import show

# event: what its values are; each name says how it is written
FIELDS = {
    "start rolled": ("player", "one", "other"),
    "starts": ("player",),
    "turn": ("player",),
    "rolls again": ("player",),
    "rolled": ("player", "one", "other"),
    "landed": ("player", "district"),
    "arrived": ("player", "space"),
    "travelled": ("player", "district"),
    "salary": ("player", "amount"),
    "jailed": ("player",),
    "left jail": ("player",),
    "jail card used": ("player",),
    "rent": ("player", "district", "amount"),
    "paid": ("player", "creditor", "amount", "why"),
    "untaxed": ("player",),
    "received": ("player", "amount"),
    "dodged": ("player", "district", "amount"),
    "dodge card taken": ("player", "holder"),
    "mortgaged": ("player", "district", "amount"),
    "lifted": ("player", "district", "amount"),
    "bankrupt": ("player", "creditor"),
    "bought": ("player", "district", "amount"),
    "put up": ("opener", "district", "amount"),
    "light on": ("district", "at"),
    "bid": ("player", "amount", "at"),
    "too late": ("player", "amount", "late", "within"),
    "bid refused": ("player", "amount", "reason"),
    "light out": ("district", "at"),
    "cancelled": ("district",),
    "sold": ("player", "district", "amount", "left", "within"),
    "unsold": ("district",),
    "card": ("player", "card"),
    "permission lapsed": ("player",),
    "placed": ("player", "piece", "district"),
    "granted": ("player", "permit"),
    "built": ("player", "district", "count", "kind", "amount"),
    "station built": ("player", "district"),
    "landmark built": ("player", "piece", "district"),
    "cleared": ("player", "piece", "district"),
    "offered": ("player", "partner", "gives", "asks", "amount", "cards"),
    "agreed": ("player", "partner"),
    "declined": ("player", "partner"),
    "timed out": ("player", "partner"),
    "hour ended": ("at",),
    "new hour": ("at",),
    "worth": ("player", "amount"),
    "won": ("player",),
}

PEOPLE = ("player", "partner", "creditor", "holder", "opener")
TIMES = ("at", "late", "left", "within")


def tell(event: tuple, board: Board, names: list[str]) -> str:
    """Return one event as a sentence."""
    kind = event[0]
    told = dict(zip(FIELDS[kind], event[1:], strict=True))
    if kind == "built":
        word = texts.BLOCKS[told["kind"]][told["count"] > 1]
        told["blocks"] = f"{told['count']} {word}"
    if kind == "too late" and told["late"] < 0:
        kind, told["late"] = "too close", -told["late"]
    if kind == "offered":
        told["gives"], told["asks"] = deal_sides(board, *event[3:])
    values = {field: _written(field, value, board, names) for field, value in told.items()}
    return texts.EVENTS[kind].format(**values)


def deal_sides(board: Board, gives, asks, pays: int, cards: int) -> tuple[str, str]:
    """Return what each side of a deal gives, in words: districts, money, jail cards."""
    sides = [[board.districts[one].name for one in side] for side in (gives, asks)]
    if pays:
        sides[pays < 0].append(show(abs(pays)))
    if cards:
        sides[cards > 0].append(texts.JAIL_CARDS.format(count=abs(cards)))
    return ", ".join(sides[0]) or texts.NOTHING, ", ".join(sides[1]) or texts.NOTHING


def _written(field: str, value, board: Board, names: list[str]) -> str:
    if field in PEOPLE:
        return names[value] if value >= 0 else texts.BANK
    if field == "amount":
        return show(value)
    if field == "district":
        return board.districts[value].name
    if field == "space":
        return texts.SPACES[board.kinds[value]]
    if field == "permit":
        return texts.PERMITS[value]
    if field == "card":
        return board.cards[value].text
    if field == "reason":
        return texts.REASONS[value]
    if field in TIMES:
        return f"{value / 1000:.3f} s"
    return str(value)
