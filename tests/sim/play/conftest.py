"""A game that is kept, and where."""

import pytest

from tests.helpers.hours import Table


@pytest.fixture
def path(tmp_path):
    return tmp_path / "game.jsonl"


@pytest.fixture
def table(path):
    table = Table(path)
    table.hour.switch(True)
    table.wait(60)
    return table
