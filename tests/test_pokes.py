"""No test looks into what is private: it sees what anybody sees."""

from pathlib import Path

import pytest

from tests.helpers import pokes

ROOT = Path(__file__).parent.parent

# What may reach inside, and why.
MAY = {
    "tests/sim/conform/test_conform.py": "plants faults inside our link and our client",
    "tests/test_pokes.py": "plants pokes",
}
SOURCES = {".py": pokes.in_source, ".mjs": pokes.in_text, ".js": pokes.in_text}
FILES = sorted(
    path.relative_to(ROOT).as_posix()
    for path in (ROOT / "tests").rglob("*.*")
    if path.suffix in SOURCES and "node_modules" not in path.parts
)


def of(name: str) -> list[pokes.Poke]:
    path = ROOT / name
    return SOURCES[path.suffix](path.read_text(encoding="utf-8"))


@pytest.mark.parametrize("name", [name for name in FILES if name not in MAY])
def test_no_test_looks_into_what_is_private(name):
    assert of(name) == []


@pytest.mark.parametrize("name", MAY)
def test_who_may_look_inside_does(name):
    assert of(name)


@pytest.mark.parametrize(
    "planted",
    [
        "assert unit._due is None",
        "unit.memory.link._number = 7",
        "opened()._begin_hour(session)",
        "from sim.commands.serve import _page",
        "from sim.web import _bundle",
        'monkeypatch.setattr(board, "_large", draw)',
        'monkeypatch.setattr("sim.commands.serve._connect", connect)',
        'assert getattr(unit, "_levels")',
        'page.evaluate("app.speaker._context.suspend()")',
        'page.evaluate("app.lock?._sentinel")',
        'run("-c", "from city_unit import unit; unit.Unit()._step()")',
        "class Doubles(Link):\n    def tell(self):\n        self._tell(1)",
        "class Doubles(Link):\n    def tell(self):\n        super()._tell(1)",
        "class Silent(Link):\n    def _tell(self, what): ...",
    ],
)
def test_a_poke_that_is_planted_is_found(planted):
    assert pokes.in_source(planted)


@pytest.mark.parametrize(
    "innocent",
    [
        "from city_unit.desktop.catalogue import _",
        "bid._replace(amount=7)",
        "os._exit(9)",
        "unit.__class__.__name__",
        "class Line:\n    def read(self):\n        return self._port.read()",
        "class Awake(Watch):\n    def look(self):\n        self._a = 0\n        self._a += 1",
        "class Awake(Watch):\n    def look(self):\n        self._see()\n    def _see(self): ...",
        'assert said == "city-unit.log_, and no more"',
        "for _ in range(3): pass",
    ],
)
def test_what_is_public_is_left_alone(innocent):
    assert pokes.in_source(innocent) == []
