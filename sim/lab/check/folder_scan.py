"""The scenarios of a folder: the files to check, and the files that are plainly something else.

A scenario with a mistake must never look as if it were no scenario. So the check
includes every file that cannot be read, or has a key that is a scenario's or resembles one.
"""

from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

from city_unit.desktop import toml_reader
from city_unit.desktop.errors import UserError, nearest
from sim.engine import program_file, scenario

PROGRAM, BARE, OTHER = "program", "bare", "other"  # bare: a scenario without expectations
_KEYS = ("program", "seed", "steps", "expect", "faults")
_LIKENESS = 0.7  # a key with this likeness to one of these may be it, misspelt


class FolderScan(NamedTuple):
    """The files of a folder; `left_out` has those of each kind that are not checked."""

    checked: list[str]
    left_out: dict[str, list[str]]


def sort(folder: Path) -> FolderScan:
    """Sort the TOML files of a folder, and of the folders in it."""
    found = FolderScan([], {PROGRAM: [], BARE: [], OTHER: []})
    for file in sorted(folder.rglob("*")):
        if file.suffix.lower() != ".toml" or file.is_dir():
            continue
        kind = _left_out_as(str(file))
        (found.left_out[kind] if kind else found.checked).append(str(file))
    return found


def _left_out_as(path: str) -> str | None:
    """Return the kind as which a file is left out, None if it is to be checked."""
    try:
        names = toml_reader.load(path).names()
    except UserError:
        return None
    if "device" in names:
        return OTHER  # of another gadget, which a folder of scenarios has no instrument for
    if not any(_resembles_a_scenarios(name) for name in names):
        return PROGRAM if _is_good(program_file.find, path) else OTHER
    if "expect" in names or not _is_good(scenario.load, path):
        return None
    return BARE


def _resembles_a_scenarios(key: str) -> bool:
    return bool(nearest(key, _KEYS, _LIKENESS))


def _is_good(load: Callable[[str], object], path: str) -> bool:
    try:
        load(path)
    except UserError:
        return False
    return True
