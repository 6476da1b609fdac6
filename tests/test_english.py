"""Docstrings and comments have few clauses whose subject or object is `what` or `who`.

A sentence has a concrete subject and an active verb. Each folder may have 3 such clauses per 1000
words.
"""

import ast
import re
from collections import defaultdict
from pathlib import Path

ROOT = Path(__file__).parent.parent
MOST = 3.0
_CLAUSE = re.compile(
    r"\b(what|whoever|who)\s+(is|was|are|has|had|can|may|comes|came|stands|lies|it|the|a|they"
    r"|there|[a-z]+s)\b",
    re.IGNORECASE,
)
# A string, whose # starts no comment, or a comment; `tokenize` takes seconds for all files.
_COMMENT = re.compile(
    r"""\"{3}[\s\S]*?\"{3}|'{3}[\s\S]*?'{3}|"(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*'|(#.*)"""
)


def texts(source: str) -> str:
    """Return the docstrings and the comments of a module."""
    documented = (ast.Module, ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)
    nodes = [node for node in ast.walk(ast.parse(source)) if isinstance(node, documented)]
    comments = filter(None, _COMMENT.findall(source))
    return " ".join([*(ast.get_docstring(node) or "" for node in nodes), *comments])


def of_folders() -> dict[str, float]:
    """Return the clauses per 1000 words of each folder with at least 200 words.

    A folder is a room, or one level below it with its subfolders: `sim/window`, `tests/firmware`.
    """
    read = defaultdict(list)
    for room in ("city_unit", "firmware", "sim", "city_game", "release", "tests"):
        for path in sorted((ROOT / room).rglob("*.py")):
            folder = "/".join(path.relative_to(ROOT).parts[:-1][:2])
            read[folder].append(texts(path.read_text(encoding="utf-8")))
    joined = {folder: " ".join(parts) for folder, parts in read.items()}
    return {
        folder: 1000 * len(_CLAUSE.findall(text)) / len(text.split())
        for folder, text in joined.items()
        if len(text.split()) >= 200
    }


def test_each_folder_reads_well():
    assert {folder: found for folder, found in of_folders().items() if found > MOST} == {}


def test_no_function_has_tells_or_lets():
    """A docstring begins with a verb of the trade: send, record, parse."""
    vague = re.compile(r'"""(Have|Let|Meet|Tell) ')
    found = [
        f"{path.relative_to(ROOT)}: {line.strip()}"
        for room in ("city_unit", "firmware", "sim", "city_game", "release")
        for path in sorted((ROOT / room).rglob("*.py"))
        for line in path.read_text(encoding="utf-8").splitlines()
        if vague.search(line)
    ]
    assert found == [] and vague.search('    """Tell the world."""')
