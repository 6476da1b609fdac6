"""Who may know whom: the imports of every room, held against the architecture."""

import ast
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
ROOMS = ("city_unit", "firmware", "sim", "city_game")
DRAWS_OR_SOUNDS = (
    "sim/window/",
    "sim/sound.py",
    "sim/lab/microphone.py",
    "sim/lab/png.py",
    "city_game/table/",
)


def imports(path):
    """Return the full names of all that a file imports."""
    package = path.relative_to(ROOT).parent.parts
    names = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            names |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            above = package[: len(package) - node.level + 1] if node.level else ()
            module = ".".join([*above, *([node.module] if node.module else [])])
            names |= {f"{module}.{alias.name}" for alias in node.names}
    return names


def files(room):
    return sorted((ROOT / room).rglob("*.py"))


ALL = [path.relative_to(ROOT).as_posix() for room in ROOMS for path in files(room)]


def rooms_of(name):
    return imports(ROOT / name)


def may_import(name, imported):
    """Return whether the file `name` may import the module or member `imported`."""
    room = name.split("/")[0]
    other = imported.split(".")[0]
    if other == "tests":
        return False
    if other not in ROOMS or other == room:
        return True
    if room == "city_unit":
        return False
    if room == "city_game":
        return imported.startswith("city_unit.host")
    return other == "city_unit"


@pytest.mark.parametrize("name", ALL)
def test_arrows(name):
    assert [one for one in rooms_of(name) if not may_import(name, one)] == []


PURE = [
    name for name in ALL if name.startswith("city_unit/") and not name.startswith("city_unit/host")
]


@pytest.mark.parametrize("name", PURE)
def test_the_core_imports_nothing_but_itself_and_what_both_interpreters_have(name):
    allowed = ("city_unit.", "micropython.const", "binascii.", "ubinascii.")
    assert [one for one in rooms_of(name) if not one.startswith(allowed)] == []


@pytest.mark.parametrize("name", ALL)
def test_pygame_stays_where_something_is_drawn_or_sounds(name):
    if not name.startswith(DRAWS_OR_SOUNDS):
        assert not any(one.split(".")[0] == "pygame" for one in rooms_of(name))


def test_the_core_runs_where_nothing_is_installed(tmp_path):
    import subprocess

    code = "import city_unit.unit, city_unit.trace, city_unit.draws"
    done = subprocess.run(
        [
            sys.executable,
            "-I",
            "-S",
            "-c",
            f"import sys; sys.path = [{str(ROOT)!r}, *sys.path]; {code}",
        ],
        cwd=tmp_path,
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stderr
