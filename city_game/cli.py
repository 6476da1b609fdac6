"""The command `city-game`: finds the command's module and hands over.

A command's module has `arguments(parser)`, which declares what it takes, and
`run(options)`, which does it and returns the exit status. Only the module of
the command that was asked for is imported, so that each starts fast. Without a
command the table opens; its options are those of the bare `city-game`.
"""

import argparse
import importlib
import re
import sys
from typing import NoReturn

from city_game import texts
from city_game.errors import UserError, nearest

# command: (its module, what it does in a line)
COMMANDS = {
    "table": (
        "city_game.table.command",
        "open the table and play (this is done without a command)",
    ),
    "simulate": ("city_game.commands.simulate", "let bots play many games, and count"),
    "export": (
        "city_game.commands.export",
        "write a saved game's log, with all bids, and a picture of who was worth what",
    ),
    "rules": ("city_game.commands.rules", "list the house rules that can be switched, and why"),
    "board": ("city_game.commands.board", "check, show or start a board of your own"),
    "bench": ("city_game.commands.bench", "measure how many games a second the rules can play"),
}

DEFAULT = "table"


def main(arguments: list[str] | None = None) -> int:
    words = sys.argv[1:] if arguments is None else arguments
    try:
        options = _read(words)
        return options.run(options)
    except UserError as error:
        print(f"city-game: {error}", file=sys.stderr)
        return error.code
    except KeyboardInterrupt:
        return 130
    except BrokenPipeError:
        sys.stderr.close()
        return 1


class Parser(argparse.ArgumentParser):
    """A parser whose mistakes are one line, with the nearest right word."""

    def error(self, message: str) -> NoReturn:
        raise UserError(texts.BAD_OPTION.format(what=message, program=self.prog))

    def read(self, words: list[str]) -> argparse.Namespace:
        """Return the options; raises UserError for a word that is none."""
        options, unknown = self.parse_known_args(words)
        if not unknown:
            return options
        near = nearest(unknown[0].partition("=")[0], re.findall(r"--\w+", self.format_help()))
        if not near:
            self.error(texts.UNEXPECTED.format(word=unknown[0]))
        raise UserError(texts.NO_OPTION.format(word=unknown[0], near=near))


def _read(words: list[str]) -> argparse.Namespace:
    first = words[0] if words else ""
    if first in COMMANDS:
        return _command(first).read(words[1:])
    if first and not first.startswith("-"):
        near = nearest(first, COMMANDS)
        told = texts.NO_COMMAND_NEAR if near else texts.NO_COMMAND
        raise UserError(told.format(word=first, near=near))
    return _bare().read(words)


def _command(name: str) -> Parser:
    path, summary = COMMANDS[name]
    module = importlib.import_module(path)
    parser = Parser(prog=f"city-game {name}", description=summary)
    parser.set_defaults(run=module.run)
    module.arguments(parser)
    return parser


def _bare() -> Parser:
    """Return the parser of `city-game` without a command: the table's options, and the commands."""
    module = importlib.import_module(COMMANDS[DEFAULT][0])
    parser = Parser(
        prog="city-game",
        usage=texts.USAGE,
        description=texts.PROGRAM,
        epilog=_listed(),
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.set_defaults(run=module.run)
    module.arguments(parser)
    return parser


def _listed() -> str:
    rows = [f"  {name:10}{summary}" for name, (_, summary) in COMMANDS.items()]
    return "\n".join([texts.COMMANDS_HEAD, *rows, "", texts.EXAMPLES])


if __name__ == "__main__":
    sys.exit(main())
