"""A test stands alone: what two of them need is a helper."""

import ast
from pathlib import Path

import pytest

TESTS = Path(__file__).parent


def imported(source: str) -> list[str]:
    """Return the modules of our tests that a module imports, by their last name."""
    names = []
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.ImportFrom) and (
            node.level or f"{node.module}.".startswith("tests.")
        ):
            names += [*(node.module or "").split("."), *(part.name for part in node.names)]
        elif isinstance(node, ast.Import):
            names += [part.name.rpartition(".")[2] for part in node.names]
    return names


def test_no_test_imports_a_test():
    found = {
        path.relative_to(TESTS).as_posix(): [name for name in names if name.startswith("test_")]
        for path in TESTS.rglob("*.py")
        if (names := imported(path.read_text(encoding="utf-8")))
    }
    assert {path: names for path, names in found.items() if names} == {}


@pytest.mark.parametrize(
    "line",
    [
        "from tests.sim.test_docs import PAGES",
        "from tests.sim import test_docs",
        "from .test_docs import PAGES",
        "import tests.sim.test_docs",
    ],
)
def test_one_that_does_is_found(line):
    assert any(name.startswith("test_") for name in imported(line))
