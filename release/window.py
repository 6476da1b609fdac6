"""The start of a window without Python: it serves as our Python too, as `-m MODULE` and `-c CODE`.

Our programs start one another by `sys.executable`, which in a bundle is this program.
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
    # A program without a console has no streams on Windows; those who print must not fail.
    for name in ("stdout", "stderr"):
        if getattr(sys, name) is None:
            setattr(sys, name, open(os.devnull, "w", encoding="utf-8"))  # noqa: SIM115 - for good
    # Our libraries are for us: the system's programs that we start have its own.
    os.environ.pop("LD_LIBRARY_PATH", None)
    if original := os.environ.pop("LD_LIBRARY_PATH_ORIG", ""):
        os.environ["LD_LIBRARY_PATH"] = original
    # Without this a program of ours that we start takes itself for a part of this one, and does not
    # look for our libraries: it begins only where the system has the same.
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
