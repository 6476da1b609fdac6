"""Actions as lines of text, the same in saves, vectors and golden games.

`build district=bell-court kind=industrial blocks=2`: the action, then its values
by name. Money is written as people write it, times are ms of the unit's clock.
"""

from typing import Any

from city_game.kernel.board import Board
from city_game.kernel.money import parse
from city_game.kernel.money import write as written_sum
from city_unit.desktop.catalogue import _
from city_unit.desktop.forms import all_of

WORDS = ("kind", "permit", "why")


def write(action: tuple, board: Board) -> str:
    """Return an action as a line."""
    name = action[0]
    values = zip(board.edition.actions[name].fields, action[1:], strict=True)
    written = [f"{field}={_written(field, value, board)}" for field, value in values]
    return " ".join([name.replace(" ", "-"), *written])


def read(line: str, board: Board) -> tuple:
    """Return the action of a line; raises ValueError with the reason."""
    first, *rest = line.split()
    name = first.replace("-", " ")
    actions = board.edition.actions
    if name not in actions:
        raise ValueError(_("there is no action {name}").format(name=first))
    given: dict[str, str] = {}
    for word in rest:
        field, _equals, value = word.partition("=")
        given[field] = value
    fields = actions[name].fields
    if tuple(given) != fields:
        wrong = _("{name} needs {fields}") if fields else _("{name} needs nothing else")
        raise ValueError(wrong.format(name=first, fields=all_of(fields)))
    return (name, *(_read(field, value, board) for field, value in given.items()))


def _written(field: str, value: Any, board: Board) -> str:
    if field == "district":
        return board.deeds[value].key
    if field in ("gives", "asks"):
        return ",".join(board.deeds[deed].key for deed in value) or "-"
    if field == "amount":
        return written_sum(value)
    return str(value).replace(" ", "-")


def _read(field: str, value: str, board: Board) -> object:
    if field == "district":
        return _deed(value, board)
    if field in ("gives", "asks"):
        return () if value == "-" else tuple(_deed(key, board) for key in value.split(","))
    if field == "amount":
        return -parse(value[1:]) if value.startswith("-") else parse(value)
    if field == "piece":
        return value.replace("-", " ")
    return value if field in WORDS else int(value)


def _deed(key: str, board: Board) -> int:
    if key not in board.keys:
        raise ValueError(_("there is no district {name}").format(name=key))
    return board.keys[key]
