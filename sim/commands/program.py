"""`city-unit program`: the programs, as files to read, change and check."""

import argparse

from city_unit.desktop.catalogue import _
from city_unit.desktop.errors import SUCCESS
from city_unit.desktop.toml_reader import load
from city_unit.programs import PROGRAMS
from sim.engine import program_file, program_text


def arguments(parser: argparse.ArgumentParser) -> None:
    actions = parser.add_subparsers(dest="action", required=True, metavar=_("ACTION"))
    actions.add_parser("list", help=_("name the built-in programs"))
    start = _("print a program as a file, to start your own from")
    show = actions.add_parser("show", help=start)
    show.add_argument("program", metavar=_("PROGRAM"), help=_("a name, or a file"))
    check = actions.add_parser("check", help=_("check a file of your own"))
    check.add_argument("file", metavar=_("FILE"), help=_("the program's file"))


def run(options: argparse.Namespace) -> int:
    if options.action == "list":
        for program in PROGRAMS:
            print(program.name)
    elif options.action == "show":
        print(program_text.write(program_file.find(options.program)), end="")
    else:
        program = program_file.read(load(options.file))
        words = _('{file}: the program "{program}" is in order')
        print(words.format(file=options.file, program=program.title or program.name))
    return SUCCESS
