"""Who may know whom: the imports of every room, held against the architecture."""

import ast
import sys
from functools import cache
from pathlib import Path
from typing import NamedTuple

import pytest

ROOT = Path(__file__).parent.parent
ROOMS = ("city_unit", "firmware", "sim", "city_game")
DRAWS_OR_SOUNDS = (
    "sim/window/",
    "sim/face/",
    "sim/listen/sound/microphone.py",
    "sim/picture/png.py",
    "city_game/table/",
)


class Source(NamedTuple):
    """What a file has of arrows.

    imports   the full names of all that it imports
    strings   each string that stands in it
    is_open   whether it calls an importer with anything but a name that is written out
    """

    imports: frozenset[str]
    strings: frozenset[str]
    is_open: bool


@cache  # a file is read once, and not for each test of it: 2 s in place of 4
def read(path):
    inside = ROOT in path.parents
    package = path.relative_to(ROOT).parent.parts if inside else ()
    imported, strings, is_open = set(), set(), False
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            imported |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            above = package[: len(package) - node.level + 1] if node.level else ()
            module = ".".join([*above, *([node.module] if node.module else [])])
            imported |= {f"{module}.{alias.name}" for alias in node.names}
        elif isinstance(node, ast.Constant) and isinstance(node.value, str):
            strings.add(node.value)
        elif isinstance(node, ast.Call) and _called(node) in IMPORTERS:
            is_open |= not (node.args and isinstance(node.args[0], ast.Constant))
    return Source(frozenset(imported), frozenset(strings), is_open)


def _called(call):
    return getattr(call.func, "attr", getattr(call.func, "id", ""))


# Where a module is handed over by name: the command line, and the bodies of a check.
BY_NAME = {
    "sim/cli.py": {"firmware.tool.flash", "firmware.tool.one_file", "firmware.tool.selftest"},
    "sim/commands/web.py": {"firmware.tool.for_page"},
    "sim/commands/desktop.py": {"city_game.cli"},
    "sim/check/bodies.py": {"firmware.virtual.scenario", "firmware.chip.scenario"},
}

# Files that import a name that is given to them: who gives it is held above.
HANDED = {"city_unit/desktop/command.py", "firmware/virtual/lib/world.py"}
IMPORTERS = {"import_module", "__import__", "run_module", "run_path"}


def named(path):
    """Return the modules of the rooms, and of the tests, that stand in a file's strings.

    So what is imported by its name is found, and what is started with `-m`.
    """
    return {string for string in read(path).strings if is_module(string)}


def is_module(string):
    """Return whether a string is the full name of a module, or of a package that can be started."""
    parts = string.split(".")
    if len(parts) < 2 or parts[0] not in (*ROOMS, "tests") or not all(map(str.isidentifier, parts)):
        return False
    place = ROOT.joinpath(*parts)
    return place.with_suffix(".py").exists() or (place / "__init__.py").exists()


def files(room):
    return sorted((ROOT / room).rglob("*.py"))


ALL = [path.relative_to(ROOT).as_posix() for room in ROOMS for path in files(room)]


def imports_of(name):
    return read(ROOT / name).imports


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
        known = ("city_unit.facts", "city_unit.host", "city_unit.desktop")
        return imported.startswith((*known, "sim.face", "sim.engine.emulated_unit"))
    return other == "city_unit"


@pytest.mark.parametrize("name", ALL)
def test_arrows(name):
    assert [imported for imported in imports_of(name) if not may_import(name, imported)] == []


@pytest.mark.parametrize("name", ALL)
def test_arrows_by_name(name):
    stranger = {module for module in named(ROOT / name) if not may_import(name, module)}
    assert stranger == BY_NAME.get(name, set())


def test_nobody_else_imports_what_it_is_handed():
    assert {name for name in ALL if read(ROOT / name).is_open} == HANDED


@pytest.mark.parametrize(
    ("code", "arrows"),
    [
        ('import_module("firmware.virtual.scenario")', {"firmware.virtual.scenario"}),
        ('[sys.executable, "-m", "sim.cli"]', {"sim.cli"}),
        ('"-m", "tests.scenarios"', {"tests.scenarios"}),
        ('"sim.nothing of the kind", "sim", "sim.nothing", "numpy.fft"', set()),
    ],
)
def test_a_module_is_seen_in_a_string(tmp_path, code, arrows):
    file = tmp_path / "any.py"
    file.write_text(code)
    assert named(file) == arrows


@pytest.mark.parametrize(
    ("code", "hidden"),
    [
        ('import_module("sim.cli")', False),
        ("import_module(name)", True),
        ('importlib.import_module(f"firmware.{name}")', True),
        ('__import__("firm" + "ware")', True),
    ],
)
def test_a_module_without_a_name_is_seen(tmp_path, code, hidden):
    file = tmp_path / "any.py"
    file.write_text(code)
    assert read(file).is_open == hidden


@pytest.mark.parametrize("name", [name for name in ALL if name.startswith("sim/face/")])
def test_the_face_knows_no_room_that_draws_it(name):
    known = ("sim.face", "city_unit.")
    sims = [imported for imported in imports_of(name) if imported.split(".")[0] in ROOMS]
    assert [imported for imported in sims if not imported.startswith(known)] == []


# Each room of the game's table, and those that it may look into.
TABLE = {
    "unit": (),
    "paint": (),
    "play": ("unit",),
    "setup": ("paint", "play"),
    "window": ("unit", "paint", "play", "setup"),
}


@pytest.mark.parametrize("name", [name for name in ALL if name.startswith("city_game/table/")])
def test_the_rooms_of_the_table_look_one_way(name):
    room = name.split("/")[2]
    may_see = {room, *TABLE.get(room, ())}
    inside = [found for found in imports_of(name) if found.startswith("city_game.table.")]
    assert {found.split(".")[2] for found in inside} & {*TABLE} <= may_see


# Files in city_unit run on a board; its folders are for the desktop.
PURE = [name for name in ALL if name.startswith("city_unit/") and name.count("/") == 1]


@pytest.mark.parametrize("name", PURE)
def test_the_core_imports_nothing_but_itself_and_what_both_interpreters_have(name):
    allowed = ("city_unit.", "micropython.const", "binascii.", "ubinascii.")
    assert [found for found in imports_of(name) if not found.startswith(allowed)] == []


@pytest.mark.parametrize("name", ALL)
def test_pygame_stays_where_something_is_drawn_or_sounds(name):
    if not name.startswith(DRAWS_OR_SOUNDS):
        assert not any(found.split(".")[0] == "pygame" for found in imports_of(name))


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


def folder_of(imported):
    """Return the folder of the module that is imported, or of the one that a member is from."""
    parts = imported.split(".")
    for end in (len(parts), len(parts) - 1):
        place = ROOT.joinpath(*parts[:end])
        if place.with_suffix(".py").exists():
            return place.parent.relative_to(ROOT).as_posix()
        if (place / "__init__.py").exists():
            return place.relative_to(ROOT).as_posix()
    return ""


def looks(names, imports_of):
    """Return each pair (A, B) where a file of folder A imports a module of folder B."""
    pairs = {
        (Path(name).parent.as_posix(), folder_of(imported))
        for name in names
        for imported in imports_of(name)
        if imported.split(".")[0] in ROOMS
    }
    return {(here, there) for here, there in pairs if there and here != there}


def test_no_two_folders_look_both_ways():
    found = looks(ALL, imports_of)
    assert {pair for pair in found if pair[::-1] in found} == set()


def test_two_folders_that_do_are_found():
    planted = {
        "firmware/maker/case/parts.py": {"firmware.maker.pcb.circuit.Leg"},
        "firmware/maker/pcb/circuit.py": {"firmware.maker.case.parameters.Parameters"},
    }
    found = looks(planted, planted.get)
    assert len(found) == 2 and all(pair[::-1] in found for pair in found)
