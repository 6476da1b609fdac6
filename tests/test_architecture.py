"""The architecture: the contracts of pyproject.toml, and the arrows that are no imports."""

import ast
import subprocess
import sys
from functools import cache
from pathlib import Path

from importlinter.cli import EXIT_STATUS_SUCCESS, lint_imports

ROOT = Path(__file__).parent.parent
ROOMS = ("city_unit", "firmware", "sim", "city_game")
# Modules that are handed over by name: the command line, and the bodies of a check.
BY_NAME = {
    "sim/cli.py": {"firmware.tool.flash", "firmware.tool.one_file", "firmware.tool.selftest"},
    "sim/commands/web.py": {"firmware.tool.for_page"},
    "sim/commands/desktop.py": {"city_game.cli"},
    "sim/lab/check/bodies.py": {"firmware.virtual.scenario", "firmware.chip.scenario"},
}
# Files that import a module whose name they are given; BY_NAME holds the givers.
HANDED = {"city_unit/desktop/command.py", "firmware/virtual/lib/world.py"}
IMPORTERS = {"import_module", "__import__", "run_module", "run_path"}


def modules():
    """Yield each module of the four rooms: its path from the root, its room, its syntax."""
    for path in sorted(path for room in ROOMS for path in (ROOT / room).rglob("*.py")):
        name = path.relative_to(ROOT).as_posix()
        yield name, name.split("/")[0], tree_of(path)


@cache
def tree_of(path):
    return ast.parse(path.read_text(encoding="utf-8"))


def named(tree):
    """Return the modules of the rooms and the tests that a module names in its strings."""
    strings = {node.value for node in ast.walk(tree) if isinstance(node, ast.Constant)}
    return {string for string in strings if isinstance(string, str) and is_module(string)}


def is_module(string):
    """Return whether a string is the full name of a module, or of a package that can start."""
    parts = string.split(".")
    if len(parts) < 2 or parts[0] not in (*ROOMS, "tests") or not all(map(str.isidentifier, parts)):
        return False
    place = ROOT.joinpath(*parts)
    return place.with_suffix(".py").exists() or (place / "__init__.py").exists()


def imports_by_a_variable(tree):
    """Return whether a module calls an importer with anything but a literal."""
    return any(
        getattr(node.func, "attr", getattr(node.func, "id", "")) in IMPORTERS
        and not (node.args and isinstance(node.args[0], ast.Constant))
        for node in ast.walk(tree)
        if isinstance(node, ast.Call)
    )


def test_the_contracts_are_kept(monkeypatch, capsys):
    monkeypatch.chdir(ROOT)
    status = lint_imports(no_cache=True, is_debug_mode=False, show_timings=False)
    assert status == EXIT_STATUS_SUCCESS, capsys.readouterr().out


def test_arrows_by_name():
    """As imports: to the own room, to `city_unit`, and those that BY_NAME grants."""
    found = {
        name: strangers
        for name, room, tree in modules()
        if (strangers := {m for m in named(tree) if m.split(".")[0] not in (room, "city_unit")})
    }
    # The table starts a unit as a program of its own, where the contracts let it import one.
    started = {"sim.engine.emulated_unit", "sim.cli"}
    found = {
        name: rest
        for name, names in found.items()
        if (rest := names - (started if name.startswith("city_game/") else set()))
    }
    assert found == BY_NAME


def test_only_these_import_by_a_variable():
    assert {name for name, _, tree in modules() if imports_by_a_variable(tree)} == HANDED


def test_a_planted_arrow_is_found():
    assert named(ast.parse('run([sys.executable, "-m", "sim.cli"])')) == {"sim.cli"}
    assert named(ast.parse('import_module("firmware.boards")')) == {"firmware.boards"}
    assert named(ast.parse('"sim", "sim.nothing", "numpy.fft", "sim.nothing of it"')) == set()
    assert imports_by_a_variable(ast.parse('importlib.import_module(f"firmware.{name}")'))
    assert not imports_by_a_variable(ast.parse('import_module("sim.cli")'))


def test_the_pure_core_imports_nothing_that_a_board_lacks():
    allowed = {"micropython", "binascii", "ubinascii"}
    for name, room, tree in modules():
        if room != "city_unit" or name.count("/") > 1:
            continue
        for node in ast.walk(tree):
            if isinstance(node, ast.Import):
                assert {alias.name for alias in node.names} <= allowed, name
            if isinstance(node, ast.ImportFrom):
                module = (node.module or "").removeprefix("city_unit").lstrip(".")
                is_own = node.level == 1 or (node.module or "").split(".")[0] == "city_unit"
                files = [module, *(alias.name for alias in node.names)] if is_own else []
                assert is_own or node.module in allowed, name
                assert not {"host", "desktop"} & set(files), name


def test_the_core_runs_where_nothing_is_installed(tmp_path):
    code = f"import sys; sys.path = [{str(ROOT)!r}, *sys.path]; import city_unit.unit"
    done = subprocess.run(
        [sys.executable, "-I", "-S", "-c", f"{code}, city_unit.trace, city_unit.draws"],
        cwd=tmp_path,
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stderr
