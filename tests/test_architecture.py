"""The architecture: import-linter's contracts in pyproject.toml, and references by name.

A module that is imported by a string, or started with `-m`, is a dependency that no import shows.
"""

import re
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parent.parent
ROOMS = ("city_unit", "firmware", "sim", "city_game")
# The allowed references by name to modules of another room.
BY_NAME = {
    "sim/cli.py": {"firmware.tool.flash", "firmware.tool.one_file", "firmware.tool.selftest"},
    "sim/web/server.py": {"firmware.tool.for_page"},
    "sim/play/starters.py": {"city_game.cli"},
    "sim/lab/check/bodies.py": {"firmware.virtual.launch", "firmware.chip.pico"},
}
# The game starts an emulated unit as a program; the contracts allow this import too.
STARTED_BY_THE_GAME = {"sim.engine.emulated_unit"}
# These import modules by a variable; the files of BY_NAME provide the names.
BY_A_VARIABLE = {"city_unit/desktop/command.py", "firmware/virtual/lib/world.py"}
BY_A_VARIABLE.add("city_game/editions/__init__.py")  # finds the editions by their folders
_NAMED = re.compile(rf"""["']((?:{"|".join((*ROOMS, "tests"))})(?:\.\w+)+)["']""")
_BY_A_VARIABLE = re.compile(r"""\b(?:import_module|__import__|run_module|run_path)\((?!["'])""")


def arrows(text: str) -> set[str]:
    """Return the modules of our own that a source names in its strings."""
    return {name for name in _NAMED.findall(text) if is_module(name)}


def is_module(name: str) -> bool:
    place = ROOT.joinpath(*name.split("."))
    return place.with_suffix(".py").exists() or (place / "__init__.py").exists()


def test_the_contracts_are_kept():
    # A process of its own: import-linter disables all loggers, which other tests read.
    program = "from importlinter.cli import lint_imports_command; lint_imports_command()"
    command = [sys.executable, "-c", program, "--no-cache"]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=300)
    assert done.returncode == 0, done.stdout + done.stderr


def test_arrows_by_name_and_by_a_variable():
    """A room may name its own modules, those of `city_unit`, and those listed above."""
    by_name, by_a_variable = {}, set()
    for path in sorted(path for room in ROOMS for path in (ROOT / room).rglob("*.py")):
        name, text = path.relative_to(ROOT).as_posix(), path.read_text(encoding="utf-8")
        room = name.split("/")[0]
        near = (f"{room}.", "city_unit.")
        granted = STARTED_BY_THE_GAME if room == "city_game" else set()
        if found := {module for module in arrows(text) - granted if not module.startswith(near)}:
            by_name[name] = found
        if _BY_A_VARIABLE.search(text):
            by_a_variable.add(name)
    assert by_name == BY_NAME
    assert by_a_variable == BY_A_VARIABLE


def test_the_core_runs_where_nothing_is_installed(tmp_path):
    """The files that run on a board import no package and no folder of `city_unit`."""
    core = [path.stem for path in (ROOT / "city_unit").glob("*.py") if path.stem != "__init__"]
    code = f"import sys; sys.path = [{str(ROOT)!r}, *sys.path]\nbefore = set(sys.modules)\n"
    code += "".join(f"import city_unit.{name}\n" for name in core)
    code += "print(*sorted(set(sys.modules) - before))"
    done = subprocess.run(
        [sys.executable, "-I", "-S", "-c", code], cwd=tmp_path, capture_output=True, text=True
    )
    assert done.returncode == 0, done.stderr
    loaded = set(done.stdout.split()) - {"binascii"}  # MicroPython has it too
    assert loaded == {"city_unit", *(f"city_unit.{name}" for name in core)}


def test_the_kernel_names_no_edition():
    """Nor things of a single edition; `city_game` and `city_unit` are not names of editions."""
    kernel = ROOT / "city_game" / "kernel"
    editions = {path.parent.name for path in (kernel.parent / "editions").glob("*/__init__.py")}
    theirs = {"skyscraper", "stadium", "hazard", "residential", "industrial", "hotel", "dodge"}
    names = editions | theirs
    for path in kernel.glob("*.py"):
        text = path.read_text(encoding="utf-8").lower()
        said = set(re.findall("[a-z]+", re.sub("city_(game|unit)|city-game", "", text)))
        assert not said & names, path.name
        assert not re.search(r"editions?\.name (==|!=|in)", text.replace("== edition.name", ""))
