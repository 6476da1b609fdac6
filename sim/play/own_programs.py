"""`city-unit program`, and the folder of the user's own programs in the settings."""

import argparse
import contextlib
from pathlib import Path

from city_unit.desktop import files
from city_unit.desktop.catalogue import _
from city_unit.desktop.errors import SUCCESS, UserError
from city_unit.desktop.files import make_folder, write_whole
from city_unit.desktop.toml_reader import load as load_toml
from city_unit.lamps import CHOICE_LAMPS
from city_unit.programs import PROGRAMS, Program
from sim.engine import program_file, program_text


def folder() -> Path:
    """Return the folder, which may not exist yet."""
    return files.settings_folder() / "programs"


def load() -> tuple[Program, ...]:
    """Return the valid programs in the folder, in order of their file names."""
    programs = []
    for path in sorted(folder().glob("*.toml")):
        with contextlib.suppress(UserError):
            programs.append(program_file.read(load_toml(str(path))))
    return tuple(programs)[: len(CHOICE_LAMPS) - len(PROGRAMS)]


def add(path: str, there: tuple[Program, ...]) -> Program:
    """Read a program from a file and copy the file into the folder.

    there  the programs that can already be chosen

    Raises UserError.
    """
    program = program_file.read(load_toml(path))
    if program.name in [built_in.name for built_in in PROGRAMS]:
        words = _('a program "{name}" already exists; give yours another name')
        raise UserError(words.format(name=program.title or program.name))
    if len([other for other in there if other.name != program.name]) >= len(CHOICE_LAMPS):
        raise UserError(
            _("no more programs fit in the menu; remove one from {folder}").format(folder=folder())
        )
    kept = folder() / f"{program.name}.toml"
    if Path(path).resolve() != kept.resolve():
        make_folder(folder())
        write_whole(kept, Path(path).read_bytes())
    return program


def arguments(parser: argparse.ArgumentParser) -> None:
    actions = parser.add_subparsers(dest="action", required=True, metavar=_("ACTION"))
    actions.add_parser("list", help=_("list the built-in programs"))
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
        table = load_toml(options.file)
        if "steps" in table:
            words = _("{file} is a scenario, not a program; `city-unit check {file}` checks it")
            raise UserError(words.format(file=options.file))
        program = program_file.read(table)
        words = _('{file}: the program "{program}" is valid')
        print(words.format(file=options.file, program=program.title or program.name))
    return SUCCESS
