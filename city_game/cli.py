"""The program `city-game`: its commands and their modules."""

import sys

try:
    from city_unit.desktop.catalogue import lazy
    from city_unit.desktop.command import Program
except KeyboardInterrupt:  # later ones are handled by `command.start`
    sys.exit(130)

ABOUT = lazy(
    """\
The desktop City game for two to six people or bots, with an emulated or a real
unit that runs the auctions, the permits and the hour. Without a command the table
opens; it asks who plays, unless --players says so."""
)
EXAMPLES = lazy(
    """\
examples:
  city-game                                    a window opens and asks who plays
  city-game --players Ann,Bob=planner          Ann against a bot
  city-game --port auto --resume               the last game, with the unit that is plugged in
  city-game board template mine.toml           a board for the figures of your own box
"""
)

GROUPS = {
    lazy("Play:"): {
        "table": (
            "city_game.evening",
            lazy("open the table and play (the default command)"),
        ),
        "rules": (
            "city_game.commands:rules",
            lazy("list the house rules, with their defaults and reasons"),
        ),
        "board": ("city_game.commands:board", lazy("check, show or start a board of your own")),
        "tournament": (
            "city_game.tournament.evening",
            lazy("draw the tables of a championship, record results, show its rounds"),
        ),
    },
    lazy("Analyse:"): {
        "simulate": ("city_game.simulate", lazy("let bots play many games, and print statistics")),
        "export": (
            "city_game.export",
            lazy(
                "write the log with all bids, the score sheet and the worth chart of a saved game"
            ),
        ),
    },
}

PROGRAM = Program("city-game", ABOUT, GROUPS, "table", EXAMPLES)
main = PROGRAM.main

if __name__ == "__main__":
    sys.exit(main())
