"""Fixtures: virtual boards with the whole firmware, in virtual time and behind a pty."""

import os

import pytest

from firmware.tool.image import unix
from firmware.virtual.launch import SWITCHED_ON, Supervised, VirtualBoard, lay
from tests.helpers.needs import needs


@pytest.fixture
def folder(tmp_path):
    """An empty folder for a board."""
    needs(os.name == "posix" and unix(), "MicroPython's Unix port")
    folder = tmp_path / "board"
    folder.mkdir()
    return folder


@pytest.fixture
def board(folder, tmp_path):
    lay(folder)
    world = {"time": "jump", "trace": "-", "report": str(tmp_path / "report.json"), "seed": 7}
    return VirtualBoard(folder, world=world)


@pytest.fixture
def real(folder):
    """A board in real time, with its unit switched on."""
    lay(folder)
    return VirtualBoard(folder, world=dict(SWITCHED_ON))


@pytest.fixture
def supervised(real, tmp_path):
    """A running board behind a pty: its `Supervised`, and its port."""
    supervised = Supervised(real, tmp_path / "world.json")
    with supervised as port:
        yield supervised, port
