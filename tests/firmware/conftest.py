"""A virtual board with the whole firmware."""

import pytest

from firmware.virtual.launch import VirtualBoard, lay
from tests.helpers.interpreters import available
from tests.helpers.needs import needs


@pytest.fixture
def board(tmp_path):
    needs("unix" in available(), "the unix MicroPython")
    folder = tmp_path / "board"
    folder.mkdir()
    lay(folder)
    world = {"time": "jump", "trace": "-", "report": str(tmp_path / "report.json"), "seed": 7}
    return VirtualBoard(folder, world=world)
