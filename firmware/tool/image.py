"""The files of a board: the modules that `main.py` imports, and the three files made of them."""

import ast
import json
import re
from collections.abc import Mapping
from functools import cache
from pathlib import Path

from city_unit.desktop.catalogue import _
from city_unit.desktop.errors import FAILURE, UserError
from city_unit.facts import VERSION
from firmware.board.chips import CHIPS
from firmware.interpreters import Failed, machine_code
from firmware.linker import imported, joined, module_of

ROOT = Path(__file__).parent.parent.parent
MAIN = "firmware/board/main.py"
CHIP_ROWS = "firmware/board/chips.py"
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
