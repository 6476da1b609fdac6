"""The entry point of the bundled programs; also accepts `-m MODULE` and `-c CODE` like Python.

Our programs start each other through `sys.executable`, which in a bundle is this program.
"""

import os
import runpy
import sys
from pathlib import Path

PROGRAMS = {
    "city-unit": "sim.cli",
    "city-unit-terminal": "sim.cli",  # on Windows
    "city-game": "city_game.cli",
}


def main(words: list[str]) -> None:
    # On Windows a program without a console has no streams, but printing must not fail.
    for name in ("stdout", "stderr"):
        if getattr(sys, name) is None:
            setattr(sys, name, open(os.devnull, "w", encoding="utf-8"))  # noqa: SIM115 - stays open
    # System programs that we start must use the system's libraries, not the bundled ones.
    os.environ.pop("LD_LIBRARY_PATH", None)
    if original := os.environ.pop("LD_LIBRARY_PATH_ORIG", ""):
        os.environ["LD_LIBRARY_PATH"] = original
    # Otherwise a bundled program started from here takes itself for a worker of this process and
    # does not load the bundled libraries, so it runs only if the system has the same ones.
    os.environ["PYINSTALLER_RESET_ENVIRONMENT"] = "1"
    if words[:1] == ["-c"]:
        sys.argv = ["-c", *words[2:]]
        exec(words[1], {"__name__": "__main__"})
        return
    if words[:1] != ["-m"]:
        words = ["-m", PROGRAMS[Path(sys.executable).stem], *words]
    sys.argv = words[1:]
    runpy.run_module(words[1], run_name="__main__", alter_sys=True)


if __name__ == "__main__":
    main(sys.argv[1:])
