"""`city-game board`: check a board file, show a board, or start a file to fill in."""

import argparse
import sys
from collections.abc import Callable
from pathlib import Path

from city_game.editions.board import MOST_BLOCKS, Board
from city_game.editions.board_file import OWN, load, parse, text_of
from city_game.editions.money import show
from city_unit.desktop.catalogue import _, ngettext, of_file
from city_unit.desktop.errors import UserError
from city_unit.desktop.files import write_whole

Action = Callable[[argparse.Namespace], int]
Actions = argparse._SubParsersAction  # what `add_subparsers` returns has no public name  # noqa: SLF001


def arguments(parser: argparse.ArgumentParser) -> None:
    actions = parser.add_subparsers(metavar=_("ACTION"), required=True)
    summary = _("write a whole board, to put your figures into")
    template = _action(actions, "template", _template, summary)
    template.add_argument(
        "file", nargs="?", metavar=_("FILE"), help=_("where to write it (default: it is printed)")
    )
    summary = _("name each mistake in a board file: its line, and what would be right")
    check = _action(actions, "check", _check, summary)
    check.add_argument("file", metavar=_("FILE"), help=_("a board file"))
    summary = _("print a board's districts as a table, to compare with the cards of a box")
    shown = _action(actions, "show", _show, summary)
    which = _("a board file, or a name (default: {own})").format(own=OWN)
    shown.add_argument("file", nargs="?", default=OWN, metavar=_("FILE"), help=which)


def _action(actions: Actions, name: str, function: Action, summary: str) -> argparse.ArgumentParser:
    parser = actions.add_parser(name, help=summary, description=summary)
    parser.set_defaults(action=function)
    return parser


def run(options: argparse.Namespace) -> int:
    return options.action(options)


def _check(options: argparse.Namespace) -> int:
    board, mistakes = parse(text_of(options.file))
    if board is None:
        for mistake in mistakes:
            print(f"{options.file}: {mistake}", file=sys.stderr)
        count = len(mistakes)
        bad = ngettext(
            "{file}: {count} mistake to mend.", "{file}: {count} mistakes to mend.", count
        )
        print(bad.format(file=options.file, count=count), file=sys.stderr)
        return 2
    print(
        _(
            "{file}: good. {name}: {districts} districts in {groups} groups, {spaces} spaces."
        ).format(
            file=options.file,
            name=board.name,
            districts=len(board.deeds),
            groups=len(board.groups),
            spaces=board.size,
        )
    )
    return 0


def _template(options: argparse.Namespace) -> int:
    if not options.file:
        print(text_of(OWN), end="")
        return 0
    if Path(options.file).exists():
        there = _("{file} is there already; nothing is written over")
        raise UserError(there.format(file=options.file))
    write_whole(options.file, text_of(OWN))
    written = _(
        "{file} is a whole board: put your figures into it, then `city-game board check {file}` "
        "and `city-game --board {file}`."
    )
    print(written.format(file=options.file))
    return 0


def _show(options: argparse.Namespace) -> int:
    board = load(options.file)
    spaces = ngettext("{name}: {count} space", "{name}: {count} spaces", board.size)
    print(spaces.format(name=board.name, count=board.size))
    rows = [_columns(), *_rows(board)]
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    for row in rows:
        names = [word.ljust(width) for word, width in zip(row[:2], widths[:2], strict=True)]
        sums = [word.rjust(width) for word, width in zip(row[2:], widths[2:], strict=True)]
        print("  ".join(names + sums))
    return 0


def _columns() -> tuple[str, ...]:
    most = ngettext("{count} block", "{count} blocks", MOST_BLOCKS).format(count=MOST_BLOCKS)
    return (
        *(_("district"), _("group"), _("price"), _("home"), _("factory"), _("no block")),
        *map(str, range(1, MOST_BLOCKS)),
        most,
    )


def _rows(board: Board) -> list[tuple[str, ...]]:
    return [
        (
            deed.name,
            of_file(board.groups[deed.group].name),
            *map(
                show,
                (deed.price, deed.residential, deed.industrial, *deed.rents),
            ),
        )
        for deed in board.deeds
    ]
