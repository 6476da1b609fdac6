"""`city-game board`: check a board file, show a board, or start one to fill in."""

import sys
from pathlib import Path

from city_game import texts
from city_game.board import Board
from city_game.board_file import OWN, load, parse, text_of
from city_game.errors import UserError
from city_game.files import write_whole
from city_game.money import show


def arguments(parser) -> None:
    actions = parser.add_subparsers(metavar="ACTION", required=True)
    template = _action(actions, "template", _template, texts.HELP_BOARD_TEMPLATE)
    template.add_argument("file", nargs="?", metavar="FILE", help=texts.HELP_TEMPLATE_FILE)
    check = _action(actions, "check", _check, texts.HELP_BOARD_CHECK)
    check.add_argument("file", metavar="FILE", help=texts.HELP_BOARD_FILE)
    shown = _action(actions, "show", _show, texts.HELP_BOARD_SHOW)
    shown.add_argument(
        "file", nargs="?", default=OWN, metavar="FILE", help=texts.HELP_SHOW_FILE.format(own=OWN)
    )


def _action(actions, name: str, function, summary: str):
    parser = actions.add_parser(name, help=summary, description=summary)
    parser.set_defaults(action=function)
    return parser


def run(options) -> int:
    return options.action(options)


def _check(options) -> int:
    board, mistakes = parse(text_of(options.file))
    if board is None:
        for mistake in mistakes:
            print(f"{options.file}: {mistake}", file=sys.stderr)
        print(texts.BOARD_BAD.format(file=options.file, count=len(mistakes)), file=sys.stderr)
        return 2
    print(
        texts.BOARD_GOOD.format(
            file=options.file,
            name=board.name,
            districts=len(board.districts),
            groups=len(board.groups),
            spaces=board.size,
        )
    )
    return 0


def _template(options) -> int:
    if not options.file:
        print(text_of(OWN), end="")
        return 0
    if Path(options.file).exists():
        raise UserError(texts.TEMPLATE_THERE.format(file=options.file))
    write_whole(options.file, text_of(OWN))
    print(texts.TEMPLATE_WRITTEN.format(file=options.file))
    return 0


def _show(options) -> int:
    board = load(options.file)
    print(f"{board.name}: {board.size} spaces")
    rows = [texts.BOARD_COLUMNS, *_rows(board)]
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    for row in rows:
        names = [word.ljust(width) for word, width in zip(row[:2], widths[:2], strict=True)]
        sums = [word.rjust(width) for word, width in zip(row[2:], widths[2:], strict=True)]
        print("  ".join(names + sums))
    return 0


def _rows(board: Board) -> list[tuple[str, ...]]:
    return [
        (
            one.name,
            board.groups[one.group].name,
            *map(show, (one.price, one.residential, one.industrial, *one.rents)),
        )
        for one in board.districts
    ]
