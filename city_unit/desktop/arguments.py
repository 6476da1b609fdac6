"""Arguments of several commands, each worded once."""

import argparse
from collections.abc import Callable
from typing import TypeVar

from city_unit.desktop.catalogue import _
from city_unit.desktop.errors import UserError, at

T = TypeVar("T")


def add_unit_port(parser: argparse.ArgumentParser) -> None:
    """Add `--port` for a live unit; by default it is the only one that can be reached."""
    parser.add_argument(
        "--port",
        default="auto",
        metavar=_("PORT"),
        help=_("a serial port, socket://HOST:PORT, auto or auto:NAME (default: auto)"),
    )


def add_json_report(parser: argparse.ArgumentParser) -> None:
    """Add `--json`, for a report that is printed once, at the end."""
    parser.add_argument(
        "--json", action="store_true", help=_("print the report as one JSON object")
    )


def add_json_lines(parser: argparse.ArgumentParser) -> None:
    """Add `--json`, for output that is printed line by line as it comes."""
    parser.add_argument("--json", action="store_true", help=_("one JSON object a line"))


def add_overwriting(parser: argparse.ArgumentParser) -> None:
    """Add `--force`, to write over a file of the user's."""
    parser.add_argument("--force", action="store_true", help=_("write over a file that is there"))


def add_taking(parser: argparse.ArgumentParser) -> None:
    """Add `--force`, to take a live unit from the middle of something."""
    parser.add_argument(
        "--force",
        action="store_true",
        help=_("take a live unit even from the middle of an auction"),
    )


def add_scenario(parser: argparse.ArgumentParser) -> None:
    """Add the file of a scenario, and the options that override its values."""
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


def meaning(option: str, reader: Callable[[str], T], text: str) -> T:
    """Return the value of an option's text, read by `reader`; raises UserError with its name."""
    try:
        return reader(text)
    except ValueError as error:
        raise UserError(at(option, error)) from None
