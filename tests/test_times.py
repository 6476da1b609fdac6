"""Times come from the program: no test has a second copy of when an auction warns or ends."""

import ast
import re
from pathlib import Path

import pytest

from tests.helpers import times

ROOT = Path(__file__).parent.parent
OF_THE_PROGRAM = {
    *(times.LENGTH_MS, times.SLOW_MS, times.WARNED, times.ENDED),
    *(1000 + times.LENGTH_MS, 1000 + times.SLOW_MS),  # of a press at 1 s
}
FIGURE = re.compile(r"\d+")
ANY = re.compile("|".join(map(str, OF_THE_PROGRAM)))

# Where such a figure is something else, and what.
MAY = {
    "tests/bench/core.py": "how many times as fast as real time",
    "tests/city_unit/desktop/test_forms.py": "a figure to be written",
    "tests/city_unit/test_link_vectors.py": "the talk on the page of the protocol, and a count",
    "tests/sim/listen/test_against.py": "beeps of our own, of no program",
    "tests/sim/listen/test_learning.py": "beeps of our own, of no program",
    "tests/sim/listen/test_listening_in_noise.py": "beeps of our own, of no program",
}
FILES = sorted(path.relative_to(ROOT).as_posix() for path in (ROOT / "tests").rglob("*.py"))


def copies(source: str) -> list[tuple[int, int]]:
    """Return the line and the figure of each time of the program that stands in a test."""
    found: list[tuple[int, int]] = []
    if not ANY.search(source.replace("_", "")):  # as in 45_000; most files are not to be parsed
        return found
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Constant) and isinstance(node.value, int | str):
            figures = map(int, FIGURE.findall(str(node.value)))
            found += [(node.lineno, figure) for figure in figures if figure in OF_THE_PROGRAM]
    return found


@pytest.mark.parametrize("name", [name for name in FILES if "node_modules" not in name])
def test_no_test_has_a_copy_of_a_time_of_the_program(name):
    if name not in MAY:
        assert copies((ROOT / name).read_text(encoding="utf-8")) == []


def test_what_may_stand_is_still_there():
    assert [name for name in MAY if not copies((ROOT / name).read_text("utf-8"))] == []


@pytest.mark.parametrize("written", ["{}", "at == ({}, 7)", "'at {} ms'", "f'{{name}} at {} ms'"])
def test_a_copy_that_is_planted_is_found(written):
    for time in OF_THE_PROGRAM:
        assert copies(written.format(time)) == [(1, time)]
    assert copies(written.format(12345)) == []
