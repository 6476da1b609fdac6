"""The command `city-game`: finds the command's module and hands over.

A command's module has `arguments(parser)`, which declares what it takes, and
`run(options)`, which does it and returns the exit status. Only the module of
the command that was asked for is imported, so that each starts fast.
"""

import argparse
import importlib
import sys

from city_game import texts
from city_game.errors import UserError

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
HELP = ("-h", "--help")


def main(arguments: list[str] | None = None) -> int:
    words = sys.argv[1:] if arguments is None else arguments
    if not words or (words[0] not in COMMANDS and words[0] not in HELP):
        words = [DEFAULT, *words]
    try:
        options = _parser(words[0]).parse_args(words)
        return options.run(options)
    except UserError as error:
        print(f"city-game: {error}", file=sys.stderr)
        return error.code
    except KeyboardInterrupt:
        return 130
    except BrokenPipeError:
        sys.stderr.close()
        return 1


def _parser(chosen: str) -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="city-game", description=texts.PROGRAM, epilog=texts.PROGRAM_MORE
    )
    commands = parser.add_subparsers(metavar="COMMAND", required=True)
    for name, (path, summary) in COMMANDS.items():
        command = commands.add_parser(name, help=summary, description=summary)
        if name == chosen:
            module = importlib.import_module(path)
            module.arguments(command)
            command.set_defaults(run=module.run)
    return parser


if __name__ == "__main__":
    sys.exit(main())
