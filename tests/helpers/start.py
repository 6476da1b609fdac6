"""`start.py` as a module."""

import importlib.util
from pathlib import Path

ROOT = Path(__file__).parent.parent.parent


def start():
    spec = importlib.util.spec_from_file_location("start", ROOT / "start.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module
