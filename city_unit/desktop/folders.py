"""The folders of settings, as each system has them."""

import os
from pathlib import Path


def settings() -> Path:
    """Return the folder for settings, which may not be there yet.

    `CITY_UNIT_SETTINGS` names another settings file, and so another folder.
    """
    named = os.environ.get("CITY_UNIT_SETTINGS")
    if named:
        return Path(named).parent
    import platformdirs  # start.py asks before it is installed

    return Path(platformdirs.user_config_dir("city-unit", appauthor=False, roaming=True))
