"""Checks the types in several runs, since the boards' `time` must not leak into the desktop.

`python -m tests.check_types` checks what runs on a board against the MicroPython
stubs of each family of boards, and all the rest against the desktop's libraries.
"""

import json
import subprocess
import sys
from pathlib import Path

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib

ROOT = Path(__file__).parent.parent
STUBS = ROOT / ".stubs"
BOARDS = ("rp2", "esp32")  # the families; the project's extra `stubs-NAME` has the stubs of each

# What is checked, and what is left out of it, in each kind of run. The virtual board
# remakes MicroPython's own modules, which no stubs fit; the case needs its CAD library.
DESKTOP = (
    ["city_unit", "firmware", "sim", "city_game", "start.py", "tests/helpers"],
    ["firmware/board", "firmware/virtual", "firmware/maker/case"],
)
BOARD = (["city_unit", "firmware/board"], ["city_unit/host", "city_unit/desktop"])


def main() -> int:
    failed = [name for name in ("desktop", *BOARDS) if not check(name)]
    return 1 if failed else 0


def check(name: str) -> bool:
    """Run pyright for the desktop or a family of boards; return whether all is well."""
    included, excluded = DESKTOP if name == "desktop" else BOARD
    settings = {
        "include": [f"../{path}" for path in included],
        "exclude": [f"../{path}" for path in excluded],
        "extraPaths": [".."],
        "pythonVersion": "3.10",
        "reportMissingModuleSource": False,
    }
    STUBS.mkdir(exist_ok=True)
    if name == "desktop":
        settings["stubPath"] = "../tests/stubs"
    else:
        install_stubs(name)
        settings["stubPath"] = name
    project = STUBS / f"{name}.json"
    project.write_text(json.dumps(settings))
    command = [sys.executable, "-m", "pyright", "--outputjson", "--project", str(project)]
    done = subprocess.run(
        [*command, "--pythonpath", sys.executable], capture_output=True, text=True
    )
    return tell(name, json.loads(done.stdout))


def tell(name: str, report: dict) -> bool:
    """Print what pyright found; return whether it looked at something and found nothing."""
    for found in report["generalDiagnostics"]:
        path = Path(found["file"]).relative_to(ROOT)
        print(f"{path}:{found['range']['start']['line'] + 1}: {found['message']}")
    summary = report["summary"]
    print(f"types, {name}: {summary['filesAnalyzed']} files, {summary['errorCount']} errors")
    return summary["filesAnalyzed"] > 0 and summary["errorCount"] == 0


def install_stubs(board: str) -> None:
    folder = STUBS / board
    if folder.exists():
        return
    pip = [sys.executable, "-m", "pip", "install", "--quiet", "--disable-pip-version-check"]
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    stubs = project["optional-dependencies"][f"stubs-{board}"]
    subprocess.run([*pip, "--no-deps", "--target", str(folder), *stubs], check=True)


if __name__ == "__main__":
    sys.exit(main())
