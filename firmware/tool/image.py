"""The files of a board: the modules that `main.py` imports, and the three files made of them."""

import ast
import json
import re
import tempfile
from pathlib import Path

from city_unit.facts import VERSION
from firmware.board.chips import CHIPS
from firmware.interpreters import machine_code
from firmware.linker import imported, joined, module_of

ROOT = Path(__file__).parent.parent.parent
MAIN = "firmware/board/main.py"
CHIP_ROWS = "firmware/board/chips.py"
# `flash` reads the version here.
HEAD = f"# City Unit {VERSION}, made from firmware.board.main\n"  # no text: code
WITH_CHIPS = {"main.py": MAIN, CHIP_ROWS: CHIP_ROWS}  # path there: the source, a row for each chip


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


def sources_for(chip: str, folder: Path) -> dict[str, Path]:
    """Return the files of a board with this chip, as `sources` does.

    The lines of other chips are left out, to save room; the shortened files are written
    into `folder`.
    """
    others = tuple(f'    "{other}":' for other in CHIPS if other != chip)
    shorter = {}
    for name, source in WITH_CHIPS.items():
        text = (ROOT / source).read_text(encoding="utf-8")
        lines = [line for line in text.splitlines(True) if not line.startswith(others)]
        shorter[name] = folder / Path(name).name
        shorter[name].write_text("".join(lines), encoding="utf-8", newline="\n")
    return {**sources(), **shorter}


def built(chip: str, folder: Path, compile_it: bool = True) -> dict[str, Path]:
    """Make in a folder the three files that are copied; return each by its name on the board.

    `main.py` is a source, since MicroPython starts no other. Raises interpreters.Failed.
    """
    texts = {
        name: path.read_text(encoding="utf-8") for name, path in sources_for(chip, folder).items()
    }
    made = {}
    for name, text in joined(texts, "main.py").items():
        content = (HEAD + text if name == "main.py" else text).encode()
        if compile_it and name != "main.py":
            content = machine_code(name[:-3], text)
            name = name[:-3] + ".mpy"
        made[name] = folder / name
        made[name].write_bytes(content)
    return made


def contents(chip: str) -> dict[str, bytes]:
    """Return the three files as `built` makes them, by their names on the board."""
    with tempfile.TemporaryDirectory() as folder:
        return {name: path.read_bytes() for name, path in built(chip, Path(folder)).items()}


def package(chip: str) -> dict[str, bytes]:
    """Return the files for `mpremote mip install`, main.py after all that it imports."""
    made = contents(chip)
    about = {"version": VERSION, "deps": [], "urls": [[name, name] for name in sorted(made)]}
    return {**made, "package.json": json.dumps(about, indent=1).encode()}
