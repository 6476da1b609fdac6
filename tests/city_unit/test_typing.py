"""The types of the client name the parts of a unit; `mistaken.py` is checked by `tests/types`."""

import sys
from pathlib import Path
from typing import get_args

from city_unit.facts import BUTTONS
from city_unit.host import EventKind, Fields
from city_unit.host.client import Button
from city_unit.trace import EVENTS

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib

ROOT = Path(__file__).parents[2]


def test_the_literals_are_the_names_of_the_unit():
    assert get_args(EventKind) == tuple(EVENTS)
    assert get_args(Button) == tuple(BUTTONS)
    assert set(Fields.__annotations__) == {name for names in EVENTS.values() for name in names}


def test_a_set_up_for_editing_is_a_path_that_type_checkers_follow():
    """Setuptools then writes a `.pth`; otherwise a finder in Python, which they do not run."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    assert project["tool"]["setuptools"]["package-dir"] == {"": "."}
