"""A program's command line as values, read from its parsers: for shells and for manual pages."""

import argparse
from collections.abc import Iterator
from typing import NamedTuple


class Option(NamedTuple):
    """Something that a command takes.

    names    as "--seed"; none if it has only a place
    value    what is written behind it, "" if it stands alone
    help     what it does
    choices  the words that may stand for its value; none if any may
    """

    names: tuple[str, ...]
    value: str
    help: str
    choices: tuple[str, ...]


class Command(NamedTuple):
    """A command, with what it takes in its options and in places of its own.

    name     as it is written, with the command that it belongs to
    about    what it does
    usage    how it is called, in a line
    options, places  what it takes
    epilog   what its help says at the end, as it is set there
    """

    name: str
    about: str
    usage: str
    options: tuple[Option, ...]
    places: tuple[Option, ...]
    epilog: str


def read(parser: argparse.ArgumentParser, name: str, about: str) -> Iterator[Command]:
    """Yield a parser's command, then those of its subparsers."""
    options, places, subparsers = [], [], []
    for action in parser._actions:
        if isinstance(action, argparse._SubParsersAction):
            subparsers.append(action)
        elif action.help != argparse.SUPPRESS:
            (options if action.option_strings else places).append(_option(action))
    words = tuple(word for action in subparsers for word in action.choices)
    if words:
        places.insert(0, Option((), " | ".join(words), "", words))
    usage = " ".join(parser.format_usage().partition(": ")[2].split())
    yield Command(name, about, usage, tuple(options), tuple(places), parser.epilog or "")
    for action in subparsers:
        abouts = {choice.dest: choice.help or "" for choice in action._choices_actions}
        for word, inner in action.choices.items():
            yield from read(inner, f"{name} {word}", abouts.get(word, ""))


def _option(action: argparse.Action) -> Option:
    takes = action.nargs != 0
    choices = tuple(map(str, action.choices)) if action.choices else ()
    own = action.dest.upper()  # no text: as argparse calls it
    value = action.metavar or ("|".join(choices) if choices else own)
    shown = " ".join(value) if isinstance(value, tuple) else str(value)
    help_text = (action.help or "") % {"default": action.default, "prog": ""}
    return Option(tuple(action.option_strings), shown if takes else "", help_text, choices)
