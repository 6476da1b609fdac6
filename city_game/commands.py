"""The commands `city-game board` and `city-game rules`.

`board` checks a board file, shows a board, or writes one to fill in. `rules` lists the questions
that a rulebook leaves open, with our answers and the switches.
"""

import argparse
import shutil
import sys
import textwrap
from collections.abc import Callable

from city_game import editions
from city_game.kernel.board import load, parse, text_of
from city_game.kernel.money import show
from city_game.kernel.switches import Switch
from city_game.words import aligned, footnotes
from city_unit.desktop.catalogue import _, ngettext, of_file
from city_unit.desktop.command import add_force_overwrite
from city_unit.desktop.errors import INVALID
from city_unit.desktop.files import ask_before_overwriting, write_whole

FEW = 7  # rents; with as many or more, the table numbers their columns
Action = Callable[[argparse.Namespace], int]
Actions = argparse._SubParsersAction  # the type has no public name  # noqa: SLF001


def board_arguments(parser: argparse.ArgumentParser) -> None:
    actions = parser.add_subparsers(metavar=_("ACTION"), required=True)
    summary = _("write a complete board to fill in with your figures")
    template = _action(actions, "template", _template, summary)
    where = _("where to write it (default: standard output)")
    template.add_argument("file", nargs="?", metavar=_("FILE"), help=where)
    add_force_overwrite(template)
    _edition(template)
    summary = _("list all errors in a board file, with their lines and corrections")
    check = _action(actions, "check", _check, summary)
    check.add_argument("file", metavar=_("FILE"), help=_("a board file"))
    summary = _("print a board's districts as a table, to compare with your cards")
    shown = _action(actions, "show", _show, summary)
    which = _("a board file, or a name (default: the edition's own)")
    shown.add_argument("file", nargs="?", default="", metavar=_("FILE"), help=which)
    _edition(shown)


def _edition(parser: argparse.ArgumentParser) -> None:
    which = _("the edition: {names} (default: the first, or that of the board)")
    which = which.format(names=", ".join(editions.names()))
    parser.add_argument("--edition", metavar=_("NAME"), default="", help=which)


def _action(actions: Actions, name: str, function: Action, summary: str) -> argparse.ArgumentParser:
    parser = actions.add_parser(name, help=summary, description=summary)
    parser.set_defaults(action=function)
    return parser


def run_board(options: argparse.Namespace) -> int:
    return options.action(options)


def _check(options: argparse.Namespace) -> int:
    edition = editions.of_board(options.file)
    board, errors = parse(edition, text_of(edition, options.file))
    if board is None:
        for error in errors:
            print(f"{options.file}: {error}", file=sys.stderr)
        count = len(errors)
        bad = ngettext("{file}: {count} error.", "{file}: {count} errors.", count)
        print(bad.format(file=options.file, count=count), file=sys.stderr)
        return INVALID
    good = _("{file} is valid. {name}: {districts} districts in {groups} groups, {spaces} spaces.")
    counts = {"districts": len(board.deeds), "groups": len(board.groups), "spaces": board.size}
    print(good.format(file=options.file, name=board.name, **counts))
    return 0


def _template(options: argparse.Namespace) -> int:
    edition = editions.get(options.edition or editions.USUAL)
    if not options.file:
        print(text_of(edition, edition.board), end="")
        return 0
    ask_before_overwriting(options.force, options.file)
    write_whole(options.file, text_of(edition, edition.board))
    written = _(
        "{file} is a complete board: fill in your figures, then run `city-game board "
        "check {file}` and `city-game --board {file}`."
    )
    print(written.format(file=options.file))
    return 0


def _show(options: argparse.Namespace) -> int:
    edition = editions.chosen(options.edition, options.file)
    board, words = load(edition, options.file), edition.words
    spaces = ngettext("{name}: {count} space", "{name}: {count} spaces", board.size)
    print(spaces.format(name=board.name, count=board.size))
    longest = max(board.rents, key=len)
    most = len(longest)
    titles = [words.row(board, board.rents.index(longest), row) for row in range(most)]
    if most >= FEW:
        titles[1:-1] = map(str, range(1, most - 1))
    rows: list[tuple[str, ...]] = [
        (_("district"), _("group"), _("price"), *words.sums(board, 0), *titles)
    ]
    for index, deed in enumerate(board.deeds):
        group, sums = of_file(board.groups[deed.group].name), words.sums(board, index).values()
        figures = map(show, (deed.price, *sums, *deed.rents))
        rows.append((deed.name, group, *figures, *[""] * (most - len(deed.rents))))
    print("\n".join(aligned(rows, 2)))
    return 0


WIDEST = 100  # letters in a readable line


def rules_arguments(parser: argparse.ArgumentParser) -> None:
    says = _("the edition: {names}").format(names=", ".join(editions.names()))
    parser.add_argument("--edition", metavar=_("NAME"), default=editions.USUAL, help=says)


def run_rules(options: argparse.Namespace) -> int:
    edition = editions.get(options.edition)
    width = min(WIDEST, shutil.get_terminal_size((WIDEST, 0)).columns)
    for source in edition.sources:
        print(_wrapped(f"{edition.title}: {source.book}", width))
        if source.gaps:
            print(_wrapped(str(source.gaps), width, "  "))
    head = _(
        "The rulebook leaves these questions open. To reverse one in a new game, use the "
        "first screen or `city-game --rule NAME`; --rule may be given several times."
    )
    print(_wrapped(head, width))
    for switch in edition.switches:
        print_switch(switch, width)
    print()
    print(_("Rules without a switch:"))
    for decision in edition.decisions:
        print(_wrapped(str(decision), width, "- ", "  "))
    print()
    print(_("The rules behind refused actions, and their sources:"))
    for footnote in footnotes(edition):
        print(_wrapped(footnote, width, "- ", "  "))
    return 0


def print_switch(switch: Switch, width: int) -> None:
    """Print an open question, our answer and its reason, in lines of up to `width` letters."""
    played = _("on by default") if switch.default else _("off by default")
    print(f"\n{switch.name} ({played})")
    print(_wrapped(str(switch.says), width, "  "))
    print(_wrapped(_("Why: {reason}").format(reason=switch.why), width, "  "))


def _wrapped(text: str, width: int, first: str = "", rest: str | None = None) -> str:
    rest = first if rest is None else rest
    return textwrap.fill(text, width, initial_indent=first, subsequent_indent=rest)
