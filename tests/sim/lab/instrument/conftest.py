"""Fixtures for tests of the instruments."""

import pytest

from tests.helpers.scenario_text import EXPECTED
from tests.scenarios import FOLDER


@pytest.fixture
def expecting(tmp_path):
    """Write the auction scenario with expectations; return its path."""
    path = tmp_path / "auction.toml"
    path.write_text((FOLDER / "auction.toml").read_text() + EXPECTED)
    return path
