"""Programs by name, or from files that people write."""

from collections.abc import Callable
from pathlib import Path

from city_unit.programs import PROGRAMS, Program
from sim.errors import UserError
from sim.toml_reader import nearest, text

DEFAULT = PROGRAMS[0]


def find(word: str, folder: str = ".") -> Program:
    """Return the program of that name, or from the file of that path; raises UserError."""
    for program in PROGRAMS:
        if program.name == word:
            return program
    names = [program.name for program in PROGRAMS]
    raise UserError(f'there is no program "{word}"{nearest(word, names)}')
