"""The programs that a person has made: each a file in a folder of the settings."""

import contextlib
from pathlib import Path

from city_unit.desktop import files
from city_unit.desktop.catalogue import _
from city_unit.desktop.errors import UserError
from city_unit.desktop.files import copy_whole, make_folder
from city_unit.desktop.toml_reader import load as load_toml
from city_unit.lamps import CHOICE_LAMPS
from city_unit.programs import PROGRAMS, Program
from sim.engine import program_file


def folder() -> Path:
    """Return the folder, which may not be there yet."""
    return files.settings_folder() / "programs"


def load() -> tuple[Program, ...]:
    """Return the programs in the folder, in order of their names; other files are left alone."""
    programs = []
    for path in sorted(folder().glob("*.toml")):
        with contextlib.suppress(UserError):
            programs.append(program_file.read(load_toml(str(path))))
    return tuple(programs)[: len(CHOICE_LAMPS) - len(PROGRAMS)]


def add(path: str, there: tuple[Program, ...]) -> Program:
    """Read a program from a file and keep it in the folder.

    there  the programs that can be chosen already. Raises UserError.
    """
    program = program_file.read(load_toml(path))
    if program.name in [built_in.name for built_in in PROGRAMS]:
        words = _('there is a program "{name}" already; give yours another name')
        raise UserError(words.format(name=program.title or program.name))
    if len([other for other in there if other.name != program.name]) >= len(CHOICE_LAMPS):
        raise UserError(
            _("there are as many programs as can be chosen; take one out of {folder}").format(
                folder=folder()
            )
        )
    kept = folder() / f"{program.name}.toml"
    if Path(path).resolve() != kept.resolve():
        make_folder(folder())
        copy_whole(Path(path), kept)
    return program
