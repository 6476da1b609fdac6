"""What lies on a board: the list of its files, taken from what `main.py` imports."""

import ast
from pathlib import Path

ROOT = Path(__file__).parent.parent.parent
MAIN = "firmware/board/main.py"


def sources() -> dict[str, Path]:
    """Return the path on the board of every file, and where it lies here.

    `main.py` is in the root of the board; all else keeps its name.
    """
    found = {"main.py": ROOT / MAIN}
    waiting = [ROOT / MAIN]
    while waiting:
        for path in _imported(waiting.pop()):
            name = path.relative_to(ROOT).as_posix()
            if name not in found:
                found[name] = path
                waiting.append(path)
    return dict(sorted(found.items()))


def _imported(path: Path) -> list[Path]:
    """Return the files of ours that a file imports, with those of their packages."""
    names = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            names |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module:
            names |= {node.module, *(f"{node.module}.{alias.name}" for alias in node.names)}
    ours = [name for name in names if name.split(".")[0] in ("city_unit", "firmware")]
    candidates = [ROOT / (name.replace(".", "/") + ".py") for name in ours]
    return [candidate for candidate in candidates if candidate.is_file()]
