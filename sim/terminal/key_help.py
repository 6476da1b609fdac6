"""The keys of the terminal: a line of them at the foot, and the pages that list them all."""

import textwrap
from collections.abc import Iterable

from city_unit.desktop.catalogue import lazy
from sim.play import state_words
from sim.terminal.paint import Paint, fitting

_GAP = 2  # columns between a key and its effect

HINT = lazy("a AUCTION   b BUILD   o on/off   p pause   ? help   q quit")
SHORT_HINT = lazy("a AUCTION  b BUILD  o on/off  ? help")
SHORTEST_HINT = lazy("a b o   ? help")
PAGE = lazy("page {page} of {pages}   ? the next   Esc closes")
KEYS = (
    (lazy("a, Space"), lazy("tap AUCTION")),
    (lazy("b, Return"), lazy("tap BUILD")),
    (lazy("A, B"), lazy("keep it down until its next press")),
    ("o", lazy("the slide, on and off")),
    ("r", lazy("go on with a game, take back what ended it")),
    ("s", lazy("show the seconds of an auction, or hide them")),
    (lazy("Up, Down, m"), lazy("louder, softer, silence")),
    ("c", lazy("the next game")),
    ("p, n", lazy("pause, go on; step to the next change")),
    ("+ - 0", lazy("faster, slower, real time")),
    (lazy("h, ?, F1"), lazy("this help; Esc closes it")),
    (lazy("q, Ctrl-C"), lazy("leave; the game is kept")),
)


def hint(columns: int) -> str:
    """Return the most that fits into a line of the keys."""
    return fitting(columns, str(HINT), str(SHORT_HINT), str(SHORTEST_HINT))


def pages(columns: int, height: int) -> list[list[str]]:
    """Return the help in pages: the purpose of the unit, then all keys, one below the other."""
    rows = [*_listed(state_words.USES, columns), "", *_listed(KEYS, columns)]
    room = max(1, height - 1)
    return [rows[place : place + room] for place in range(0, len(rows), room)]


def page(number: int, paint: Paint, columns: int, height: int) -> list[str]:
    """Return the picture of a page, from 1 on, which fills the terminal; the last for any more."""
    all_pages = pages(columns, height)
    number = min(number, len(all_pages))
    many = len(all_pages) > 1
    foot = PAGE.format(page=number, pages=len(all_pages)) if many else hint(columns)
    rows = all_pages[number - 1]
    filled = [*rows, *[""] * (height - 1 - len(rows))]
    return [*filled[: height - 1], paint.colour(foot, "dim")]


def _listed(rows: Iterable[tuple[object, object]], columns: int) -> list[str]:
    """Write keys and their effects in two columns that never meet, or below each other."""
    keys = [(str(key), str(what)) for key, what in rows]
    indent = max(len(key) for key, _ in keys) + _GAP
    listed = []
    if indent > columns // 2:
        room = max(1, columns - _GAP)
        for key, what in keys:
            listed += textwrap.wrap(key, max(1, columns))
            listed += [" " * _GAP + line for line in textwrap.wrap(what, room)]
        return listed
    for key, what in keys:
        wrapped = textwrap.wrap(what, max(1, columns - indent))
        listed += [f"{key if row == 0 else '':<{indent}}{line}" for row, line in enumerate(wrapped)]
    return listed
