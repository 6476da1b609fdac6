"""What several commands take from the command line, each worded once."""

import argparse

from city_unit.desktop.catalogue import _


def add_unit_port(parser: argparse.ArgumentParser) -> None:
    """Add the port of a live unit; without one the only unit there is is meant."""
    parser.add_argument(
        "--port",
        default="auto",
        metavar=_("PORT"),
        help=_("a serial port, socket://HOST:PORT, auto or auto:NAME (default: auto)"),
    )


def add_json_report(parser: argparse.ArgumentParser) -> None:
    """Add that a report is printed for programs, when all is done."""
    parser.add_argument(
        "--json", action="store_true", help=_("print the report as one JSON object")
    )


def add_json_lines(parser: argparse.ArgumentParser) -> None:
    """Add that what is printed as it comes is printed for programs."""
    parser.add_argument("--json", action="store_true", help=_("one JSON object a line"))


def add_overwriting(parser: argparse.ArgumentParser) -> None:
    """Add that a file of the user's may be written over."""
    parser.add_argument("--force", action="store_true", help=_("write over a file that is there"))


def add_scenario(parser: argparse.ArgumentParser) -> None:
    """Add the file of a scenario, and what may be other than it stands there."""
    parser.add_argument("file", metavar=_("FILE"), help=_("the scenario; - is standard input"))
    parser.add_argument(
        "--program", metavar=_("NAME"), help=_("a program's name or file, not FILE's")
    )
    parser.add_argument("--seed", metavar=_("N"), type=whole, help=_("the seed, not FILE's"))


def whole(text: str) -> int:
    """Read a whole number from 0 on; raises ArgumentTypeError for anything else."""
    if not (text.isascii() and text.isdecimal()):
        words = _('"{text}" is no whole number from 0 on')
        raise argparse.ArgumentTypeError(words.format(text=text))
    return int(text)
