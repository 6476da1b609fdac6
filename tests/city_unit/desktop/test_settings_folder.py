"""Where settings lie: where they always have."""

import sys
from pathlib import Path

import pytest

from city_unit.desktop import files


@pytest.mark.skipif(sys.platform != "linux", reason="the folders of Linux")
def test_settings_lie_where_they_always_have(monkeypatch, tmp_path):
    monkeypatch.delenv("CITY_UNIT_SETTINGS", raising=False)
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path))
    assert files.settings_folder() == tmp_path / "city-unit"
    monkeypatch.delenv("XDG_CONFIG_HOME")
    monkeypatch.setenv("HOME", str(tmp_path))
    assert files.settings_folder() == tmp_path / ".config" / "city-unit"
    assert list(tmp_path.iterdir()) == []  # asking makes no folder
    monkeypatch.setenv("CITY_UNIT_SETTINGS", str(tmp_path / "mine.json"))
    assert files.settings_folder() == Path(tmp_path)
