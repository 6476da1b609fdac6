"""`city-game board`: check a board file, show a board, or print one to fill in."""

import sys

from city_game import texts
from city_game.board_file import OWN, load, parse, text_of
from city_game.money import show


def arguments(parser) -> None:
    actions = parser.add_subparsers(metavar="ACTION", required=True)
    check = actions.add_parser("check", help="name each mistake in a board file")
    check.add_argument("file")
    check.set_defaults(action=_check)
    template = actions.add_parser("template", help="print a whole board, to put your figures into")
    template.set_defaults(action=_template)
    shown = actions.add_parser("show", help="print a board's districts as a table")
    shown.add_argument("file", nargs="?", default=OWN, help=f"a file, or a name (default: {OWN})")
    shown.set_defaults(action=_show)


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


def _template(_options) -> int:
    print(text_of(OWN), end="")
    return 0


def _show(options) -> int:
    board = load(options.file)
    print(f"{board.name}: {board.size} spaces")
    print(texts.BOARD_COLUMNS)
    for district in board.districts:
        rents = " ".join(f"{show(rent):>6}" for rent in district.rents)
        prices = (district.price, district.residential, district.industrial)
        sums = " ".join(f"{show(one):>6}" for one in prices)
        print(f"{district.name:16} {board.groups[district.group].name:10} {sums}  {rents}")
    return 0
