"""Actions as lines of text, the same in saves, vectors and golden games.

`build district=bell-court kind=industrial blocks=2`: the action, then its values
by name. Money is written as people write it, times are ms of the unit's clock.
"""

from city_game.kernel.board import Board
from city_game.kernel.money import parse
from city_game.kernel.money import write as written_sum
from city_unit.desktop.catalogue import _
from city_unit.desktop.forms import all_of

WORDS = ("kind", "permit", "why")


def write(action: tuple, board: Board) -> str:
    """Return an action as a line."""
    words, fields = [action[0].replace(" ", "-")], board.edition.actions[action[0]].fields
    for field, value in zip(fields, action[1:], strict=True):
        if field == "district":
            value = board.deeds[value].key
        elif field in ("gives", "asks"):
            value = ",".join(board.deeds[deed].key for deed in value) or "-"
        elif field == "amount":
            value = written_sum(value)
        else:
            value = str(value).replace(" ", "-")
        words.append(f"{field}={value}")
    return " ".join(words)


def read(line: str, board: Board) -> tuple:
    """Return the action of a line; raises ValueError with the reason."""
    first, *rest = line.split()
    name = first.replace("-", " ")
    actions = board.edition.actions
    if name not in actions:
        raise ValueError(_("there is no action {name}").format(name=first))
    given = {field: value for field, _equals, value in (word.partition("=") for word in rest)}
    fields = actions[name].fields
    if tuple(given) != fields:
        wrong = _("{name} needs {fields}") if fields else _("{name} needs nothing else")
        raise ValueError(wrong.format(name=first, fields=all_of(fields)))
    values: list[object] = []
    for field, value in given.items():
        if field == "district":
            values.append(_deed(value, board))
        elif field in ("gives", "asks"):
            keys = () if value == "-" else value.split(",")
            values.append(tuple(_deed(key, board) for key in keys))
        elif field == "amount":
            values.append(-parse(value[1:]) if value.startswith("-") else parse(value))
        elif field == "piece":
            values.append(value.replace("-", " "))
        else:
            values.append(value if field in WORDS else int(value))
    return (name, *values)


def _deed(key: str, board: Board) -> int:
    if key not in board.keys:
        raise ValueError(_("there is no district {name}").format(name=key))
    return board.keys[key]
