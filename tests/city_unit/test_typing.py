"""A type checker sees the mistakes of the client's users, and no others."""

import json
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path
from typing import get_args

from city_unit.facts import BUTTONS
from city_unit.host import EventKind, Fields
from city_unit.host.commands import Button
from city_unit.trace import EVENTS
from tests.helpers.needs import needs

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib

ROOT = Path(__file__).parents[2]
MISTAKEN = Path(__file__).with_name("mistaken.py")


def test_each_planted_mistake_is_found_and_nothing_else(tmp_path):
    needs(find_spec("pyright"), "pyright")
    program = tmp_path / "program.py"
    program.write_bytes(MISTAKEN.read_bytes())
    config = {"extraPaths": [str(ROOT)], "include": [program.name]}
    (tmp_path / "pyrightconfig.json").write_text(json.dumps(config))
    command = [sys.executable, "-m", "pyright", "--outputjson", "--pythonpath", sys.executable]
    done = subprocess.run(command, capture_output=True, text=True, cwd=tmp_path)
    found = json.loads(done.stdout)["generalDiagnostics"]
    lines = program.read_text().splitlines()
    planted = [number for number, line in enumerate(lines) if line.endswith("# mistake")]
    assert sorted({each["range"]["start"]["line"] for each in found}) == planted, done.stdout
    assert len(planted) == 7


def test_the_literals_are_the_names_of_the_unit():
    assert get_args(EventKind) == tuple(EVENTS)
    assert get_args(Button) == tuple(BUTTONS)
    assert set(Fields.__annotations__) == {name for names in EVENTS.values() for name in names}


def test_a_set_up_for_editing_is_a_path_that_type_checkers_follow():
    """Setuptools then writes a `.pth`; otherwise a finder in Python, which they do not run."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    assert project["tool"]["setuptools"]["package-dir"] == {"": "."}
