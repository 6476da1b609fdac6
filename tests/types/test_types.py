"""The style, by ruff, and the types, by pyright: a board's against MicroPython's stubs.

Each run of types is alone, since the boards' `time` must not leak into the desktop.
"""

import json
import subprocess
import sys
from pathlib import Path

import pytest

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib

ROOT = Path(__file__).parents[2]
STUBS = ROOT / ".stubs"
# The files of each run, and those that it leaves out. No stubs fit the virtual board, which
# replaces modules of MicroPython; the case needs its CAD library, the decoder sigrok's Python.
DESKTOP = (
    [
        *("city_unit", "firmware", "sim", "city_game", "release", "start.py", "tests/helpers"),
        "tests/city_unit/mistaken.py",
    ],
    ["firmware/board", "firmware/virtual", "firmware/maker/case", "sim/lab/decoder.py"],
)
BOARD = (["city_unit", "firmware/board"], ["city_unit/host", "city_unit/desktop"])


@pytest.mark.parametrize("words", ["check", "format --check"])
def test_the_style_is_right(words):
    ruff = [sys.executable, "-m", "ruff", *words.split(), "."]
    done = subprocess.run(ruff, capture_output=True, text=True, cwd=ROOT)
    assert done.returncode == 0, done.stdout + done.stderr


def test_a_set_up_for_editing_is_a_path_that_type_checkers_follow():
    """Setuptools then writes a `.pth`; otherwise a finder in Python, which they do not run."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    assert project["tool"]["setuptools"]["package-dir"] == {"": "."}


@pytest.mark.parametrize("name", ["desktop", "rp2", pytest.param("esp32", marks=pytest.mark.slow)])
def test_the_types_are_right(name):
    """The project's extra `stubs-NAME` has the stubs of a family of boards."""
    included, excluded = DESKTOP if name == "desktop" else BOARD
    settings = {
        "include": [f"../{path}" for path in included],
        "exclude": [f"../{path}" for path in excluded],
        "extraPaths": [".."],
        "pythonVersion": "3.10",
        "reportMissingModuleSource": False,
        "stubPath": "../tests/stubs" if name == "desktop" else name,
    }
    STUBS.mkdir(exist_ok=True)
    if name != "desktop":
        install_stubs(name)
    project = STUBS / f"{name}.json"
    project.write_text(json.dumps(settings))
    command = [sys.executable, "-m", "pyright", "--outputjson", "--project", str(project)]
    done = subprocess.run(
        [*command, "--pythonpath", sys.executable], capture_output=True, text=True
    )
    report = json.loads(done.stdout)
    assert [
        f"{found['file']}:{found['range']['start']['line'] + 1}: {found['message']}"
        for found in report["generalDiagnostics"]
    ] == []
    assert report["summary"]["filesAnalyzed"] > 0


def install_stubs(board: str) -> None:
    folder = STUBS / board
    if folder.exists():
        return
    pip = [sys.executable, "-m", "pip", "install", "--quiet", "--disable-pip-version-check"]
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    stubs = project["optional-dependencies"][f"stubs-{board}"]
    subprocess.run([*pip, "--no-deps", "--target", str(folder), *stubs], check=True)
