"""The command `man`: the manual page of a program, made from its parsers."""

import argparse
from collections.abc import Iterator, Sequence

from city_unit.desktop.catalogue import _, lazy
from city_unit.desktop.command_line import Command
from city_unit.desktop.errors import EXIT_CODES, SUCCESS
from city_unit.facts import VERSION

# To translators: the headings of a manual page, in capitals as these have them.
NAME = lazy("NAME")
SYNOPSIS = lazy("SYNOPSIS")
COMMANDS = lazy("COMMANDS")
BARE = lazy("OPTIONS WITHOUT A COMMAND")
EXITS = lazy("EXIT STATUS")


def arguments(parser: argparse.ArgumentParser) -> None:
    name = parser.prog.split()[0]
    parser.epilog = _("To read it: `{program} man > {program}.1`, then `man ./{program}.1`").format(
        program=name
    )


def run(options: argparse.Namespace) -> int:
    program = options.main_program
    print(page(program.name, str(program.about), list(program.described())))
    return SUCCESS


def page(name: str, about: str, commands: Sequence[Command]) -> str:
    """Return the manual page as troff, with the macros that every system has."""
    return "\n".join(_lines(name, about, commands))


def _lines(name: str, about: str, commands: Sequence[Command]) -> Iterator[str]:
    root, *others = commands
    yield f'.TH "{name.upper()}" 1 "" "{name} {VERSION}" "City Unit"'  # no text: a name
    yield f".SH {_plain(str(NAME))}"
    yield f"{_plain(name)} \\- {_plain(about)}"
    yield f".SH {_plain(str(SYNOPSIS))}"
    yield f".B {_plain(name)}"
    yield _plain(_("[COMMAND] [OPTION ...]"))
    yield f".SH {_plain(str(COMMANDS))}"
    for command in others:
        if " " not in command.name:
            yield from _row(command.name, command.about)
    yield f".SH {_plain(str(BARE))}"
    yield from _options(root)
    for command in others:
        yield f'.SH "{_plain(command.name.upper())}"'  # no text: a name of a program
        yield _plain(command.about)
        yield ".PP"
        yield _plain(command.usage)
        yield from _options(command)
        yield from _epilog(command.epilog)
    yield f".SH {_plain(str(EXITS))}"
    for code, what in EXIT_CODES:
        yield from _row(str(code), str(what))


def _options(command: Command) -> Iterator[str]:
    for place in command.places:
        if place.value:
            yield from _row(place.value, place.help)
    for option in command.options:
        names = ", ".join(option.names)
        yield from _row(f"{names} {option.value}".strip(), option.help)


def _row(term: str, what: str) -> Iterator[str]:
    yield ".TP"
    yield f".B {_plain(term)}"
    yield _plain(" ".join(what.split())) or "\\&"


def _epilog(text: str) -> Iterator[str]:
    if not text.strip():
        return
    yield ".PP"
    yield ".nf"
    for line in text.strip("\n").splitlines():
        yield _plain(line) or "\\&"
    yield ".fi"


def _plain(text: str) -> str:
    """Return a text in which troff finds nothing to obey."""
    if "\n" in text:
        return "\n".join(_plain(line) for line in text.splitlines())
    escaped = text.replace("\\", "\\e").replace("-", "\\-").replace('"', "\\(dq")
    return f"\\&{escaped}" if escaped[:1] in (".", "'") else escaped
